"""One file for whoever helps from afar: enough to find a fault, and nothing that is secret.

What goes in is named here, piece by piece; whatever is new stays out until somebody adds it.  Of a record only its outline is
taken: kinds, times and sizes of its entries, which are the same whatever lies hidden.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from companion.errors import JournalError
from companion.health import Fact, Report, judge_camera, judge_machine
from companion.journal import HEADER, read_walk
from companion.words.health import advice_words, fact_label, value_words
from firmware.version import library_versions

RECORDS, ENTRIES, FILES = 3, 2000, 2000
"""So many of the newest records, of their last entries, and of all files are told of at most."""
EARLIEST, LATEST = datetime(1980, 1, 1), datetime(2107, 12, 31)
"""A zip knows no other times; a clock that nobody has set shows one."""
NAME = "(name)"
"""What stands for a player's name."""
TOLD: Mapping[str, tuple[str, ...] | None] = {
    "game": None, "language": None, "rig": None, "tray": None, "record": None, "evidence_days": None, "options": None,
    "timing": None,
    "steadiness": None, "seats": None, "hard_mode": None, "difficulty": None, "cheat": None, "habits": None, "period": None,
    "light": None,
    "sources": None, "profile": None, "seat": ("name", "source", "place"),
    "page": ("host", "names", "port", "https_port", "shutdown"),
    "gpio": ("pins", "chip", "brightness", "pixel_bits", "map"),
    "access": ("preset", "phone_peek"), "voice": ("speaker", "volume", "says"),
    "bus": ("table", "nodes"), "broker": ("port",),
    "camera": (
        "place", "tray", "kind", "size", "crop", "mirror", "rotation", "period", "timeout", "turns", "exposure_us", "gain",
        "red_blue", "white_k", "lens", "light",
    ),
}  # fmt: skip
"""Settings that are told; None: as they are, otherwise these parts of them.  The virtual table's seed is not among them:
it tells every card.  Nor is where a camera is found: an address may hold a password."""


@dataclass(frozen=True, slots=True)
class Contents:
    """Where the pieces come from."""

    settings: Mapping[str, Any]
    """What the table was told; only what `TOLD` names is taken."""
    folder: Path
    """Of whose files names and sizes are told."""
    records: tuple[Path, ...]
    """Folders with records."""
    log: Callable[[], Sequence[str]]
    """The last lines, without cards."""
    names: Callable[[], Sequence[str]]
    """The players of now."""


def make_bundle(contents: Contents, report: Report, with_names: bool) -> bytes:
    """The zip."""
    records = [(path.stem, _outline(path)) for path in _newest(contents.records)]
    names = [*contents.names(), *(name for _, outline in records for name in _names_in(outline))]
    settings = told(contents.settings)
    names += [str(seat.get("name", "")) for seat in settings.get("seat", ())]
    clean = _nothing if with_names else _without(names)
    made = report.machine.wall
    members = {
        "about.json": _json({"made": made, "program": report.program, "libraries": library_versions()}, clean),
        "health.json": _json(_health(report), clean),
        "settings.json": _json(settings, clean),
        "log.txt": clean("\n".join(contents.log())),
        "files.txt": clean("\n".join(_files(contents.folder))),
        **{f"records/{name}.jsonl": "\n".join(_line(each, clean) for each in outline) for name, outline in records},
    }
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as bundle:
        for name, text in members.items():
            when = min(max(made.replace(tzinfo=None), EARLIEST), LATEST)
            bundle.writestr(zipfile.ZipInfo(name, when.timetuple()[:6]), text + "\n", zipfile.ZIP_DEFLATED)
    return file.getvalue()


