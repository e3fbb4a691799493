"""Lines of the board's link: JSON, a space, its CRC-32 as eight hex digits, LF. Bytes in, values out."""

import binascii
import json

LONGEST = 4096


def written(message):
    """A message as its line."""
    text = json.dumps(message, separators=(",", ":")).encode()
    return text + b" %08x\n" % binascii.crc32(text)


def read(line):
    """The message of a line without its LF; None if it was damaged on its way."""
    text, ending = line[:-9], line[-9:]
    if len(line) > LONGEST or ending != b" %08x" % binascii.crc32(text):
        return None
    try:
        message = json.loads(text)
    except ValueError:
        return None
    return message if isinstance(message, dict) else None


class Lines:
    """Bytes as they come, to messages. Never holds more than a line."""

    def __init__(self):
        self._line = bytearray()

    def feed(self, data):
        """The messages that end in `data`, None for each line that is damaged."""
        found = []
        *ends, rest = data.split(b"\n")
        for end in ends:
            self._hold(end)
            line, self._line = bytes(self._line).rstrip(b"\r"), bytearray()
            if line:
                found.append(read(line))
        self._hold(rest)
        return found

    def _hold(self, data):
        # One byte more than fits shows that the line is too long; the others need no room.
        self._line += data[: LONGEST + 2 - len(self._line)]
