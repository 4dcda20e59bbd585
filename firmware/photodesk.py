"""Where photographs are put right: a bounded number of sheets, each for one browser and for a limited time.

Nothing is written to a disk.  Pictures are read one after another by one worker, so that no number of phones stalls the table.
"""

from __future__ import annotations

import logging
import secrets
import threading
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import Protocol

from companion.errors import SheetError
from companion.photosheet import OF_ONE_PICTURE, Sheet, Snap, Spot
from firmware.photoreader import Taken
from vision.errors import PictureError
from vision.grouping import grouped
from vision.photo import PhotoCard, read_as_one_deck

LOG = logging.getLogger(__name__)
KEPT_S = 30 * 60.0
"""Seconds after the last thing that somebody did with it for which a sheet and its pictures are kept."""
IDLE_S = 5 * 60.0
"""A sheet that nobody has touched for so long gives way when there are too many."""
MOST_SHEETS = 12
MOST_PICTURES = 6
"""Of one sheet."""
MOST_SPOTS = 120
"""Cards of one picture; more are no cards."""
WAITING_BYTES = 64 * 1024 * 1024
"""All pictures together that wait to be read."""
REST_S = 60.0
"""Seconds without a picture after which the reader's process ends."""


class Reader(Protocol):
    """What reads pictures."""

    def read(self, data: bytes, /) -> Taken:
        """Read a picture; raise `PictureError` where it cannot be read."""
        ...

    def rest(self) -> None:
        """Nothing is to be read for a while."""
        ...

    def close(self) -> None:
        """Nothing is to be read any more; ends a reading that goes on."""
        ...


@dataclass(slots=True)
class _Kept:
    """A sheet, and what is behind it."""

    touched: float
    sheet: Sheet = field(default_factory=Sheet)
    taken: dict[int, Taken] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Job:
    key: str
    number: int
    data: bytes


