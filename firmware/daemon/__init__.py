"""The daemon: a rig's parts, the loop that joins them with the chair, and what it says of parts that fail.

`rigs.py` chooses the parts, `parts.py` is what is asked of them, `daemon.py` the loop; hearing, looking and
showing are its ears, eyes and hands, the ledger keeps before anything is told.
"""
