"""The settings file ``node.toml`` of a mat's own computer."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, ValidationError

from firmware.bus.messages import LARGEST_AREA
from firmware.camera import BACK_ENDS, CameraPlan, Locks
from firmware.errors import SettingsError
from firmware.settings_bus import BrokerPart, Name
from firmware.settingspart import Part, quoted


class NodeCamera(Part):
    """``[camera]``: the camera under the mat."""

    kind: str = "picamera2"
    at: str = ""
    width: Annotated[int, Field(ge=64, le=8000)] | None = None
    height: Annotated[int, Field(ge=64, le=8000)] | None = None
    board: Annotated[int, Field(ge=1, le=6)] = 1
    """Number of the mat; only a camera that draws one has to know it, others see it from the markers."""
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
            f"mat{self.board - 1}", self.kind, self.at, size, None, self.mirror, self.rotation, self.period,
            Locks(exposure_us=self.exposure_us, gain=self.gain, lens=self.lens),
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


PARTS: dict[tuple[str, ...], type[Part]] = {(): NodeSettings, ("broker",): BrokerPart, ("camera",): NodeCamera}
"""The tables of the file."""


def load_node(path: Path) -> NodeSettings:
    """Read and check the file; raise `SettingsError` with file, key, value and what is allowed."""
    try:
        found = NodeSettings.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from error
    except ValidationError as error:
        raise SettingsError("\n".join(f"{path}: {_sentence(detail)}" for detail in error.errors())) from error
    except (ValueError, RecursionError) as error:
        raise SettingsError(f"{path}: is no TOML: {error}") from error
    size = (found.camera.width or 0) * (found.camera.height or 0)
    if size > LARGEST_AREA:
        raise SettingsError(f"{path}: camera.width and camera.height: at most {LARGEST_AREA} pixels are expected, found {size}")
    kind = found.camera.kind
    allowed = [name for name in BACK_ENDS if name != "mqtt"]
    if kind not in allowed:
        raise SettingsError(f"{path}: camera.kind = {kind!r}: there is no such kind; allowed: {', '.join(allowed)}")
    return found


def _sentence(detail: object) -> str:
    assert isinstance(detail, dict)
    key = ".".join(str(part) for part in detail["loc"])
    if detail["type"] == "missing":
        return f"{key} is missing"
    said = f"{key} = {quoted(detail['input'], detail['loc'])}"
    if detail["type"] == "extra_forbidden":
        return f"{said}: there is no such key; allowed: {', '.join(PARTS[detail['loc'][:-1]].model_fields)}"
    return f"{said}: {detail['msg'][0].lower()}{detail['msg'][1:]}"
