"""The texts: both tables whole and well written, a text for everything the rules can say, nothing twice."""

import doctest
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import product
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.errors import Refusal
from firmware.rules import (
    OPTION_NAMES,
    PRESETS,
    Action,
    BoxSide,
    Call,
    CallAccepted,
    Called,
    Corrected,
    DecisionAwaited,
    EndsChanged,
    Event,
    FlickFaultCalled,
    FlickFaultContested,
    GameWon,
    IllegalAction,
    MatchWon,
    Options,
    Outcome,
    Placed,
    PlacementAgreed,
    PlacementAsked,
    PlacementAwaited,
    PlacementReason,
    RallyWon,
    Reason,
    ReturnAwaited,
    Score,
    Seat,
    ServeAwaited,
    ServerReady,
    Setup,
    SetWon,
    Side,
    StrokeRefused,
    TieBreakBegan,
    Undone,
    Waiting,
    idle_options,
    side_of,
)
from firmware.screens import upright
from firmware.screens.font import fitted
from firmware.screens.panels import HEIGHT_PX, WIDTH_PX
from firmware.texts import (
    LANGUAGES,
    Language,
    NoticeCode,
    Texts,
    TextsError,
    Trouble,
    TroubleCode,
    Unfound,
    Unkept,
    announcement,
    board_unfound,
    button_stuck,
    calibration_kept,
    ends_changed,
    explain_idle,
    explain_reason,
    hold_again,
    load,
    match_goes_on,
    match_unkept,
    next_match,
    no_reviews_left,
    nothing_to_review,
    outcome_sentence,
    overruling_choice,
    press_again,
    review_asked,
    review_let_stand,
    review_overturned,
    review_stands,
    review_unclear,
    sentence,
    statements,
    stroke_played_on,
    trouble_sentence,
    umpire_notice,
    waiting_sentence,
)
from firmware.texts.schema import IDLE_OPTIONS, required
from firmware.texts.table import texts_from
from firmware.umpire import observations, second_look
from tests.rules.strategies import ACTIONS, setups, walk

ADVANCED = Setup(preset="advanced")
DOUBLES = Setup(preset="advanced", doubles=True)
LOVE = Score()
CALL = Called(7, "A1", "out", 0, -4.0, True, 1, "B", Score((1, 2)))

every_language = pytest.mark.parametrize("language", LANGUAGES)


def called(call: Call, **other: Any) -> Called:
    return msgspec.structs.replace(CALL, call=call, **other)


def all_setups() -> Iterator[Setup]:
    """Every preset with every choice of options."""
    for preset, values in product(PRESETS, product([False, True], repeat=len(OPTION_NAMES))):
        yield Setup(preset=preset, chosen=Options(**dict(zip(map(str, OPTION_NAMES), values, strict=True))))


def all_calls() -> Iterator[Called]:
    for call in get_args(Call):
        for winner, marker, points in product([None, "A", "B"], [-3, 0, 3], [None, 0, 1, 2]):
            plain = called(call, points=points, marker=marker, rally_winner=winner)
            yield plain
            yield msgspec.structs.replace(plain, certain=False)
            yield msgspec.structs.replace(plain, certain=False, unseen=True)
            yield msgspec.structs.replace(plain, certain=True, ruled=True, seat="B2")


SCORES = (
    LOVE,
    *(Score((a, b)) for a, b in ((1, 0), (2, 2), (3, 3), (4, 3), (4, 5), (5, 5))),
    Score((0, 0), (2, 1), (1, 0)),
    Score((4, 3), (2, 2), (1, 1), "tie-break"),
    Score((11, 11), counting="simplified"),
)


def all_events() -> Iterator[Event]:
    """Every event with every value that its wording can hang on."""
    yield from all_calls()
    for score in SCORES:
        yield from (RallyWon("A", score), GameWon("B", score), SetWon("A", (3, 1), score))
        yield MatchWon(Outcome("B", "points"), score)
        yield MatchWon(Outcome("A", "sets"), score)
        yield from (TieBreakBegan(score), EndsChanged(score), FlickFaultContested(7, "A1", score))
        yield Corrected(CALL, CALL, (), score)
        yield Corrected(CALL, called("in", points=2), (), score)
        for what in get_args(Undone.__annotations__["what"]):
            yield Undone(what, 7 if what == "stroke" else None, score)
    for seat in get_args(Seat):
        side = side_of(seat)
        yield from (ServerReady(seat), CallAccepted(side, 7), FlickFaultCalled(7, seat))
        for reason in get_args(PlacementReason):
            yield from (Placed(seat, reason), StrokeRefused(seat, reason))
            yield from (PlacementAgreed(side, reason, both) for both in (False, True))
            for way in ("right", "left"):
                yield PlacementAsked(seat, reason, *_ways(reason, way), None)


