"""The settings file ``table.toml``: what a table is made of.  Anything unknown in it is refused."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from pydantic import AfterValidator, Field, ValidationError
from pydantic_core import PydanticCustomError

from companion.plain import printable
from companion.seats import LONGEST_NAME
from companion.sitting import Seat, Steadiness, Timing
from companion.web.catalogues import LANGUAGES
from firmware.errors import SettingsError
from firmware.settings_bus import BrokerPart, BusPart, bus_problems
from firmware.settings_camera import CameraPart, camera_problems
from firmware.settings_gpio import GpioPart, gpio_problems
from firmware.settingspart import Host, Part, Problem, key_words, model_problem, not_among, unknown_key, wrong
from firmware.tomllines import line_of, lines_of

Seconds = Annotated[float, Field(gt=0, le=3600, allow_inf_nan=False)]


def _shown(name: str) -> str:
    """The name itself, where every character of it can be shown."""
    if printable(name) != name:
        raise PydanticCustomError(
            "name", "a name has only characters that can be shown; found control, direction or unassigned ones"
        )
    if not name.strip():
        raise PydanticCustomError("name", "a name has at least one character that can be seen; found blanks alone")
    return name


class SeatPart(Part):
    """``[[seat]]``: one player, clockwise."""

    name: Annotated[str, Field(min_length=1, max_length=LONGEST_NAME), AfterValidator(_shown)]
    source: Literal["mat", "tap", "bot"] = "tap"
    """Where the seat's cards come from: its cameras, taps, or the companion itself."""
    place: Annotated[int, Field(ge=1, le=6)] | None = None
    """Number of the place, with its mat, lamp and button, that is in front of it; without it that of the seat's own number,
    or another one where somebody has named that."""


class PagePart(Part):
    """``[page]``: where the dashboard listens."""

    host: Host = "0.0.0.0"
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


LONGEST = 100_000
"""So many characters a settings file has at most."""
DEEPEST = 20
TOO_DEEP = "nests too deeply: nothing in it stands deeper than a list in a table"


def load_settings(path: Path) -> Settings:
    """Read and check a settings file; raise `SettingsError` with file, key, value and what is allowed."""
    return checked_settings(settings_text(path), path)


def settings_text(path: Path) -> str:
    """What the file holds; raise `SettingsError` where it cannot be read."""
    if path.exists() and not path.is_file():
        raise SettingsError(f"{path}: cannot be read: it is no file")
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from error


def checked_settings(text: str, path: Path) -> Settings:
    """The settings that a file with this text holds; raise `SettingsError` as `load_settings` does."""
    found, problems = examined(text)
    if found is None or problems:
        raise SettingsError("\n".join(f"{path}: {problem.sentence}" for problem in problems))
    return found


def examined(text: str) -> tuple[Settings | None, tuple[Problem, ...]]:
    """What a file with this text holds, as far as it can be told, and everything that is wrong with it."""
    if len(text) > LONGEST:
        return None, (_other(f"is too long: at most {LONGEST} characters are expected, found {len(text)}"),)
    try:
        held = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        return None, (_no_toml(text, error),)
    except RecursionError:
        return None, (_other(TOO_DEEP),)
    except ValueError as error:
        # Python refuses to read numbers of thousands of digits.
        return None, (_other(f"is no TOML: {error}"),)
    if not _flat(held, DEEPEST):
        return None, (_other(TOO_DEEP),)
    try:
        found = Settings.model_validate(held)
    except ValidationError as error:
        return None, located(dict.fromkeys(_model_problems(error)), text)
    return found, located(_problems(found), text)


def _other(why: str) -> Problem:
    return Problem((), why, "other", {"why": why})


def _flat(held: object, depth: int) -> bool:
    """Whether nothing stands deeper than so many tables and lists."""
    inner = held.values() if isinstance(held, dict) else held if isinstance(held, list) else ()
    return depth > 0 and all(_flat(one, depth - 1) for one in inner)


def _model_problems(error: ValidationError) -> Iterator[Problem]:
    for detail in error.errors():
        place = detail["loc"]
        if place[0] == "options" and len(place) > 2:
            # One for each type that it might have been.
            yield wrong(place[:2], detail["input"], "text, a whole number, true or false is expected")
        else:
            yield model_problem(detail, _keys_at(place[:-1]) if detail["type"] == "extra_forbidden" else ())


def located(problems: Iterable[Problem], text: str) -> tuple[Problem, ...]:
    """The same with the lines on which they stand in `text`, in the order of these."""
    lines = lines_of(text)
    found = [replace(problem, line=line_of(lines, problem.place)) for problem in problems]
    return tuple(sorted(found, key=lambda problem: problem.line or 0))


def _no_toml(text: str, error: tomllib.TOMLDecodeError) -> Problem:
    """The message ends with the place: ``(at line 3, column 7)`` or ``(at end of document)``."""
    found = re.search(r"\(at line (\d+), ", str(error))
    line = int(found[1]) if found else max(1, len(text.splitlines()))
    return Problem((), f"is no TOML: {error}", "no_toml", {"why": str(error)}, line)


def _problems(settings: Settings) -> Iterator[Problem]:
    """What one key alone does not tell."""
    if settings.language not in LANGUAGES:
        yield not_among(("language",), settings.language, "language", list(LANGUAGES))
    yield from gpio_problems(settings.gpio)
    for part, kind in (("timing", Timing), ("steadiness", Steadiness)):
        allowed = [field.name for field in fields(kind)]
        for key, value in getattr(settings, part).items():
            if key not in allowed:
                yield unknown_key((part, key), value, allowed)
            elif key in _COUNTS and value != int(value):
                sentence = f"{key_words((part, key))} = {value!r}: a whole number is expected"
                yield Problem((part, key), sentence, "whole_number", {"why": "a whole number is expected"})
    names = [seat.name for seat in settings.seat]
    for name in dict.fromkeys(name for name in names if names.count(name) > 1):
        yield wrong(("seat", "name"), name, f"{names.count(name)} seats have this name")
    yield from camera_problems(settings.camera)
    yield from bus_problems(settings.bus, settings.camera)
    for key, why in settings.broker.troubles():
        yield wrong(("broker", key), getattr(settings.broker, key), why)
    places = [seat.place for seat in settings.seat if seat.place is not None]
    for place in dict.fromkeys(place for place in places if places.count(place) > 1):
        yield wrong(("seat", "place"), place, f"{places.count(place)} seats have this place")


def _keys_at(place: Sequence[int | str]) -> list[str]:
    """The keys of the table at a place of the file."""
    part: type[Part] = Settings
    for key in place:
        if isinstance(key, str):
            part = next(_parts_in(part.model_fields[key].annotation))
    return list(part.model_fields)


def _parts_in(annotation: Any) -> Iterator[type[Part]]:
    """The tables in a type such as ``list[SeatPart] | None``."""
    if isinstance(annotation, type) and issubclass(annotation, Part):
        yield annotation
    for inner in get_args(annotation):
        yield from _parts_in(inner)
