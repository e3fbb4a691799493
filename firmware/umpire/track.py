"""One ball through time: lying, away (moving or hidden), lying again.

A pure state machine: `advance` takes a frozen track and one frame's word about its ball and gives
the next track. What a finished move was is decided in verdict.py; nothing here knows pictures or
rules.
"""

import math
from dataclasses import dataclass, replace

from firmware.umpire.evidence import Cover, Evidence, Field, Glimpse
from firmware.umpire.rest import Point, Rest, mean_rest
from firmware.umpire.run import Sample, coasted, distance, free_run, velocity
from firmware.umpire.sighting import Sighting

# A rest is called after this long without movement, on at least this many frames: 5 frames at 30 a
# second leave two thirds of the promised 250 ms to everything else.
STILL_S = 0.12
STILL_FRAMES = 4
# A ball beside a hand may still be held; one that ran there freely needs less patience.
STILL_BESIDE_HAND_S = 0.6
STILL_AFTER_RUN_S = 0.16
# Sightings more than this apart, or than four times the noise they claim, are not of the same rest. The
# last frame of a run still moves (1/2 a dt^2 = 0.8 mm at 1.5 m/s^2 and 30 frames a second), the noise of
# a dot is 0.02 to 0.1 mm.
STILL_MM = 0.15
# A lying ball that is seen this far off its rest has moved: the noise of a place, whatever the ball.
MOVED_MM = 0.5
# No more frames than this are kept of a rest: they beat the noise below what all frames share.
KEPT_FRAMES = 24
# Under this part of the disc a ball is not covered: noise, the edge of a shadow.
COVERED = 0.15
# A hand is beside the ball when these parts of two rings about it, in radii, are covered: a hand
# reaches on outwards, while the ball's own wall and shadow end within, even under a low lamp.
BESIDE_RINGS = ((2.0, 2.7, 0.08), (2.7, 3.6, 0.05))
# The path is kept for this many samples; a run lasts 20 to 60 frames, a carry may last for ever.
KEPT_SAMPLES = 240
# A longer gap between frames counts as this much: what was not filmed was not seen empty.
_LONGEST_STEP_S = 0.1
# Deceleration assumed when a hidden ball's place is guessed, mm/s^2.
USUAL_DECELERATION = 1500.0
# No flick drives the ball faster; what is farther off than this allows is another ball. mm/s.
FASTEST_MM_S = 4000.0
# Acceleration that a ball in a hand, or off an edge, may have on top of its velocity, mm/s^2.
SURPRISE_MM_S2 = 30_000.0
# In radii: more than that no collision adds to where a free ball may have got to.
_FARTHEST_ASIDE_RADII = 3.0
# In radii: a hand that covers part of a lying ball drags the measured place by as much, a millimetre or
# two of a 22 mm ball.
_DRAGGED_RADII = 0.27


@dataclass(frozen=True, slots=True)
class Track:
    """One ball. `rest` is the last agreed rest, None for a ball never seen lying; `home_mm` its
    disc.

    While lying, `sightings` are those of the rest. While away, `path` is what was seen since,
    `still` the latest glimpses that agree with one another and `still_since` when they began,
    `open_s` how long it has been neither
    seen nor covered. `hand`: a hand was over or beside the ball since it was last seen at rest.
    `hidden`: it was covered. `knocked`: board or camera moved meanwhile. `gone`: reported as off.
    `hand_at`, `checked_at`: when a hand was last beside a lying ball; the latest frame. Seconds.
    `arrival`: the path that ended in the present rest. `unplaced`: what was seen on the way while the
    fit did not hold: time, glimpse by the old fit, whether a hand was beside it.
    """

    number: int
    lying: bool
    seen_at: float
    rest: Rest | None = None
    home_mm: Point = (0.0, 0.0)
    sightings: tuple[Sighting, ...] = ()
    left_after: float = 0.0
    path: tuple[Sample, ...] = ()
    still: tuple[tuple[float, Glimpse], ...] = ()
    still_since: float = 0.0
    open_s: float = 0.0
    hand: bool = False
    hidden: bool = False
    knocked: bool = False
    gone: bool = False
    hand_at: float = -1e9
    checked_at: float = 0.0
    arrival: tuple[Sample, ...] = ()
    unplaced: tuple[tuple[float, Glimpse, bool], ...] = ()

    @property
    def last_mm(self) -> Point:
        """Where the disc was last seen, mm."""
        if self.unplaced:
            return self.unplaced[-1][1].disc_mm
        return self.path[-1].disc_mm if self.path else self.home_mm

    @property
    def only_in_hands(self) -> bool:
        """Whether nothing was seen of an away ball but what was beside a hand, and may be the hand."""
        return not self.unplaced and all(sample.near for sample in self.path)