def _ways(reason: str, way: Any) -> tuple[Any, Any]:
    return (way if reason == "serve-position" else None), (way if reason == "zero" else None)


WAYS: tuple[BoxSide, ...] = get_args(BoxSide)
SIDES: tuple[Side, ...] = get_args(Side)
NOBODY_OR_B: tuple[tuple[Side, ...], ...] = ((), ("B",))


def all_waiting() -> Iterator[Waiting]:
    for seat in get_args(Seat):
        for side, box, attempt in product(WAYS, (*WAYS, None), (1, 2)):
            yield ServeAwaited(seat, side, box, attempt)
        yield from (ReturnAwaited(seat, pressure) for pressure in (False, True))
        yield DecisionAwaited(seat, 7)
        for reason, agreed in product(get_args(PlacementReason), NOBODY_OR_B):
            for way in ("right", "left"):
                yield PlacementAwaited(seat, reason, *_ways(reason, way), None, agreed)
            if reason in ("moved", "again"):
                for at_mm in ((-229.6, 110.2), (229.6, 110.2), (-70.0, 0.0)):
                    yield PlacementAwaited(seat, reason, None, None, at_mm, agreed)


WAITING_SETUPS = (
    Setup(),
    DOUBLES,
    Setup(chosen=Options(free_serve_position=True)),
    Setup(chosen=Options(free_serve_position=True, service_boxes=False)),
)
STATED_SETUPS = (
    *(Setup(preset=preset, doubles=doubles) for preset in PRESETS for doubles in (False, True)),
    *(Setup(preset=preset, sets_to_win=1, games_to_set=6) for preset in ("confirmed", "advanced")),
    Setup(preset="advanced", chosen=Options(free_serve_position=True, change_ends=True)),
)


def all_reviews(texts: Texts) -> Iterator[str]:
    """All that can be said of a review, and all that can be shown of an overruling."""
    for call in all_calls():
        yield from (review_stands(call, texts), review_let_stand(call, texts))
        for side in SIDES:
            yield review_overturned(call, side, texts)
            yield overruling_choice(call, texts, (side,))
        yield overruling_choice(call, texts)
    for side in SIDES:
        yield from (review_asked(side, texts), no_reviews_left(side, texts))
    yield from (nothing_to_review(texts), press_again(texts), hold_again(texts))
    yield from (review_unclear(trouble, texts) for trouble in get_args(Trouble))


def all_troubles(texts: Texts) -> Iterator[str]:
    """All that can be told of what is wrong at a table."""
    yield from (umpire_notice(code, texts) for code in get_args(NoticeCode))
    yield from (trouble_sentence(code, texts) for code in get_args(TroubleCode))
    yield from (board_unfound(why, texts) for why in get_args(Unfound))
    yield from (match_unkept(why, texts) for why in get_args(Unkept))
    yield ends_changed(texts)
    for side in SIDES:
        yield from (button_stuck(side, kind, texts) for kind in ("confirm", "challenge"))


def all_that_goes_on(texts: Texts) -> Iterator[str]:
    """All that can be told of a match that goes on, with the largest numbers there are."""
    for at_mm in (None, (-230.0, 0.2), (230.0, 110.0), (-230.0, 110.0), (230.0, -110.0)):
        yield from (match_goes_on(at_mm, texts, ends_changed=changed) for changed in (False, True))


