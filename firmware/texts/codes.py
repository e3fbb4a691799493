"""The codes of what has a text though the rules do not know it: notices, reviews that fail, troubles.

Names only. The other layers' own names are repeated here, since texts import none of these layers; the tests
hold both to each other.
"""

from typing import Literal

NoticeCode = Literal[
    "too-dark",
    "covered",
    "out-of-focus",
    "sight-back",
    "board-moved",
    "board-found",
    "ball-lost",
]
"""What the umpire notices (`firmware.umpire.observations`)."""

Trouble = Literal["too-few-frames", "covered", "out-of-focus", "not-found", "no-frames", "found-anew"]
"""Why a rest could not be looked at again: as `firmware.umpire.second_look` has it; or no frame of it is
left, such as after a restart; or the board was found anew since, and the frames of before are no more."""

TroubleCode = Literal[
    "camera-gone",
    "camera-frozen",
    "camera-lost",
    "no-pictures",
    "old-pictures",
    "looking-for-board",
    "calibrating",
    "calibrated",
    "panel-gone.in-rally",
    "panel-gone.game",
    "panel-wrong.in-rally",
    "panel-wrong.game",
    "no-sound",
    "no-clips",
    "no-buttons",
    "no-reviews",
    "unplaced",
    "journal-mended",
    "board-changed",
    "not-saved",
    "link-refused",
    "failed",
]
"""What may be told of a table; `en.toml` says in words what each is."""

Unfound = Literal[
    "too-dark",
    "too-bright",
    "out-of-focus",
    "too-small",
    "not-found",
    "not-whole",
    "covered",
    "other-board",
    "not-flat",
]
"""Why a board is not found (`calibration.errors.Refusal`)."""

Unkept = Literal["full", "read-only", "busy", "damaged", "other-version", "unreadable", "failed"]
"""Why a match cannot be kept, so that nothing is scored: the disk is full; it may not be written to; another
program holds the file; the file is damaged; only another version can go on with the match; nothing can;
anything else."""
