"""A match on the rendered table: the camera's pictures and the buttons are all that the daemon is given.

Hands, fingers, and a power cut; at each step the score, both panels' glass, the lamps, what was announced,
and the disk. The score beside each step is counted by hand.
"""

from pathlib import Path

from firmware.journal import Journal, Reviewed
from tests.faults.rendered import RenderedTable, Shown

BOTH_CONFIRM = "A.confirm B.confirm"
A_DECIDES = "A.confirm A.challenge"
ALL = "A.confirm A.challenge B.confirm B.challenge"
LOVE, FIFTEEN = ("0", "0"), ("15", "0")
LEFT_ACE, RIGHT_ACE = (112.0, 68.0), (112.0, -68.0)
"""As A, who serves towards x > 0, sees the boxes."""
NEAR_THE_LINE = (-230.5, 20.0)
"""Half a millimetre of the disc is on A's baseline."""
ONE_MM_LONGER_PX = (-1.6, 0.0)


def test_a_match_by_camera_and_buttons_goes_on_over_a_power_cut(tmp_path: Path) -> None:
    table = RenderedTable(tmp_path)
    table.check(Shown(None, "A1", 0, LOVE), kept="match-began")
    _a_challenge_that_stands(table)
    _a_challenge_that_overturns(table)
    _a_flick_fault_that_is_contested(table)
    _a_ball_that_is_moved_and_put_back(table)
    _a_call_that_both_overrule(table)
    _an_undo_across_a_game(table)
    again = _a_power_cut_in_mid_stroke(table)
    _the_match_goes_on(again)
    again.daemon.close()
    assert not again.panels.game.is_lit
    assert not again.panels.in_rally.is_lit
    Journal.open(tmp_path).close()  # its lock is free


def _a_challenge_that_stands(table: RenderedTable) -> None:
    table.play((70.0, 54.0))
    table.check(Shown("in", "B1", 1, LOVE), said=["In, 1 point."], kept="stroke")
    table.press("B", "challenge")
    table.check(
        Shown("in", "B1", 1, LOVE),
        notice="The call stands",
        said=["B asks for a review", "The call stands. In, 1 point."],
        kept="stands",
        beside="ball over the line",
    )
    reviewed = table.records[-1]
    assert isinstance(reviewed, Reviewed)
    assert len(reviewed.pictures) == 3
    assert all((table.folder / "reviews" / name).is_file() for name in reviewed.pictures)


def _a_challenge_that_overturns(table: RenderedTable) -> None:
    table.play(NEAR_THE_LINE, off_px=ONE_MM_LONGER_PX)
    table.check(Shown("out", "A1", 1, FIFTEEN), said=["Out. 15-0."], kept="stroke")
    table.press("B", "challenge")
    overturned = "Overturned: In, 2 points. A, confirm or challenge."
    table.check(
        Shown("out", "A1", 1, FIFTEEN),
        notice=overturned,
        lit=A_DECIDES,
        said=["B asks for a review", overturned],
        kept="overturned",
        beside="ball over the line",
    )
    table.press("B", "confirm")  # who asked has no say in it
    table.check(Shown("out", "A1", 1, FIFTEEN), notice=overturned, lit=A_DECIDES, beside="ball over the line")
    table.press("A", "confirm")
    table.check(Shown("in", "A1", -1, LOVE), said=["Correction of stroke 2."], kept="correct")


def _a_flick_fault_that_is_contested(table: RenderedTable) -> None:
    table.play((60.0, 5.0))
    table.check(Shown("in", "B1", -1, LOVE), said=["In, 0 points."], kept="stroke")
    table.press("B", "challenge", times=2)
    asked = "A, a flick fault? Confirm, or challenge to contest."
    table.check(
        Shown("in", "A1", -1, LOVE),
        notice=asked,
        lit=A_DECIDES,
        said=["A, confirm, or challenge to contest."],
        kept="flick-fault",
    )
    assert table.board.deciding
    table.press("A", "challenge")
    put_back = "A, put the ball back and play again."
    table.check(
        Shown("in", "A1", -1, LOVE),
        notice="play again, with the ball ",
        lit=BOTH_CONFIRM,
        said=[put_back],
        kept="challenge",
        beside="place",
    )
    assert table.board.placing
    table.carry("A", NEAR_THE_LINE)
    table.check(Shown("in", "A1", -1, LOVE), said=["Ball back. A to play again."], kept="lay")
    table.play((150.0, -54.0))
    table.check(Shown("in", "B1", 0, LOVE), said=["In, 1 point."], kept="stroke")