def everything(texts: Texts) -> Iterator[str]:
    """Every sentence that a table can make."""
    for setup in (Setup(), DOUBLES):
        yield from (sentence(event, texts, setup) for event in all_events())
    for setup in WAITING_SETUPS:
        yield from (waiting_sentence(waiting, texts, setup) for waiting in all_waiting())
    yield from (explain_reason(reason, texts) for reason in get_args(Reason))
    yield from (explain_idle(option, texts) for option in IDLE_OPTIONS)
    yield from (outcome_sentence(Outcome("A", reason), texts) for reason in ("sets", "points"))
    for accepted in (False, True):
        yield from (next_match(Outcome("A", why), texts, accepted=accepted) for why in ("sets", "points"))
    yield from all_reviews(texts)
    yield from (stroke_played_on(7, reason, texts) for reason in get_args(PlacementReason))
    yield from all_troubles(texts)
    yield from (calibration_kept(why, texts) for why in get_args(Unfound))
    yield from all_that_goes_on(texts)
    yield announcement([Corrected(CALL, called("net"), (), LOVE), RallyWon("A", LOVE)], texts)
    for setup in STATED_SETUPS:
        yield from (statement.text for statement in statements(setup, texts))


class Noticed(dict[str, str]):
    """A table that remembers which of its texts were asked for."""

    def __init__(self, table: Mapping[str, str]) -> None:
        super().__init__(table)
        self.asked: set[str] = set()

    def __getitem__(self, key: str) -> str:
        self.asked.add(key)
        return super().__getitem__(key)


# ------------------------------------------------------------------ the tables


@every_language
def test_a_table_holds_every_text_and_every_text_is_said(language: Language) -> None:
    texts = load(language)
    table = Noticed(texts.table)
    assert all(said.strip() for said in everything(replace(texts, table=table)))
    others = (
        "preset.",
        "option.",
        "topic.",
        "rules.heading.",
        "panel.",
        "lay-back.",
        "menu.",
        "games.",
        "controller.",
    )
    left = {key for key in required() if not key.startswith(others)}
    assert table.asked - left == set()
    assert left - table.asked == set()


def test_every_option_that_can_be_idle_is_explained() -> None:
    found = {option for setup in all_setups() for option in idle_options(setup)}
    assert found == set(IDLE_OPTIONS)


@every_language
def test_no_sentence_has_a_placeholder_or_a_word_of_the_program_left_in_it(language: Language) -> None:
    for said in everything(load(language)):
        assert not re.search(r"[{}_]|None|True|False|  ", said), said
        assert said[-1] in ".!?\u202f" or said in load(language).table.values(), said


@every_language
def test_what_is_said_at_the_table_is_short(language: Language) -> None:
    """A panel holds some three lines of its small letters; an announcement should be no longer."""
    for setup in (Setup(), DOUBLES):
        longest = max((sentence(event, language, setup) for event in all_events()), key=len)
        assert len(longest) <= 100, longest


@every_language
def test_what_is_told_of_a_review_fits_a_panel(language: Language) -> None:
    """Whole, and with long names."""
    texts = load(language).named({"A": "Maximilien", "B": "Anne-Laure"})
    for said in all_reviews(texts):
        assert fitted(said, WIDTH_PX, HEIGHT_PX, largest=1).whole, said


def test_every_trouble_of_a_second_look_has_its_text() -> None:
    assert set(get_args(second_look.Trouble)) == set(get_args(Trouble)) - {"no-frames", "found-anew"}


def test_every_notice_of_the_umpire_has_its_text() -> None:
    assert set(get_args(NoticeCode)) == set(get_args(observations.NoticeCode))


def test_every_refusal_of_a_board_has_its_text() -> None:
    assert set(get_args(Unfound)) == set(get_args(Refusal))


@every_language
def test_a_notice_fits_a_panel(language: Language) -> None:
    """Whole, and below the marker's spaces, which stay in sight; also on a panel that stands upright."""
    for said in all_troubles(load(language)):
        assert fitted(said, WIDTH_PX, 47, largest=1).whole, said
        assert fitted(said, upright.WIDTH_PX, upright.HEIGHTS_PX[0], largest=1).whole, said


@every_language
def test_what_is_waited_for_fits_a_panel(language: Language) -> None:
    """Whole, and with long names."""
    texts = load(language).named({"A": "Maximilien", "B": "Anne-Laure"})
    for waiting in all_waiting():
        said = waiting_sentence(waiting, texts)
        assert fitted(said, WIDTH_PX, HEIGHT_PX, largest=1).whole, said
        assert fitted(said, upright.WIDTH_PX, upright.HEIGHTS_PX[0], largest=1).whole, said


@every_language
def test_longer_notices_fit_a_whole_panel(language: Language) -> None:
    texts = load(language).named({"A": "Maximilien", "B": "Anne-Laure"})
    kept = [calibration_kept(why, texts) for why in get_args(Unfound)]
    for said in (*all_that_goes_on(texts), *kept):
        assert fitted(said, WIDTH_PX, HEIGHT_PX, largest=1).whole, said
        assert fitted(said, upright.WIDTH_PX, upright.HEIGHTS_PX[0], largest=1).whole, said


