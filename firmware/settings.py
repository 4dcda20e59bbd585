"""The settings file ``table.toml``: what a table is made of.  Anything unknown in it is refused."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, ValidationError
from pydantic_core import ErrorDetails, PydanticCustomError

from companion.plain import printable
from companion.seats import LONGEST_NAME
from companion.sitting import Seat, Steadiness, Timing
from companion.web.catalogues import LANGUAGES
from firmware.errors import SettingsError
from firmware.pins import PIN_MAPS
from firmware.settings_bus import BrokerPart, BusPart, bus_problems
from firmware.settings_camera import CameraPart, camera_problems
from firmware.settings_part import Part

Seconds = Annotated[float, Field(gt=0, le=3600, allow_inf_nan=False)]


def _shown(name: str) -> str:
    """The name itself, where every character of it can be shown."""
    if printable(name) != name:
        raise PydanticCustomError(
            "name", "a name has only characters that can be shown; found control, direction or unassigned ones"
        )
    return name


class SeatPart(Part):
    """``[[seat]]``: one player, clockwise."""

    name: Annotated[str, Field(min_length=1, max_length=LONGEST_NAME), AfterValidator(_shown)]
    source: Literal["mat", "tap", "bot"] = "tap"
    """Where the seat's cards come from: its cameras, taps, or the companion itself."""
    place: Annotated[int, Field(ge=1, le=6)] | None = None
    """Number of the place, with its mat, lamp and button, that is in front of it; without it that of the seat's own number."""


class PagePart(Part):
    """``[page]``: where the dashboard listens."""

    host: str = "0.0.0.0"
    names: list[Annotated[str, Field(min_length=1, max_length=253, pattern=r"^[A-Za-z0-9.-]+$")]] = Field(default_factory=list)
    """Names of this machine, besides its address, under which the page is opened."""
    port: Annotated[int, Field(ge=1, le=65535)] = 8080
    https_port: Annotated[int, Field(ge=0, le=65535)] = 8443
    """Where the secure page listens once `viewmat https` has made an authority; 0: nowhere."""
    shutdown: bool = False
    """Whether the health page may switch the machine off."""


class AccessPart(Part):
    """``[access]``: who may do what on the page."""

    preset: Literal["home", "club"] = "home"
    """``home``: everybody at the table agrees by tap.  ``club``: a referee decides, with his own phone or a PIN."""
    phone_peek: bool = False
    """A player's own phone shows his hidden cards; never in hard mode."""


class VoicePart(Part):
    """``[voice]``: a speaker at the table; the page has a voice of its own."""

    speaker: Literal["none", "espeak-ng"] = "none"
    volume: Annotated[int, Field(ge=0, le=100)] = 80
    """Per cent."""
    says: Literal["needed", "all"] = "needed"
    """``needed``: whose turn it is, rulings, questions and results.  ``all``: moves and hands, too."""


class GpioPart(Part):
    """``[gpio]``: lamps, buttons and buzzer."""

    pins: str = "none"
    """Name of a pin map, or ``none``."""
    chip: Annotated[int, Field(ge=0)] | None = None
    """Number of the gpiochip behind the header; without it, it is looked for."""


class Settings(Part):
    """The whole file."""

    game: str = "steal"
    language: str = "en"
    """What the page speaks to browsers that ask for none of its languages, and a speaker at the table."""
    rig: str = "taps"
    """What the frames come from."""
    tray: Literal["overhead", "mat", "none"] = "none"
    """What sees the row of discards."""
    seat: Annotated[list[SeatPart], Field(min_length=1, max_length=6)]
    camera: Annotated[list[CameraPart], Field(max_length=7)] = Field(default_factory=list)
    bus: BusPart | None = None
    """``[bus]``: the table is on a broker, for mats with computers of their own and for others who watch."""
    broker: BrokerPart = BrokerPart()
    options: dict[str, bool | int | str | None] = Field(default_factory=dict)
    """``[options]``: options of the game, checked by the game."""
    page: PagePart = PagePart()
    gpio: GpioPart = GpioPart()
    access: AccessPart = AccessPart()
    voice: VoicePart = VoicePart()
    record: bool = True
    """Whether games are recorded; a recorded game goes on after a restart."""
    evidence_days: Annotated[int, Field(ge=0, le=3650)] = 30
    """For so many days the pictures of a recorded game are kept; looked after at the start of the program."""
    timing: dict[str, Seconds] = Field(default_factory=dict)
    """``[timing]``: how patient the referee is, in seconds."""
    steadiness: dict[str, Seconds] = Field(default_factory=dict)
    """``[steadiness]``: how long a place has to show the same thing."""

    def seats(self) -> tuple[Seat, ...]:
        """The seats as the sitting takes them."""
        return tuple(Seat(seat.name, seat.source) for seat in self.seat)

    def timings(self) -> Timing:
        """The referee's patience."""
        return Timing(**self.timing)

    def steady(self) -> Steadiness:
        """The tracker's patience; its counts are whole numbers."""
        return Steadiness(**{key: int(value) if key in _COUNTS else value for key, value in self.steadiness.items()})  # type: ignore[arg-type]


