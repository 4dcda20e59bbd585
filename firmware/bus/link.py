"""The connection to the broker: the only module that knows paho-mqtt.

State is retained and goes out at quality of service 0, anew at every connection: of state only the newest matters, and what a
client library sends again after a cut would come after it.  Events (pictures, presses) go out at 1; they carry numbers, since 1
means "at least once".
"""

from __future__ import annotations

import logging
import ssl
import sys
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import Any

from firmware.errors import BusError

LOG = logging.getLogger(__name__)
KEEPALIVE_S = 10
"""After one and a half times that without a word the broker tells everybody that a client is gone."""
QUEUED = 300
"""So many events wait while there is no connection."""
SLOWEST_RETRY_S = 5
CONNECT_S = 5.0
CERTIFICATE = "-----BEGIN CERTIFICATE-----"

Heard = Callable[[str, bytes], None]
"""Gets topic and payload, on the thread of the connection."""


@dataclass(frozen=True, slots=True)
class Broker:
    """Where the broker is, and as whom one comes."""

    host: str
    port: int = 1883
    user: str = ""
    password: str = ""
    ca: str = ""
    """The certificate of the authority that the broker's must be from, or a file with it; empty: no encryption."""

    def __repr__(self) -> str:
        return f"Broker({self.user}@{self.host}:{self.port})"


def trusting(ca: str) -> ssl.SSLContext:
    """Trust brokers that this authority vouches for, and nobody else; `ca` is its certificate, or a file with it.

    Raises `OSError` or `ValueError` where there is none.
    """
    if ca.lstrip().startswith(CERTIFICATE):
        return ssl.create_default_context(cadata=ca)
    return ssl.create_default_context(cafile=ca)


@dataclass(frozen=True, slots=True)
class Said:
    """A retained message."""

    topic: str
    payload: bytes


class Link:
    """Stays connected until it is closed, and connects anew by itself.  Safe from any thread."""

    def __init__(
        self, broker: Broker, name: str, topics: Iterable[str], heard: Heard, will: Said | None = None, session_s: int = 0
    ) -> None:  # fmt: skip
        """`name` is of this client alone.  For `session_s` seconds after a cut the broker keeps events for it."""
        self._mqtt = _library()
        self._broker, self._topics, self._heard = broker, tuple(topics), heard
        self._lock = threading.Lock()
        self._state: dict[str, bytes] = {}
        self._up = threading.Event()
        self.refused = ""
        """Why the broker lets nobody in; empty while it does, or has not been reached."""
        self.sent = self.received = 0
        """Bytes of topics and payloads so far."""
        client = self._client = self._mqtt.Client(
            self._mqtt.CallbackAPIVersion.VERSION2, client_id=name, protocol=self._mqtt.MQTTv5
        )
        client.on_connect, client.on_disconnect, client.on_message = self._connected, self._cut, self._message
        client.on_connect_fail = self._missed
        self._missing = False
        client.max_queued_messages_set(QUEUED)
        client.reconnect_delay_set(1, SLOWEST_RETRY_S)
        client.connect_timeout = CONNECT_S
        if broker.user:
            client.username_pw_set(broker.user, broker.password)
        if broker.ca:
            client.tls_set_context(trusting(broker.ca))
        if will is not None:
            client.will_set(will.topic, will.payload, qos=1, retain=True)
        session = self._properties("CONNECT", SessionExpiryInterval=session_s) if session_s else None
        client.connect_async(broker.host, broker.port, KEEPALIVE_S, clean_start=not session_s, properties=session)
        client.loop_start()

    def _properties(self, packet: str, **values: int) -> Any:
        types = import_module("paho.mqtt.packettypes").PacketTypes
        properties = import_module("paho.mqtt.properties").Properties(getattr(types, packet))
        for name, value in values.items():
            setattr(properties, name, value)
        return properties

    @property
    def up(self) -> bool:
        """Whether there is a connection now."""
        return self._up.is_set()

    def wait(self, timeout: float) -> bool:
        """Whether there is a connection, after `timeout` seconds at the latest."""
        return self._up.wait(timeout)

    def keep(self, topic: str, payload: bytes) -> None:
        """Make this what is retained at `topic`, now and after every cut; an empty payload takes it away."""
        with self._lock:
            if self._state.get(topic) == payload:
                return
            self._state[topic] = payload
            if self._up.is_set():
                self._publish(topic, payload, 0, True)

    def send(self, topic: str, payload: bytes) -> bool:
        """Send an event; False where too many wait already, and this one is not sent."""
        return self._publish(topic, payload, 1, False)

    def mention(self, topic: str, payload: bytes) -> None:
        """Send what is of no use later: without a connection it is dropped."""
        if self._up.is_set():
            self._publish(topic, payload, 0, False)

    def _publish(self, topic: str, payload: bytes, qos: int, retain: bool) -> bool:
        queued = bool(self._client.publish(topic, payload, qos, retain).rc != self._mqtt.MQTT_ERR_QUEUE_SIZE)
        if queued:
            self.sent += len(topic) + len(payload)
        return queued

    def again(self) -> None:
        """Publish all that is retained anew: somebody else may have written there."""
        with self._lock:
            if self._up.is_set():
                self._renew()

    def _renew(self) -> None:
        for topic, payload in self._state.items():
            self._publish(topic, payload, 0, True)

    def leave(self) -> None:
        """End the connection for good, without a last will.  Safe on the thread of the connection."""
        self._client.disconnect()

    def close(self) -> None:
        """Leave: without a last will, so say good-bye before."""
        self.leave()
        self._client.loop_stop()

    # ---- on the thread of the connection ---------------------------------------------------------------------------------

    def _connected(self, client: Any, _data: object, _flags: object, reason: Any, _properties: object) -> None:
        if reason.is_failure:
            self.refused = str(reason)
            LOG.warning("the broker at %s:%s refuses %s: %s", self._broker.host, self._broker.port, self._broker.user, reason)
            return
        if self._missing:
            LOG.warning("the broker at %s:%s is there again", self._broker.host, self._broker.port)
        self.refused, self._missing = "", False
        client.subscribe([(topic, 1) for topic in self._topics])
        with self._lock:
            self._up.set()
            self._renew()

    def _missed(self, _client: object, _data: object) -> None:
        if not self._missing:
            # paho-mqtt calls this where it has caught the error, but does not hand it over.
            why = str(sys.exception())
            LOG.warning("cannot reach the broker at %s:%s (%s); trying on", self._broker.host, self._broker.port, why)
        self._missing = True

    def _cut(self, _client: object, _data: object, _flags: object, reason: object, _properties: object) -> None:
        if self._up.is_set():
            LOG.info("the connection to the broker has ended: %s", reason)
        self._up.clear()

    def _message(self, _client: object, _data: object, message: Any) -> None:
        self.received += len(message.topic) + len(message.payload)
        try:
            self._heard(message.topic, message.payload)
        except BusError as error:
            LOG.warning("a message on %s is not taken: %s", message.topic, error)
        except Exception:
            # An error here would end the thread, and with it the connection, for good.
            LOG.exception("a message on %s could not be handled", message.topic)


def _library() -> ModuleType:
    try:
        return import_module("paho.mqtt.client")
    except ImportError:
        raise BusError("the bus needs paho-mqtt 2: pip install paho-mqtt, or on a Pi apt install python3-paho-mqtt") from None
