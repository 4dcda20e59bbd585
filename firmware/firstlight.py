"""The recording kit for a real mat: what to record, the form for the conditions, and both checked against each other."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from companion.cards import DECK, Card, Mark, Seen
from companion.errors import CardTextError
from firmware.errors import RecordingError
from firmware.recorded import picture_files

FORM = "recording.toml"
FEWEST_FRAMES = 5
"""Of each shot: the reader looks at a scene several times before it believes anything."""
MARKS = {mark.value: mark for mark in (Mark.EMPTY, Mark.BACK, Mark.FOREIGN, Mark.COVERED)}
Words = Annotated[str, Field(min_length=1, max_length=200)]


class Part(BaseModel):
    """A table of the form; without unknown keys."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class MatPart(Part):
    """``[mat]``"""

    number: Annotated[int, Field(ge=1, le=6)]
    """Which of the printed targets: its markers are 8 x (number - 1) and the seven after."""
    cover: Literal["open", "film", "acrylic", "frosted"]
    mirror: Literal["first-surface", "ordinary", "none"]


class CameraPart(Part):
    """``[camera]``"""

    model: Words
    lens_position: Annotated[float, Field(ge=0, le=50, allow_inf_nan=False)]
    """Dioptres as the camera was told; 0 where the focus is fixed."""
    exposure_us: Annotated[int, Field(gt=0, le=2_000_000)]
    gain: Annotated[float, Field(ge=1, le=64, allow_inf_nan=False)]


class LightPart(Part):
    """``[light]``"""

    lamp: Words
    """Kind and place of the lamp in the box."""
    level_percent: Annotated[float, Field(ge=0, le=100, allow_inf_nan=False)]
    room: Literal["dark", "lamps", "daylight", "sun"]


class DeckPart(Part):
    """``[deck]``"""

    name: Words
    index: Literal["standard", "large", "four-corner"]
    colours: Literal[2, 4]
    language: Words
    finish: Literal["matt", "linen", "glossy", "plastic"]


class ShotPart(Part):
    """``[[shot]]``: one still scene."""

    folder: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$")]
    windows: Annotated[list[str], Field(min_length=5, max_length=5)]
    """What lies over the windows, slot 1 first: a card such as ``Td``, or empty, back, foreign, covered."""
    note: str = ""

    @field_validator("windows")
    @classmethod
    def _known(cls, windows: list[str]) -> list[str]:
        for text in windows:
            seen_of(text)
        return windows

    @property
    def truth(self) -> tuple[Seen, ...]:
        return tuple(seen_of(text) for text in self.windows)


class Form(Part):
    """The whole form."""

    format: Literal[1]
    recorded: date
    by: Words
    mat: MatPart
    camera: CameraPart
    light: LightPart
    deck: DeckPart
    shot: Annotated[list[ShotPart], Field(min_length=1, max_length=200)]


@dataclass(frozen=True, slots=True)
class Recording:
    """A form and the frames that belong to it."""

    folder: Path
    form: Form
    frames: tuple[tuple[Path, ...], ...]
    """Per shot."""


def seen_of(text: str) -> Seen:
    """``Td`` or ``back`` -> what it stands for; raise ValueError for anything else."""
    if text in MARKS:
        return MARKS[text]
    try:
        return Card.parse(text)
    except CardTextError as error:
        raise ValueError(f"{text!r} is neither a card such as Td nor one of {', '.join(MARKS)}") from error


def load_recording(folder: Path) -> Recording:
    """Read and check a recording; raise `RecordingError` that lists everything that is wrong with it."""
    path = folder / FORM
    try:
        form = Form.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError) as error:
        raise RecordingError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from error
    except tomllib.TOMLDecodeError as error:
        raise RecordingError(f"{path}: is no TOML: {error}") from error
    except RecursionError:
        raise RecordingError(f"{path}: nests too deeply: nothing in it stands deeper than a list in a table") from None
    except ValidationError as error:
        raise RecordingError("\n".join(f"{path}: {_sentence(detail)}" for detail in error.errors())) from error
    problems = list(_problems(folder, form))
    if problems:
        raise RecordingError("\n".join(f"{folder}: {problem}" for problem in problems))
    return Recording(folder, form, tuple(picture_files(folder / shot.folder) for shot in form.shot))


def _problems(folder: Path, form: Form) -> Iterator[str]:
    folders = [shot.folder for shot in form.shot]
    for name in dict.fromkeys(name for name in folders if folders.count(name) > 1):
        yield f"shot {name!r} is listed {folders.count(name)} times"
    if not any(all(seen is Mark.EMPTY for seen in shot.truth) for shot in form.shot):
        yield "no shot shows the empty mat; it is needed for focus, light and markers"
    for shot in form.shot:
        try:
            count = len(picture_files(folder / shot.folder))
        except RecordingError as error:
            yield f"shot {shot.folder!r}: {error}"
            continue
        if count < FEWEST_FRAMES:
            yield f"shot {shot.folder!r} has {count} frames, expected at least {FEWEST_FRAMES}"
        cards = [seen for seen in shot.truth if isinstance(seen, Card)]
        if len(set(cards)) < len(cards):
            yield f"shot {shot.folder!r} names a card twice; a deck has one of each"


