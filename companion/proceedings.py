"""What a referee keeps: turns, violations, questions, the log; and how patient he is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic

from companion.cards import Card, Held, Seen
from companion.games.base import S
from companion.limits import KEPT_S
from companion.observation import Call, Correct, Reseat, Rewind
from companion.rulings import Action, Change, Placement, Ruling
from companion.table import Place

SEEN, OTHER = "seen_elsewhere", "seen_other"
"""Kinds of questions about a card that was typed at the reveal: it was seen elsewhere, or another one was seen there."""
TYPED = (SEEN, OTHER)


@dataclass(frozen=True, slots=True)
class Timing:
    """How patient the referee is; seconds of capture time."""

    confirm: float = 0.2
    """A legal action is named when nothing has moved at its places for so long."""
    finish: float = 2.5
    """The same while the actor holds more of his own cards."""
    undone: float = 1.0
    """A turn counts as taken back when the table has been as before for so long."""
    tidy: float = 4.0
    """After so long without a press the turn stands, and a second action is a second action."""
    accuse: float = 1.5
    """Nobody is accused before the places have been still for so long."""
    second_look: float = 2.5
    """The same for a card that cannot be there, which may be a misreading."""
    patience: float = 6.0
    """How long a move that can still become legal may stay unfinished."""
    hold: float = KEPT_S
    """How long a card may be out of its slot while cards may be looked at."""
    hold_hard: float = 12.0
    """The same in hard mode, where it may not."""
    peek: float = 2.0
    peek_current: float = 6.0
    """A lift by the seat to act may be the beginning of its move."""
    ask: float = 3.0
    """No question before the places have been still for so long."""
    ask_tap: float = 20.0
    """A seat that plays by tap gets longer to declare what it did."""
    dealt: float = 1.0
    """A deal is complete when all slots have been still for so long."""
    begin: float = 8.0
    """A bot does not begin the game before everybody has left the cards alone for so long."""
    press: float = 1.0
    """A press counts when what it announces has had so long to become visible."""
    press_lapses: float = 8.0
    hold_pressed: float = 12.0
    """How long a card may be out of its slot whose player has pressed meanwhile."""
    unread: float = 12.0
    """How long a move waits for its player's other cards, where nobody can read what he has laid on the row."""


@dataclass(frozen=True, slots=True)
class Turn(Generic[S]):
    """An accepted action between two states."""

    action: Action
    before: S
    after: S
    at: float
    closed: str = ""
    """What made it final: ``press``, ``act`` (the next player acted) or ``time``; empty while it may be taken back."""
    by_hand: bool = False
    """It was declared, not seen."""
    ordered: bool = False
    """The companion has chosen it, for a bot: nobody carried it out before, and nobody changes his mind about it."""
    pliable: bool = False
    """Its player has tapped it and moves the cards himself: he may still give away another card."""


@dataclass(frozen=True, slots=True)
class Violation:
    """A ruling against what is seen, and what would put it right."""

    ruling: Ruling
    since: float
    remedy: tuple[Placement, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """Something that could not be seen."""

    id: int
    kind: str
    choices: tuple[Action | None, ...]
    since: float
    seat: int | None
    places: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True)
class AsItLies(Action):
    """The table was taken as it lies, though no action of the game explains it."""

    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Seating(Action):
    """A player has left, or somebody has sat down there again."""

    seat: int
    away: bool


@dataclass(frozen=True, slots=True)
class Typed(Action):
    """A card that somebody has typed at the reveal, as an answer to the question whether it is really this one."""

    place: Place
    card: Card


@dataclass(frozen=True, slots=True)
class Step:
    """An action that people carry out after undo or redo."""

    action: Action
    back: bool
    """It is taken back; else it is done again."""


@dataclass(frozen=True, slots=True)
class Errand:
    """An action that was declared, or an undo, and still has to be carried out with the cards."""

    seat: int | None
    """Whose button says that it is done, where no camera can see it."""
    slots: tuple[Place, ...]
    """The slots whose cards have to move; the row as well, where it is watched."""
    seen: bool
    """A camera can see when it is done."""
    restores: tuple[Place, ...] = ()
    """Where things are put back as the screen has them; ``row(1)`` stands for the row.  Empty for an action."""
    steps: tuple[Step, ...] = ()
    """After undo and redo: the actions that people have to take back, or to do again, in this order."""
    turn_down: tuple[Place, ...] = ()
    """Cards that were shown already and have to be hidden again."""


@dataclass(frozen=True, slots=True)
class Stop:
    """Somebody wants something settled: nothing is judged until play goes on."""

    seat: int
    """From where it was called."""
    since: float
    seen: Change
    """What lay where at that moment."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """Something that everybody at the table has to agree with before it is done."""

    id: int
    what: Call | Rewind | Reseat | Correct
    seat: int
    since: float
    agreed: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Trust:
    """A place where people know better than the camera, until the card there is moved."""

    place: Place
    claimed: Seen | None = None
    """What the camera claims of it."""
    anew: bool = False
    """The card has to be lifted and laid back: then it is read anew, and the camera is believed again."""
    lifted: bool = False


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One line of what the referee said, for the record."""

    time: float
    kind: str
    """``action``, ``undone``, ``redone``, ``violation``, ``cleared``, ``question``, ``answer``, ``entered``,
    ``entered_hidden`` (by its owner), ``corrected``, ``reseat``, ``reread``, ``as_it_lies``, ``as_shown``, ``stopped``,
    ``went_on``, ``proposed``, ``refused``, ``left``, ``returned`` or ``result``."""
    action: Action | None = None
    ruling: Ruling | None = None
    seat: int | None = None
    """Who called for it, where that matters; who has left or come back."""
    places: tuple[Place, ...] = ()
    old: Held | None = None
    """What was corrected; it stays beside what it was corrected to."""
    new: Held | None = None
    reason: str = ""
