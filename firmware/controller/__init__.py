"""A player's computer on the link: what it says to the board, what the player sees, and what keys do.

No port and no terminal is opened here; bytes, keys and time come in as values.
"""