def beside(cover: Cover, at_mm: Point, field: Field) -> bool:
    """Whether a hand is beside a ball at `at_mm`."""
    radius = field.ball_radius_mm
    return all(
        cover.around(at_mm, inner * radius, outer * radius) > part for inner, outer, part in BESIDE_RINGS
    )


def begin(number: int, glimpse: Glimpse, evidence: Evidence, field: Field) -> Track:
    """A ball that was not known before."""
    at = evidence.captured_at
    blank = Track(number=number, lying=False, seen_at=at, home_mm=glimpse.disc_mm, left_after=at)
    return advance(blank, glimpse, evidence, field)


def current_rest(track: Track) -> Rest | None:
    """The rest of a lying track, averaged over its frames so far."""
    if track.rest is None or not track.sightings:
        return track.rest
    mean = mean_rest(track.sightings, track.rest.first_at, track.seen_at, track.rest.about_mm)
    return replace(mean, position=track.rest.position)


def advance(track: Track, glimpse: Glimpse | None, evidence: Evidence, field: Field) -> Track:
    """The track after one frame in which its ball was seen as `glimpse`, or was not seen."""
    if track.unplaced and not evidence.held:
        track = _placed(track, evidence)
    moved_on = _advance(track, glimpse, evidence, field)
    return replace(moved_on, checked_at=evidence.captured_at)


def _placed(track: Track, evidence: Evidence) -> Track:
    """The track with what was seen of its ball while the fit did not hold, placed by the new one; or
    by the old one, if the board came back."""
    locate = evidence.relocate if evidence.refitted else None
    samples = tuple(
        Sample(at, (locate(glimpse.sighting) if locate else glimpse).disc_mm, near)
        for at, glimpse, near in track.unplaced
    )
    return replace(track, path=(*track.path, *samples)[-KEPT_SAMPLES:], unplaced=())


def _advance(track: Track, glimpse: Glimpse | None, evidence: Evidence, field: Field) -> Track:
    at = evidence.captured_at
    if track.lying:
        if glimpse is None and track.number in evidence.unchanged:
            return replace(track, seen_at=at)
        if glimpse is not None and _at_home(track, glimpse):
            return _lies_on(track, glimpse, evidence, field)
        track = _leave(track)
    if glimpse is None:
        return _unseen(track, evidence, field)
    return _seen_away(track, glimpse, evidence, field)


def _at_home(track: Track, glimpse: Glimpse) -> bool:
    assert track.rest is not None
    limit = max(MOVED_MM, 5.0 * glimpse.sigma_mm)
    return distance(glimpse.dot_mm, track.rest.about_mm) <= limit


def _lies_on(track: Track, glimpse: Glimpse, evidence: Evidence, field: Field) -> Track:
    at = evidence.captured_at
    near = beside(evidence.cover, track.home_mm, field)
    keep = track.sightings
    # A hand beside the ball shades it and hides its rim: such frames say nothing new.
    if not near and len(keep) < KEPT_FRAMES:
        keep = (*keep, glimpse.sighting)
    return replace(track, seen_at=at, sightings=keep, hand_at=at if near else track.hand_at, open_s=0.0)


