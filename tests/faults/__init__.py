"""Whole daemons, and what goes wrong at a table."""
