"""The settings file ``node.toml`` of a mat's own computer, and what hub and nodes say of the broker."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from firmware.bus.link import Broker
from firmware.bus.topics import NAME
from firmware.camera import BACK_ENDS, CameraPlan, Locks
from firmware.errors import SettingsError

Name = Annotated[str, Field(pattern=rf"^{NAME.pattern}$")]


class Part(BaseModel):
    """A table of the file; frozen, and without unknown keys."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class BrokerPart(Part):
    """``[broker]``: where the broker is, and this machine's name and password there."""

    host: Annotated[str, Field(min_length=1, max_length=253)] = "localhost"
    port: Annotated[int, Field(ge=1, le=65535)] = 1883
    user: str = ""
    password: str = ""
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


class NodeCamera(Part):
    """``[camera]``: the camera under the mat."""

    kind: str = "picamera2"
    at: str = ""
    width: Annotated[int, Field(ge=64, le=8000)] | None = None
    height: Annotated[int, Field(ge=64, le=8000)] | None = None
    mirror: bool = True
    rotation: Literal[0, 90, 180, 270] = 0
    period: Annotated[float, Field(gt=0, le=60)] = 0.1
    exposure_us: Annotated[int, Field(gt=0)] | None = None
    gain: Annotated[float, Field(ge=1)] | None = None
    lens: Annotated[float, Field(ge=0)] | None = None

    def plan(self) -> CameraPlan:
        """As the camera's back end takes it."""
        size = (self.width, self.height) if self.width and self.height else None
        return CameraPlan(
            "mat", self.kind, self.at, size, None, self.mirror, self.rotation, self.period,
            Locks(self.exposure_us, self.gain, None, self.lens),
        )  # fmt: skip


class NodeSettings(Part):
    """The whole file."""

    name: Name
    """What this node is called on the bus; its broker's user has the same name."""
    table: Name = "table"
    broker: BrokerPart = BrokerPart()
    camera: NodeCamera = NodeCamera()
    pins: Literal["N", "none"] = "N"
    """The pin map of lamps, button and buzzer."""


def load_node(path: Path) -> NodeSettings:
    """Read and check the file; raise `SettingsError` with file, key, value and what is allowed."""
    try:
        found = NodeSettings.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from error
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{path}: is no TOML: {error}") from error
    except ValidationError as error:
        raise SettingsError("\n".join(f"{path}: {_sentence(detail)}" for detail in error.errors())) from error
    kind = found.camera.kind
    if kind not in BACK_ENDS:
        raise SettingsError(f"{path}: camera.kind = {kind!r}: there is no such kind; allowed: {', '.join(BACK_ENDS)}")
    return found


def _sentence(detail: object) -> str:
    assert isinstance(detail, dict)
    key = ".".join(str(part) for part in detail["loc"])
    if detail["type"] == "missing":
        return f"{key} is missing"
    if detail["type"] == "extra_forbidden":
        return f"{key} = {detail['input']!r}: there is no such key"
    if "password" in key:
        return f"{key}: {detail['msg'][0].lower()}{detail['msg'][1:]}"
    return f"{key} = {detail['input']!r}: {detail['msg'][0].lower()}{detail['msg'][1:]}"
