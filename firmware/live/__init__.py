"""People at the simulated table, and what they see of a match at a terminal."""