@pytest.mark.parametrize(
    ("at_mm", "ends_changed", "english", "french"),
    [
        (
            (-120.4, 35.0),
            False,
            "A's ball: 120 mm from the net, 35 mm left of the middle.",
            "Balle côté A\u00a0: à 120 mm du filet, 35 mm à gauche du milieu.",
        ),
        (
            (120.4, 35.0),
            False,
            "B's ball: 120 mm from the net, 35 mm right of the middle.",
            "Balle côté B\u00a0: à 120 mm du filet, 35 mm à droite du milieu.",
        ),
        (
            (120.4, -35.0),
            True,
            "A's ball: 120 mm from the net, 35 mm left of the middle.",
            "Balle côté A\u00a0: à 120 mm du filet, 35 mm à gauche du milieu.",
        ),
        (
            (-3.0, -0.4),
            True,
            "B's ball: 3 mm from the net, in the middle.",
            "Balle côté B\u00a0: à 3 mm du filet, au milieu.",
        ),
    ],
)
def test_where_the_ball_lay_is_told_as_who_sits_there_sees_it(
    at_mm: tuple[float, float], ends_changed: bool, english: str, french: str
) -> None:
    going_on = ("The match goes on.", "Le match continue.")
    for language, start, where in zip(LANGUAGES, going_on, (english, french), strict=True):
        said = match_goes_on(at_mm, load(language), ends_changed=ends_changed)
        assert said == f"{start} {where}"


def test_french_is_set_as_french_is() -> None:
    for key, text in load("fr").table.items():
        assert "'" not in text, key
        # A blank that does not break stands before these marks, but for the word that the board has printed.
        bare = text.replace("POINT!", "")
        assert not re.search(r"(?<!\u202f)[;!?]|(?<!\u00a0):|[«»]", bare), key
        # A name may begin with a vowel, before which these would have to be shortened.
        assert not re.search(r"\b(de|que|le|la|si|ne|se)\s\{(side|seat)\}", text), key


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (('out = "Out."', 'outt = "Out."'), ["called.outt", "called.out?", "not a known key"]),
        (('out = "Out."\n', ""), ["called.out", "is missing", "no placeholders"]),
        (('game = "Game to {side}."\n', ""), ["won.game", "is missing", "{side}"]),
        (('out = "Out."', 'out = "Out {side}."'), ["called.out", "no placeholders", "{side}"]),
        (('"{seat} to play."', '"Play."'), ["waiting.return", "{seat}", "no placeholders"]),
        (('"{seat} to play."', '"{seat:>9} to play."'), ["waiting.return", "without a format"]),
        (('"{seat} to play."', '"{seat!r} to play."'), ["waiting.return", "without a format"]),
        (('"{seat} to play."', '"{seat to play."'), ["waiting.return", "placeholders"]),
        (('"{seat} to play."', '"{} to play."'), ["waiting.return", "{seat}"]),
        (('out = "Out."', 'out = ""'), ["called.out", "must be a text"]),
        (('out = "Out."', "out = 3"), ["called.out", "must be a text"]),
        (('out = "Out."', "out = "), ["not TOML", "line"]),
        (("singular = [1]", "singular = []"), ["language.singular", "[1]"]),
        (("singular = [1]", "singular = [true]"), ["language.singular", "[1]"]),
        (("singular = [1]", ""), ["language.singular", "[1]"]),
    ],
)
def test_a_table_with_a_fault_is_refused_with_its_place(change: tuple[str, str], words: list[str]) -> None:
    text = english_file()
    assert text.count(change[0]) == 1
    with pytest.raises(TextsError) as caught:
        texts_from(text.replace(*change), "en", "my/en.toml")
    for word in ("my/en.toml", *words):
        assert word in str(caught.value)


def english_file() -> str:
    from importlib.resources import files

    return files("firmware.texts").joinpath("en.toml").read_text(encoding="utf-8")


def test_a_language_that_is_not_there_is_refused() -> None:
    with pytest.raises(TextsError, match=r"'de'.*en, fr"):
        load("de")


# ------------------------------------------------------------------ what is said