class PhotoDesk:
    """Every sheet that is being worked on.  Safe from any thread."""

    def __init__(
        self, reader: Reader, clock: Callable[[], float] = monotonic, token: Callable[[], str] = secrets.token_urlsafe,
        background: bool = True,
    ) -> None:  # fmt: skip
        """`clock` in seconds; `token` makes names that nobody can guess.  Without `background` whoever sends a picture waits
        until it is read."""
        self._reader, self._clock, self._token, self._background = reader, clock, token, background
        self._changed = threading.Condition()
        self._kept: dict[str, _Kept] = {}
        self._jobs: deque[_Job] = deque()
        self._worker: threading.Thread | None = None
        self._closed = False

    # ---- for the page -------------------------------------------------------------------------------------------

    def begin(self) -> str:
        """The key of a new, empty sheet; raise `SheetError` where there are too many."""
        with self._changed:
            self._clear_up()
            if len(self._kept) >= MOST_SHEETS:
                oldest = min(self._kept, key=lambda key: self._kept[key].touched)
                if self._clock() - self._kept[oldest].touched < IDLE_S:
                    raise SheetError(f"{len(self._kept)} sheets are in use, at most {MOST_SHEETS} can be", "photo_busy")
                self._drop(oldest)
            key = self._token()
            self._kept[key] = _Kept(self._clock())
            return key

    def sheet(self, key: str) -> Sheet | None:
        """The sheet as it is now; None where there is none, or none any more."""
        with self._changed:
            self._clear_up()
            kept = self._kept.get(key)
            return None if kept is None else kept.sheet

    def ahead(self, key: str) -> int:
        """How many pictures of others are read before the next one of this sheet."""
        with self._changed:
            keys = [job.key for job in self._jobs]
            return keys.index(key) if key in keys else 0

    def add(self, key: str, data: bytes) -> Sheet:
        """One more picture, to be read in its turn; raise `SheetError` where there are too many, or too much waits already."""
        with self._changed:
            kept = self._touched(key)
            number = len(kept.sheet.snaps) + 1
            if number > MOST_PICTURES:
                raise SheetError(f"this sheet has {MOST_PICTURES} pictures already", "photo_many")
            if sum(len(job.data) for job in self._jobs) + len(data) > WAITING_BYTES:
                raise SheetError("too many pictures wait to be read", "photo_busy")
            kept.sheet = kept.sheet.with_snap(Snap(number))
            self._jobs.append(_Job(key, number, data))
            if self._background and self._worker is None and not self._closed:
                self._worker = threading.Thread(target=self._work, name="photographs")
                self._worker.start()
            self._changed.notify_all()
        if not self._background:
            while self._read_next():
                pass
        return self._sheet_of(key)

    def amend(self, key: str, change: Callable[[Sheet], Sheet]) -> Sheet:
        """What somebody says of it; raises `SheetError` as `change` does, and where there is no such sheet."""
        with self._changed:
            kept = self._touched(key)
            kept.sheet = change(kept.sheet)
            return kept.sheet

    def sort(self, key: str, way: str) -> Sheet:
        """Sort the cards into hands anew, in one of `vision.grouping.WAYS`."""
        with self._changed:
            kept = self._touched(key)
            kept.sheet = _sorted(replace(kept.sheet, way=way))
            return kept.sheet

    def picture(self, key: str, number: int) -> bytes | None:
        """A picture of the sheet as JPEG; None where there is none."""
        with self._changed:
            self._clear_up()
            kept = self._kept.get(key)
            taken = None if kept is None else kept.taken.get(number)
            return None if taken is None else taken.jpeg

    def forget(self, key: str) -> None:
        """Delete the sheet with its pictures."""
        with self._changed:
            self._drop(key)

    def close(self) -> None:
        """Delete everything, and end the worker."""
        with self._changed:
            self._closed = True
            self._kept.clear()
            self._jobs.clear()
            worker = self._worker
            self._changed.notify_all()
        self._reader.close()
        if worker is not None:
            worker.join()

    # ---- what is kept -------------------------------------------------------------------------------------------

    def _touched(self, key: str) -> _Kept:
        self._clear_up()
        kept = self._kept.get(key)
        if kept is None:
            raise SheetError("this sheet is not kept any more", "photo_gone")
        kept.touched = self._clock()
        return kept

    def _sheet_of(self, key: str) -> Sheet:
        with self._changed:
            return self._touched(key).sheet

    def _clear_up(self) -> None:
        old = [key for key, kept in self._kept.items() if self._clock() - kept.touched >= KEPT_S]
        for key in old:
            self._drop(key)

    def _drop(self, key: str) -> None:
        self._kept.pop(key, None)
        self._jobs = deque(job for job in self._jobs if job.key != key)

    # ---- the worker ---------------------------------------------------------------------------------------------

    def _work(self) -> None:
        """Read what waits; and stay as long as there is something to delete later."""
        rested = False
        while True:
            if self._read_next():
                rested = False
                continue
            with self._changed:
                self._clear_up()
                if self._closed or not (self._kept or self._jobs):
                    self._worker = None
                    break
                if not self._jobs and rested:
                    self._changed.wait(min(kept.touched for kept in self._kept.values()) + KEPT_S - self._clock())
                elif not self._jobs:
                    rested = not self._changed.wait(REST_S)
            if rested:
                self._reader.rest()
        self._reader.rest()

    def _read_next(self) -> bool:
        """Read the first picture that waits; whether there was one."""
        with self._changed:
            if not self._jobs or self._closed:
                return False
            job = self._jobs.popleft()
            self._show(job, Snap(job.number, "reading"))
        try:
            taken = self._reader.read(job.data)
            with self._changed:
                self._lay_down(job, taken)
        except PictureError as error:
            self._refuse(job, error.kind, error.values)
        except Exception as error:
            # The outermost loop: the next picture is to be read, whatever was the matter with this one.
            LOG.error("%s over a picture", type(error).__name__)
            self._refuse(job, "unreadable", {})
        return True

    def _lay_down(self, job: _Job, taken: Taken) -> None:
        kept = self._kept.get(job.key)
        if kept is not None:
            kept.taken[job.number] = taken
            read = kept.sheet.with_snap(Snap(job.number, "read", width=taken.width, height=taken.height))
            kept.sheet = _sorted(read.seen(_spots(kept.taken)))

    def _refuse(self, job: _Job, kind: str, values: Mapping[str, int]) -> None:
        with self._changed:
            self._show(job, Snap(job.number, "refused", kind, tuple(values.items())))

    def _show(self, job: _Job, snap: Snap) -> None:
        kept = self._kept.get(job.key)
        if kept is not None:
            kept.sheet = kept.sheet.with_snap(snap)


def _spots(taken: dict[int, Taken]) -> list[Spot]:
    """The cards of all pictures, read as those of one deck."""
    numbers = sorted(taken)
    readings = read_as_one_deck([taken[number].glimpse for number in numbers])
    return [
        Spot(number * OF_ONE_PICTURE + index, card.card, number, _scaled(card, taken[number].scale), card.likely)
        for number, reading in zip(numbers, readings, strict=True)
        for index, card in enumerate(reading.cards[:MOST_SPOTS])
    ]


def _scaled(card: PhotoCard, scale: float) -> tuple[tuple[float, float], ...]:
    return tuple((round((x + 0.5) * scale - 0.5, 1), round((y + 0.5) * scale - 0.5, 1)) for x, y in card.corners)


def _sorted(sheet: Sheet) -> Sheet:
    """The sheet with its cards sorted into hands as its way says; those that somebody took out stay out."""
    there = [spot for spot in sheet.spots if spot.picture is not None and not spot.gone]
    numbers = sorted({spot.picture for spot in there if spot.picture is not None})
    pictures = [[_as_card(spot) for spot in there if spot.picture == number] for number in numbers]
    spots = [spot for number in numbers for spot in there if spot.picture == number]
    of_card = {id(card): spot.number for card, spot in zip((card for cards in pictures for card in cards), spots, strict=True)}
    return sheet.dealt([of_card[id(card)] for card in cards] for _, cards in grouped(pictures, sheet.way))


def _as_card(spot: Spot) -> PhotoCard:
    first, second, third, fourth = spot.corners
    return PhotoCard(spot.card, 1.0, (first, second, third, fourth))