def _a_ball_that_is_moved_and_put_back(table: RenderedTable) -> None:
    table.carry("A", (120.0, -30.0))
    moved = "Ball moved. B, put it back, or both confirm."
    table.check(
        Shown("in", "B1", 0, LOVE),
        notice="put it back: 150 mm from the net, 54 mm left of the middle",
        lit=BOTH_CONFIRM,
        said=[moved],
        kept="lay",
        beside="place",
    )
    assert table.board.placing
    table.carry("B", (150.0, -54.0))
    table.check(Shown("in", "B1", 0, LOVE), said=["Ball back. B to play."], kept="lay")
    assert not table.board.placing


def _a_call_that_both_overrule(table: RenderedTable) -> None:
    table.play((-100.0, 60.0))
    table.check(Shown("in", "A1", -2, LOVE), said=["In, 2 points."], kept="stroke")
    table.both_hold("challenge")
    shown = Shown("in", "A1", -2, LOVE)
    table.check(shown, notice="Stroke 5: In, 2 points.", lit=ALL)
    for n in range(10):
        if "Stroke 5: Out." in (table.board.notice or ""):
            break
        table.press("B" if n % 2 else "A", "challenge")
    table.press("B", "confirm")
    table.check(shown, notice="Stroke 5: Out. Agreed: B.", lit="A.confirm A.challenge B.challenge")
    table.press("A", "confirm")
    table.check(
        Shown("out", "A1", 0, FIFTEEN),
        said=["Correction of stroke 5. Out. 15-0."],
        kept="correct",
    )


def _an_undo_across_a_game(table: RenderedTable) -> None:
    for aim, points in ((RIGHT_ACE, ("30", "0")), (LEFT_ACE, ("40", "0"))):
        table.play(aim)
        score = f"Ace! {'-'.join(points)}."
        table.check(Shown("ace", "A1", 0, points), said=[score], kept="stroke")
    won = "Ace! Game to A. Games 1-0."
    table.play(RIGHT_ACE)
    table.check(Shown("ace", "B1", 0, LOVE, (1, 0)), said=[won], kept="stroke")
    table.press("B", "confirm", for_s=2.3)
    undone = "Stroke 8 undone. 40-0. Games 0-0."
    table.check(Shown("ace", "A1", 0, ("40", "0")), notice=undone, said=[undone], kept="undo")
    table.play(RIGHT_ACE)
    table.check(Shown("ace", "B1", 0, LOVE, (1, 0)), said=[won], kept="stroke")


def _a_power_cut_in_mid_stroke(table: RenderedTable) -> RenderedTable:
    """The table as it is when power is back: somebody has cleared it away and set it up again."""
    table.play((-70.0, -54.0))
    shown = Shown("in", "A1", -1, LOVE, (1, 0))
    table.check(shown, said=["In, 1 point."], kept="stroke")
    rolling = table.flick((210.0, 10.0))
    table.turns(rolling.touched_at + 0.2 - table.table.now)
    assert table.table.now < rolling.rested_at
    state = table.daemon.chair.match.state
    table.drop()
    again = RenderedTable(table.folder, seed=5)
    assert again.daemon.chair.match.state == state
    assert {"kind": "resumed", "match": 1, "strokes": 9, "over": False} in again.lines
    moved = "Ball moved. A, put it back, or both confirm."
    again.turns(1.0)
    again.check(
        shown,
        notice="70 mm from the net, 54 mm right",
        lit=BOTH_CONFIRM,
        said=[moved],
        kept="lay",
        beside="place",
    )
    again.carry("A", (-70.0, -54.0))
    again.check(shown, said=["Ball back. A to play."], kept="lay")
    again.press("A", "challenge")  # nothing is left of its pictures but what is on disk
    unclear = "No picture of that rest is left."
    again.check(shown, notice=unclear, said=[unclear])
    return again


def _the_match_goes_on(table: RenderedTable) -> None:
    table.play((210.0, 10.0))
    table.check(Shown("in", "B1", 1, LOVE, (1, 0)), said=["In, 2 points."], kept="stroke")
    table.press("B", "challenge")
    table.check(
        Shown("in", "B1", 1, LOVE, (1, 0)),
        notice="The call stands",
        said=["B asks for a review", "The call stands. In, 2 points."],
        kept="stands",
        beside="ball over the line",
    )
    table.play((-250.0, 0.0))
    table.check(Shown("out", "B1", 1, FIFTEEN, (1, 0)), said=["Out. 15-0."], kept="stroke")
    aces = ((-112.0, 68.0), (-112.0, -68.0)) * 2
    scores = (("15", "15"), ("15", "30"), ("15", "40"))
    for aim, points in zip(aces, scores, strict=False):
        table.play(aim)
        table.check(Shown("ace", "B1", 0, points, (1, 0)), said=["Ace!"], kept="stroke")
    table.play(aces[-1])
    won = "Ace! Game to B. Games 1-1."
    table.check(Shown("ace", "A1", 0, LOVE, (1, 1)), said=[won], kept="stroke")
