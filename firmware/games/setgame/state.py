"""A game of SET as values: what it is set up with, what may be done, what it stands at, what is announced.

Nothing in here decides anything; that is `engine.py`'s.
"""

from typing import Final, Literal

import msgspec

from firmware.games.chance import Chance
from firmware.games.protocol import Outcome, Seat, SetupError
from firmware.games.setgame.cards import Card, Three

Code = str
"""A card as `cards.code` writes it, such as `2WHR`: so cards are named in all that leaves the engine."""
Codes = tuple[Code, Code, Code]

MOST_SEATS: Final = 20
MOST_HANDS: Final = 99
NAMING_S: Final = 5.0
"""So long who has claimed may take to name three cards (SET-01)."""
NAMING_RANGE_S: Final = (1.0, 60.0)

Penalty = Literal["point", "lockout_only"]
"""What a wrong claim costs beside the lock-out: a point, or nothing (SET-01)."""
DeckName = Literal["full", "beginner"]
"""81 cards, or the 27 solid ones (SET-04)."""


class Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a game is begun with. `hands`: so many are played, the deal passing to the left; 0 is one for each
    seat (SET-04). `tutor`: who agrees that there is no set is told if there is one (SET-02). `naming_s`: so
    long who has claimed may take to name three cards. SetupError for what is out of range."""

    seats: int
    seed: str
    deck: DeckName = "full"
    penalty: Penalty = "point"
    tutor: bool = False
    hands: int = 1
    naming_s: float = NAMING_S

    def __post_init__(self) -> None:
        if not 1 <= self.seats <= MOST_SEATS:
            raise SetupError(f"SET is for 1 to {MOST_SEATS} seats, not {self.seats}")
        if not 0 <= self.hands <= MOST_HANDS:
            raise SetupError(f"choose 1 to {MOST_HANDS} hands, or 0 for one each, not {self.hands}")
        least, most = NAMING_RANGE_S
        if not least <= self.naming_s <= most:
            raise SetupError(f"choose {least:g} to {most:g} s for naming a set, not {self.naming_s:g}")

    @property
    def solo(self) -> bool:
        """Played alone, by rules of its own (SET-04)."""
        return self.seats == 1

    @property
    def hands_in_all(self) -> int:
        """How many hands are played."""
        return self.hands or self.seats


# ---------------------------------------------------------------- what may be done


class Claim(msgspec.Struct, frozen=True, tag_field="kind", tag="claim", forbid_unknown_fields=True):
    """Call out that there is a set: the table is the seat's until it has named it."""

    seat: Seat


class Name(msgspec.Struct, frozen=True, tag_field="kind", tag="name", forbid_unknown_fields=True):
    """Name the three cards of a claim."""

    seat: Seat
    cards: Codes


class AgreeNone(msgspec.Struct, frozen=True, tag_field="kind", tag="agree-none", forbid_unknown_fields=True):
    """Hold that there is no set on the table."""

    seat: Seat


class Withdraw(msgspec.Struct, frozen=True, tag_field="kind", tag="withdraw", forbid_unknown_fields=True):
    """Take that back."""

    seat: Seat


class Deal(msgspec.Struct, frozen=True, tag_field="kind", tag="deal", forbid_unknown_fields=True):
    """Deal the next hand; the dealer's."""

    seat: Seat


class Leave(msgspec.Struct, frozen=True, tag_field="kind", tag="leave", forbid_unknown_fields=True):
    """The table's own action: nobody sits at the seat any more. The others play on, and agree without it."""

    seat: Seat


class Sit(msgspec.Struct, frozen=True, tag_field="kind", tag="sit", forbid_unknown_fields=True):
    """The table's own action: somebody has taken the seat that was left, with its score."""

    seat: Seat


class TimeUp(msgspec.Struct, frozen=True, tag_field="kind", tag="time-up", forbid_unknown_fields=True):
    """The table's own action: the claimant has named nothing in time."""


Move = Claim | Name | AgreeNone | Withdraw | Deal
"""What a seat does."""
Action = Move | Leave | Sit | TimeUp
Act = Literal["claim", "name", "agree-none", "withdraw", "deal"]

Reason = Literal[
    "game-over",
    "no-such-seat",
    "table-held",
    "locked-out",
    "not-claimed",
    "not-on-table",
    "not-three",
    "agreed-already",
    "not-agreed",
    "hand-is-over",
    "hand-is-on",
    "not-the-dealer",
    "not-seated",
    "seated-already",
]
"""Why something may not be done."""


# ---------------------------------------------------------------- what is announced


class HandDealt(msgspec.Struct, frozen=True, tag_field="kind", tag="hand-dealt"):
    """A hand has begun. `hand`: from 1 on."""

    hand: int
    dealer: Seat


