"""Counting honestly: what the script did against what the table made of it."""

from __future__ import annotations

import json
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Any

from companion.cards import Mark, Seen
from companion.games.base import Game
from companion.minutes import BESIDE_THE_RULES
from companion.proceedings import LogEntry
from companion.rulings import Action
from companion.views import MoveView, View

KINDS = (
    "foreign_card", "duplicate_card", "removed_card_returned", "slot_empty", "two_actions", "row_changed", "not_started",
    "game_over", "positions_changed", "not_top_of_row", "replaced_card_not_in_row", "ender_acted", "already_had_final_turn",
    "acted_twice", "not_your_turn", "steal_back_locked", "wrong_slot", "unexplained_change", "peek",
)  # fmt: skip
"""Every kind of violation that hands can commit (rules specification 1.10)."""

UNTOLD = ("delays", "violations", "payouts")
"""Figures that are told in another way than as they are kept."""
NOT_CLAIMED = frozenset({Mark.UNREADABLE, Mark.COVERED})
"""Readings that claim nothing: unknown, never wrong."""


@dataclass(slots=True)
class Tally:
    """How one kind of violation fared."""

    made: int = 0
    caught: int = 0
    misnamed: int = 0


@dataclass(slots=True)
class Figures:
    """The figures of one or more games, summed by `add`."""

    games: int = 0
    turns: int = 0
    turns_right: int = 0
    violations: dict[str, Tally] = field(default_factory=lambda: {kind: Tally() for kind in KINDS})
    invisible: int = 0
    false_accusations: int = 0
    questions: int = 0
    put_backs: int = 0
    put_backs_recognised: int = 0
    slot_reads: int = 0
    wrong_reads: int = 0
    unknown_reads: int = 0
    reveals: int = 0
    reveals_right: int = 0
    payouts: int = 0
    """Hands at whose end chips were paid out; none in games without chips."""
    payouts_right: int = 0
    """Those after which every seat has what it has won, to the chip."""
    frames: int = 0
    cpu_seconds: float = 0.0
    delays: list[float] = field(default_factory=list)
    """Seconds of virtual time from the last card at rest to the ruling on the page."""
    notes: list[str] = field(default_factory=list)
    """What went wrong, in the order of the games; for people who look for the cause."""

    def add(self, other: Figures) -> None:
        for kind, tally in other.violations.items():
            mine = self.violations.setdefault(kind, Tally())
            mine.made += tally.made
            mine.caught += tally.caught
            mine.misnamed += tally.misnamed
        for name in self.__dataclass_fields__:
            if name != "violations":
                setattr(self, name, getattr(self, name) + getattr(other, name))

    def to_json(self) -> dict[str, Any]:
        plain = {name: getattr(self, name) for name in self.__dataclass_fields__ if name not in UNTOLD}
        plain["violations"] = {
            kind: {"made": tally.made, "caught": tally.caught, "misnamed": tally.misnamed}
            for kind, tally in self.violations.items() if tally.made
        }
        plain["payouts_right"] = self.payouts_right if self.payouts else None
        plain["cpu_seconds"] = round(self.cpu_seconds, 2)
        plain["settle_to_ruling_ms"] = {"p50": percentile(self.delays, 0.5), "p95": percentile(self.delays, 0.95)}
        return plain


def percentile(seconds: Sequence[float], share: float) -> float | None:
    """The smallest delay, in milliseconds, that `share` of all delays do not exceed; None without any."""
    if not seconds:
        return None
    ordered = sorted(seconds)
    return round(1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))], 1)


@dataclass(slots=True)
class Turn:
    """One turn that was really made."""

    action: Mapping[str, Any]
    """In the shape of the game's records."""
    asked: bool = False
    excused: bool = False
    """The rules specification (1.11) calls it invisible to this rig: a question is no fault."""


LoggedAction = tuple[str, Mapping[str, Any] | None]
"""Kind of a log entry (``action``, ``undone``, ...) and the action it is about."""


def logged(game: Game[Any], log: Iterable[LogEntry]) -> tuple[LoggedAction, ...]:
    """The log of a sitting for counting; what people did beside the game's actions is no action here."""

    def told(action: Action | None) -> Mapping[str, Any] | None:
        return None if action is None or isinstance(action, BESIDE_THE_RULES) else game.action_to_json(action)

    return tuple((entry.kind, told(entry.action)) for entry in log)


