"""Which clips say what: sentences whole where there are few of them, else their parts and what fills them.

The texts are given marks around sentences and placeholders, then `firmware.texts` makes its announcements
of them as ever, and the marks in what comes out tell where to cut. So whatever is announced can be spoken,
and only the table of texts knows the wording.
"""

import hashlib
import re
import string
import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from types import MappingProxyType
from typing import Final

from firmware.rules import Event, Setup
from firmware.rules.setup import TIE_BREAK_GOAL
from firmware.texts import Language, Texts, announcement, load

VOICES: Final[Mapping[Language, str]] = MappingProxyType({"en": "en-gb", "fr": "fr-fr"})
"""espeak-ng's voice for each language."""
WORDS_PER_MINUTE: Final = 165

_BEGIN, _END, _GAP = "\x02", "\x03", "\x1f"
_MARKS: Final = str.maketrans("", "", _BEGIN + _END + _GAP)
_SPOKEN: Final = (
    "asked",
    "called",
    "corrected",
    "names",
    "outcome",
    "placed",
    "placement-agreed",
    "reason",
    "review",
    "score",
    "spot",
    "stroke-refused",
    "told",
    "undone",
    "waiting",
    "won",
)
"""The parts of the table that are said at the table; the others are read."""
_MOST_POINTS: Final = 9
"""Of a stroke: what players may rule (reason `points-out-of-range`)."""
_POINTS: Final = ("0", "15", "30", "40")
_LONGEST_NUMBER: Final = 4
"""Digits. A match of ten thousand strokes has its numbers spelt."""


def marked(texts: Texts) -> Texts:
    """The texts with marks in them: what is made of these can be given to `clips_of`."""
    table = {
        key: text.translate(_MARKS) if key.startswith("names.") else _marked(text)
        for key, text in texts.table.items()
    }
    return replace(texts, table=MappingProxyType(table))


def clips_for(events: Sequence[Event], texts: Texts, setup: Setup) -> tuple[str, ...]:
    """The names of the clips that say the announcement of a step's events. `texts` are the match's, with
    the players' names; each name is a clip of its own."""
    return clips_of(announcement(events, marked(texts), setup), texts)


def clips_of(said: str, texts: Texts) -> tuple[str, ...]:
    """The names of the clips that say a sentence made of marked `texts`."""
    whole = whole_sentences(_language(texts))
    return tuple(clip_name(piece, _language(texts)) for piece in _pieces(said, whole))


def every_clip(language: Language) -> Mapping[str, str]:
    """All clips of a language without players' names: what is spoken in each, by its file's name."""
    texts = load(language)
    told = [*whole_sentences(language), *_parts(texts), *_numbers()]
    return {clip_name(text, language): spoken(text, language) for text in told}


def clips_of_name(name: str, language: Language) -> Mapping[str, str]:
    """The clips that say a player's name, as `every_clip` tells them; none for a name without letters."""
    parts = _worded(name.translate(_MARKS))
    return {clip_name(part, language): spoken(part, language) for part in parts}


def clip_name(text: str, language: Language) -> str:
    """The name of the file that says a text. It changes with what is spoken and how: a file of that name
    never says anything else, though texts and voices change."""
    recipe = f"1 {VOICES[language]} {WORDS_PER_MINUTE} {spoken(text, language)}"
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    word = re.sub(r"[^a-z0-9]+", "-", plain)[:40].strip("-")
    return f"{word or 'clip'}-{hashlib.sha256(recipe.encode()).hexdigest()[:10]}.wav"


def spoken(text: str, language: Language) -> str:
    """How a text is to be read out. A score's hyphen would be read as a range or a minus; a word in
    capitals might be spelt; nothing is called love in English."""
    score = re.fullmatch(r"(\d+)-(\d+)\.", text)
    if score is not None and language == "en":
        return f"{' '.join('love' if points == '0' else points for points in score.groups())}."
    text = re.sub(r"(?<=\d)-(?=\d)", " ", text)
    return re.sub(r"\b[A-Z]{2,}\b", lambda word: word[0].lower(), text)


