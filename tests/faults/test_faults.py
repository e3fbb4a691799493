"""What goes wrong at a table, each on the whole daemon: it never dies of it, says what is wrong where people
look, and the match goes on right.

    camera gone, and back                   test_a_camera_that_is_gone_and_comes_back
                                            test_a_stroke_that_no_camera_saw_is_not_judged
                                            test_parts.py: back elsewhere
    camera frozen for 3 s                   test_a_camera_that_is_frozen_for_3_s
                                            test_a_camera_whose_reads_hang_for_3_s
    frames older than asked for             test_frames_that_are_older_than_asked_for
    a stop() that never returns             test_a_camera_whose_stop_never_returns
    a panel absent at boot                  test_a_panel_that_is_absent_at_boot
    a panel failing every 20th write        test_a_panel_that_fails_every_20th_write
    a panel gone, and back                  test_a_panel_that_is_gone_and_comes_back
                                            test_parts.py: without any panel
    five contact bounces in 8 ms            test_five_bounces_in_8_ms_are_one_press
    two presses 300 ms apart                test_two_presses_300_ms_apart_are_two
    a hold fires once                       test_a_hold_fires_once
    the clock jumps by an hour              test_a_clock_that_is_set_by_an_hour
                                            test_a_computer_that_slept_for_an_hour
    no audio device                         test_a_table_without_an_audio_device
                                            test_a_computer_without_the_program_that_plays_sounds
                                            test_parts.py: one that hangs
    SIGTERM at any time                     test_sigterm.py
    disk full, stuck buttons, and more      test_parts.py: also everything at once
    the camera's thread by itself           test_camera.py
"""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from firmware.chair.notices import NOTICE_S
from firmware.daemon.daemon import Daemon
from firmware.daemon.frames import FROZEN_S
from firmware.gestures import HOLD_S
from firmware.journal import Acted, JournalReader
from firmware.rules import Side
from firmware.texts import TroubleCode, trouble_sentence
from hardware.aplay_speaker import AplaySpeaker
from hardware.button import Button, Kind
from hardware.simulated.buttons import contact_times
from tests.faults.bench import ENGLISH, RETURNED, SERVED, Bench
from tests.faults.rendered import Shown
from tests.faults.unsteady import LONG_S, UnsteadyTable

GAME_PANEL = "ssd1306 on I2C bus 1 at 0x3c"
IN_RALLY_PANEL = "ssd1306 on I2C bus 1 at 0x3d"
LOVE = ("0", "0")
HERE, THERE = (70.0, 54.0), (-210.0, 20.0)
"""A first serve of A's worth 1, and a return of B's worth 2."""
AFTER_SERVE, AFTER_RETURN = Shown("in", "B1", 1, LOVE), Shown("in", "A1", -1, LOVE)


def says(code: TroubleCode) -> str:
    return trouble_sentence(code, ENGLISH)


def troubles(table: UnsteadyTable) -> list[str]:
    """Which parts were told to be wrong or well again, in order."""
    return [f"{line['kind']}: {line['part']}" for line in table.lines if line["kind"] in ("trouble", "well")]


# ---------------------------------------------------------------- the camera


@pytest.fixture
def table(tmp_path: Path) -> Iterator[UnsteadyTable]:
    """A rally in which it is B's turn."""
    table = UnsteadyTable(tmp_path)
    table.play(HERE)
    table.check(AFTER_SERVE, said=["In, 1 point."], kept="match-began stroke")
    yield table
    table.end()


def returns(table: UnsteadyTable) -> None:
    """The match goes on right."""
    table.play(THERE)
    table.check(AFTER_RETURN, said=["In, 2 points."], kept="stroke")


