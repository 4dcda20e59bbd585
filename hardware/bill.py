"""The bills: what to order for a build and so many mats, what it costs, what it draws, and which fuses it needs."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

BILL = Path(__file__).parent / "bill.toml"
FUSES_A = (0.5, 1.0, 1.6, 2.0, 2.5, 3.15, 4.0, 5.0, 6.3, 8.0, 10.0, 12.5, 15.0, 16.0, 20.0)
"""Ratings that can be bought."""
FUSE_HEADROOM = 1.25
"""A fuse is not run above four fifths of its rating."""
SEATS = (3, 4, 5)
SOURCES = ("pi5", "pi4", "usbhub", "supply", "supply-small")
"""Parts that feed others, or have a supply of their own."""


class BillError(ValueError):
    """A bill that names a part, a build or a number of seats that there is not."""


@dataclass(frozen=True, slots=True)
class Part:
    """Something to order."""

    id: str
    name: str
    what_for: str
    price: int
    """In US dollars."""
    amps: float = 0.0
    """At most, at 5 V."""


@dataclass(frozen=True, slots=True)
class Line:
    """A part and how many of it."""

    part: Part
    count: int

    @property
    def sum(self) -> int:
        return self.part.price * self.count


@dataclass(frozen=True, slots=True)
class Build:
    """A way to build the table."""

    name: str
    words: str
    hub: tuple[str, ...]
    """Part ids, once for a table."""
    mat: tuple[str, ...]
    """For each mat, the tray included."""
    seat: tuple[str, ...]
    """For each mat that a player has."""


@dataclass(frozen=True, slots=True)
class Bill:
    """What one rung of the ladder takes, all earlier rungs included."""

    lines: tuple[Line, ...]

    @property
    def total(self) -> int:
        return sum(line.sum for line in self.lines)


@dataclass(frozen=True, slots=True)
class Catalogue:
    """All parts and builds."""

    parts: dict[str, Part]
    builds: dict[str, Build]

    def bill(self, build: str, seats: int, tray: bool = False) -> Bill:
        """What `seats` mats and perhaps one more as tray take; raise `BillError` for what there is not."""
        if build not in self.builds:
            raise BillError(f"there is no build {build!r}; expected {', '.join(self.builds)}")
        if not 1 <= seats <= 5:
            raise BillError(f"a table has 1 to 5 mats beside its tray, not {seats}")
        chosen, mats = self.builds[build], seats + tray
        counted = ((chosen.hub, 1), (chosen.mat, mats), (chosen.seat, seats))
        return Bill(tuple(Line(self.parts[name], count) for names, count in counted for name in names))

    def mat_amps(self, build: str, tray: bool = False) -> float:
        """The most that goes through the lead of one mat."""
        chosen = self.builds[build]
        fed = chosen.mat if tray else chosen.mat + chosen.seat
        # What comes over USB does not come over the lead.
        return sum(self.parts[name].amps for name in fed if name != "uvc")

    def supply_amps(self, build: str, mats: int) -> float:
        """The most that the 5 V supply of `mats` mats and the hub's own lamps has to give."""
        chosen = self.builds[build]
        shared = sum(self.parts[name].amps for name in chosen.hub if name not in SOURCES)
        return shared + mats * self.mat_amps(build)


def fuse_for(amps: float) -> float:
    """The smallest fuse that may carry so much for long; raise `BillError` beyond the largest."""
    for rating in FUSES_A:
        if rating >= amps * FUSE_HEADROOM:
            return rating
    raise BillError(f"no fuse for {amps:g} A; the largest is {FUSES_A[-1]:g} A")


