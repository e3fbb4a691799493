"""The version of the journal of matches, and how an older one becomes today's."""

from typing import Final

from firmware.journal.files import LOCK, NAME
from firmware.keeping.form import Form, Migration

SCHEMA: Final = 1
MIGRATIONS: dict[int, Migration] = {}
"""What makes of each older version the next one (`tables.rewrite` helps); the first version is 1."""


def form() -> Form:
    """The journal of matches, as what keeps books takes it."""
    return Form(
        *(NAME, LOCK, "match", "journal", SCHEMA, MIGRATIONS),
        unread="its beginning is damaged",
        listed="; `setmatch matches` lists them",
    )