SAID = [
    (called("out"), "Out.", "Dehors."),
    (called("net"), "Net.", "Dans le filet."),
    (called("let"), "Let. Serve again.", "Filet. À remettre."),
    (called("double-fault"), "Double fault.", "Double faute."),
    (called("in", points=1, rally_winner=None), "In, 1 point.", "Bonne, 1 point."),
    (called("in", points=0, rally_winner=None), "In, 0 points.", "Bonne, 0 point."),
    (called("in", points=2, rally_winner=None), "In, 2 points.", "Bonne, 2 points."),
    (called("winner", points=2, rally_winner="A"), "Winner! 2 points.", "Coup gagnant\u202f! 2 points."),
    (called("in", rally_winner="B"), "In the 0: rally lost.", "Dans le 0\u00a0: échange perdu."),
    (
        called("in", points=3, marker=3, rally_winner=None),
        "In, POINT! Return under pressure.",
        "Bonne, POINT! Retour sous pression.",
    ),
    (called("ace", points=None, rally_winner="A"), "Ace!", "Ace\u202f!"),
    (
        called("ace", points=None, marker=3, rally_winner=None),
        "Second-serve ace, POINT! Return under pressure.",
        "Ace sur deuxième balle, POINT! Retour sous pression.",
    ),
    (
        called("out", certain=False),
        "Out. Too close to be certain.",
        "Dehors. Trop juste pour être sûr.",
    ),
    (
        called("out", certain=False, unseen=True),
        "Out. Not seen well enough to be certain.",
        "Dehors. Mal vu, donc sans certitude.",
    ),
    (
        called("in", seat="B1", points=3, marker=-3, rally_winner=None),
        "In, POINT! Return under pressure.",
        "Bonne, POINT! Retour sous pression.",
    ),
    (RallyWon("B", Score((1, 2))), "15-30.", "15-30."),
    (RallyWon("B", Score((0, 1))), "0-15.", "0-15."),
    (
        MatchWon(Outcome("A", "points"), Score((12, 8), counting="simplified")),
        "Match to A, 12-8.",
        "Match A, 12-8.",
    ),
    (
        Undone("correction", None, Score((3, 2), (2, 2), (0, 1), "tie-break")),
        "Correction undone. 3-2. Games 2-2. Sets 0-1.",
        "Correction annulée. 3-2. Jeux\u00a0: 2-2. Sets\u00a0: 0-1.",
    ),
    (
        Corrected(
            called("in", points=1, rally_winner=None),
            called("in", points=2, rally_winner=None),
            (),
            Score((5, 4), counting="simplified"),
        ),
        "Correction of stroke 7. In, 2 points. 5-4.",
        "Correction, coup 7. Bonne, 2 points. 5-4.",
    ),
    (RallyWon("B", Score((1, 1))), "15 all.", "15 partout."),
    (RallyWon("A", Score((4, 3))), "Advantage A.", "Avantage A."),
    (RallyWon("B", Score((4, 5))), "Advantage B.", "Avantage B."),
    (RallyWon("B", Score((4, 4))), "Deuce.", "Égalité."),
    (RallyWon("A", Score((4, 3), (2, 2), (0, 0), "tie-break")), "4-3.", "4-3."),
    (RallyWon("A", Score((7, 7), counting="simplified")), "7 all.", "7 partout."),
    (GameWon("A", Score((0, 0), (2, 1))), "Game to A. Games 2-1.", "Jeu A. Jeux\u00a0: 2-1."),
    (
        SetWon("A", (3, 1), Score(sets=(1, 0))),
        "Game and set to A, 3-1. Sets 1-0.",
        "Jeu et set A, 3-1. Sets\u00a0: 1-0.",
    ),
    (TieBreakBegan(LOVE), "Tie-break. First to 5, two clear.", "Jeu décisif. En 5 points, deux d’écart."),
    (EndsChanged(LOVE), "Change ends.", "Changement de côté."),
    (
        Undone("stroke", 7, LOVE),
        "Stroke 7 undone. Love all. Games 0-0.",
        "Coup 7 annulé. 0 partout. Jeux\u00a0: 0-0.",
    ),
    (
        Corrected(CALL, CALL, (), LOVE),
        "Stroke 7 stands. Out.",
        "Coup 7 maintenu. Dehors.",
    ),
    (
        Corrected(CALL, called("in", points=1, rally_winner=None), (), Score((1, 0), (2, 1), (1, 0))),
        "Correction of stroke 7. In, 1 point. 15-0. Games 2-1. Sets 1-0.",
        "Correction, coup 7. Bonne, 1 point. 15-0. Jeux\u00a0: 2-1. Sets\u00a0: 1-0.",
    ),
]


