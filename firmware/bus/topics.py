"""The names of all topics, and who may read and write them: the one place where both stand."""

from __future__ import annotations

import re

from firmware.errors import BusError

PROTOCOL = 1
"""Hub and node understand each other only if this is the same."""
ROOT = "viewmat"
NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")
HUB = "hub"
"""What the hub is called where nodes have a name."""


RESERVED = {"table": "club", "node": HUB}
"""Names that mean something else in the same places: ``viewmat/club/...`` belongs to no table."""


def checked_name(name: str, what: str) -> str:
    """The name of a table or node; raise `BusError` for one that cannot stand in a topic."""
    if RESERVED.get(what) == name:
        raise BusError(f"{what} {name!r}: this name is taken by the program; another one is expected")
    if not NAME.fullmatch(name):
        raise BusError(f"{what} {name!r}: 1 to 32 small letters, digits and hyphens are expected, a hyphen not first")
    return name


class Topics:
    """The topics of one table."""

    def __init__(self, table: str) -> None:
        self.table = checked_name(table, "table")
        self.root = f"{ROOT}/{table}"
        self.hub = f"{self.root}/hub"
        """Retained, with a last will: whether the hub is there."""
        self.claim = f"{self.root}/hub/claim"
        """Every program that is the hub of this table says so here, again and again: there should be but one."""
        self.view = f"{self.root}/public/view"
        """Retained: what spectators see."""
        self.alert = f"{self.root}/public/alert"
        """Retained: what the table waits for somebody to decide; empty while nothing does."""

    def hello(self, node: str) -> str:
        """Retained, with a last will: whether the node is there, and which protocol it speaks."""
        return f"{self.root}/node/{node}/hello"

    def press(self, node: str) -> str:
        return f"{self.root}/node/{node}/press"

    def pong(self, node: str) -> str:
        return f"{self.root}/node/{node}/pong"

    def camera(self, node: str) -> str:
        """Pictures of windows: nobody but this node may write here, and nobody but the hub read."""
        return f"{self.root}/camera/{node}"

    def answer(self, node: str) -> str:
        """Retained: whether the hub takes the node."""
        return f"{self.root}/to/{node}/answer"

    def windows(self, node: str) -> str:
        """Retained: where the windows are in the node's pictures."""
        return f"{self.root}/to/{node}/windows"

    def cues(self, node: str) -> str:
        """Retained: what lamps and buzzer of the node's place say."""
        return f"{self.root}/to/{node}/cues"

    def ping(self, node: str) -> str:
        return f"{self.root}/to/{node}/ping"

    def for_hub(self) -> tuple[str, ...]:
        """What the hub listens to."""
        return (self.claim, f"{self.root}/node/+/+", f"{self.root}/camera/+", f"{ROOT}/club/+")

    def for_node(self, node: str) -> tuple[str, ...]:
        """What a node listens to."""
        return (self.hub, f"{self.root}/to/{node}/+")

    def sender(self, topic: str) -> tuple[str, str] | None:
        """Node and kind (``hello``, ``press``, ``pong``, ``camera``) of a message to the hub; None for any other topic."""
        parts = topic.removeprefix(f"{self.root}/").split("/")
        if not topic.startswith(f"{self.root}/"):
            return None
        if len(parts) == 3 and parts[0] == "node":
            return parts[1], parts[2]
        if len(parts) == 2 and parts[0] == "camera":
            return parts[1], "camera"
        return None


RULES = f"{ROOT}/club/rules"
"""Retained: the house rules of the club, for every table."""
ROUND = f"{ROOT}/club/round"
"""Retained: the round that is played, and when it ends."""
PUBLIC = f"{ROOT}/+/public/#"
"""What displays and the club read."""
HUBS = f"{ROOT}/+/hub"
