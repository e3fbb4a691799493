"""What a disk may hold after the power went: of what was not yet had on disk anything may be missing.

Taken are the events of a watched program. A name is sure once its folder was synced, a file's content once
the file was: of what was named, renamed and written since any part may be there, of a content any sector,
whatever came first.
"""

import os
import random
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, assert_never

from tests.faults.system_calls import (
    Change,
    Cut,
    Event,
    FolderMade,
    FolderSynced,
    Made,
    Renamed,
    Synced,
    Told,
    Unnamed,
    Wrote,
)

SECTOR = 512
Luck = Literal["nothing", "names", "last name", "content"]
"""What came to the disk of all that was not yet sure to be there. If a program is killed, all of it comes."""
EXTREMES: tuple[Luck, ...] = ("nothing", "names", "last name", "content")
_FOLDER = None
_Names = dict[str, "_File | None"]
"""Of a folder there is the name alone."""


@dataclass(eq=False)
class _File:
    sure: bytes
    pending: list[Wrote | Cut] = field(default_factory=list)


class Disk:
    """A folder's files, as they change: what programs see of them, and what would be left of them."""

    def __init__(self, folder: Path) -> None:
        """As the folder is now, and all of it surely on disk."""
        self._names: _Names = {}
        self._inodes: dict[int, _File] = {}
        for path in sorted(folder.rglob("*")):
            name = os.path.relpath(path, folder)
            if path.is_dir():
                self._names[name] = _FOLDER
            else:
                inode = path.stat().st_ino
                self._names[name] = self._inodes.setdefault(inode, _File(path.read_bytes()))
        self._sure = dict(self._names)
        self._pending: list[tuple[str, Made | FolderMade | Renamed | Unnamed, _File | None]] = []

    def change(self, event: Change) -> None:
        match event:
            case Made(name, inode):
                former = self._inodes.get(inode)
                # A number without a name is given anew.
                file = former if former in self._names.values() and former is not None else _File(b"")
                self._inodes[inode] = file
                self._rename(event, name, file)
            case FolderMade(name) | Unnamed(name) | Renamed(_, name):
                self._rename(event, name, None)
            case Wrote(inode) | Cut(inode):
                self._inodes[inode].pending.append(event)
            case Synced(inode):
                file = self._inodes[inode]
                file.sure, file.pending = _after(file.sure, file.pending), []
            case FolderSynced(folder):
                for pending in [each for each in self._pending if os.path.dirname(each[0]) == _dir(folder)]:
                    _apply(self._sure, *pending[1:])
                    self._pending.remove(pending)
            case _:
                assert_never(event)

    def _rename(self, event: Made | FolderMade | Renamed | Unnamed, name: str, file: _File | None) -> None:
        self._pending.append((name, event, file))
        _apply(self._names, event, file)

    def left(self, folder: Path, luck: Luck | random.Random) -> None:
        """Put what is left after the power went into an empty folder."""
        names = dict(self._sure)
        for number, (_, event, file) in enumerate(self._pending, start=1):
            if isinstance(luck, random.Random):
                comes = luck.random() < 0.5
            else:
                comes = luck == "names" or (luck == "last name" and number == len(self._pending))
            if comes:
                _apply(names, event, file)
        folder.mkdir()
        for name, file in sorted(names.items()):
            path = folder / name
            if not path.parent.is_dir():
                continue  # its folder is not there, and so nothing in it
            if file is _FOLDER:
                path.mkdir()
            else:
                path.write_bytes(_left_of(file, luck))


def cuts(start: Disk, events: Iterable[Event]) -> Iterable[tuple[Disk, list[str]]]:
    """The disk before each change and at the end, and what the world had been told by then. It is the same
    disk each time, which goes on."""
    told: list[str] = []
    for event in events:
        if isinstance(event, Told):
            told.append(event.text)
        else:
            yield start, told
            start.change(event)
    yield start, told


def _dir(folder: str) -> str:
    return "" if folder == "." else folder


def _apply(names: _Names, event: Made | FolderMade | Renamed | Unnamed, file: _File | None) -> None:
    match event:
        case Made(name) | FolderMade(name):
            names[name] = file
        case Unnamed(name):
            names.pop(name, None)
        case Renamed(old, new):
            if old in names:
                names[new] = names.pop(old)


def _left_of(file: _File, luck: Luck | random.Random) -> bytes:
    if isinstance(luck, random.Random):
        return _after(file.sure, [part for each in file.pending for part in _parts(each, luck)])
    return _after(file.sure, file.pending if luck == "content" else [])


def _parts(change: Wrote | Cut, luck: random.Random) -> Iterable[Wrote | Cut]:
    """What of a change came to the disk: all, nothing, or some of its sectors."""
    how = luck.randrange(3)
    if how == 0:
        return
    if how == 1 or isinstance(change, Cut):
        yield change
        return
    at, end = change.at, change.at + len(change.data)
    while at < end:
        following = min(end, at - at % SECTOR + SECTOR)
        if luck.random() < 0.5:
            yield Wrote(change.inode, at, change.data[at - change.at : following - change.at])
        at = following


def _after(content: bytes, changes: Iterable[Wrote | Cut]) -> bytes:
    data = bytearray(content)
    for change in changes:
        match change:
            case Cut(_, size):
                del data[size:]
                data.extend(bytes(size - len(data)))
            case Wrote(_, at, new):
                data.extend(bytes(max(0, at - len(data))))
                data[at : at + len(new)] = new
    return bytes(data)
