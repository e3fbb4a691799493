"""Records of matches as rows, and back."""

from typing import Final

from firmware.journal.records import Stored
from firmware.journal.schema import form
from firmware.keeping.rows import Coder

CODER: Final[Coder[Stored]] = Coder(Stored, form())
