"""What the service manager hears, at sockets of the test's in systemd's place."""

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from hardware.service import is_service, notify, watchdog_interval_s

HERE = str(os.getpid())


@contextmanager
def listening(address: str) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(address)
        listener.settimeout(30.0)
        yield listener


def test_a_socket_with_a_path_is_told(tmp_path: Path) -> None:
    path = str(tmp_path / "notify")
    with listening(path) as manager:
        assert notify("READY=1", "STATUS=A to serve.", environment={"NOTIFY_SOCKET": path})
        assert manager.recv(4096) == b"READY=1\nSTATUS=A to serve."


def test_a_socket_without_a_file_is_told() -> None:
    name = f"setmatch-test-{HERE}"
    with listening(f"\0{name}") as manager:
        assert notify("STATUS=Zoé", environment={"NOTIFY_SOCKET": f"@{name}"})
        assert manager.recv(4096) == "STATUS=Zoé".encode()


def test_a_status_of_several_lines_is_one_assignment(tmp_path: Path) -> None:
    path = str(tmp_path / "notify")
    with listening(path) as manager:
        assert notify("STATUS=no room\nWATCHDOG=trigger", environment={"NOTIFY_SOCKET": path})
        assert manager.recv(4096) == b"STATUS=no room WATCHDOG=trigger"


def test_who_is_no_service_tells_nobody(tmp_path: Path) -> None:
    assert not notify("READY=1", environment={})
    assert not notify("READY=1", environment={"NOTIFY_SOCKET": ""})
    with listening(str(tmp_path / "notify")) as manager:
        assert not notify(environment={"NOTIFY_SOCKET": str(tmp_path / "notify")})
        manager.setblocking(False)
        with pytest.raises(BlockingIOError):
            manager.recv(4096)


def test_a_socket_that_is_gone_is_no_error(tmp_path: Path) -> None:
    path = str(tmp_path / "notify")
    assert not notify("WATCHDOG=1", environment={"NOTIFY_SOCKET": path})
    with listening(path):
        pass
    assert not notify("WATCHDOG=1", environment={"NOTIFY_SOCKET": path}), "its file is left, and nobody there"
    assert not notify("WATCHDOG=1", environment={"NOTIFY_SOCKET": str(tmp_path / ("long" * 60))})


def test_a_manager_that_does_not_read_holds_nobody_up(tmp_path: Path) -> None:
    path = str(tmp_path / "notify")
    with listening(path):
        told = 0
        while notify("WATCHDOG=1", environment={"NOTIFY_SOCKET": path}):
            told += 1
            assert told < 100_000, "no socket has room for so much"
        assert told


@pytest.mark.parametrize(
    ("environment", "interval_s"),
    [
        ({"WATCHDOG_USEC": "30000000"}, 30.0),
        ({"WATCHDOG_USEC": "500000", "WATCHDOG_PID": HERE}, 0.5),
        ({"WATCHDOG_USEC": "500000", "WATCHDOG_PID": "1"}, None),
        ({"WATCHDOG_USEC": "500000", "WATCHDOG_PID": "me"}, None),
        ({"WATCHDOG_USEC": "0"}, None),
        ({"WATCHDOG_USEC": "-5"}, None),
        ({"WATCHDOG_USEC": "soon"}, None),
        ({}, None),
    ],
)
def test_how_often_it_has_to_hear(environment: dict[str, str], interval_s: float | None) -> None:
    assert watchdog_interval_s(environment) == interval_s


def test_what_is_a_service() -> None:
    assert is_service({"NOTIFY_SOCKET": "/run/systemd/notify"})
    assert not is_service({"NOTIFY_SOCKET": ""})
    assert not is_service({})