def test_a_camera_that_is_gone_and_comes_back(table: UnsteadyTable) -> None:
    table.plugged = False
    table.turns(0.1)
    table.check(AFTER_SERVE, notice=says("camera-gone"))
    table.turns(20.0)
    table.check(AFTER_SERVE, notice=says("camera-gone"))
    table.press("B", "challenge")  # the pictures of the rest are there, and buttons work
    table.check(
        AFTER_SERVE,
        notice=says("camera-gone"),
        said=["asks for a review", "The call stands."],
        kept="stands",
        beside="ball over the line",
    )
    table.plugged = True
    table.turns(31.0)
    table.check(AFTER_SERVE)
    assert troubles(table) == ["trouble: camera", "well: camera"]
    returns(table)


def test_a_stroke_that_no_camera_saw_is_not_judged(table: UnsteadyTable) -> None:
    table.plugged = False
    table.turns(1.0)
    unseen = table.flick(THERE)
    table.turns(unseen.rested_at + 1.0 - table.table.now)
    table.plugged = True
    table.turns(10.0)
    table.check(
        AFTER_SERVE,
        notice="put it back",
        lit="A.confirm B.confirm",
        said=["Ball moved."],
        kept="lay",
        beside="place",
    )
    table.carry("B", HERE)
    table.check(AFTER_SERVE, said=["Ball back."], kept="lay")
    returns(table)


def test_a_camera_that_is_frozen_for_3_s(table: UnsteadyTable) -> None:
    table.frozen = True
    table.turns(FROZEN_S - 0.5)
    table.check(AFTER_SERVE)
    table.turns(0.5)
    for _ in range(10):  # also after it was opened anew
        table.turns(1.0)
        table.check(AFTER_SERVE, notice=says("camera-frozen"))
    table.frozen = False
    table.turns(1.0)
    table.check(AFTER_SERVE)
    assert troubles(table) == ["trouble: camera", "well: camera"]
    returns(table)


def test_a_camera_whose_reads_hang_for_3_s(table: UnsteadyTable) -> None:
    table.hangs = True
    table.turns(FROZEN_S + 0.1)
    table.check(AFTER_SERVE, notice=says("camera-frozen"))
    table.hangs = False
    table.turns(2 * FROZEN_S)
    table.check(AFTER_SERVE)
    returns(table)


def test_frames_that_are_older_than_asked_for(table: UnsteadyTable) -> None:
    """A quarter of a second in a buffer is no matter; two seconds are told, and calls are right all the same,
    only late."""
    table.lag = 8
    table.play(THERE)
    table.turns(0.3)
    table.check(AFTER_RETURN, said=["In, 2 points."], kept="stroke")
    table.lag = 60
    noticed = 0
    for _ in range(100):
        table.turns(0.1)
        noticed += table.board.notice == says("old-pictures")
    assert noticed * 0.1 >= NOTICE_S - 0.2, "people have to read it"
    table.check(AFTER_RETURN)
    table.play(HERE)
    table.turns(60 / 30)
    table.check(Shown("in", "B1", 0, LOVE), said=["In, 1 point."], kept="stroke")


def test_a_camera_whose_stop_never_returns(table: UnsteadyTable) -> None:
    table.hang_in_closing()
    table.plugged = False
    table.turns(FROZEN_S + 0.5)
    table.check(AFTER_SERVE, notice=says("camera-frozen"))
    table.plugged = True
    table.turns(31.0)
    table.check(AFTER_SERVE)
    returns(table)
    table.hang_in_closing()
    table.daemon.close()
    assert table.lines[-1] == {"kind": "stopped", "match": 1}
    assert not table.panels.game.is_lit


# ---------------------------------------------------------------- panels


def test_a_panel_that_is_absent_at_boot(tmp_path: Path) -> None:
    bench = Bench(tmp_path, plugged=False)
    bench.turn(1.0)
    assert len(bench.troubles(GAME_PANEL)) == 1
    assert bench.notice() == says("panel-gone.game")
    bench.panels.check_glass("in-rally")
    bench.turn(NOTICE_S)
    assert bench.notice() is None
    bench.play(SERVED)
    assert bench.strokes == 1
    bench.panels.game.plug_in()
    bench.turn(11.0)
    assert {"kind": "well", "part": GAME_PANEL} in bench.lines
    bench.panels.check_glass()
    bench.play(RETURNED)
    bench.turn()
    bench.panels.check_glass()