@pytest.mark.parametrize(("event", "english", "french"), SAID)
def test_an_event_is_said_as_at_the_table(event: Event, english: str, french: str) -> None:
    assert sentence(event, "en", ADVANCED) == english
    assert sentence(event, "fr", ADVANCED) == french


FREE = Setup(chosen=Options(free_serve_position=True))
WAITED: list[tuple[Waiting, Setup, str, str]] = [
    (
        ServeAwaited("A1", "right", "left", 1),
        Setup(),
        "A to serve from the right.",
        "Au service, A, à droite.",
    ),
    (
        ServeAwaited("B1", "left", "right", 2),
        Setup(),
        "B, second serve, from the left.",
        "B, deuxième balle, à gauche.",
    ),
    (
        ServeAwaited("A1", "right", "left", 1),
        FREE,
        "A to serve into the left box.",
        "Au service, A, vers le carré gauche.",
    ),
    (ServeAwaited("A1", "right", None, 2), FREE, "A, second serve.", "A, deuxième balle."),
    (ReturnAwaited("B2", False), DOUBLES, "B2 to play.", "B2 joue."),
    (ReturnAwaited("B2", True), Setup(), "B to play, under pressure.", "B joue, sous pression."),
    (
        DecisionAwaited("A1", 7),
        Setup(),
        "A, a flick fault? Confirm, or challenge to contest.",
        "A, faute de pichenette\u202f? Confirmer ou contester.",
    ),
    (
        PlacementAwaited("A1", "serve-position", "left", None, None),
        Setup(),
        "A, ball behind the baseline, on the left.",
        "A, balle derrière la ligne de fond, à gauche.",
    ),
    (
        PlacementAwaited("A1", "zero", None, "right", None),
        Setup(),
        "A, ball on the 0 of the right box.",
        "A, balle sur le 0 du carré droit.",
    ),
    (
        PlacementAwaited("B1", "moved", None, None, (1.0, 2.0), ("A",)),
        Setup(),
        "Ball moved. B, put it back: 1 mm from the net, 2 mm right of the middle. Or both confirm. "
        "Agreed to play on: A.",
        "Balle déplacée. Pour B\u00a0: à 1 mm du filet, 2 mm à droite du milieu, "
        "ou confirmez à deux. D’accord\u00a0: A.",
    ),
    (
        PlacementAwaited("A1", "again", None, None, (-70.2, 53.8)),
        Setup(),
        "A, play again, with the ball 70 mm from the net, 54 mm left of the middle.",
        "A rejoue, la balle à 70 mm du filet, 54 mm à gauche du milieu.",
    ),
]


@pytest.mark.parametrize(("waiting", "setup", "english", "french"), WAITED)
def test_what_is_waited_for_is_said_with_who_and_where(
    waiting: Waiting, setup: Setup, english: str, french: str
) -> None:
    assert waiting_sentence(waiting, "en", setup) == english
    assert waiting_sentence(waiting, "fr", setup) == french


def test_what_is_asked_for_is_said_as_what_is_waited_for() -> None:
    """One sentence for the request when it comes, and as long as it stands; the place is only shown."""
    for reason in get_args(PlacementReason):
        side, box = _ways(reason, "left")
        asked = PlacementAsked("B1", reason, side, box, None)
        waited = PlacementAwaited("B1", reason, side, box, None)
        assert sentence(asked, "fr") == waiting_sentence(waited, "fr")


def test_level_at_40_is_a_deuce_only_where_advantage_is_played() -> None:
    level = RallyWon("A", Score((3, 3)))
    assert sentence(level, "en", ADVANCED) == "Deuce."
    assert sentence(level, "en") == "40 all. Deciding rally."


def test_doubles_name_the_player_and_singles_the_side() -> None:
    waiting = ServeAwaited("A2", "left", "right", 2)
    assert waiting_sentence(waiting, "en", DOUBLES) == "A2, second serve, from the left."
    assert waiting_sentence(waiting, "en") == "A, second serve, from the left."


