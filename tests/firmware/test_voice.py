"""The voice: a clip for all that is ever announced, in order and nothing lost; clips made once and whole."""

import re
import wave
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.rules import (
    Action,
    Called,
    Event,
    GameWon,
    IllegalAction,
    RallyWon,
    Score,
    Seat,
    ServerReady,
    Setup,
    Side,
    Step,
    choose,
)
from firmware.texts import (
    LANGUAGES,
    Language,
    Texts,
    announcement,
    explain_reason,
    load,
    outcome_sentence,
    waiting_sentence,
)
from firmware.voice import Voice, VoiceError, clips_for, clips_of, every_clip, make, make_names, marked
from firmware.voice.making import PROGRAM
from firmware.voice.pieces import _pieces, clip_name, clips_of_name, spoken, whole_sentences
from tests.firmware.chair.at_the_table import IN_BY_1, OUT_BY_1, SERVED, AtTheTable
from tests.firmware.test_texts import all_events, all_reviews
from tests.rules.strategies import ACTIONS, setups, walk
from tests.shared import needs, setmatch

RATE_HZ = 22_050
NAMES: Mapping[str, str] = {"A": "Ève", "B": "Tom 2", "A1": "Ann-Lou", "B2": "127"}
SINGLES = Setup()

every_language = pytest.mark.parametrize("language", LANGUAGES)


def named(language: Language) -> Texts:
    return load(language).named(NAMES)  # type: ignore[arg-type]


def known(language: Language) -> set[str]:
    """The clips that are made for a match of the players above."""
    return {*every_clip(language)}.union(*(clips_of_name(name, language) for name in NAMES.values()))


def texts_of(said: str, language: Language) -> tuple[str, ...]:
    """What the clips say, instead of their names."""
    return _pieces(said, whole_sentences(language))


