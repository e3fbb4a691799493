"""What every section of the configuration is, and the kinds of values that several of them have."""

from typing import Annotated, Final

import msgspec
from msgspec import Meta

PLAIN: Final = r"^[^\x00-\x1f\x7f]+$"
"""No control characters: they would reach terminals."""
File = Annotated[str, Meta(pattern=PLAIN, max_length=4096, description="the name of a file")]
Folder = Annotated[str, Meta(pattern=PLAIN, max_length=4096, description="the name of a folder")]


class Section(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table of the file."""
