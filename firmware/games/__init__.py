"""The games that are played with controllers on the serial link, each a pure engine under one protocol.

As the rules of Set & Match, they import nothing else of the project and know no clock, file or thread.
"""
