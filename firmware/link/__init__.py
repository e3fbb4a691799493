"""The link to controllers: its lines and messages, and the table that they play at. No port is opened here:
bytes come in and go out as values, and so does time.
"""
