"""Finds the clips of what is announced. Files are only listed here, once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from firmware.rules import Event, Seat, Setup, Side
from firmware.texts import Language, Texts, announcement, load
from firmware.voice.making import there
from firmware.voice.pieces import clips_of, clips_of_name, every_clip, marked


@dataclass(frozen=True, slots=True)
class Voice:
    """A language's clips as they lie in `folder`. Players whose name has no clip are called by their
    side's letter. `missing`: the files that `setmatch voice` has not made."""

    folder: Path
    texts: Texts
    """With marks, and the names that can be spoken: for anything else that is to be said by `clips`."""
    missing: frozenset[str]
    _there: frozenset[str]

    @classmethod
    def open(cls, folder: Path, language: Language, names: Mapping[Side | Seat, str]) -> "Voice":
        """The voice of a match. No clips at all are no error: then it says nothing."""
        found = there(folder, language)
        known = {
            place: name
            for place, name in names.items()
            if (clips := clips_of_name(name, language)) and found.issuperset(clips)
        }
        texts = marked(load(language).named(known))
        return cls(folder / language, texts, frozenset(every_clip(language)) - found, found)

    def announcement(self, events: Sequence[Event], setup: Setup) -> tuple[Path, ...]:
        """The clips of a step's announcement; see `clips`."""
        return self.clips(announcement(events, self.texts, setup))

    def clips(self, said: str) -> tuple[Path, ...]:
        """The clips of what was made of `texts`. None if one of them is missing: half a sentence would say
        something else."""
        names = clips_of(said, self.texts)
        return tuple(self.folder / name for name in names) if self._there.issuperset(names) else ()
