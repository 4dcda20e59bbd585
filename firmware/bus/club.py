"""The club on the broker: hears every table's public topics, and tells all of them rules and round."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from secrets import token_hex

from companion.choices import Value
from companion.floor import Floor, floor_from, floor_json
from firmware.bus.link import Broker, Link
from firmware.bus.messages import LARGEST
from firmware.bus.topics import HUBS, NAME, PUBLIC, ROOT, ROUND, RULES
from firmware.errors import BusError

LOG = logging.getLogger(__name__)
Connect = Callable[[Callable[[str, bytes], None]], Link]


class ClubDesk:
    """Everything of an evening.  Safe from any thread; what must not be lost stands in a file."""

    def __init__(self, connect: Connect, file: Path, wall: Callable[[], float]) -> None:
        """`file` keeps roster and results, `wall` is the clock on the wall.  Raise `BusError` for a file that is no evening."""
        self._lock = threading.Lock()
        self._file, self._wall = file, wall
        self._floor = _kept(file)
        self._rules: dict[str, dict[str, Value]] = {}
        self._link = connect(self._heard)

    def floor(self) -> Floor:
        with self._lock:
            return self._floor

    def rules(self) -> Mapping[str, Mapping[str, Value]]:
        with self._lock:
            return dict(self._rules)

    def begin_round(self, minutes: int) -> None:
        """The next round ends in so many minutes."""
        with self._lock:
            self._change(self._floor.timed(self._floor.round + 1, self._wall() + 60 * minutes))
            told = {"round": self._floor.round, "ends": self._floor.ends}
        self._link.keep(ROUND, json.dumps(told).encode())

    def push_rules(self, game: str, rules: Mapping[str, Value]) -> None:
        """Every table plays `game` so from its next game on."""
        with self._lock:
            self._rules[game] = dict(rules)
            told = json.dumps(self._rules, sort_keys=True).encode()
        self._link.keep(RULES, told)

    def close(self) -> None:
        self._link.close()

    def _heard(self, topic: str, payload: bytes) -> None:
        parts = topic.split("/")
        if topic in (RULES, ROUND):
            self._own(topic, payload)
            return
        if len(parts) < 3 or parts[0] != ROOT or not NAME.fullmatch(parts[1]) or len(payload) > LARGEST:
            return
        try:
            found = json.loads(payload) if payload else {}
        except (ValueError, RecursionError):
            raise BusError(f"JSON is expected, found {payload[:20]!r}") from None
        if not isinstance(found, dict):
            raise BusError(f"a JSON object is expected, found {type(found).__name__}")
        try:
            with self._lock:
                self._change(self._after(parts[1], "/".join(parts[2:]), found))
        except ValueError as error:
            raise BusError(str(error)) from error

    def _after(self, table: str, kind: str, found: Mapping[str, object]) -> Floor:
        if kind == "hub":
            return self._floor.hub(table, found.get("here") is True)
        if kind == "public/view" and found:
            return self._floor.heard(table, found)
        if kind == "public/alert":
            return self._floor.alert(table, str(found.get("asks", "")))
        return self._floor

    def _own(self, topic: str, payload: bytes) -> None:
        """What this program told before it was started anew."""
        found = rules_from(payload) if topic == RULES else _round_from(payload)
        with self._lock:
            if topic == RULES and isinstance(found, dict) and not self._rules:
                self._rules = found
            elif topic == ROUND and isinstance(found, tuple) and self._floor.ends is None:
                self._floor = self._floor.timed(*found)

    def _change(self, floor: Floor) -> None:
        before, self._floor = self._floor, floor
        if floor_json(before) != floor_json(floor):
            fresh = self._file.with_name(f".{self._file.name}.new")
            try:
                fresh.write_text(floor_json(floor), encoding="utf-8")
                fresh.replace(self._file)
            except OSError as error:
                LOG.error("%s cannot be written: %s; the evening goes on", self._file, error.strerror)


def rules_from(payload: bytes) -> dict[str, dict[str, Value]]:
    """The club's house rules by game; raise `BusError` for what is none."""
    try:
        found = json.loads(payload or b"{}")
    except (ValueError, RecursionError):
        raise BusError(f"rules: JSON is expected, found {payload[:20]!r}") from None
    good = isinstance(found, dict) and all(
        isinstance(rules, dict) and all(isinstance(value, bool | int | str | None) for value in rules.values())
        for rules in found.values()
    )
    if not good:
        raise BusError("rules: an object of rules for each game is expected")
    return {str(game): dict(rules) for game, rules in found.items()}


def _round_from(payload: bytes) -> tuple[int, float]:
    try:
        found = json.loads(payload)
        return int(found["round"]), float(found["ends"])
    except (ValueError, RecursionError, KeyError, TypeError):
        raise BusError(f"round: its number and end are expected, found {payload[:40]!r}") from None


def _kept(file: Path) -> Floor:
    if not file.exists():
        return Floor()
    try:
        return floor_from(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BusError(f"{file}: cannot be read: {error}") from error


def club_link(broker: Broker) -> Connect:
    """How the club connects."""
    return lambda heard: Link(broker, f"club-{token_hex(4)}", (PUBLIC, HUBS, RULES, ROUND), heard)