def test_a_panel_that_fails_every_20th_write(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    for panel in (bench.panels.in_rally, bench.panels.game):
        panel.fail_every(20)
    for stroke in range(1, 61):
        bench.play(None)
        bench.turn(0.3)
        assert bench.strokes == stroke
        bench.panels.check_glass()
    failures = [status.failures for status in bench.panels.bus.status]
    assert all(count >= 3 for count in failures), failures
    assert bench.troubles(GAME_PANEL) == bench.troubles(IN_RALLY_PANEL) == [], (
        "it is mended before one could tell"
    )


def test_a_panel_that_is_gone_and_comes_back(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.play(SERVED)
    bench.panels.in_rally.unplug()
    bench.play(RETURNED)
    bench.turn(1.0)
    assert bench.troubles(IN_RALLY_PANEL) != []
    assert bench.notice() == says("panel-gone.in-rally")
    bench.panels.check_glass("game")
    for _ in range(3):
        bench.play(None)
        bench.turn(20.0)
    assert len(bench.troubles(IN_RALLY_PANEL)) == 1
    assert bench.strokes == 5
    bench.panels.in_rally.plug_in()
    bench.turn(11.0)
    bench.panels.check_glass()
    assert {"kind": "well", "part": IN_RALLY_PANEL} in bench.lines


# ---------------------------------------------------------------- buttons


def presses(bench: Bench) -> list[tuple[str, Side | None]]:
    return [(line["press"], line["side"]) for line in bench.lines if line["kind"] == "press"]


def finger(bench: Bench, side: Side, kind: Kind, after_s: float, for_s: float) -> None:
    """A finger whose contact bounces five times within 8 ms, when it closes and when it opens."""
    bench.buttons.press(Button(side, kind), bench.clock.now + after_s, for_s, bounces=5, bounce_s=0.008)


def test_five_bounces_in_8_ms_are_one_press(tmp_path: Path) -> None:
    assert len(contact_times(0.0, 5, 0.008)) == 11, "that many edges for one press, and for letting go"
    bench = Bench(tmp_path)
    finger(bench, "A", "confirm", 0.01, 0.1)
    bench.turn(1.0)
    assert presses(bench) == [("confirm", "A")]
    bench.play(SERVED)
    finger(bench, "B", "challenge", 0.01, 0.1)
    bench.turn(1.0)
    assert presses(bench) == [("confirm", "A"), ("challenge", "B")]
    bench.work.pop()()
    bench.turn()
    bench.play(RETURNED)
    assert bench.strokes == 2


def test_two_presses_300_ms_apart_are_two(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.play(SERVED)
    for after_s in (0.01, 0.31):
        finger(bench, "B", "confirm", after_s, 0.1)
    bench.turn(1.0)
    assert presses(bench) == [("confirm", "B")] * 2
    bench.play(RETURNED)
    for after_s in (0.01, 0.31):
        finger(bench, "A", "challenge", after_s, 0.1)
    bench.turn(1.0)
    assert presses(bench)[2:] == [("flick-fault", "A")], "two, and not a challenge as well"
    assert bench.board.deciding
    assert bench.buttons.lit == {Button("B", "confirm"), Button("B", "challenge")}
    bench.press("B", "confirm")
    assert bench.board.last is not None
    assert bench.board.last.call == "flick-fault"
    assert bench.board.points == ("15", "0")


def test_a_hold_fires_once(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    for to_mm in (SERVED, RETURNED, None):
        bench.play(to_mm)
    finger(bench, "A", "confirm", 0.01, 5 * HOLD_S)
    bench.turn(HOLD_S - 0.5)
    assert presses(bench) == []
    bench.turn(5 * HOLD_S)
    assert presses(bench) == [("undo", "A")]
    assert len(bench.daemon.chair.match.state.strokes) == 2
    assert bench.board == bench.daemon.chair.match.scoreboard(bench.notice())
    bench.play(None)
    assert len(bench.daemon.chair.match.state.strokes) == 3


# ---------------------------------------------------------------- clocks


@pytest.mark.parametrize("by", [timedelta(hours=1), timedelta(hours=-1)])
def test_a_clock_that_is_set_by_an_hour(tmp_path: Path, by: timedelta) -> None:
    """By summer time, or by a computer that hears what time it is long after it was switched on."""
    bench = Bench(tmp_path)
    bench.play(SERVED)
    bench.play(RETURNED)
    finger(bench, "A", "confirm", 0.01, HOLD_S + 0.5)
    bench.turn(1.0)
    bench.clock.set_by += by
    bench.turn(3.0)
    assert presses(bench) == [("undo", "A")]
    bench.play(RETURNED)
    state = bench.daemon.chair.match.state
    with JournalReader.open(tmp_path) as reader:
        acted = [record for record in reader.records(1) if isinstance(record, Acted)]
    kinds = [type(record.action).__name__ for record in acted]
    assert kinds == ["Stroke", "Stroke", "Press", "Lay", "Stroke"]
    steps = [after.wall_time - before.wall_time for before, after in pairwise(acted)]
    assert any(abs(step - by) < timedelta(minutes=1) for step in steps), (
        "the disk has the time as it was told"
    )
    bench.drop()
    again = Bench(tmp_path)
    assert again.daemon.chair.match.state == state


def test_a_computer_that_slept_for_an_hour(tmp_path: Path) -> None:
    """Its steady clock went on, in the middle of a hold and while a notice stood."""
    bench = Bench(tmp_path)
    bench.play(SERVED)
    bench.play(RETURNED)
    finger(bench, "A", "confirm", 0.01, 3600.0 + 0.4)
    finger(bench, "B", "challenge", 0.01, 0.1)
    bench.turn(0.3)
    bench.clock.now += 3600.0
    bench.turn(1.0)
    assert ("undo", "A") not in presses(bench), "nobody held it for two seconds while anybody looked"
    assert len(bench.daemon.chair.match.state.strokes) == 2
    bench.work.pop()()  # the challenge counted
    bench.turn(30.0)
    assert bench.notice() is None
    bench.play(None)
    assert bench.strokes == 3
    bench.turn()
    bench.panels.check_glass()  # which had been dimmed, and wandered against burn-in


# ---------------------------------------------------------------- the speaker


def test_a_table_without_an_audio_device(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.speaker.unplug()
    bench.play(SERVED)
    bench.turn()
    assert bench.notice() == says("no-sound")
    bench.play(RETURNED)
    bench.turn(30.0)
    bench.play(None)
    assert bench.strokes == 3
    assert bench.troubles("speaker") != []
    assert len(bench.troubles("speaker")) == 1
    bench.panels.check_glass()
    bench.speaker.plug_in()
    bench.turn(60.0)
    before = len(bench.speaker.heard)
    bench.play(None)
    bench.turn(5.0)
    assert len(bench.speaker.heard) > before
    assert {"kind": "well", "part": "speaker"} in bench.lines


def test_a_computer_without_the_program_that_plays_sounds(tmp_path: Path) -> None:
    """The real adapter, in its own thread."""
    bench = Bench(tmp_path)
    speaker = AplaySpeaker(command="no-such-program-as-aplay")
    rig = replace(bench.daemon._rig, speaker=speaker)
    bench.daemon = Daemon(rig, bench.daemon._terms, bench.journal, tell=bench.lines.append)
    bench.play(SERVED)
    speaker.finish(LONG_S)
    bench.turn()
    assert bench.notice() == says("no-sound")
    bench.play(RETURNED)
    assert bench.strokes == 2
    bench.daemon.close()
