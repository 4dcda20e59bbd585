"""``[bus]`` and ``[broker]``: a table whose mats have computers of their own, or that others may watch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

from pydantic import Field

from firmware.bus.link import Broker
from firmware.bus.topics import NAME
from firmware.errors import SettingsError
from firmware.settings_camera import CameraPart
from firmware.settings_part import Part

Name = Annotated[str, Field(pattern=rf"^{NAME.pattern}$")]


class BrokerPart(Part):
    """``[broker]``: where the broker is, and this machine's name and password there."""

    host: Annotated[str, Field(min_length=1, max_length=253)] = "localhost"
    port: Annotated[int, Field(ge=1, le=65535)] = 1883
    user: str = ""
    password: Annotated[str, Field(repr=False)] = ""
    password_file: str = ""
    """A file that holds the password alone, instead of `password`."""
    ca: str = ""
    """File with the authority's certificate; with it the connection is encrypted."""

    def broker(self) -> Broker:
        """As the connection takes it; raise `SettingsError` for a password file that cannot be read."""
        password = self.password
        if self.password_file:
            try:
                password = Path(self.password_file).read_text(encoding="utf-8").strip()
            except (OSError, UnicodeDecodeError) as error:
                raise SettingsError(f"broker.password_file = {self.password_file!r}: cannot be read: {error}") from error
        return Broker(self.host, self.port, self.user, password, self.ca)


class BusPart(Part):
    """``[bus]``: the table's name on the broker."""

    table: Name = "table"


def bus_problems(bus: BusPart | None, cameras: Sequence[CameraPart]) -> Iterator[str]:
    """What the keys of the bus and of cameras have wrong together."""
    nodes = [(number, camera.id or "") for number, camera in enumerate(cameras, 1) if camera.kind == "mqtt"]
    if nodes and bus is None:
        yield f"camera {nodes[0][0]}.kind = 'mqtt': [bus] is missing: a node's camera needs a table on the broker"
    for number, name in nodes:
        if name and not NAME.fullmatch(name):
            yield f"camera {number}.id = {name!r}: the name of a node is expected: small letters, digits and hyphens"
    names = [name for _, name in nodes if name]
    for name in dict.fromkeys(name for name in names if names.count(name) > 1):
        yield f"camera.id = {name!r}: {names.count(name)} cameras are said to be this node's"


def node_places(cameras: Sequence[CameraPart]) -> dict[str, int]:
    """For every node, by its name, the place that it is in front of, from 0."""
    return {camera.id or "": camera.place - 1 for camera in cameras if camera.kind == "mqtt" and camera.place is not None}


