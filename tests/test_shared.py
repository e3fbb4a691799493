"""Footage that is not there: skipped on a maker's computer, a failure where CI says that it runs."""

import pytest

from tests.shared import shared_footage


def test_absent_footage_skips_the_test(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match="no-such-clip"):
        shared_footage("no-such-clip.mp4")


def test_in_ci_absent_footage_fails_the_test(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="no-such-clip"):
        shared_footage("no-such-clip.mp4")