def _leave(track: Track) -> Track:
    """The ball is no longer seen at its rest: freeze the rest as it was."""
    return replace(
        track,
        lying=False,
        rest=current_rest(track),
        left_after=track.seen_at,
        path=(),
        still=(),
        open_s=0.0,
        hidden=False,
        hand=track.seen_at - track.hand_at < 0.25,
    )


def _seen_away(track: Track, glimpse: Glimpse, evidence: Evidence, field: Field) -> Track:
    at = evidence.captured_at
    near = beside(evidence.cover, glimpse.disc_mm, field)
    hand = track.hand or near or beside(evidence.cover, track.home_mm, field)
    # Back where it lay after being hidden, with no movement of its own seen: it was only covered.
    if track.rest is not None and track.only_in_hands and not track.knocked and _at_home(track, glimpse):
        back = replace(track, lying=True, path=(), still=(), hidden=False, hand=False, open_s=0.0, gone=False)
        return _lies_on(back, glimpse, evidence, field)
    if evidence.held:
        # Millimetres by a fit that no longer holds would bend the path.
        unplaced = (*track.unplaced[-KEPT_SAMPLES:], (at, glimpse, near))
        return replace(track, seen_at=at, still=(), open_s=0.0, hand=hand, unplaced=unplaced)
    sample = Sample(at, glimpse.disc_mm, near)
    limit = max(STILL_MM, 4.0 * glimpse.sigma_mm)
    still = tuple(entry for entry in track.still if distance(entry[1].dot_mm, glimpse.dot_mm) <= limit)
    return replace(
        track,
        seen_at=at,
        path=(*track.path[-KEPT_SAMPLES:], sample),
        still=(*still[-KEPT_FRAMES:], (at, glimpse)),
        still_since=track.still_since if still else at,
        open_s=0.0,
        hand=hand,
    )


def way_of(track: Track) -> list[Sample]:
    """The path with the rest it began at, if the first sighting followed on it at once."""
    samples = list(track.path)
    if track.rest is not None and samples and 0.0 < samples[0].at - track.left_after < 0.2:
        samples.insert(0, Sample(track.left_after, track.home_mm, near=True))
    return samples


def expected(track: Track, at: float) -> Point:
    """Where a ball that is not seen should be at time `at`, mm."""
    way = way_of(track)
    if track.unplaced:
        way = [Sample(seen_at, glimpse.disc_mm, near) for seen_at, glimpse, near in track.unplaced]
    if len(way) < 2:
        return track.last_mm
    return coasted(way, at - way[-1].at, USUAL_DECELERATION)


def surprise(track: Track, since_s: float, field: Field) -> float:
    """How far from where it is expected a ball may be that was last seen `since_s` ago, mm.

    One that runs free may be stopped or turned aside; it does not set off anew as in a hand.
    """
    farthest = FASTEST_MM_S * min(since_s, 0.5)
    way = way_of(track)
    if len(way) < 2 or way[-1].near or track.unplaced:
        return farthest
    aside = min(SURPRISE_MM_S2 * since_s**2 / 2, _FARTHEST_ASIDE_RADII * field.ball_radius_mm)
    return min(farthest, math.hypot(*velocity(way)) * since_s + aside)


def _unseen(track: Track, evidence: Evidence, field: Field) -> Track:
    if evidence.held:
        return replace(track, still=())
    covered = evidence.blind or _covered(track, evidence, field)
    if covered:
        return replace(track, hidden=True, hand=True, open_s=0.0, still=())
    # A gap of dropped frames is not time in which the place was seen empty.
    step = min(max(evidence.captured_at - track.checked_at, 0.0), _LONGEST_STEP_S)
    hand = track.hand or beside(evidence.cover, track.last_mm, field)
    return replace(track, hand=hand, open_s=track.open_s + step, still=())


