"""A real mosquitto for tests, on a free port of this machine, and a listener that reads back what it has."""

import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion

from tests.shared import needs

needs_mosquitto = needs("mosquitto", "mosquitto")
PATIENCE_S = 20.0


def until(true: Callable[[], object], what: str) -> None:
    """Wait for something, not for ever."""
    end = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < end, f"in vain waited for: {what}"
        time.sleep(0.01)


def free_port() -> int:
    """A port that nobody listens at."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


def answers(port: int) -> bool:
    """Whether somebody listens at a port."""
    with socket.socket() as tried:
        return tried.connect_ex(("127.0.0.1", port)) == 0


class Mosquitto:
    """A broker that can be killed and started again; it keeps nothing on disk. `login`: the only user and
    password that it takes, None for anybody."""

    def __init__(self, folder: Path, login: tuple[str, str] | None = None) -> None:
        self.port = free_port()
        self._config = folder / "mosquitto.conf"
        lines = [f"listener {self.port} 127.0.0.1", "persistence false", "user root"]
        if login is None:
            lines.append("allow_anonymous true")
        else:
            passwords = folder / "passwords"
            subprocess.run(["mosquitto_passwd", "-b", "-c", passwords, *login], check=True, timeout=60)
            lines += ["allow_anonymous false", f"password_file {passwords}"]
        self._config.write_text("\n".join(lines) + "\n")
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, and wait until it listens."""
        self._process = subprocess.Popen(
            ["mosquitto", "-c", str(self._config)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        until(lambda: answers(self.port), "mosquitto")

    def kill(self) -> None:
        """End it as a power cut does."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(timeout=PATIENCE_S)
            self._process = None


@contextmanager
def mosquitto(folder: Path, login: tuple[str, str] | None = None) -> Iterator[Mosquitto]:
    """A broker for the time of a test."""
    broker = Mosquitto(folder, login)
    broker.start()
    try:
        yield broker
    finally:
        broker.kill()


class Listener:
    """Somebody who hears everything on a broker: the last message of each topic, and all in order."""

    def __init__(self, port: int, login: tuple[str, str] | None = None) -> None:
        self._lock = Lock()
        self._heard: list[tuple[str, str, bool]] = []
        self._client = Client(CallbackAPIVersion.VERSION2)
        if login is not None:
            self._client.username_pw_set(*login)
        ready: list[int] = []
        self._client.on_subscribe = lambda *_: ready.append(1)
        self._client.on_message = self._on_message
        self._client.connect("127.0.0.1", port)
        self._client.subscribe("#", qos=1)
        self._client.loop_start()
        until(lambda: ready, "the listener")

    def _on_message(self, client: Client, userdata: object, message: MQTTMessage) -> None:
        with self._lock:
            self._heard.append((message.topic, bytes(message.payload).decode(), message.retain))

    @property
    def heard(self) -> list[tuple[str, str, bool]]:
        """Topics, payloads, and whether each lay there before."""
        with self._lock:
            return list(self._heard)

    @property
    def topics(self) -> dict[str, str]:
        """The last of each topic."""
        return {topic: payload for topic, payload, _ in self.heard}

    def of(self, topic: str) -> list[str]:
        """All of a topic."""
        return [payload for at, payload, _ in self.heard if at == topic]

    def close(self) -> None:
        """Part."""
        self._client.disconnect()
        self._client.loop_stop()


@contextmanager
def listening(port: int, login: tuple[str, str] | None = None) -> Iterator[Listener]:
    """A listener for the time of a test."""
    listener = Listener(port, login)
    try:
        yield listener
    finally:
        listener.close()
