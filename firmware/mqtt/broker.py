"""The broker: the only place that knows the vendor's MQTT client, which speaks 3.1.1, as every broker does.

A thread of the client's own connects, and again whenever it has to; nobody waits for it. What the messages
say is not known here.
"""

import logging
import ssl
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, Final

from firmware.config.broker import Credentials
from firmware.errors import InputError
from firmware.mqtt.messages import Message

if TYPE_CHECKING:
    from paho.mqtt.client import Client, ConnectFlags, DisconnectFlags, MQTTMessage
    from paho.mqtt.properties import Properties
    from paho.mqtt.reasoncodes import ReasonCode

KEEP_ALIVE_S: Final = 30
"""A broker that has not heard of the board for one and a half times as long tells its last will."""
MOST_WAITING: Final = 1_000
"""So many events wait for a broker that is away; the oldest are dropped for newer ones."""
_RETAINED_QOS: Final = 0
_EVENT_QOS: Final = 1
_REFUSED_FOR_GOOD: Final = ("Bad user name or password", "Not authorized")

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Address:
    """Where the broker is. `ca`: whose certificates are trusted, None for the system's; only with `tls`.
    `retry_s`: how long it is waited before another try, at first and at most, in whole seconds."""

    host: str
    port: int
    credentials: Credentials | None = None
    tls: bool = False
    ca: Path | None = None
    retry_s: tuple[int, int] = (1, 30)

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


@dataclass(frozen=True, slots=True)
class BrokerNews:
    """The broker can be reached (`trouble` None), or cannot, and what is to be done about it."""

    trouble: str | None