class Claimed(msgspec.Struct, frozen=True, tag_field="kind", tag="claimed"):
    """A seat has the table, to name three cards."""

    seat: Seat


class SetTaken(msgspec.Struct, frozen=True, tag_field="kind", tag="set-taken"):
    """It was a set: they are the seat's."""

    seat: Seat
    cards: Codes


class ClaimFailed(msgspec.Struct, frozen=True, tag_field="kind", tag="claim-failed"):
    """It was none, or nothing was named in time (`cards` None)."""

    seat: Seat
    cards: Codes | None
    points: int
    """What it cost: 0 or -1."""
    waits: bool
    """The seat may not claim until another has."""


class NoneAgreed(msgspec.Struct, frozen=True, tag_field="kind", tag="none-agreed"):
    """A seat holds that there is no set, or does not any more."""

    seat: Seat
    agrees: bool


class SeatLeft(msgspec.Struct, frozen=True, tag_field="kind", tag="seat-left"):
    """Nobody sits there now."""

    seat: Seat


class SeatTaken(msgspec.Struct, frozen=True, tag_field="kind", tag="seat-taken"):
    """Somebody plays on there."""

    seat: Seat


class SetIsThere(msgspec.Struct, frozen=True, tag_field="kind", tag="set-is-there"):
    """The tutor's word to all, once all have agreed: there is one, look on."""


class CardsAdded(msgspec.Struct, frozen=True, tag_field="kind", tag="cards-added"):
    """All agree: three more cards lie on the table."""

    cards: tuple[Code, ...]


class HandOver(msgspec.Struct, frozen=True, tag_field="kind", tag="hand-over"):
    """The deck is empty and no set is left, or all agree that none is. `left`: the cards on the table."""

    hand: int
    left: tuple[Code, ...]


class GameOver(msgspec.Struct, frozen=True, tag_field="kind", tag="game-over"):
    """All hands are played."""

    outcome: Outcome


Event = (
    HandDealt
    | Claimed
    | SetTaken
    | ClaimFailed
    | NoneAgreed
    | SeatLeft
    | SeatTaken
    | SetIsThere
    | CardsAdded
    | HandOver
    | GameOver
)


# ---------------------------------------------------------------- what it stands at


class State(msgspec.Struct, frozen=True):
    """A game. `deck`: what is not dealt yet, the next card last; `table`: what lies open, in its places."""

    setup: Setup
    chance: Chance
    hand: int = 0
    dealer: Seat = 1
    deck: tuple[Card, ...] = ()
    table: tuple[Card, ...] = ()
    scores: tuple[int, ...] = ()
    """By seat, over all hands; in solo play the penalties are counted in."""
    claimed: Seat | None = None
    locked: Seat | None = None
    """Who claimed wrongly, and may not claim until another has."""
    agreed: tuple[Seat, ...] = ()
    """Who holds that there is no set on the table."""
    away: tuple[Seat, ...] = ()
    """The seats that were left."""
    hinted: bool = False
    """The tutor has said that there is a set on this table."""
    dealt: bool = False
    """A hand is on."""
    taken: tuple[Three, ...] = ()
    """The sets of this hand, in order."""
    penalties: int = 0
    """Solo: how often three cards were added in this hand."""
    redeemed: int = 0
    """Solo: sets found in this hand since the deck ran out."""
    lost: bool = False
    """Solo: a hand has ended with penalties that were not made up for."""
    outcome: Outcome | None = None

    @property
    def seated(self) -> int:
        """How many play now."""
        return self.setup.seats - len(self.away)

    @property
    def lasts_s(self) -> float | None:
        """How long this state may last before the table does `TimeUp`, in seconds; None for as long as people
        like."""
        return self.setup.naming_s if self.claimed is not None else None


class Step(msgspec.Struct, frozen=True):
    """The state after an action, and what is announced."""

    state: State
    events: tuple[Event, ...]


class View(msgspec.Struct, frozen=True):
    """What a seat sees: the table is open to all, the deck and its order to nobody. `seat`: None for who only
    looks on."""

    seat: Seat | None
    seats: int
    deck: DeckName
    penalty: Penalty
    tutor: bool
    naming_s: float
    hand: int
    hands: int
    dealer: Seat
    dealt: bool
    table: tuple[Code, ...]
    in_deck: int
    scores: tuple[int, ...]
    claimed: Seat | None
    locked: Seat | None
    agreed: tuple[Seat, ...]
    away: tuple[Seat, ...]
    hinted: bool
    last_taken: tuple[Code, ...]
    """The last set of this hand; empty before the first."""
    penalties: int
    redeemed: int
    """As in the state, for who plays alone."""
    outcome: Outcome | None
    may: tuple[Act, ...]
    """What this seat may do now."""
