"""What every game tells the rest of the companion.  Everything else knows only this."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from companion.cards import Card, Held, Unknown
from companion.games.margins import Ranked
from companion.games.rulebook import Rulebook
from companion.rulings import Action, Change, Rule, Ruling
from companion.table import SLOTS, Place, TableState, slot
from companion.views import ChipsView, LockView, MoveView


class GameState(Protocol):
    """What tracker, referee and sitting need of any game's state."""

    @property
    def table(self) -> TableState: ...

    @property
    def phase(self) -> str:
        """``setup``, ``play``, ``final`` or ``over``."""
        ...

    @property
    def current(self) -> int | None:
        """Seat to act; None where nobody has to."""
        ...

    @property
    def turn(self) -> int:
        """Number of completed turns."""
        ...


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended."""

    order: tuple[int, ...]
    """Seats, winner first."""
    winners: tuple[int, ...]
    categories: tuple[str, ...]
    """Per seat the name of its hand's category."""
    reason: str
    """What decided between the best two: ``category``, ``rank``, ``suit`` or ``tie``; ``folded`` where all others gave up,
    ``redeal`` where nobody has won and the cards are dealt again."""
    won: tuple[int, ...] = ()
    """Per seat the chips that it has got out of the middle; nothing in games without chips."""
    stacks: tuple[int, ...] = ()
    """Per seat its chips afterwards."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Something that a seat may declare.  It never depends on a hidden card."""

    action: Action
    amount: int = 0
    """Chips that it names; 0 for none."""
    most: int = 0
    """Where the amount may be chosen: up to so many.  The action itself is the one with the least."""
    all_in: bool = False
    """It takes all the chips of the seat."""
    kind: str = ""
    """What its seat is offered it as, where everybody else is told less."""
    marks: tuple[tuple[str, int], ...] = ()
    """Amounts between the two that have a name, as `BetView.marks`."""


@dataclass(frozen=True, slots=True)
class Purses:
    """Where a session that is played for chips stood before a game."""

    before: tuple[int, ...]
    """Chips of each seat."""
    bought: tuple[int, ...]
    """Those that the session began with."""
    ante: int = 0
    hand: int = 1
    """Which hand of the session it is."""
    log: tuple[tuple[int, tuple[int, ...]], ...] = ()
    """After every fifth hand its number and everybody's chips."""


@dataclass(frozen=True, slots=True)
class PublicState:
    """The part of a game's state that names no card and that everybody may know."""

    ender: int | None = None
    final_left: tuple[int, ...] = ()
    locks: tuple[LockView, ...] = ()
    away: tuple[int, ...] = ()
    discards: int = 0
    """How many discards count towards the end."""
    end_discards: int = 0
    """So many bring it on; 0 where discards do not end the game."""
    unranked: bool = False
    """The game was broken off because players have left: nobody wins, and no hand has to be shown."""
    waits: str = ""
    """What everybody waits for while nobody in particular has to act: ``upcards`` that have to be read, or ``declare``."""
    chips: ChipsView | None = None
    """None in a game without chips."""


S = TypeVar("S", bound=GameState)


