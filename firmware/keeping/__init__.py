"""What is on disk before it is shown: rows in a SQLite file that survive the loss of power, damage and full
disks. What a row tells is not known here: the journal of matches and the game book of the link say that.
"""