TURN_TYPES = frozenset({"draw", "steal", "take", "pass"})
"""What is a turn in Five Card Steal."""


def accepted(log: Iterable[LoggedAction], types: Container[str] = TURN_TYPES) -> list[str]:
    """The turns that stand at the end of a log, each as canonical JSON; `types`: which actions are turns."""
    standing: list[str] = []
    for kind, action in log:
        if action is None or action.get("type") not in types:
            continue
        text = json.dumps(dict(action), sort_keys=True)
        if kind in ("action", "redone"):
            standing.append(text)
        elif kind == "undone" and text in standing:
            del standing[len(standing) - 1 - standing[::-1].index(text)]
    return standing


def right_turns(turns: Sequence[Turn], log: Iterable[LoggedAction], types: Container[str] = TURN_TYPES) -> int:
    """How many of the turns made stand in the log, in order, without a question (unless it is excused)."""
    truth = [json.dumps(dict(turn.action), sort_keys=True) for turn in turns]
    blocks = SequenceMatcher(None, truth, accepted(log, types), autojunk=False).get_matching_blocks()
    matched = [turns[block.a + offset] for block in blocks for offset in range(block.size)]
    return sum(1 for turn in matched if turn.excused or not turn.asked)


def count_reads(figures: Figures, pairs: Iterable[tuple[Seen, Seen]]) -> list[tuple[Seen, Seen]]:
    """Compare (truth, reading) pairs of places at rest; return the wrong ones."""
    wrong = []
    for truth, reading in pairs:
        figures.slot_reads += 1
        if reading in NOT_CLAIMED:
            figures.unknown_reads += 1
        elif reading != truth:
            figures.wrong_reads += 1
            wrong.append((truth, reading))
    return wrong


def in_short(move: MoveView | None) -> str:
    """A move for a note."""
    if move is None:
        return "nothing"
    numbers = [move.seat, move.victim, move.victim_slot, move.slot]
    return " ".join((move.kind, *(str(number) for number in numbers if number is not None)))


@dataclass(slots=True)
class Witness:
    """Looks at every view that the table shows and counts questions and accusations as they appear."""

    figures: Figures
    cheat: str | None = None
    """Kind of the violation that stands on the table now."""
    charged: str | None = None
    """The first kind that the table named for it."""
    doubted: bool = False
    """The table asked whether it is right or the screen: after a failure or a restart nobody is accused."""
    tapped: bool = False
    """It was only tapped."""
    turn: Turn | None = None
    """The turn that is being made."""
    _questions: set[int] = field(default_factory=set)
    _accused: bool = False

    def see(self, view: View) -> None:
        if view.question is not None and view.question.id not in self._questions:
            self._questions.add(view.question.id)
            self.figures.questions += 1
            choices = ", ".join(in_short(choice) for choice in view.question.choices)
            self.figures.notes.append(f"{view.time:.1f}: asked {view.question.kind}: {choices}")
            self.doubted = self.doubted or (self.cheat is not None and view.question.kind == "differs")
            if self.turn is not None:
                self.turn.asked = True
        accused = view.violation is not None
        if view.violation is not None and not self._accused:
            self._accuse(view.time, view.violation.error)
        self._accused = accused

    def _accuse(self, time: float, error: str) -> None:
        if self.cheat is None:
            self.figures.false_accusations += 1
            self.figures.notes.append(f"{time:.1f}: falsely {error} (turn {self.turn})")
        elif self.charged is None:
            self.charged = error

    def refuse(self, reason: str) -> None:
        """Something that was tapped was refused, and the page says why."""
        if self.tapped and self.charged is None:
            self.charged = reason

    def begin(self, kind: str, tapped: bool = False) -> None:
        """A violation of this kind is being committed; with a tap, which can be refused, or with cards, which cannot."""
        self.cheat, self.charged, self.doubted, self.tapped = kind, None, False, tapped
        self.figures.violations.setdefault(kind, Tally()).made += 1

    def end(self) -> None:
        """Everything lies again as the rules allow."""
        if self.cheat is None:
            return
        tally = self.figures.violations[self.cheat]
        if self.charged == self.cheat:
            tally.caught += 1
        elif self.charged is not None:
            tally.misnamed += 1
            self.figures.notes.append(f"{self.cheat} was called {self.charged}")
        else:
            self.figures.notes.append(f"{self.cheat} was {'asked about' if self.doubted else 'missed'}")
        self.cheat, self.tapped = None, False
