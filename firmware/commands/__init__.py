"""The commands of the command line, a module each: its options, what is joined, what is printed."""
