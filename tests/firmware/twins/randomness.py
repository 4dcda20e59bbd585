"""Whether commitments look random: to whoever reads them, and, with the key of the machine, in the salts that make them so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import sqrt

from companion.commitments import COMMITTED, Opening
from companion.journal import game_file, read_walk
from companion.seal import reopened
from tests.firmware.twins.table import GAME, Twin

SIGMAS = 6.0
"""So far from half of all bits: once in five hundred million runs."""
CHI_SQUARE = 75.0
"""Of sixteen digits, with 15 degrees of freedom; about as rare."""


def commitments_of(twin: Twin) -> tuple[str, ...]:
    """Every commitment of a record, in its order."""
    entries = read_walk(game_file(twin.folder / "games", GAME)).entries
    return tuple(one["commitment"] for entry in entries if entry.kind == COMMITTED for one in entry.body["slots"])


def openings_of(twin: Twin) -> Iterator[tuple[int, Opening]]:
    """What opens each, with its turn; the key of the machine is needed for that."""
    for entry in read_walk(game_file(twin.folder / "games", GAME)).entries:
        if entry.kind == COMMITTED:
            made = reopened(twin.scales, GAME, entry)
            yield from ((made.turn, opening) for opening in made.openings)


def repeated(values: Iterable[object]) -> bool:
    """Whether one of them comes twice."""
    found = tuple(values)
    return len(set(found)) < len(found)


def unbalanced(digits: Sequence[str]) -> str:
    """What is wrong with hexadecimal texts as random ones; empty for nothing.  Some thousand bits are needed."""
    text = "".join(digits)
    bits = 4 * len(text)
    ones = sum(int(digit, 16).bit_count() for digit in text)
    if abs(ones - bits / 2) > SIGMAS * sqrt(bits) / 2:
        return f"{ones} of {bits} bits are set"
    mean = len(text) / 16
    spread = sum((count - mean) ** 2 / mean for count in (Counter(text).get(digit, 0) for digit in "0123456789abcdef"))
    if spread > CHI_SQUARE:
        return f"the digits are spread unevenly: chi-square {spread:.0f}"
    near = min((_distance(one, other) for one, other in pairwise(digits)), default=128)
    return f"two that follow each other differ in {near} bits only" if near < 64 else ""


def _distance(one: str, other: str) -> int:
    return (int(one, 16) ^ int(other, 16)).bit_count()
