"""What a connection owes its far end beyond the ports' contract (tests/contract/test_serial_ports.py)."""

import queue
import socket
import threading
from collections.abc import Callable
from contextlib import suppress

from hardware.serial_port import Heard, SerialPort
from hardware.tcp_ports import TcpPorts, _Connection

PATIENCE_S = 10.0
ROUNDS = 200


def test_who_still_sends_to_a_port_that_is_given_back_learns_of_it() -> None:
    """Linux told one in a few hundred nothing for a minute, as long as the end was made of reading, too. It
    is a race in the system: only many rounds meet it."""
    opened: queue.SimpleQueue[tuple[SerialPort, threading.Event]] = queue.SimpleQueue()

    def plugged(name: str, opener: Callable[[Heard], SerialPort]) -> None:
        came = threading.Event()
        opened.put((opener(lambda data: came.set()), came))

    def send(far: socket.socket) -> None:
        with suppress(ConnectionError):
            while True:
                far.sendall(b"x\n" * 2048)
        ended.append("it was told")

    ended: list[str] = []
    ports = TcpPorts(0, plugged)
    for number in range(1, ROUNDS + 1):
        with socket.create_connection(("127.0.0.1", ports.port)) as far:
            far.settimeout(PATIENCE_S)
            sender = threading.Thread(target=send, args=(far,))
            sender.start()
            port, came = opened.get(timeout=PATIENCE_S)
            assert came.wait(PATIENCE_S)
            port.close()
            sender.join()
        assert len(ended) == number
    ports.close()


def test_who_waits_for_bytes_is_woken() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        far = socket.create_connection(server.getsockname())
        near, _ = server.accept()
    with far:
        line = _Connection(near, lambda: None)
        line.cancel_read()
        assert line.read(1) == b""
        far.send(b"a")
        assert line.read(1) == b"a"  # what came is not lost by it
        line.close()
        line.cancel_read()
        line.cancel_write()
