"""What the panels show, as one plain frozen value, and its strict JSON form.

No rule lives here: the value says what is so, and whoever makes it sees to its being true.
"""

from typing import Annotated, Literal, get_args

import msgspec

from firmware.errors import InputError

Side = Literal["A", "B"]
Seat = Literal["A1", "B1", "A2", "B2"]
CallName = Literal["in", "out", "net", "let", "ace", "fault", "double-fault", "winner", "flick-fault"]
GamePoints = Annotated[str, msgspec.Meta(pattern="^(AD|0|[1-9][0-9]?)$")]
"""Tennis points, or the numbers of a tie-break and of the simplified game."""

CALL_NAMES: tuple[CallName, ...] = get_args(CallName)
SEATS: tuple[Seat, ...] = get_args(Seat)

Marker = Annotated[int, msgspec.Meta(ge=-3, le=3)]
Points = Annotated[int, msgspec.Meta(ge=0, le=9)]
Games = Annotated[int, msgspec.Meta(ge=0, le=99)]
Sets = Annotated[int, msgspec.Meta(ge=0, le=3)]
Notice = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]


class Called(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The last call: whose stroke, what it was, and its points (None where none are counted)."""

    seat: Seat
    call: CallName
    points: Points | None = None
    certain: bool = True
    """False when the call was too close to be sure of."""


class Serve(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A serve that is awaited: the attempt, and on which side of the centre mark the server is."""

    attempt: Literal[1, 2] = 1
    side: Literal["right", "left"] = "right"


class Won(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The end of the match. `reason` in a few words, shown as it is; may be empty."""

    winner: Side
    reason: Annotated[str, msgspec.Meta(max_length=60)] = ""


class Scoreboard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything the two panels show. Pairs are side A's, then side B's.

    `marker` is -3..3, positive towards A winning (SM-01). `to_play` is the seat whose stroke is
    awaited, None when nobody may play. `serve` is set while that stroke is a serve, `pressure` while
    it is a return under pressure; `placing` while `to_play` has to lay the ball where it belongs first,
    `deciding` while `to_play` has to confirm or contest a flick fault instead (SM-20). `rally_winner`
    is set from the end of a rally to the next serve, `outcome` from the end of the match on.
    `tie_break` is set while the points are those of a tie-break; `points_to_win` in a match that is a
    race of points, without games and sets. `ends_changed` while side A plays at B's end of the board:
    the in-rally panel's ends are the board's. `notice` is what the umpire has to tell, in plain words;
    it takes the call's place until it is None again.
    """

    server: Seat = "A1"
    to_play: Seat | None = None
    serve: Serve | None = None
    marker: Marker = 0
    pressure: bool = False
    placing: bool = False
    deciding: bool = False
    last: Called | None = None
    rally_winner: Side | None = None
    points: tuple[GamePoints, GamePoints] = ("0", "0")
    games: tuple[Games, Games] = (0, 0)
    sets: tuple[Sets, Sets] = (0, 0)
    sets_to_win: Annotated[int, msgspec.Meta(ge=1, le=3)] = 2
    tie_break: bool = False
    points_to_win: Annotated[int, msgspec.Meta(ge=1, le=99)] | None = None
    ends_changed: bool = False
    outcome: Won | None = None
    notice: Notice | None = None

    def __post_init__(self) -> None:
        if self.points_to_win is not None and "AD" in self.points:
            raise ValueError("`points` are whole numbers where `points_to_win` is given")


def scoreboard_from_json(text: bytes, name: str) -> Scoreboard:
    """The scoreboard that `text` holds as JSON (format: README.md beside this file).

    Raises `InputError` with `name`, the path in the JSON and the reason; unknown keys are errors.
    """
    try:
        return msgspec.json.decode(text, type=Scoreboard)
    except msgspec.ValidationError as error:
        raise InputError(f"{name}: {error}; firmware/screens/README.md lists the keys") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{name} is not JSON: {error}; write one JSON object") from error