def _covered(track: Track, evidence: Evidence, field: Field) -> bool:
    """Whether something lies over where the ball was, should be, or passed in between."""
    start, end = track.last_mm, expected(track, evidence.captured_at)
    radius = field.ball_radius_mm
    for part in (0.0, 0.25, 0.5, 0.75, 1.0):
        place = (start[0] + part * (end[0] - start[0]), start[1] + part * (end[1] - start[1]))
        if field.in_picture(place) and evidence.cover.over(place, radius) > COVERED:
            return True
    return False


def settled(track: Track, evidence: Evidence, field: Field) -> bool:
    """Whether an away track's ball has come to rest in plain sight."""
    if track.lying or not track.still or evidence.held or evidence.blind:
        return False
    first_at, last = track.still_since, track.still[-1][1]
    span = track.still[-1][0] - first_at
    if not _is_enough(track.still, first_at) or track.still[-1][0] < track.seen_at:
        return False
    clear, clear_since = _clear_of_hands(track)
    if _is_enough(clear, clear_since):
        return True
    if track.rest is None:
        return span >= STILL_BESIDE_HAND_S
    if distance(last.disc_mm, track.home_mm) < _DRAGGED_RADII * field.ball_radius_mm:
        return False
    run = free_run(
        [s for s in track.path if s.at < first_at],
        track.home_mm,
        last.disc_mm,
        track.left_after,
        first_at,
    )
    ran = run is not None and run.explained > 0.95
    return span >= (STILL_AFTER_RUN_S if ran else STILL_BESIDE_HAND_S)


def has_stopped(track: Track, at: float) -> bool:
    """Whether an away track's ball lay still, clear of hands, when the recording ended at `at`.

    Two frames tell: the last whole frame of a run is longer than what counts as the same place.
    """
    if track.lying or track.gone or track.rest is None or track.seen_at < at:
        return False
    return len(track.still) >= 2 and len(_clear_of_hands(track)[0]) == len(track.still)


_Dated = tuple[tuple[float, Glimpse], ...]


def _is_enough(glimpses: _Dated, since: float) -> bool:
    """Whether glimpses of one place are enough of them, over time enough, for a rest."""
    return len(glimpses) >= STILL_FRAMES and glimpses[-1][0] - since >= STILL_S


def _clear_of_hands(track: Track) -> tuple[_Dated, float]:
    """The latest glimpses of the place where an away ball lies, back to the last with a hand beside
    it, and since when. A hand that shaded the ball while it put it down says nothing of them."""
    near_at = max((s.at for s in track.path if s.near), default=-math.inf)
    return tuple(entry for entry in track.still if entry[0] > near_at), max(near_at, track.still_since)


def _best_of(track: Track) -> list[Glimpse]:
    """The glimpses from which a settled ball's place is measured: those clear of hands, if there are
    enough."""
    clear, since = _clear_of_hands(track)
    return [glimpse for _, glimpse in (clear if _is_enough(clear, since) else track.still)]


def rest_of(track: Track) -> Rest:
    """The rest in which a settled track's ball lies now."""
    glimpses = _best_of(track)
    x = sum(g.dot_mm[0] for g in glimpses) / len(glimpses)
    y = sum(g.dot_mm[1] for g in glimpses) / len(glimpses)
    sightings = [g.sighting for g in glimpses]
    return mean_rest(sightings, track.still_since, track.still[-1][0], (x, y))


def lie_down(track: Track, rest: Rest) -> Track:
    """The settled track with `rest` agreed."""
    glimpses = _best_of(track)
    home = (
        sum(g.disc_mm[0] for g in glimpses) / len(glimpses),
        sum(g.disc_mm[1] for g in glimpses) / len(glimpses),
    )
    return Track(
        number=track.number,
        lying=True,
        seen_at=track.seen_at,
        rest=rest,
        home_mm=home,
        sightings=tuple(g.sighting for g in glimpses),
        left_after=track.seen_at,
        arrival=track.path,
        hand_at=track.seen_at if track.path and track.path[-1].near else -1e9,
    )