class Game(ABC, Generic[S]):
    """One game.  Its state is a frozen value; every method is pure."""

    name: str
    aliases: tuple[str, ...] = ()
    seats: range
    """How many seats can play, for example ``range(3, 6)``."""
    asked: Mapping[str, tuple[bool | int | str, ...]] = {}
    """House rules that people are asked for before a game, with what they take, the usual value first."""
    strict: Mapping[str, bool | int | str] = {}
    """Those of them that a club plays otherwise."""
    moves: tuple[str, ...] = ()
    """Kinds of moves that history tells, as `MoveView.kind`; sorting, starting, leaving and coming back are none."""
    session: tuple[str, ...] = ()
    """Options that say where a table stands between two games, and are no house rules."""
    taps: bool = False
    """Some moves are declared by tap at every seat, because no camera could see them."""
    upcards: bool = False
    """Cards lie open in hands while it is played."""
    told: bool = True
    """Once the result stands the whole game may be told, with every card; else what was not shown stays hidden for good."""

    @abstractmethod
    def options(self, given: Mapping[str, Any]) -> Any:
        """Check the option values of the rules specification; raise `OptionError` naming option, value and what is allowed."""

    @abstractmethod
    def start(self, seats: int, options: Any, deck: tuple[Held, ...] | None = None) -> S:
        """The state after the deal.  `deck` has the top card first; None stands for 52 unknown cards."""

    @abstractmethod
    def places(self, seats: int) -> tuple[Place, ...]:
        """Every place at which a camera may look during this game."""

    @abstractmethod
    def legal_actions(self, state: S) -> Iterator[Action]:
        """Every action that `judge` calls legal now; where an amount is open, that with the least and that with the greatest."""

    def actors(self, state: S) -> tuple[int, ...]:
        """The seats that may act now."""
        return () if state.current is None else (state.current,)

    def choices(self, state: S, seat: int, watched: bool) -> Iterator[Choice]:
        """What `seat` may declare by tap now; `watched`: a camera looks at its mat and sees by itself what is done with cards."""
        if seat in self.actors(state):
            yield from (Choice(action) for action in self.legal_actions(state) if action.seat == seat)

    def sized(self, action: Action, amount: int) -> Action:
        """`action` with another amount, where it leaves that open."""
        return action

    def settles(self, action: Action) -> bool:
        """Whether an action stands as soon as it is declared: it moves no card by which its player could change his mind."""
        return False

    def shown(self, state: S) -> frozenset[Place]:
        """The slots whose cards lie face up, so that everybody sees them, whatever the state of the game."""
        return frozenset()

    def to_show(self, state: S) -> tuple[Place, ...]:
        """The slots whose cards have to be turned over after the end."""
        return tuple(slot(seat, number) for seat in range(len(state.table.hands)) for number in SLOTS)

    @abstractmethod
    def judge(self, state: S, action: Action) -> Ruling:
        """LEGAL, or ILLEGAL with the first error in the order of the rules specification."""

    def rule_of(self, action: Action) -> str:
        """The id of the rule that allows an action; empty where none is named."""
        return ""

    def rule_against(self, error: str) -> Rule | None:
        """The rule that a violation of this kind breaks; None for a kind that the game does not know."""
        return None

    @abstractmethod
    def rulebook(self, seats: int, options: Any) -> Rulebook:
        """The rules for so many seats under options that `options` has checked: a paragraph for every id that rulings cite."""

    @abstractmethod
    def after(self, state: S, action: Action) -> S:
        """The state after a legal `action`."""

    @abstractmethod
    def explain(self, state: S, change: Change) -> Ruling:
        """Name what happened between `state` and the quiet picture of `change`."""

    def explain_without(self, state: S, change: Change, ruled_out: Container[Action]) -> Ruling:
        """The same where some actions are known not to have happened: people have denied them, or a bot announces its own."""
        return self.explain(state, change)

    @abstractmethod
    def could_become(self, state: S, change: Change) -> bool:
        """Whether further moves can still turn `change` into something legal, so that waiting is worthwhile."""

    def opened(self, state: S) -> S:
        """The state in which the first action can be judged: a start that the players only imply is made here."""
        return state

    @abstractmethod
    def under(self, state: S, options: Any) -> S:
        """The same state under other options, as `options` checks them; for judging a game again."""

    def unshown(self, option: str) -> str:
        """Why judging a finished game again does not show all that an option would change; empty where it does.

        ``told``: no ruling depends on it.  ``setup``: it bears on what is done before the first action.  ``deal``: on the deal.
        ``looks``: on looks at cards.  ``penalty``: on turns that would have been lost.  ``limit``: it does nothing any more
        once the end has begun.
        """
        return ""

    def redealt(self, state: S) -> S:
        """The state after a fresh deal of unknown cards with the same seats and options."""
        return state

    @abstractmethod
    def laid(self, state: S, table: TableState) -> S:
        """The same state with its cards lying as in `table`: players have sorted their hands."""

    def seated(self, state: S, seat: int, away: bool) -> S:
        """The state after the player of `seat` has left (`away`), or somebody has sat down there again."""
        return state

    def penalty(self, state: S, ruling: Ruling) -> Action | None:
        """What an illegal act costs beside being put back, by option; None where putting it back is all."""
        return None

    def empties(self, state: S, seat: int, slots: tuple[Place, ...]) -> bool:
        """Whether a player who presses while just these slots of his are empty has done with that what he meant to do."""
        return False

    def invisible(self, state: S) -> tuple[Action, ...]:
        """Legal actions of the current seat that leave no trace where nothing sees the row."""
        return ()

    @abstractmethod
    def learn(self, state: S, unknown: Unknown, card: Card) -> S:
        """The state after `unknown` was read as `card`, wherever it or a lock on it stands."""

    @abstractmethod
    def public(self, state: S) -> PublicState:
        """What everybody may know of the game's own affairs, beside the row and the counts of cards."""

    @abstractmethod
    def move_view(self, action: Action) -> MoveView:
        """The action by its places."""

    @abstractmethod
    def result(self, state: S) -> Result | None:
        """The result when the game is over and every hand is known, else None."""

    def ranked(self, state: S, hands: Sequence[Sequence[Card]]) -> tuple[Ranked, ...]:
        """The order of some whole hands of a game that is over, while others may still be hidden; nothing where the game does
        not rank hands before all of them are known."""
        return ()

    def ranking(self, options: Any) -> str:
        """How hands are compared in the end, as `companion.scoring.RANKINGS` names it."""
        return "suits"

    def purses(self, seats: int, options: Any) -> Purses | None:
        """The chips before a game under these options; None in a game without."""
        return None

    @abstractmethod
    def next_options(self, state: S) -> Any:
        """The options of the next game at the same table."""

    @abstractmethod
    def records(self) -> tuple[type, ...]:
        """The classes of which this game's states and actions are made, for the record of a game."""

    @abstractmethod
    def action_to_json(self, action: Action) -> dict[str, Any]: ...

    @abstractmethod
    def action_from_json(self, data: Mapping[str, Any]) -> Action:
        """Raise `RecordError` for anything malformed."""