_COUNTS = tuple(field.name for field in fields(Steadiness) if field.type == "int")


def load_settings(path: Path) -> Settings:
    """Read and check a settings file; raise `SettingsError` with file, key, value and what is allowed."""
    return checked_settings(settings_text(path), path)


def settings_text(path: Path) -> str:
    """What the file holds; raise `SettingsError` where it cannot be read."""
    if path.exists() and not path.is_file():
        raise SettingsError(f"{path}: cannot be read: it is no file")
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from error


def checked_settings(text: str, path: Path) -> Settings:
    """The settings that a file with this text holds; raise `SettingsError` as `load_settings` does."""
    try:
        found = Settings.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{path}: is no TOML: {error}") from error
    except RecursionError:
        raise SettingsError(f"{path}: nests too deeply: nothing in it stands deeper than a list in a table") from None
    except ValidationError as error:
        raise SettingsError("\n".join(f"{path}: {_sentence(detail)}" for detail in error.errors())) from error
    problems = [f"{path}: {problem}" for problem in _problems(found)]
    if problems:
        raise SettingsError("\n".join(problems))
    return found


def _problems(settings: Settings) -> Iterator[str]:
    """What one key alone does not tell."""
    if settings.language not in LANGUAGES:
        yield f"language = {settings.language!r}: there is no such language; allowed: {', '.join(LANGUAGES)}"
    if settings.gpio.pins not in (*PIN_MAPS, "none"):
        yield f"gpio.pins = {settings.gpio.pins!r}: there is no such pin map; allowed: {', '.join(PIN_MAPS)}, none"
    for part, kind in (("timing", Timing), ("steadiness", Steadiness)):
        allowed = [field.name for field in fields(kind)]
        for key, value in getattr(settings, part).items():
            if key not in allowed:
                yield _unknown([part, key], value, allowed)
            elif key in _COUNTS and value != int(value):
                yield f"{part}.{key} = {value!r}: a whole number is expected"
    names = [seat.name for seat in settings.seat]
    for name in dict.fromkeys(name for name in names if names.count(name) > 1):
        yield f"seat.name = {name!r}: {names.count(name)} seats have this name"
    yield from camera_problems(settings.camera)
    yield from bus_problems(settings.bus, settings.camera)
    places = [seat.place for seat in settings.seat if seat.place is not None]
    for place in dict.fromkeys(place for place in places if places.count(place) > 1):
        yield f"seat.place = {place}: {places.count(place)} seats have this place"


def _sentence(detail: ErrorDetails) -> str:
    place = detail["loc"]
    if detail["type"] == "extra_forbidden":
        return _unknown(place, detail["input"], _keys_at(place[:-1]))
    if detail["type"] == "missing":
        return f"{_key(place)} is missing"
    return f"{_key(place)} = {_quoted(detail['input'])}: {detail['msg'][0].lower()}{detail['msg'][1:]}"


def _quoted(value: object) -> str:
    """A value as a message repeats it; an address may hold a password."""
    return "(an address)" if isinstance(value, str) and "://" in value else repr(value)


def _unknown(place: Sequence[int | str], value: object, allowed: Sequence[str]) -> str:
    return f"{_key(place)} = {_quoted(value)}: there is no such key; allowed: {', '.join(allowed)}"


def _key(place: Sequence[int | str]) -> str:
    """``("seat", 1, "source")`` as people count: ``seat 2.source``."""
    words = ""
    for part in place:
        words += f" {part + 1}" if isinstance(part, int) else f".{part}"
    return words.removeprefix(".")


def _keys_at(place: Sequence[int | str]) -> list[str]:
    parts: dict[Any, type[Part]] = {
        (): Settings, ("seat",): SeatPart, ("page",): PagePart, ("gpio",): GpioPart, ("access",): AccessPart,
        ("voice",): VoicePart, ("camera",): CameraPart, ("bus",): BusPart,
        ("broker",): BrokerPart,
    }  # fmt: skip
    return list(parts[tuple(part for part in place if isinstance(part, str))].model_fields)
