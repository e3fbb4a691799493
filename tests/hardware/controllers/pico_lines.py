"""The Pico's side of the link's lines, run by MicroPython: pieces of bytes in, hexadecimal, one a line.

Out come the messages that end in them as this side writes them, and `-` for a line that is damaged.
"""

import sys
from binascii import hexlify, unhexlify

from link import Lines, written

lines = Lines()
while True:
    piece = sys.stdin.readline()
    if not piece:
        break
    found = lines.feed(unhexlify(piece.strip()))
    print(" ".join("-" if each is None else hexlify(written(each)).decode() for each in found))