@cache
def whole_sentences(language: Language) -> frozenset[str]:
    """The sentences that are one clip each: those without placeholders, and the ones said most."""
    texts = load(language)
    plain = [texts.table[key] for key in _keys(texts) if not _names_in(texts.table[key])]
    for points in range(_MOST_POINTS + 1):
        plain += [texts.count(key, points) for key in ("called.in", "called.winner")]
    plain.append(texts.say("told.tie-break", goal=TIE_BREAK_GOAL))
    plain += [texts.say("score.points", a=a, b=b) for a in _POINTS for b in _POINTS if a != b]
    plain += [texts.say("score.all", n=n) for n in _POINTS[1:-1]]
    return frozenset(plain)


def _parts(texts: Texts) -> Iterator[str]:
    """What stands between the placeholders."""
    for key in _keys(texts):
        for literal, name, _, _ in string.Formatter().parse(texts.table[key]):
            if name is not None or _names_in(texts.table[key]):
                yield from _worded(literal)


def _numbers() -> Iterator[str]:
    """From which `_number` makes every number."""
    yield from map(str, range(100))
    yield from (str(n) for unit in (100, 1000) for n in range(unit, 10 * unit, unit))


def _number(digits: str) -> Iterator[str]:
    """A number in parts: thousands, hundreds, and what is below."""
    if len(digits) > _LONGEST_NUMBER:
        yield from digits
        return
    n = int(digits)
    parts = [n // 1000 * 1000, n // 100 % 10 * 100, n % 100]
    yield from (str(part) for part in parts if part) if n else "0"


def _pieces(said: str, whole: Collection[str]) -> tuple[str, ...]:
    """The texts of the clips, in order."""
    sentences: list[list[str | tuple[str, ...]]] = [[]]
    for part in re.split(f"([{_BEGIN}{_END}{_GAP}])", said):
        if part == _BEGIN:
            sentences.append([])
        elif part == _END:
            sentence = sentences.pop()
            text = "".join(item for item in sentence if isinstance(item, str))
            is_flat = not any(isinstance(item, tuple) for item in sentence)
            sentences[-1].append((text,) if is_flat and text in whole else _cut(sentence))
        elif part != _GAP:
            sentences[-1].append(part)
    return _cut(sentences[0])


def _cut(sentence: Sequence[str | tuple[str, ...]]) -> tuple[str, ...]:
    """A sentence's parts, with the sentences that it holds cut already."""
    cut: list[str] = []
    for item in sentence:
        cut += item if isinstance(item, tuple) else _worded(item)
    return tuple(cut)


def _worded(part: str) -> Iterator[str]:
    """A part as it is spoken by itself: without what belongs to the part before it; nothing if no word is
    left. Digits are a number's."""
    text = " ".join(part.split()).lstrip(" ,.;:!?-–")
    if text.isascii() and text.isdecimal():
        yield from _number(text)
    elif any(character.isalnum() for character in text):
        yield text


@cache
def _marked(text: str) -> str:
    cut = ""
    for literal, name, _, _ in string.Formatter().parse(text):
        cut += literal.replace("{", "{{").replace("}", "}}")
        if name is not None:
            cut += f"{_GAP}{{{name}}}{_GAP}"
    return f"{_BEGIN}{cut}{_END}"


def _keys(texts: Texts) -> list[str]:
    return [key for key in texts.table if key.partition(".")[0] in _SPOKEN]


def _names_in(text: str) -> bool:
    return any(name is not None for _, name, _, _ in string.Formatter().parse(text))


def _language(texts: Texts) -> Language:
    for language in VOICES:
        if language == texts.language:
            return language
    raise ValueError(f"no voice speaks {texts.language!r}")  # a language that VOICES was not given
