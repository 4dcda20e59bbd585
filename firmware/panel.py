"""Lamps and buttons between the places of a board and the seats of a game; the setup wizard may borrow them for a while."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from time import monotonic

from companion.cues import Cue, Meaning
from companion.observation import Declaration
from companion.table import SLOTS
from firmware.board import Board

LENT_S = 3.0
"""So long after somebody has last asked for them the lamps are lent."""


@dataclass(frozen=True, slots=True)
class _Loan:
    until: float
    burning: frozenset[int] = frozenset()
    blinking: frozenset[int] = frozenset()


class Panel:
    """A board whose places are numbered as they are wired, from 0.  Safe from any thread.

    `close` closes the board that it was given.
    """

    def __init__(self, post: Callable[[Declaration], object], clock: Callable[[], float] = monotonic) -> None:
        """`post` takes presses as the game knows them, by seat; `clock` is one that only runs forward, in seconds."""
        self._post, self._clock = post, clock
        self._lock = threading.Lock()
        self._board: Board | None = None
        self._seats: Mapping[int, int] = {}
        self._places: Mapping[int, int] = {}
        self._loan = _Loan(float("-inf"))
        self._pressed: list[int] = []

    def connect(self, board: Board) -> None:
        """The board behind it, which hands its presses to `press`."""
        self._board = board

    def seat(self, places: Sequence[int]) -> None:
        """For each seat of the game the place in front of it.  What was lent is the game's again."""
        with self._lock:
            self._places = dict(enumerate(places))
            self._seats = {place: seat for seat, place in enumerate(places)}
            self._loan = _Loan(float("-inf"))

    # ---- the board as the game has it ------------------------------------------------------------------------------------

    def show(self, cues: Iterable[Cue], time: float) -> None:
        """Set lamps and buzzer to what `cues` say at `time`, or, while they are lent, the lamps to what was asked for."""
        with self._lock:
            loan, places = self._loan, self._places
            lent = self._clock() < loan.until
        if self._board is not None:
            self._board.show(tuple(_lent(loan)) if lent else tuple(_placed(cues, places)), time)

    def press(self, declaration: Declaration) -> None:
        """The button of a place was pressed."""
        place = declaration.seat
        if place is None:
            return
        with self._lock:
            if self._clock() < self._loan.until:
                self._pressed.append(place)
                return
            seat = self._seats.get(place)
        if seat is not None:
            self._post(replace(declaration, seat=seat))

    def watch(self, on: bool) -> None:
        """Say whether a camera is on."""
        if self._board is not None:
            self._board.watch(on)

    def close(self) -> None:
        """Go dark and let go of everything."""
        if self._board is not None:
            self._board.close()

    # ---- as the wizard borrows it ----------------------------------------------------------------------------------------

    def light(self, burning: Collection[int], blinking: Collection[int]) -> None:
        """For `LENT_S` seconds lamps and buttons are not the game's: these places burn and blink, and presses are counted."""
        with self._lock:
            self._loan = _Loan(self._clock() + LENT_S, frozenset(burning), frozenset(blinking))

    def presses(self, heard: int | None) -> tuple[int, tuple[int, ...]]:
        """How many presses were counted, and the places of those after the first `heard`."""
        with self._lock:
            return len(self._pressed), tuple(self._pressed[heard:]) if heard is not None else ()

    def pretend(self, place: int) -> None:
        """Count a press of a button that is only on the page."""
        with self._lock:
            if self._clock() < self._loan.until:
                self._pressed.append(place)


def _placed(cues: Iterable[Cue], places: Mapping[int, int]) -> Iterator[Cue]:
    for cue in cues:
        if cue.seat is None:
            yield cue
        elif cue.seat in places:
            yield replace(cue, seat=places[cue.seat])


def _lent(loan: _Loan) -> Iterator[Cue]:
    for place in sorted(loan.burning):
        yield Cue(Meaning.TURN, place)
        yield from (Cue(Meaning.TOUCHED, place, number) for number in SLOTS)
    for place in sorted(loan.blinking):
        yield Cue(Meaning.ASKED, place)
