"""The catalogue: every game set up, played and written down through its entry alone."""

import msgspec
import pytest

from firmware.games.catalogue import GAMES, SET, Game, game_named
from firmware.games.options import Choice, Number, Option, Switch, chosen
from firmware.games.protocol import IllegalAction, SetupError

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
DECK = Choice("deck", ("full", "two_packs"), "full")
TUTOR = Switch("tutor", False)
HANDS = Number("hands", 0, 9, 1)
TIME = Number("time_s", 1, 60, 5, whole=False)


@every_game
def test_defaults_are_a_setup_and_come_back_from_json(game: Game) -> None:
    for seats in game.seats:
        setup = game.setup(seats, "seed", {})
        assert msgspec.json.decode(msgspec.json.encode(setup), type=game.setup_type) == setup
        state = game.start(setup)
        assert msgspec.json.decode(msgspec.json.encode(state), type=game.state_type) == state
        for seat in (None, *range(1, seats + 1)):
            seen = game.view(state, seat)
            assert msgspec.json.decode(msgspec.json.encode(seen), type=game.view_type) == seen


@every_game
def test_options_say_what_the_setup_does_without_them(game: Game) -> None:
    bare = game.setup_type(seats=game.seats[1], seed="seed")
    assert game.setup(game.seats[1], "seed", {}) == bare
    for option in game.options:
        assert getattr(bare, option.name) == option.default
        values: dict[type, tuple[object, ...]] = {
            Choice: getattr(option, "values", ()),
            Switch: (True, False),
            Number: (getattr(option, "least", 0), getattr(option, "most", 0)),
        }
        for value in values[type(option)]:
            assert getattr(game.setup(game.seats[1], "seed", {option.name: value}), option.name) == value


@every_game
def test_the_tables_own_actions_are_actions_and_no_moves(game: Game) -> None:
    for action in (game.time_up(), game.left(1), game.taken(1)):
        text = msgspec.json.encode(action)
        assert msgspec.json.decode(text, type=game.action_type) == action
        with pytest.raises(msgspec.ValidationError):
            msgspec.json.decode(text, type=game.move_type)
    state = game.step(game.start(game.setup(2, "seed", {})), game.left(1)).state
    with pytest.raises(IllegalAction):
        game.step(state, game.left(1))
    assert game.step(state, game.taken(1)).state == game.start(game.setup(2, "seed", {}))


@every_game
def test_too_few_and_too_many_seats_are_refused(game: Game) -> None:
    least, most = game.seats
    for seats in (least - 1, most + 1):
        with pytest.raises(SetupError, match=f"{least} to {most} seats"):
            game.setup(seats, "seed", {})


def test_a_game_by_its_name() -> None:
    assert game_named("set") is SET
    with pytest.raises(SetupError, match="choose from: set"):
        game_named("chess")


@pytest.mark.parametrize(
    ("option", "given", "value"),
    [
        (DECK, "two_packs", "two_packs"),
        (DECK, " two-packs", "two_packs"),
        (TUTOR, True, True),
        (TUTOR, "on", True),
        (TUTOR, "off", False),
        (HANDS, 0, 0),
        (HANDS, "9", 9),
        (HANDS, 3.0, 3),
        (TIME, 1, 1.0),
        (TIME, "2.5", 2.5),
    ],
)
def test_what_is_given_is_read(option: Option, given: object, value: object) -> None:
    read = option.read(given)
    assert (read, type(read)) == (value, type(value))


@pytest.mark.parametrize(
    ("option", "given", "told"),
    [
        (DECK, "half", "deck is one of full, two_packs, not 'half'"),
        (DECK, ["full"], "deck is one of"),
        (DECK, None, "deck is one of"),
        (TUTOR, "true", "tutor is on or off, not 'true'"),
        (TUTOR, 1, "tutor is on or off"),
        (HANDS, 1.5, "hands is a whole number from 0 to 9, not 1.5"),
        (HANDS, -1, "hands is"),
        (HANDS, 10, "hands is"),
        (HANDS, True, "hands is"),
        (HANDS, "many", "hands is"),
        (HANDS, 10**400, "hands is"),
        (TIME, float("nan"), "time_s is a number from 1 to 60, not nan"),
        (TIME, "inf", "time_s is"),
    ],
)
def test_what_cannot_be_is_refused(option: Option, given: object, told: str) -> None:
    with pytest.raises(SetupError) as caught:
        option.read(given)
    assert str(caught.value).startswith(told)
    assert len(str(caught.value)) < 100


def test_an_option_that_is_none_names_the_nearest() -> None:
    assert chosen((DECK, TUTOR), {"tutor": "on"}) == {"deck": "full", "tutor": True}
    with pytest.raises(SetupError, match="did you mean tutor"):
        chosen((DECK, TUTOR), {"tutr": "on"})
    with pytest.raises(SetupError, match="choose from deck, tutor"):
        chosen((DECK, TUTOR), {"wxyz": "on"})
