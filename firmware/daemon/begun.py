"""The settings of a match that goes on: as it was begun, whatever has been set since for the next one.

Values in, values out. Language and sound are no matter of the record: people change them at once.
"""

import msgspec

from firmware.config import Config
from firmware.config.sections import MatchSection
from firmware.journal import MatchBegan
from firmware.rules import OPTION_NAMES


def settings_of(config: Config, began: MatchBegan) -> Config:
    """`config`, with what the record says that the match is played by, and by whom."""
    setup = began.setup
    own = setup.level.options
    chosen = {name: getattr(setup.options, name) for name in OPTION_NAMES}
    match = MatchSection(
        preset=setup.preset,
        options={name: on for name, on in chosen.items() if on != getattr(own, name)},
        doubles=setup.doubles,
        games=setup.games_to_set,  # type: ignore[arg-type]  # a setup has only what the section has
        sets=setup.sets_to_win,  # type: ignore[arg-type]
        first_server=setup.first_server,
        names=began.called,
        language=config.match.language,
    )
    return msgspec.structs.replace(config, match=match)