def _sentence(detail: object) -> str:
    told = detail if isinstance(detail, dict) else {}
    place = ".".join(str(part + 1) if isinstance(part, int) else str(part) for part in told["loc"])
    if told["type"] == "missing":
        return f"{place} is missing"
    if told["type"] == "extra_forbidden":
        return f"{place} = {told['input']!r}: there is no such key"
    message = str(told["msg"]).removeprefix("Value error, ")
    return f"{place} = {told['input']!r}: {message[0].lower()}{message[1:]}"


def missing_cards(form: Form) -> tuple[Card, ...]:
    """Cards that no shot shows; a full recording shows them all."""
    shown = {seen for shot in form.shot for seen in shot.truth}
    return tuple(card for card in DECK if card not in shown)


def planned_shots() -> tuple[tuple[str, tuple[str, ...], str], ...]:
    """What the kit asks for: folder, windows, what to do."""
    blank = ("empty",) * 5
    shots: list[tuple[str, tuple[str, ...], str]] = [
        ("empty", blank, "Nothing on the mat, lamp lit."),
        ("backs", ("back",) * 5, "Five cards face up, so that their backs are at the windows."),
        ("jokers", ("foreign", "empty", "foreign", "empty", "empty"), "Jokers face down over slots 1 and 3."),
        ("hand", ("covered", "covered", "empty", "empty", "empty"), "A flat hand over slots 1 and 2."),
    ]
    for start in range(0, len(DECK), 5):
        cards = [str(card) for card in DECK[start : start + 5]]
        windows = tuple(cards + ["empty"] * (5 - len(cards)))
        shots.append((f"cards-{start // 5 + 1:02d}", windows, "Pushed to the rail."))
    spread = tuple(str(DECK[index]) for index in (3, 17, 25, 38, 51))
    shots.append(("careless-1", spread, "Laid carelessly: up to 4 mm off and a little turned."))
    shots.append(("careless-2", tuple(reversed(spread)), "The same cards the other way round and head to foot."))
    return tuple(shots)


def write_kit(folder: Path) -> None:
    """Make a recording's folder with the form to fill and a folder for every shot; raise `RecordingError` where it exists."""
    if (folder / FORM).exists():
        raise RecordingError(f"{folder} holds a {FORM} already; choose another folder")
    try:
        for name, _, _ in planned_shots():
            (folder / name).mkdir(parents=True, exist_ok=True)
        (folder / FORM).write_text(form_text(), encoding="utf-8")
    except OSError as error:
        raise RecordingError(f"{folder}: the kit cannot be written: {error.strerror or error}") from error


def form_text(filled: dict[str, str] | None = None) -> str:
    """The form; every line that is to be filled holds what may stand there.  `filled` gives values by ``table.key``."""
    values = {
        "recorded": date.today().isoformat(), "by": '""', "mat.number": "1", "mat.cover": '"open"',
        "mat.mirror": '"first-surface"', "camera.model": '""', "camera.lens_position": "0.0", "camera.exposure_us": "0",
        "camera.gain": "1.0", "light.lamp": '""', "light.level_percent": "100.0", "light.room": '"lamps"', "deck.name": '""',
        "deck.index": '"standard"', "deck.colours": "2", "deck.language": '"English"', "deck.finish": '"linen"',
    } | (filled or {})  # fmt: skip
    hints = {
        "mat.cover": "open, film, acrylic, frosted", "mat.mirror": "first-surface, ordinary, none",
        "camera.lens_position": "dioptres; 0.0 for a fixed focus", "camera.exposure_us": "microseconds",
        "light.lamp": "kind and place", "light.room": "dark, lamps, daylight, sun", "deck.index": "standard, large, four-corner",
        "deck.colours": "2 or 4", "deck.finish": "matt, linen, glossy, plastic", "by": "who recorded it",
    }  # fmt: skip
    lines = [
        "# First light: one mat, one deck, one light.  Fill every line, take the frames, then: viewmat first-light report .",
        f"# Each shot: at least {FEWEST_FRAMES} frames of a still scene as PNG or JPEG in the folder of its name, the mirror's",
        "# flip undone.  Windows are written slot 1 first, as the mat's owner counts.  Take out shots that you did not make.",
        "format = 1",
    ]
    table = ""
    for key, value in values.items():
        head, _, name = key.rpartition(".")
        if head != table:
            table = head
            lines.append(f"\n[{head}]")
        hint = f"  # {hints[key]}" if key in hints else ""
        lines.append(f"{name} = {value}{hint}")
    for folder, windows, note in planned_shots():
        listed = ", ".join(f'"{window}"' for window in windows)
        lines.append(f'\n[[shot]]\nfolder = "{folder}"\nwindows = [{listed}]\nnote = "{note}"')
    return "\n".join(lines) + "\n"