def words(text: str) -> list[str]:
    """Words and numbers, numbers in parts as they are spoken."""
    found = []
    for word in re.findall(r"\w+", text):
        if word.isdecimal() and 99 < int(word) < 10_000:
            parts = [int(word) // 1000 * 1000, int(word) // 100 % 10 * 100, int(word) % 100]
            found += [str(part) for part in parts if part]
        else:
            found.append(word)
    return found


# ---------------------------------------------------------------- which clips


@every_language
def test_every_event_has_its_clips(language: Language) -> None:
    known_clips = known(language)
    for texts in (load(language), named(language)):
        for setup in (SINGLES, Setup(preset="advanced", doubles=True)):
            for event in all_events():
                clips = clips_for([event], texts, setup)
                assert clips
                assert known_clips.issuperset(clips), (event, clips)


@every_language
def test_whatever_is_said_of_a_review_has_its_clips(language: Language) -> None:
    known_clips = known(language)
    for texts in (load(language), named(language)):
        for said in all_reviews(marked(texts)):
            clips = clips_of(said, texts)
            assert clips
            assert known_clips.issuperset(clips), (said, clips)


@given(setups(), ACTIONS, st.sampled_from(LANGUAGES), st.booleans())
def test_everything_said_in_any_match_has_its_clips(
    setup: Setup, actions: list[Action], language: Language, has_names: bool
) -> None:
    texts = named(language) if has_names else load(language)
    marks = marked(texts)
    clips = known(language)
    for _, _, after in walk(setup, actions):
        if isinstance(after, IllegalAction):
            assert clips.issuperset(clips_of(explain_reason(after.reason, marks), texts))
            continue
        assert clips.issuperset(clips_for(after.events, texts, setup))
        for said, plain in told(after, marks, texts, setup):
            assert clips.issuperset(clips_of(said, texts))
            # Nothing is lost, added or told in another order.
            assert words(" ".join(texts_of(said, language))) == words(plain)


def told(after: Step, marks: Texts, texts: Texts, setup: Setup) -> Iterator[tuple[str, str]]:
    """All that can be said of a step, with marks and without."""
    yield announcement(after.events, marks, setup), announcement(after.events, texts, setup)
    waiting, outcome = after.state.waiting, after.state.outcome
    if waiting is not None:
        yield waiting_sentence(waiting, marks, setup), waiting_sentence(waiting, texts, setup)
    if outcome is not None:
        yield outcome_sentence(outcome, marks), outcome_sentence(outcome, texts)


CALL = Called(7, "A1", "in", 2, 4.0, True, 2, None, Score())


@pytest.mark.parametrize(
    ("events", "english", "french"),
    [
        ([CALL], ("In, 2 points.",), ("Bonne, 2 points.",)),
        ([RallyWon("A", Score((1, 0)))], ("15-0.",), ("15-0.",)),
        ([RallyWon("A", Score((2, 2)))], ("30 all.",), ("30 partout.",)),
        ([RallyWon("A", Score((7, 6), counting="tie-break"))], ("7", "6"), ("7", "6")),
        (
            [GameWon("B", Score(games=(1, 2)))],
            ("Game to", "Tom", "Games", "1", "2"),
            ("Jeu", "Tom", "Jeux :", "1", "2"),
        ),
        ([ServerReady("A1")], ("{A}", "is ready to serve."), ("{A}", "va servir.")),
    ],
)
def test_sentences_that_are_common_are_whole(
    events: list[Event], english: tuple[str, ...], french: tuple[str, ...]
) -> None:
    for language, wanted in (("en", english), ("fr", french)):
        # A name is data: it neither fills a text nor cuts one.
        texts = load(language).named({"A": "{A}", "B": "\x02Tom"})
        assert texts_of(announcement(events, marked(texts), SINGLES), language) == wanted  # type: ignore[arg-type]


def test_a_doubtful_call_is_two_clips() -> None:
    doubtful = Called(7, "A1", "out", 0, -0.1, False, 2, "B", Score((0, 1)))
    said = announcement([doubtful, RallyWon("B", Score((0, 1)))], marked(load("en")), SINGLES)
    assert texts_of(said, "en") == ("Out.", "Too close to be certain.", "0-15.")


def test_a_sentence_in_another_is_not_lost() -> None:
    assert _pieces("\x02\x1f\x02Out.\x03\x1fNet.\x03", {"Out.", "Net."}) == ("Out.", "Net.")


@given(st.integers(0, 9999), st.sampled_from(LANGUAGES))
def test_every_number_is_said_in_parts_that_make_it(n: int, language: Language) -> None:
    parts = texts_of(f"\x02Stroke \x1f{n}\x1f\x03", language)[1:]
    assert sum(map(int, parts)) == n
    assert list(map(int, parts)) == sorted(map(int, parts), reverse=True)
    assert every_clip(language).keys() >= {clip_name(part, language) for part in parts}


def test_a_number_beyond_all_matches_is_spelt() -> None:
    assert texts_of("\x0210203\x03", "en") == ("1", "0", "2", "0", "3")


def test_scores_are_read_as_umpires_do() -> None:
    assert spoken("15-0.", "en") == "15 love."
    assert spoken("0-40.", "en") == "love 40."
    assert spoken("15-0.", "fr") == "15 0."
    assert spoken("In, POINT! Return under pressure.", "en") == "In, point! Return under pressure."


@every_language
def test_clips_have_names_of_their_own(language: Language) -> None:
    clips = every_clip(language)
    assert len(clips) < 400
    assert all(re.fullmatch(r"[a-z0-9-]{1,40}-[0-9a-f]{10}\.wav", name) for name in clips)
    assert not {*every_clip("en")} & {*every_clip("fr")}


def test_another_wording_is_another_clip() -> None:
    assert clip_name("Out.", "en") != clip_name("Out!", "en")
    assert clip_name("Out.", "en") != clip_name("Out.", "fr")


# ---------------------------------------------------------------- making them

FAKE = """#!/bin/sh
[ "$1 $2 $3" = "-v en-gb -s" ] || [ "$1 $2 $3" = "-v fr-fr -s" ] || exit 1
cat >> {folder}/spoken
echo >> {folder}/spoken
cp {folder}/tone.wav "$8"
"""


@pytest.fixture
def program(tmp_path: Path) -> str:
    """A program in the place of espeak-ng that says a tone, with silence around it, to everything."""
    folder = tmp_path / "program"
    folder.mkdir()
    tone = np.concatenate([np.zeros(2000), np.full(1000, 9000), np.zeros(5000)]).astype("<i2")
    with wave.open(str(folder / "tone.wav"), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE_HZ)
        file.writeframes(tone.tobytes())
    path = folder / "espeak"
    path.write_text(FAKE.format(folder=folder))
    path.chmod(0o755)
    return str(path)


def samples(path: Path) -> "np.ndarray[tuple[int], np.dtype[np.int16]]":
    with wave.open(str(path), "rb") as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, RATE_HZ)
        return np.frombuffer(file.readframes(file.getnframes()), "<i2")