def told(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Of the settings what may be told."""
    return {name: _parts(settings[name], parts) for name, parts in TOLD.items() if name in settings}


def _parts(value: Any, parts: tuple[str, ...] | None) -> Any:
    if parts is None or value is None:
        return value
    if isinstance(value, Mapping):
        return {name: value[name] for name in parts if name in value}
    return [_parts(each, parts) for each in value]


# ---- the pieces --------------------------------------------------------------------------------------------------------


def _health(report: Report) -> dict[str, Any]:
    cameras = [{**asdict(camera), "facts": _facts(judge_camera(camera, report.playing))} for camera in report.cameras]
    return {
        "machine": report.machine, "facts": _facts(judge_machine(report.machine)), "cameras": cameras, "playing": report.playing,
        "age_s": round(report.age_s, 1),
    }  # fmt: skip


def _facts(facts: Sequence[Fact]) -> list[dict[str, str]]:
    return [
        {"kind": fact_label(fact), "value": value_words(fact), "grade": fact.grade.name.lower(), "advice": advice_words(fact)}
        for fact in facts
    ]


def _files(folder: Path) -> Iterator[str]:
    """Sizes and names below a folder.  When they were written is left out: it would be no help."""
    found = sorted(folder.rglob("*"))
    for path in found[:FILES]:
        with suppress(OSError):
            name = "".join(letter if letter.isprintable() else "?" for letter in path.relative_to(folder).as_posix())
            yield f"{path.lstat().st_size:>12} {name}{'/' if path.is_dir() else ''}"
    if len(found) > FILES:
        yield f"and {len(found) - FILES} more"


def _newest(folders: Sequence[Path]) -> list[Path]:
    """The records that were written last."""
    found: list[tuple[float, Path]] = []
    for path in (path for folder in folders for path in folder.glob("*.sqlite")):
        with suppress(OSError):
            found.append((path.stat().st_mtime, path))
    return [path for _, path in sorted(found, reverse=True)[:RECORDS]]


def _outline(path: Path) -> list[dict[str, Any]]:
    """Kinds, times and sizes of a record's entries; what they say stays out, apart from what kind of game it is."""
    try:
        walk = read_walk(path)
    except JournalError as error:
        # Its message names the file with the whole way to it.
        return [{"fault": type(error).__name__}]
    outline: list[dict[str, Any]] = [
        {
            "number": entry.number, "kind": entry.kind, "time": entry.time, "wall": entry.wall, "clock_set": entry.clock_set,
            "bytes": len(entry.text), "sealed": len(entry.sealed or b""), "more": entry.more,
            **({"header": _header(entry.body.get("header"))} if entry.kind == HEADER else {}),
        }
        for entry in (*walk.entries[:1], *walk.entries[1:][-ENTRIES:])
    ]  # fmt: skip
    return [*outline, {"fault": str(walk.fault)}] if walk.fault is not None else outline


def _header(header: Any) -> dict[str, Any]:
    if not isinstance(header, Mapping):
        return {}
    return {name: header[name] for name in ("game", "seats", "options", "tray") if name in header}


def _names_in(outline: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for entry in outline:
        for seat in entry.get("header", {}).get("seats", ()):
            yield str(seat.get("name", ""))


# ---- writing -----------------------------------------------------------------------------------------------------------


def _json(value: Any, clean: Callable[[str], str]) -> str:
    return json.dumps(_plain(value, clean), indent=1, ensure_ascii=False)


def _line(value: Mapping[str, Any], clean: Callable[[str], str]) -> str:
    return json.dumps(_plain(value, clean), ensure_ascii=False)


def _plain(value: Any, clean: Callable[[str], str]) -> Any:
    """As JSON can say it, with every text cleaned."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, Mapping):
        return {str(name): _plain(each, clean) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(each, clean) for each in value]
    if isinstance(value, datetime):
        return value.isoformat()
    return _plain(asdict(value), clean) if hasattr(value, "__dataclass_fields__") else value


def _nothing(text: str) -> str:
    return text


def _without(names: Sequence[str]) -> Callable[[str], str]:
    """Puts `NAME` for every name that stands by itself, however it is written."""
    known = sorted({name.strip() for name in names if name.strip()}, key=len, reverse=True)
    if not known:
        return _nothing
    pattern = re.compile(r"(?<!\w)(?:" + "|".join(map(re.escape, known)) + r")(?!\w)", re.IGNORECASE)
    return lambda text: pattern.sub(NAME, text)