def read_catalogue(path: Path = BILL) -> Catalogue:
    """All parts and builds of the file; raise `BillError` where a build names no part, or a part stands twice."""
    content = tomllib.loads(path.read_text(encoding="utf-8"))
    parts: dict[str, Part] = {}
    for entry in content["part"]:
        part = Part(**entry)
        if part.id in parts:
            raise BillError(f"{path.name}: {part.id} stands twice")
        parts[part.id] = part
    builds = {}
    for name, table in content["build"].items():
        builds[name] = Build(name, table["words"], tuple(table["hub"]), tuple(table["mat"]), tuple(table["seat"]))
        for wanted in (*builds[name].hub, *builds[name].mat, *builds[name].seat):
            if wanted not in parts:
                raise BillError(f"{path.name}: build {name} names {wanted!r}, but there is no such part")
    return Catalogue(parts, builds)


def ladder_table(catalogue: Catalogue) -> str:
    """What every rung costs, in Markdown."""
    rows = ["| rung | " + " | ".join(catalogue.builds) + " |", "|---|" + "---|" * len(catalogue.builds)]
    rows.append("| tonight: a phone | " + " | ".join("0" for _ in catalogue.builds) + " |")
    rungs = [("Saturday: one mat, the other seats tapped", 1, False)]
    rungs += [(f"{seats} mats", seats, False) for seats in SEATS]
    rungs += [(f"{seats} mats and the tray", seats, True) for seats in SEATS]
    for words, seats, tray in rungs:
        totals = (f"{catalogue.bill(build, seats, tray).total}" for build in catalogue.builds)
        rows.append(f"| {words} | " + " | ".join(totals) + " |")
    return "\n".join(rows)


def current_table(catalogue: Catalogue) -> str:
    """What is drawn and which fuses follow, in Markdown."""
    heads = ("build", "one mat, at most", "fuse of its lead", "3, 4, 5 mats and tray", "fuse of the supply")
    rows = [f"| {' | '.join(heads)} |", "|---|---|---|---|---|"]
    for build in catalogue.builds:
        mat = catalogue.mat_amps(build)
        all_ = [catalogue.supply_amps(build, seats + 1) for seats in SEATS]
        fuses = ", ".join(f"{fuse_for(amps):g}" for amps in all_)
        rows.append(
            f"| {build} | {mat:.2f} A | {fuse_for(mat):g} A | {', '.join(f'{amps:.1f}' for amps in all_)} A | {fuses} A |"
        )
    return "\n".join(rows)


def document(catalogue: Catalogue) -> str:
    """`bill.md`."""
    told = [
        "# Bills of material",
        "",
        "Written by `./run hardware` from `bill.toml`; do not edit. US dollars. Camera prices are list prices; **all others are "
        "from memory**, and boards have become dearer: check on the day. Solder, screws (M3 x 10 for the joints, M2 and M2.5 for "
        "the boards), a printer or a knife and a deck of cards are not counted.",
        "",
        "## What each rung costs, the earlier ones included",
        "",
        ladder_table(catalogue),
        "",
        "## Currents and fuses",
        "",
        f"Estimates at 5 V, everything on at once. A fuse is not run above {100 / FUSE_HEADROOM:.0f} % of its rating. The supply "
        "must give what its fuse carries; the hub has a supply of its own.",
        "",
        current_table(catalogue),
    ]
    for build in catalogue.builds.values():
        told += ["", f"## {build.name.capitalize()}: {build.words}", "", _parts_table(catalogue, build.name)]
    return "\n".join([*told, ""])


def _parts_table(catalogue: Catalogue, build: str) -> str:
    bills = [catalogue.bill(build, 1), *(catalogue.bill(build, seats) for seats in SEATS), catalogue.bill(build, 5, tray=True)]
    heads = ("1 mat", *(f"{seats} mats" for seats in SEATS), "5 and tray")
    rows = ["| part | what for | each | " + " | ".join(heads) + " |", "|---|---|---|" + "---|" * len(heads)]
    for lines in zip(*(bill.lines for bill in bills), strict=True):
        part = lines[0].part
        rows.append(f"| {part.name} | {part.what_for} | {part.price} | " + " | ".join(str(line.count) for line in lines) + " |")
    rows.append("| **Total** | | | " + " | ".join(f"**{bill.total}**" for bill in bills) + " |")
    return "\n".join(rows)
