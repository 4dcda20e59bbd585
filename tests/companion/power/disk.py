"""A recorded disk: what a process asked of it, and everything that a power cut may have left of that.

`diskrecord.c` notes each request.  A request is durable when a later sync covers it: a sync of the file for writes and
truncations, a sync of the folder for names.  What is not durable may be lost, or kept, each for itself.
"""

from __future__ import annotations

import os
import random
import struct
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

SECTOR = 512
"""Bytes that a disk writes as a whole."""
NAMES = "crul"
State = Mapping[str, bytes]
"""Path -> content, for every file that is there."""


@dataclass(frozen=True, slots=True)
class Request:
    """One thing asked of the disk."""

    what: str
    """``c`` create, ``w`` write, ``t`` truncate, ``s`` sync, ``r`` rename, ``u`` unlink or ``l`` link."""
    path: str
    other: bytes
    data: bytes

    @property
    def position(self) -> int:
        return int(struct.unpack("=Q", self.other)[0])


def record(recorder: Path, folder: Path, program: str, *arguments: str, **settings: str) -> tuple[Request, ...]:
    """Run a Python program with the recorder and give what it asked of the disk below `folder`."""
    log = folder.with_name(folder.name + ".log")
    surroundings = {
        **os.environ, "LD_PRELOAD": str(recorder), "DISKRECORD_FOLDER": str(folder), "DISKRECORD_LOG": str(log),
        "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONDONTWRITEBYTECODE": "1", **settings,
    }  # fmt: skip
    ran = subprocess.run(
        [sys.executable, "-c", program, str(folder), *arguments], env=surroundings, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    return tuple(_requests(log.read_bytes()))


def _requests(data: bytes) -> Iterator[Request]:
    at = 0
    while at < len(data):
        what, fields, at = chr(data[at]), [], at + 1
        for _ in range(3):
            (size,) = struct.unpack_from("=Q", data, at)
            fields.append(data[at + 8 : at + 8 + size])
            at += 8 + size
        yield Request(what, fields[0].decode(), fields[1], fields[2])


def durable(requests: tuple[Request, ...]) -> frozenset[int]:
    """The requests, by their index, that no power cut after the last of them can undo."""
    return frozenset(index for index, since in enumerate(_durable_since(requests)) if since is not None)


@lru_cache(maxsize=4)
def _durable_since(requests: tuple[Request, ...]) -> tuple[int | None, ...]:
    """For each request the index of the sync that made it durable; None where none did, and for the syncs themselves."""
    file_of = _files(requests)
    found: list[int | None] = [None] * len(requests)
    for index, request in enumerate(requests):
        if request.what != "s":
            continue
        folder = request.path.rstrip("/")
        for before in range(index):
            earlier = requests[before]
            written = earlier.what in "wt" and file_of[before] == file_of[index] is not None
            named = earlier.what in NAMES and os.path.dirname(earlier.path) == folder
            if found[before] is None and (written or named):
                found[before] = index
    return tuple(found)


@lru_cache(maxsize=4)
def _files(requests: tuple[Request, ...]) -> tuple[int | None, ...]:
    """Which file (by the index of the request that created it) each request is about; files have several names over time."""
    names: dict[str, int] = {}
    found: list[int | None] = []
    for index, request in enumerate(requests):
        if request.what == "c":
            names[request.path] = index
        found.append(names.get(request.path))
        _rename(names, request)
    return tuple(found)


def _rename(names: dict[str, int], request: Request) -> None:
    if request.what == "u":
        names.pop(request.path, None)
    elif request.what in "rl" and request.path in names:
        names[request.other.decode()] = names[request.path]
        if request.what == "r":
            del names[request.path]


def state(requests: tuple[Request, ...], safe: frozenset[int], more: Iterable[int], torn: random.Random | None = None) -> State:
    """The disk when the requests in `safe` and `more` have reached it; with `torn`, of writes in `more` some sectors only."""
    file_of = _files(requests)
    kept = safe | frozenset(more)
    files: dict[int, bytearray] = {}
    names: dict[str, int] = {}
    for index in sorted(kept):
        request, file = requests[index], file_of[index]
        if request.what == "c":
            names[request.path] = index
        elif request.what in "rul":
            _rename(names, request)
        elif file is not None and request.what == "t":
            content = files.setdefault(file, bytearray())
            del content[request.position :]
            content.extend(bytes(request.position - len(content)))
        elif file is not None and request.what == "w":
            _write(files.setdefault(file, bytearray()), request, torn if index not in safe else None)
    return {path: bytes(files.get(file, b"")) for path, file in names.items()}


def _write(content: bytearray, request: Request, torn: random.Random | None) -> None:
    start = request.position
    for at in range(0, len(request.data), SECTOR):
        part = request.data[at : at + SECTOR]
        if torn is None or torn.random() < 0.5:
            end = start + at + len(part)
            content.extend(bytes(max(0, end - len(content))))
            content[start + at : end] = part


def power_cuts(requests: tuple[Request, ...], cut: int, seed: int, subsets: int, prefixes: int = 10**6) -> Iterator[State]:
    """What may be left when the power goes after `cut` requests.

    First only what was synced; then that and every prefix of the rest (about `prefixes` of them where there are more); then
    `subsets` random subsets of the rest, torn ones among them.  Names stay in their order: file systems keep a journal of them.
    """
    since = _durable_since(requests)
    safe = frozenset(index for index in range(cut) if (sync := since[index]) is not None and sync < cut)
    open_still = [index for index in range(cut) if index not in safe and requests[index].what != "s"]
    for length in range(0, len(open_still) + 1, 1 + len(open_still) // prefixes):
        yield state(requests, safe, open_still[:length])
    rng = random.Random(f"{seed}/{cut}")
    names = [index for index in open_still if requests[index].what in NAMES]
    for number in range(subsets if open_still else 0):
        chosen = {index for index in open_still if requests[index].what not in NAMES and rng.random() < 0.6}
        chosen |= set(names[: rng.randint(0, len(names))])
        yield state(requests, safe, chosen, rng if number % 2 else None)


def lay_down(left: State, folder: Path, into: Path) -> None:
    """Put the files of a state below `into`."""
    for path, content in left.items():
        (into / Path(path).relative_to(folder)).write_bytes(content)
