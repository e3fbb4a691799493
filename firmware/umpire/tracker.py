"""All balls through time: which sighting is whose, which ball is in play, and what is reported.

A pure step: evidence of one frame in, the next state and observations out. No pictures, no clock.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from firmware.umpire.evidence import Evidence, Field, Glimpse
from firmware.umpire.observations import (
    BumpSeen,
    NoticeSeen,
    Observation,
    PlacementSeen,
    RestSeen,
    StrokeSeen,
)
from firmware.umpire.rest import Rest
from firmware.umpire.run import Run, Sample, distance
from firmware.umpire.track import (
    Track,
    advance,
    begin,
    current_rest,
    expected,
    has_stopped,
    lie_down,
    rest_of,
    settled,
    surprise,
)
from firmware.umpire.verdict import Verdict, judge_move, ran_off, set_off_at, was_running

# SM-21: off the board or out of the picture this long without a hand over it is out.
GONE_AFTER_S = 0.6
# A running ball lost in mid-board without a hand is given this long to show itself.
LOST_AFTER_S = 2.0
# A stranger that is not seen again for this long was no ball.
FORGOTTEN_AFTER_S = 1.0
# A lying thing that is no longer seen where it lay, though nothing covers it, was no ball either.
VANISHED_AFTER_S = 5.0
# How far a ball may be from where it is expected besides, in radii: little more, and the two do not
# overlap in the middle.
GATE_RADII = 1.1
# A ball that ran into another has moved on this far before it is seen: 1.2 m/s at 30 frames a second.
_RAN_ON_MM = 38.0
# Balls cannot overlap, so a sighting within this part of a radius of a known one is that one.
SAME_PART = 0.7
# A ball on its way can be half hidden, one that is new to the umpire must look like one.
NEW_LIKENESS = 0.5
_FRICTIONS_KEPT = 9
# A rest first seen this long after the law of the run has it was covered until then. Seconds.
_LATE_S = 0.15

Place = Callable[[Rest], Rest]


@dataclass(frozen=True, slots=True)
class State:
    """Everything the tracker remembers. `in_play`: number of the ball last struck or placed, None
    before. `frictions`: decelerations of the latest strokes, mm/s^2."""

    tracks: tuple[Track, ...] = ()
    in_play: int | None = None
    next_number: int = 1
    frictions: tuple[float, ...] = ()
    lost_told: bool = False

    @property
    def usual_friction(self) -> float | None:
        """Median deceleration of earlier strokes in mm/s^2, None before there were three."""
        if len(self.frictions) < 3:
            return None
        return sorted(self.frictions)[len(self.frictions) // 2]


@dataclass(frozen=True, slots=True)
class Step:
    """The state after a frame and what is to be told."""

    state: State
    observations: tuple[Observation, ...]


def step(state: State, evidence: Evidence, field: Field, place: Place) -> Step:
    """Take in one frame's `evidence`.

    `place` gives a rest its calibrated position; it is called when a rest is reported or left.
    """
    if evidence.refitted:
        state = replace(state, tracks=tuple(_unsettle(track) for track in state.tracks))
    owners, strangers = _assign(state, evidence, field)
    tracks: list[Track] = []
    for track in state.tracks:
        after = advance(track, owners.get(track.number), evidence, field)
        if track.lying and not after.lying and after.rest is not None:
            after = replace(after, rest=place(after.rest))
        tracks.append(after)
    number = state.next_number
    for glimpse in strangers:
        tracks.append(begin(number, glimpse, evidence, field))
        number += 1
    state = replace(state, tracks=tuple(tracks), next_number=number)
    told: list[Observation] = []
    for track in state.tracks:
        state, news = _conclude(state, track, evidence, field, place)
        told.extend(news)
    return Step(_forget(state, evidence.captured_at), tuple(told))


def finish(state: State, at: float, field: Field, place: Place) -> Step:
    """The recording ends at `at` (seconds): a ball that had just stopped, or was on its way off, is
    reported at once. `place` as for `step`."""
    told: list[Observation] = []
    for track in state.tracks:
        if has_stopped(track, at):
            state, news = _settle(state, track, at, field, place)
            told.extend(news)
            continue
        running = not track.lying and not track.gone and track.rest is not None
        off = running and ran_off(track, field, state.usual_friction)
        if off and track.open_s > 0 and was_running(track, field):
            told.append(_off(track, at, uncertain=True))
            state = _put(state, replace(track, gone=True))
    return Step(state, tuple(told))


def _unsettle(track: Track) -> Track:
    """After a new fit every rest is to be found again; what was on its way goes on."""
    if not track.lying:
        return replace(track, knocked=True, still=())
    return replace(
        track, lying=False, rest=current_rest(track), left_after=track.seen_at, path=(), still=(),
        knocked=True, open_s=0.0, hand=False, hidden=False,
    )  # fmt: skip


def _assign(state: State, evidence: Evidence, field: Field) -> tuple[dict[int, Glimpse], list[Glimpse]]:
    """Whose glimpse is whose: lying balls keep theirs, the nearest pairs come next."""
    left = list(evidence.glimpses)
    owners: dict[int, Glimpse] = {}
    same = SAME_PART * field.ball_radius_mm

    def take(tracks: Sequence[Track], reach: Callable[[Track, Glimpse], float | None]) -> None:
        pairs = sorted(
            (cost, track.number, index)
            for track in tracks
            for index, glimpse in enumerate(left)
            if track.number not in owners and (cost := reach(track, glimpse)) is not None
        )
        used: set[int] = set()
        for _, number, index in pairs:
            if number not in owners and index not in used:
                owners[number] = left[index]
                used.add(index)
        left[:] = [glimpse for index, glimpse in enumerate(left) if index not in used]

    def at_rest(track: Track, glimpse: Glimpse) -> float | None:
        off = distance(track.home_mm, glimpse.disc_mm)
        return off if off <= same else None

    def on_its_way(track: Track, glimpse: Glimpse) -> float | None:
        since = evidence.captured_at - track.seen_at
        off = distance(expected(track, evidence.captured_at), glimpse.disc_mm)
        gate = GATE_RADII * field.ball_radius_mm + surprise(track, since, field)
        return off if off <= gate else None

    lying = [t for t in state.tracks if t.lying]
    away = [t for t in state.tracks if not t.lying and not t.gone]
    waiting = [t for t in away if t.only_in_hands and t.rest is not None]
    moving = [t for t in away if t not in waiting]
    take(lying + waiting, at_rest)
    left_home = [t for t in lying if t.number not in evidence.unchanged]
    # The nearest pairs of all: neither may a hand's track take the ball that it strikes, nor a ball
    # that is covered the hand beside it.
    take(moving + left_home + waiting, on_its_way)
    # What is left may be a ball that a hand took away and now puts down: the one in play first.
    fresh = [g for g in left if g.sighting.likeness >= NEW_LIKENESS]
    left[:] = fresh
    absent = [t for t in state.tracks if not t.lying and (t.hidden or t.gone)]
    take([t for t in absent if t.number == state.in_play], lambda t, g: -g.sighting.likeness)
    take(absent, lambda t, g: -g.sighting.likeness)
    return owners, left


def _conclude(
    state: State, track: Track, evidence: Evidence, field: Field, place: Place
) -> tuple[State, list[Observation]]:
    """Report what has become certain about one track."""
    if settled(track, evidence, field):
        return _settle(state, track, evidence.captured_at, field, place)
    if track.lying or track.gone or track.open_s < GONE_AFTER_S or track.rest is None:
        return state, []
    if not track.path or not was_running(track, field):
        return state, []
    at = evidence.captured_at
    off = ran_off(track, field, state.usual_friction)
    if track.hidden and not off:
        return state, []
    # What was last seen beside a hand may have been the hand.
    lost = track.open_s >= LOST_AFTER_S and not track.path[-1].near
    if off or lost:
        state = replace(_put(state, replace(track, gone=True)), in_play=track.number)
        uncertain = track.hidden or not off
        return replace(state, lost_told=False), [_off(track, at, uncertain=uncertain)]
    if not state.lost_told:
        return replace(state, lost_told=True), [NoticeSeen(at, "ball-lost")]
    return state, []


def _off(track: Track, at: float, *, uncertain: bool) -> StrokeSeen:
    assert track.rest is not None
    started_at = set_off_at(track)
    return StrokeSeen(
        at, track.number, started_at, None, track.rest, None, off_board=True, uncertain=uncertain
    )


def _settle(
    state: State, track: Track, at: float, field: Field, place: Place
) -> tuple[State, list[Observation]]:
    if track.rest is None:
        state, track = _as_the_ball_struck(state, track, field)
    number = track.number
    rest = place(rest_of(track))
    lain = lie_down(track, rest)
    before = track.rest
    if before is None:
        return _arrived(state, lain, rest, at)
    verdict = judge_move(track, field, state.usual_friction)
    state = _put(state, lain)
    others_busy = _other_in_play_busy(state, number)
    if track.gone:
        # Its stroke was called already; only a ball that a hand brings back is news.
        placed: list[Observation] = [PlacementSeen(at, number, None, rest)]
        return (state, placed) if field.on_board(lain.home_mm) else (state, [])
    match verdict.kind:
        case "none":
            kept = replace(lain, rest=replace(rest, first_at=before.first_at))
            return _put(state, kept), []
        case "bump":
            return state, [BumpSeen(at, number, before, rest)]
        case "placement":
            if others_busy:
                return state, []
            return replace(state, in_play=number), [PlacementSeen(at, number, before, rest)]
        case "stroke":
            if _pushed_by_another(state, track, field):
                return state, []
            return _stroke(state, track, lain, verdict, field, at)


def _as_the_ball_struck(state: State, track: Track, field: Field) -> tuple[State, Track]:
    """A stranger that came to rest, as the known ball that it is if its run began where that ball lay:
    what was followed as that ball since was a hand, or another thing beside it."""
    for lost in state.tracks:
        if lost.lying or lost.gone or lost.rest is None:
            continue
        ball = replace(
            track, number=lost.number, rest=lost.rest, home_mm=lost.home_mm, left_after=lost.left_after,
            path=tuple(s for s in track.path if s.at > lost.left_after), knocked=lost.knocked,
        )  # fmt: skip
        run = judge_move(ball, field, state.usual_friction).run
        if run is not None and run.explained == 1.0 and run.samples >= 3:
            others = tuple(t for t in state.tracks if t.number != track.number)
            return _put(replace(state, tracks=others), ball), ball
    return state, track


def _stroke(
    state: State, track: Track, lain: Track, verdict: Verdict, field: Field, at: float
) -> tuple[State, list[Observation]]:
    before, rest = track.rest, lain.rest
    assert before is not None
    assert rest is not None
    run = verdict.run
    started_at = run.started_at if run else set_off_at(track)
    state = replace(state, in_play=track.number, lost_told=False)
    if run is not None and run.explained == 1.0 and run.samples >= 3:
        kept = (*state.frictions, run.deceleration_mm_s2)[-_FRICTIONS_KEPT:]
        state = replace(state, frictions=kept)
    if verdict.cut_short:
        stroke = StrokeSeen(
            at,
            track.number,
            started_at,
            None,
            before,
            None,
            off_board=verdict.flew_off,
            uncertain=True,
        )
        return state, [stroke, PlacementSeen(at, track.number, None, rest)]
    stroke = StrokeSeen(
        at,
        track.number,
        started_at,
        _rested_at(rest, run),
        before,
        rest,
        off_board=not field.on_board(lain.home_mm),
        uncertain=verdict.uncertain,
    )
    return state, [stroke]


def _rested_at(rest: Rest, run: Run | None) -> float:
    """When a run ended: as the law has it, if the ball was not seen for a while then."""
    if run is not None and run.samples >= 3 and rest.first_at - run.stopped_at > _LATE_S:
        return run.stopped_at
    return rest.first_at


def _arrived(state: State, lain: Track, rest: Rest, at: float) -> tuple[State, list[Observation]]:
    """A ball that was never seen lying before now lies."""
    state = _put(state, lain)
    in_play = _find(state, state.in_play)
    if in_play is not None and (in_play.gone or not in_play.lying) and in_play.hidden:
        # The ball in play is gone, and one was brought: play goes on with it. What is followed in the
        # hand is most likely the hand.
        tracks = tuple(t for t in state.tracks if t.gone or t is not in_play or not t.only_in_hands)
        state = replace(state, tracks=tracks, in_play=lain.number)
        return state, [PlacementSeen(at, lain.number, None, rest)]
    return state, [RestSeen(at, lain.number, rest)]


def _other_in_play_busy(state: State, number: int) -> bool:
    """Whether another ball is in play and lies or runs on the board: then this one is no matter."""
    other = _find(state, state.in_play)
    return other is not None and other.number != number and not other.gone and not other.hidden


def _pushed_by_another(state: State, track: Track, field: Field) -> bool:
    """Whether another ball ran by just when this one began to move: a collision, no stroke."""
    # Two radii part touching balls.
    reach = 2.0 * field.ball_radius_mm + _RAN_ON_MM
    return any(
        abs(sample.at - track.left_after) < 0.15 and distance(sample.disc_mm, track.home_mm) < reach
        for other in state.tracks
        if other.number != track.number
        for sample in _run_of(other)
    )


def _run_of(track: Track) -> tuple[Sample, ...]:
    """Where a ball was seen on its latest way, its time of lying still left out."""
    path = track.path
    if track.lying:
        path = tuple(s for s in track.arrival if distance(s.disc_mm, track.home_mm) > 1.0)
    # What is seen beside a hand may be the hand itself, in the ball's colour.
    return tuple(s for s in path if not s.near)


def _forget(state: State, at: float) -> State:
    kept = tuple(t for t in state.tracks if not _is_done_with(t, state, at))
    return state if len(kept) == len(state.tracks) else replace(state, tracks=kept)


def _is_done_with(track: Track, state: State, at: float) -> bool:
    """Whether a track can be dropped: never a ball, or one not in play whose place was seen empty."""
    if track.rest is None:
        return at - track.seen_at >= FORGOTTEN_AFTER_S
    vanished = not track.lying and not track.path and track.open_s > VANISHED_AFTER_S
    return vanished and track.number != state.in_play and not track.hidden


def _put(state: State, track: Track) -> State:
    tracks = tuple(track if t.number == track.number else t for t in state.tracks)
    return replace(state, tracks=tracks)


def _find(state: State, number: int | None) -> Track | None:
    return next((t for t in state.tracks if t.number == number), None)