def test_players_have_names() -> None:
    texts = load("fr").named({"A": " Ève ", "B": "{n}"})
    assert sentence(GameWon("A", Score((0, 0), (1, 0))), texts) == "Jeu Ève. Jeux\u00a0: 1-0."
    # A name is a value, never a template.
    assert sentence(ServerReady("B1"), texts) == "{n} va servir."
    assert load("fr").side("A") == "A"


@pytest.mark.parametrize("names", [{"C": "Carl"}, {"A": " "}])
def test_a_name_that_cannot_be_used_is_refused(names: Any) -> None:
    with pytest.raises(TextsError, match="name"):
        load("en").named(names)


def test_a_step_is_announced_without_saying_anything_twice() -> None:
    won = Score((0, 0), (2, 1))
    rally_and_game = (called("out", rally_winner="A"), RallyWon("A", won), GameWon("A", won))
    assert announcement(rally_and_game, "en") == "Out. Game to A. Games 2-1."
    over = Score(sets=(2, 1))
    match = (
        called("ace", points=None, rally_winner="A"),
        RallyWon("A", over),
        GameWon("A", over),
        SetWon("A", (3, 2), over),
        MatchWon(Outcome("A", "sets"), over),
    )
    assert announcement(match, "en") == "Ace! Game, set and match to A. Sets 2-1."
    twelve = Score((12, 8), counting="simplified")
    race = (called("out"), RallyWon("A", twelve), MatchWon(Outcome("A", "points"), twelve))
    assert announcement(race, "en") == "Out. Match to A, 12-8."
    assert announcement((called("out"), RallyWon("B", Score((1, 2)))), "en") == "Out. 15-30."
    assert announcement((), "en") == ""


def test_a_ruling_that_ends_the_match_tells_the_score_once() -> None:
    over = Score(sets=(1, 0))
    events = (
        Corrected(CALL, called("net"), (), over),
        EndsChanged(over),
        MatchWon(Outcome("A", "sets"), over),
    )
    assert announcement(events, "en") == (
        "Correction of stroke 7. Net. Change ends. Game, set and match to A. Sets 1-0."
    )


def test_a_correction_is_one_announcement_with_one_score() -> None:
    now = called("in", points=0, rally_winner=None)
    assert (
        announcement((Corrected(CALL, now, (), Score((1, 1))),), "en")
        == "Correction of stroke 7. In, 0 points. 15 all."
    )
    # What is as it was is not said again: the score of a rally that goes on, games, sets.
    was = called("in", points=1, rally_winner=None, score=Score((1, 0), (2, 1)))
    now = called("in", points=2, rally_winner=None, score=was.score)
    rally_goes_on = announcement((Corrected(was, now, (), was.score),), "en")
    assert rally_goes_on == "Correction of stroke 7. In, 2 points."
    later = called("out", number=9, score=Score((2, 0), (2, 1)))
    assert (
        announcement((Corrected(was, now, (later,), Score((1, 1), (2, 1))),), "en")
        == "Correction of stroke 7. In, 2 points. 15 all."
    )
    # A call of long ago: the games since are told.
    assert (
        announcement((Corrected(was, now, (later,), Score((1, 1), (3, 1))),), "en")
        == "Correction of stroke 7. In, 2 points. 15 all. Games 3-1."
    )
    score = Score((0, 0), (1, 0))
    events = (Corrected(CALL, called("net"), (), score), RallyWon("A", score), GameWon("A", score))
    assert announcement(events, "en") == "Correction of stroke 7. Net. Game to A. Games 1-0."


@given(setups(), ACTIONS, st.sampled_from(LANGUAGES))
def test_every_step_of_every_match_can_be_told(
    setup: Setup, actions: list[Action], language: Language
) -> None:
    for _, _, after in walk(setup, actions):
        if isinstance(after, IllegalAction):
            assert explain_reason(after.reason, language)
            continue
        assert all(sentence(event, language, setup) for event in after.events)
        assert bool(announcement(after.events, language, setup)) == bool(after.events)
        waiting, outcome = after.state.waiting, after.state.outcome
        assert waiting is None or waiting_sentence(waiting, language, setup)
        assert outcome is None or outcome_sentence(outcome, language)


def test_the_readme_is_true() -> None:
    from importlib.resources import as_file, files

    with as_file(files("firmware.texts").joinpath("README.md")) as readme:
        result = doctest.testfile(str(readme), module_relative=False)
    assert result.attempted > 5
    assert result.failed == 0
