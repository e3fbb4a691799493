"""What the board does: rules, umpire, screens and the command line."""