class Broker:
    """Publishes from whichever thread calls, and returns at once. `will`: what the broker tells of a board
    that vanishes; `heard`: called by the client's thread with the topic and payload of what others publish
    under the topics `watched`, but for what was retained there before.

    What is retained is sent again at every connection, in its last state: a broker that was restarted knows
    nothing. Events that happen while there is none wait, `MOST_WAITING` at most; each arrives once or, where
    a connection broke off, perhaps twice and behind later ones.

    InputError for certificates that cannot be read.
    """

    def __init__(
        self,
        address: Address,
        client_id: str,
        will: Message,
        *,
        watched: tuple[str, ...],
        heard: Callable[[str, bytes], None],
    ) -> None:
        self._address = address
        self._will = will
        self._watched = watched
        self._heard = heard
        self._lock = Lock()
        self._retained: dict[str, Message] = {}
        self._waiting: deque[Message] = deque(maxlen=MOST_WAITING)
        self._news: deque[BrokerNews] = deque(maxlen=16)
        self._told: BrokerNews | None = None
        self._connected = False
        self._parting = Event()
        self._client = _lasting_client(client_id, self._begin_anew)
        self._set_up(self._client)

    def _set_up(self, client: "Client") -> None:
        address = self._address
        if address.credentials is not None:
            client.username_pw_set(address.credentials.username, address.credentials.password)
        if address.tls:
            try:
                client.tls_set(None if address.ca is None else str(address.ca))
            except (OSError, ssl.SSLError, ValueError) as error:
                raise InputError(
                    f"{address.ca or 'the certificates of this system'} cannot be used for MQTT ({error}); "
                    "name the file of your broker's CA, in PEM form, in mqtt.ca"
                ) from error
        client.reconnect_delay_set(*address.retry_s)
        client.max_queued_messages_set(2 * MOST_WAITING)  # those that waited, and those on their way
        client.will_set(self._will.topic, self._will.payload, qos=_EVENT_QOS, retain=True)
        client.on_connect = self._on_connect
        client.on_connect_fail = self._on_connect_fail
        client.on_disconnect = self._on_disconnect
        client.on_message = self._on_message

    def start(self) -> None:
        """Begin to connect; from here on it goes by itself."""
        self._aim()
        self._client.loop_start()

    def _aim(self) -> None:
        """Have the client connect, from whatever state it is in."""
        self._client.connect_async(self._address.host, self._address.port, keepalive=KEEP_ALIVE_S)

    def publish(self, message: Message) -> None:
        """Have a message published, now or when the broker is there."""
        with self._lock:
            if message.retained:
                self._retained[message.topic] = message
            elif not self._connected:
                self._waiting.append(message)
            if self._connected:
                self._send(message)

    def news(self) -> tuple[BrokerNews, ...]:
        """What is to be told since the last call: only changes."""
        with self._lock:
            news = tuple(self._news)
            self._news.clear()
        return news

    def close(self, last: Message, timeout_s: float = 2.0) -> None:
        """Say a last word, if the broker is there, and part; a broker that does not answer is left after
        `timeout_s` seconds."""
        with self._lock:
            connected, self._connected = self._connected, False
        if connected:
            said = self._client.publish(last.topic, last.payload, qos=_EVENT_QOS, retain=last.retained)
            try:
                said.wait_for_publish(timeout_s)
            except (RuntimeError, ValueError) as error:  # the connection broke off just now
                logger.info("MQTT: the last word was not said: %s", error)
        self._parting.set()
        # Its thread may be looking up a name, which nothing breaks off.
        parting = Thread(target=self._part, daemon=True)
        parting.start()
        parting.join(timeout_s)

    def _part(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()

    # -------------------------------------------------------- in the client's thread, but for `_send`

    def _send(self, message: Message) -> None:
        # Retained ones go unacknowledged: the client would send an old one that was not acknowledged again
        # after a new connection, behind the newer one, and the broker would keep the old.
        qos = _RETAINED_QOS if message.retained else _EVENT_QOS
        self._client.publish(message.topic, message.payload, qos=qos, retain=message.retained)

    def _on_connect(
        self,
        client: "Client",
        userdata: object,
        flags: "ConnectFlags",
        reason: "ReasonCode",
        properties: "Properties | None",
    ) -> None:
        if reason.is_failure:
            self._tell(self._refused(str(reason)))
            return
        client.subscribe([(topic, _EVENT_QOS) for topic in self._watched])
        with self._lock:
            self._connected = True
            for message in self._retained.values():
                self._send(message)
            while self._waiting:
                self._send(self._waiting.popleft())
        self._tell(None)

    def _on_connect_fail(self, client: "Client", userdata: object) -> None:
        self._tell(
            f"the MQTT broker at {self._address} cannot be reached; check mqtt.host, mqtt.port and the "
            "network. It is tried again by itself"
        )

    def _on_disconnect(
        self,
        client: "Client",
        userdata: object,
        flags: "DisconnectFlags",
        reason: "ReasonCode",
        properties: "Properties | None",
    ) -> None:
        with self._lock:
            was_connected, self._connected = self._connected, False
        if was_connected:
            self._tell(f"the MQTT broker at {self._address} is gone ({reason}); it is tried again by itself")

    def _on_message(self, client: "Client", userdata: object, message: "MQTTMessage") -> None:
        if not message.retain:  # what lay there before may be this board's own from its former life
            self._heard(message.topic, bytes(message.payload))

    def _begin_anew(self, error: Exception) -> bool:
        """After an error that the client does not take for one of the network's: whether to go on."""
        with self._lock:
            self._connected = False
        logger.error("MQTT: the client failed", exc_info=error)
        self._tell(
            f"publishing to the MQTT broker at {self._address} failed ({type(error).__name__}: {error}); "
            "check [mqtt] in the configuration. It is tried again by itself"
        )
        if self._parting.wait(self._address.retry_s[1]):
            return False
        self._aim()
        return True

    def _refused(self, reason: str) -> str:
        if reason in _REFUSED_FOR_GOOD:
            return (
                f"the MQTT broker at {self._address} refuses this board ({reason}); correct user name and "
                "password in the file that mqtt.credentials names, and start again"
            )
        return f"the MQTT broker at {self._address} refuses the board ({reason}); it is tried again by itself"

    def _tell(self, trouble: str | None) -> None:
        """Tell what has changed, once."""
        news = BrokerNews(trouble)
        with self._lock:
            if news == self._told or (self._told is None and trouble is None):
                self._told = news
                return
            self._told = news
            self._news.append(news)


def _lasting_client(client_id: str, begin_anew: Callable[[Exception], bool]) -> "Client":
    """The vendor's client, whose thread outlives errors: the client itself bears those of the network only,
    and its thread ends without a word at any other. `begin_anew` is asked whether to go on after one."""
    from paho.mqtt.client import Client
    from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode, MQTTProtocolVersion

    class Lasting(Client):
        def loop_forever(self, timeout: float = 1.0, retry_first_connection: bool = False) -> MQTTErrorCode:
            while True:
                try:
                    return super().loop_forever(timeout, retry_first_connection)
                except Exception as error:
                    if not begin_anew(error):
                        return MQTTErrorCode.MQTT_ERR_UNKNOWN

    return Lasting(CallbackAPIVersion.VERSION2, client_id=client_id, protocol=MQTTProtocolVersion.MQTTv311)
