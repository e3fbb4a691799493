"""What is not there, or cannot be done: skipped on a maker's computer, a failure where CI=true."""

from pathlib import Path

import pytest

from tests.faults import system_calls
from tests.shared import needs, shared_footage, unless

FORBIDDEN = "this system forbids it"


def test_absent_footage_skips_the_test(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match="no-such-clip"):
        shared_footage("no-such-clip.mp4")


def test_in_ci_absent_footage_fails_the_test(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="no-such-clip"):
        shared_footage("no-such-clip.mp4")


@pytest.mark.parametrize(
    ("ci", "why_not", "skips"), [("", FORBIDDEN, True), ("true", FORBIDDEN, False), ("", None, False)]
)
def test_what_cannot_be_done_is_skipped_but_in_ci(
    monkeypatch: pytest.MonkeyPatch, ci: str, why_not: str | None, skips: bool
) -> None:
    monkeypatch.setenv("CI", ci)
    mark = unless(why_not).mark
    assert mark.args == (skips,)
    assert mark.kwargs["reason"] == (why_not or "")


@pytest.mark.parametrize(("ci", "skips"), [("", True), ("true", False)])
def test_a_program_that_is_not_installed_is_needed_in_ci(
    monkeypatch: pytest.MonkeyPatch, ci: str, skips: bool
) -> None:
    monkeypatch.setenv("CI", ci)
    mark = needs("no-such-program", "no-such-package").mark
    assert mark.args == (skips,)
    assert mark.kwargs["reason"] == "no-such-program is not installed (Debian's no-such-package)"


def test_a_program_that_cannot_be_watched_fails_the_test_that_runs_in_ci(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(system_calls, "WHY_NOT", FORBIDDEN)
    with pytest.raises(pytest.fail.Exception, match=FORBIDDEN):
        system_calls.watched(lambda _: None, tmp_path)
