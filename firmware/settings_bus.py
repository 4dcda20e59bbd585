"""``[bus]`` and ``[broker]``: a table whose mats have computers of their own, or that others may watch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

from pydantic import Field

from firmware.bus.link import Broker, trusting
from firmware.bus.topics import NAME, RESERVED
from firmware.camera import CameraPlan
from firmware.errors import SettingsError
from firmware.settings_camera import CameraPart
from firmware.settingspart import Host, Part, Problem, broken, quoted, wrong

Name = Annotated[str, Field(pattern=rf"^{NAME.pattern}$")]


class BrokerPart(Part):
    """``[broker]``: where the broker is, and this machine's name and password there."""

    host: Host = "localhost"
    port: Annotated[int, Field(ge=1, le=65535)] = 1883
    user: str = ""
    password: Annotated[str, Field(repr=False)] = ""
    password_file: str = ""
    """A file that holds the password alone, instead of `password`."""
    ca: str = ""
    """The certificate of the broker's authority, or a file with it; with it the connection is encrypted."""

    def broker(self) -> Broker:
        """As the connection takes it; raise `SettingsError` for a password file or a certificate that cannot be read."""
        for key, why in self.troubles():
            raise SettingsError(f"broker.{key} = {quoted(getattr(self, key), ('broker', key))}: {why}")
        password = Path(self.password_file).read_text(encoding="utf-8").strip() if self.password_file else self.password
        return Broker(self.host, self.port, self.user, password, self.ca)

    def troubles(self) -> Iterator[tuple[str, str]]:
        """Keys whose files are not what they should be, and why."""
        try:
            if self.password_file:
                Path(self.password_file).read_text(encoding="utf-8")
        except (OSError, ValueError) as error:
            yield "password_file", f"cannot be read: {error}"
        try:
            if self.ca:
                trusting(self.ca)
        except (OSError, ValueError) as error:
            yield "ca", f"a file with a certificate is expected: {error}"


class BusPart(Part):
    """``[bus]``: the table's name on the broker."""

    table: Name = "table"
    nodes: dict[Name, Annotated[int, Field(ge=1, le=6)]] = Field(default_factory=dict)
    """For every mat with a computer of its own, by the name of that node, the number of the place at which it lies."""

    def places(self) -> dict[str, int]:
        """The same with places from 0, as the hub counts."""
        return {name: place - 1 for name, place in self.nodes.items()}


def bus_problems(bus: BusPart | None, cameras: Sequence[CameraPart]) -> Iterator[Problem]:
    """What the keys of the bus and of cameras have wrong together."""
    if bus is None:
        return
    if bus.table == RESERVED["table"]:
        yield wrong(("bus", "table"), bus.table, "this name is taken by the program; another one is expected")
    for name in bus.nodes:
        if name == RESERVED["node"]:
            yield broken(("bus", "nodes"), f"{name} is taken by the program; another name is expected")
    looked = {camera.place: number for number, camera in enumerate(cameras, 1) if camera.place is not None}
    places = list(bus.nodes.values())
    for name, place in bus.nodes.items():
        if place in looked:
            yield wrong(("bus", "nodes", name), place, f"camera {looked[place]} looks at this place already")
    for place in dict.fromkeys(place for place in places if places.count(place) > 1):
        yield broken(("bus", "nodes"), f"{places.count(place)} nodes are at place {place}")


def node_plans(bus: BusPart | None, cameras: Sequence[CameraPart]) -> tuple[CameraPlan, ...]:
    """A camera for every place that has none of its own: a node may be laid there while the program runs."""
    taken = {camera.place for camera in cameras}
    return () if bus is None else tuple(CameraPlan(f"mat{place - 1}", "mqtt") for place in range(1, 7) if place not in taken)