def test_all_clips_are_made_once(program: str, tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "voice"
    made = make(folder, "en", ["Ève"], program)
    files = list((folder / "en").iterdir())
    assert {path.name for path in files} == {*every_clip("en"), *clips_of_name("Ève", "en")}
    assert (made.clips, made.new) == (len(files), len(files))
    assert made.size_bytes == sum(path.stat().st_size for path in files)
    assert "Ève" in (tmp_path / "program" / "spoken").read_text().splitlines()
    # After an update, or a power cut in the middle, what is missing is made and no more.
    (folder / "en" / clip_name("Out.", "en")).write_bytes(b"")
    (folder / "en" / clip_name("Net.", "en")).unlink()
    assert make(folder, "en", ["Ève", "Tom"], program).new == 3
    assert make(folder, "en", ["Ève", "Tom"], program).new == 0


def test_silence_is_cut_and_sentences_breathe(program: str, tmp_path: Path) -> None:
    make_names(tmp_path, "en", ["Tom", "Tom."], program)
    part, sentence = (samples(tmp_path / "en" / clip_name(name, "en")) for name in ("Tom", "Tom."))
    for sound in (part, sentence):
        loud = np.flatnonzero(sound)
        assert loud.size == 1000
        assert loud[0] < 0.02 * RATE_HZ
    assert len(part) < 1000 + 0.05 * RATE_HZ
    assert 0.2 * RATE_HZ < len(sentence) - len(part) < 0.3 * RATE_HZ


def test_a_missing_program_is_told(tmp_path: Path) -> None:
    with pytest.raises(VoiceError, match="sudo apt install espeak-ng"):
        make(tmp_path, "en", program="no-such-espeak")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("ending", ["exit 1", "echo no voices >&2", 'echo RIFF > "$8"'])
def test_a_program_that_fails_is_told(ending: str, tmp_path: Path) -> None:
    program = tmp_path / "broken"
    program.write_text(f"#!/bin/sh\n{ending}\n")
    program.chmod(0o755)
    with pytest.raises(VoiceError, match=r"did not speak 'Tom' \(.+\); install it anew") as caught:
        make_names(tmp_path, "en", ["Tom"], str(program))
    assert ("no voices" in str(caught.value)) == ("no voices" in ending)
    assert not list((tmp_path / "en").iterdir())


def test_a_folder_that_cannot_be_written_is_told(program: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(VoiceError, match=r"cannot be made .*folder that can be written"):
        make(tmp_path / "file", "en", program=program)


# ---------------------------------------------------------------- finding them


def test_players_are_called_by_name_where_it_was_spoken(program: str, tmp_path: Path) -> None:
    make(tmp_path, "fr", program=program)
    make_names(tmp_path, "fr", ["Ève", "!!!"], program)
    voice = Voice.open(tmp_path, "fr", {"A": " Ève ", "B": "Tom"})
    assert voice.missing == frozenset()
    won: list[Event] = [GameWon("A", Score(games=(1, 0))), ServerReady("B1")]
    clips = voice.announcement(won, SINGLES)
    wanted = ["Jeu", "Ève", "Jeux :", "1", "0", "B", "va servir."]
    assert clips == tuple(tmp_path / "fr" / clip_name(text, "fr") for text in wanted)
    assert all(clip.is_file() for clip in clips)
    # A name of which nothing can be spoken is no name.
    assert voice.announcement(won[1:], SINGLES) == Voice.open(tmp_path, "fr", {"B": "!!!"}).announcement(
        won[1:], SINGLES
    )


def test_without_clips_nothing_is_said(tmp_path: Path) -> None:
    voice = Voice.open(tmp_path / "none", "en", {"A": "Eve"})
    assert voice.missing == set(every_clip("en"))
    assert voice.announcement([CALL], SINGLES) == ()


def test_half_a_sentence_is_not_said(program: str, tmp_path: Path) -> None:
    make(tmp_path, "en", program=program)
    (tmp_path / "en" / clip_name("Games", "en")).unlink()
    voice = Voice.open(tmp_path, "en", {})
    assert voice.missing == {clip_name("Games", "en")}
    assert voice.announcement([GameWon("A", Score(games=(1, 0)))], SINGLES) == ()
    assert voice.announcement([CALL], SINGLES) == (tmp_path / "en" / clip_name("In, 2 points.", "en"),)


@every_language
def test_a_match_with_all_that_happens_at_a_table_is_spoken(
    language: Language, program: str, tmp_path: Path
) -> None:
    """Nothing that the chair says is left unsaid, with players who have names and to the match's end."""
    make(tmp_path, language, ["Ève", "Tom 2"], program)
    names: Mapping[Side | Seat, str] = {"A": "Ève", "B": "Tom 2"}
    voice = Voice.open(tmp_path, language, names)
    anywhere = choose("advanced", {"free_serve_position": True})
    table = AtTheTable(Setup("advanced", chosen=anywhere, sets_to_win=1), limit=1)
    table.chair.speak(load(language).named(names), voice.texts)
    ends = [SERVED, OUT_BY_1, SERVED, IN_BY_1, None]
    ends += [(70.0, 88.0), (-120.0, 30.0), (10.0, 3.0), (-70.0, -54.0)]
    said, number = set[str](), 0
    while table.chair.match.state.waiting is not None:
        number += 1
        assert number < 2000
        outs = [table.play(ends[number % len(ends)])]
        match number % 11:
            case 3:
                outs.append(table.press("A", "challenge"))
                if outs[-1].review is not None:
                    outs += [table.answer(IN_BY_1), table.press("B", "confirm")]
            case 5:
                table.overrule()
                outs.append(table.press("B", "challenge"))
                outs += [table.press("A", "confirm"), table.press("B", "confirm")]
            case 6:
                outs += [table.lay((30.0, 10.0)), table.press("A", "confirm"), table.press("B", "confirm")]
            case 7:
                outs += [table.press("A", "undo"), table.press("B", "confirm")]
            case 8:
                outs += [table.press("A", "flick-fault"), table.press("B", "flick-fault")]
                outs += [table.press("A", "confirm"), table.press("B", "challenge")]
        for out in outs:
            for plain, marks in zip(out.said, out.spoken, strict=True):
                said.add(plain)
                clips = voice.clips(marks)
                assert clips, plain
                assert all(clip.is_file() for clip in clips)
    assert len(said) > 60


# ---------------------------------------------------------------- the command


def test_the_command_makes_the_clips_and_the_names(
    program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / PROGRAM).symlink_to(program)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    config = tmp_path / "board.toml"
    config.write_text('[match.names]\nA = "Ève"\n')
    ended = setmatch("voice", "--out", tmp_path / "v", "--language", "fr", "--config", config)
    assert (ended.code, ended.err) == (0, "")
    count = len(every_clip("fr")) + 1
    assert ended.out.startswith(f"{tmp_path / 'v' / 'fr'}: {count} clips, {count} of them new, ")
    assert (tmp_path / "v" / "fr" / clip_name("Ève", "fr")).is_file()


def test_the_command_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    setmatch("voice", "--out", tmp_path / "v").refuses("espeak-ng", "sudo apt install espeak-ng")
    setmatch("voice", "--out", tmp_path / "v", "--config", tmp_path / "none").refuses("cannot be read")


@needs(PROGRAM, "espeak-ng")
@every_language
def test_the_real_voice_is_small_and_audible(language: Language, tmp_path: Path) -> None:
    made = make(tmp_path, language, ["Ève"])
    assert made.size_bytes < 20e6
    for name in (*every_clip(language), *clips_of_name("Ève", language)):
        assert np.abs(samples(tmp_path / language / name).astype(int)).max() > 3000, name
