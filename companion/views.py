"""What one role may know of the table: the only door to page, bus, voice, lamps and log."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Role(Enum):
    """Who looks.  Nobody but a seat itself, and only by house rule, sees a hidden card before the reveal."""

    SPECTATOR = "spectator"
    SEAT = "seat"
    """A player's own phone."""
    TABLE = "table"
    """The screen that stands on the table and belongs to everybody at it."""
    REFEREE = "referee"
    PUPPETEER = "puppeteer"
    """Moves the cards of a virtual table; there is none at a real one."""


class SlotShows(Enum):
    """What the table may say of one slot of a mat, without naming a card."""

    UNWATCHED = "unwatched"
    """Nobody looks: the seat plays by tap."""
    LYING = "lying"
    OUT = "out"
    """Lifted, held or empty."""
    BUSY = "busy"
    """A hand or a moving card is over it."""
    UNCERTAIN = "uncertain"
    """A card lies there and cannot be read."""
    REVEALED = "revealed"


@dataclass(frozen=True, slots=True)
class SlotView:
    number: int
    shows: SlotShows
    card: str | None = None
    """Card text, only when it may be known."""
    open: bool = False
    """Its card lies face up, and nobody has read it."""
    bare: bool = False
    """No card lies there by agreement: none was dealt, or the hand was given up."""


@dataclass(frozen=True, slots=True)
class SeatView:
    seat: int
    name: str
    source: str
    """``mat``, ``tap`` or ``bot``."""
    slots: tuple[SlotView, ...]
    away: bool = False
    """The player has left (his turns are passed over)."""
    category: str | None = None
    """Name of the hand's category once all of it is revealed."""
    by_hand: bool = False
    """It has a mat whose camera does not see, so its moves are tapped until it does."""
    bets: bool = False
    """Some of its moves are tapped although a camera looks at its mat: no camera sees them."""

    @property
    def taps(self) -> bool:
        """Whether the seat's moves are entered by tap now, if not all of them."""
        return self.source == "tap" or self.by_hand or (self.bets and self.source == "mat")


@dataclass(frozen=True, slots=True)
class TroubleView:
    """A camera that does not see."""

    kind: str
    """A value of `TroubleKind`."""
    seat: int | None
    """Whose mat it should look at; None: the tray."""
    other: int | None = None
    """Of another board: the seat whose mat shows instead, if it is one's."""
    by_hand: bool = False
    """People say what happens there until it sees again."""


@dataclass(frozen=True, slots=True)
class LockView:
    """A running steal-back lock, by place and never by card."""

    victim: int
    thief: int
    slot: int | None
    """The thief's slot in which the card lies, None where it has moved on."""
    turns_left: int


@dataclass(frozen=True, slots=True)
class MoveView:
    """An action by its places, never by its cards."""

    kind: str
    """The game's name of the action, such as ``draw``, ``discard`` (drawn and laid on the row), ``steal``, ``take``."""
    seat: int | None
    slot: int | None = None
    """The acting seat's own slot."""
    victim: int | None = None
    victim_slot: int | None = None
    provisional: bool = False
    """It may still be taken back: the next player has touched nothing yet."""
    by_hand: bool = False
    """It was declared by tap, not seen."""
    amount: int = 0
    """Chips that it names, or cards that were exchanged; 0 for none."""
    slots: tuple[int, ...] = ()
    """Own slots, where it changes several."""


@dataclass(frozen=True, slots=True)
class PotView:
    """Chips in the middle that the same seats can win."""

    amount: int
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class BetView:
    """Something that the seat in turn may do with one tap, or after saying how many chips."""

    offer: int
    """Its id among the offers of the seat."""
    kind: str
    amount: int = 0
    """Chips that it names, or the least where they may be chosen; 0 for none."""
    most: int = 0
    """Where the amount may be chosen: up to so many."""
    all_in: bool = False
    marks: tuple[tuple[str, int], ...] = ()
    """Amounts between the two that have a name: ``least``, ``half`` and ``pot`` (what lies in the middle), ``all_in``."""


@dataclass(frozen=True, slots=True)
class ChipsView:
    """The chips of a game that is played for some.  All of it is public."""

    stacks: tuple[int, ...]
    """Per seat."""
    bets: tuple[int, ...]
    """Per seat what it has put in during the round of betting."""
    pots: tuple[PotView, ...]
    """The main pot and the side pots, this round's bets apart while it is open."""
    dealer: int
    street: int = 0
    """Which round of betting it is, from 1; 0 between two."""
    streets: int = 0
    drawing: bool = False
    """Cards are exchanged now, and nobody bets."""
    folded: tuple[int, ...] = ()
    all_in: tuple[int, ...] = ()
    out: tuple[int, ...] = ()
    """Seats that have no chips left and are dealt no cards."""
    declared: tuple[str, ...] = ()
    """Per seat ``high``, ``low`` or nothing, once everybody may know."""
    shows: int | None = None
    """After the end: who shows first."""
    hand: int = 1
    """Which hand of the session it is."""
    score: tuple[int, ...] = ()
    """Per seat its chips before this hand, against those that it began the session with."""
    log: tuple[tuple[int, tuple[int, ...]], ...] = ()
    """After every fifth hand its number and everybody's chips."""
    bets_open: tuple[BetView, ...] = ()
    """What the seat in turn may bet; nothing while cards are exchanged."""


@dataclass(frozen=True, slots=True)
class QuestionView:
    """Something the table could not see and has to ask; answered by a tap (choice number) or, where
    `seat` is given, by that seat's button for the first choice."""

    id: int
    kind: str
    """``which_action``, ``whose_card``, ``reseat``, ``differs``, ``second_look``, ``enter_card``, ``seen_elsewhere`` or
    ``seen_other``.

    ``differs``: `places` are not as the screen has them.  The last choice is that the screen is right and the cards are put
    back; the one before it, where there is one, that the table is right.
    ``seen_elsewhere``: the card that was typed for the first of `places` has been seen in the second one, or out of the game
    where there is none.  ``seen_other``: another one has been seen there.  The first choice is that it is this card."""
    seat: int | None
    choices: tuple[MoveView | None, ...]
    """None stands for "nothing of that"."""
    places: tuple[tuple[int, int], ...] = ()
    """(seat, slot) of the slots that the question is about."""
    row: bool = False
    """It is about the row, too."""
    card: str | None = None
    """The card that somebody has typed for everybody, where the question is about one."""


@dataclass(frozen=True, slots=True)
class PlacementView:
    """One line of a list of things to lay somewhere."""

    kind: str
    """``return_card`` (the card that belongs in the slot has to lie there again), ``clear_slot``, ``row`` (the row has to be
    as it was), ``return_row`` (the same, after a camera was away), ``lay_card`` (a declared action still has to move a card
    here), ``turn_down`` (a card that was shown has to be hidden again) or ``confirm`` (nobody sees the cards of the last
    action: its seat's button says that they lie)."""
    place: tuple[int, int] | None
    """(seat, slot); None: the row."""
    done: bool


@dataclass(frozen=True, slots=True)
class ViolationView:
    error: str
    """Kind of violation, a name of the rules specification."""
    rule: str
    seat: int | None
    seats: tuple[int, ...]
    places: tuple[tuple[int, int], ...]
    remedy: tuple[PlacementView, ...]


@dataclass(frozen=True, slots=True)
class StepView:
    """One action that people carry out with the cards after undo or redo."""

    move: MoveView
    back: bool
    """It is taken back; else it is done again."""


@dataclass(frozen=True, slots=True)
class HomeView:
    """A card that lies in a slot where it does not belong, and where it belongs."""

    place: tuple[int, int]
    """(seat, slot) where it lies."""
    kind: str
    """``slot``, ``row`` or ``removed``."""
    home: tuple[int, int] | None = None
    """(seat, slot) of its own slot."""


@dataclass(frozen=True, slots=True)
class ProposalView:
    """Something that everybody has to agree with before it is done."""

    id: int
    kind: str
    """``go_on``, ``table_right``, ``screen_right``, ``undo`` or ``reseat``."""
    waiting: tuple[int, ...]
    """Seats that have not answered yet."""
    place: tuple[int, int] | None = None
    turns: int = 0
    """For ``undo``: how many actions would be taken back."""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ResultView:
    """The end: known to everybody once all hands are revealed."""

    order: tuple[int, ...]
    winners: tuple[int, ...]
    categories: tuple[str, ...]
    hands: tuple[tuple[str, ...], ...]
    """Per seat the five card texts; none for a hand that was not shown."""
    reason: str
    won: tuple[int, ...] = ()
    """Per seat the chips that it has got; nothing in games without chips."""


@dataclass(frozen=True, slots=True)
class RankView:
    """A hand of which every card lies open, among the others of which that is so too."""

    seat: int
    place: int
    """1 for the best of them; equal hands share a place."""
    behind: int | None = None
    """The seat of the hand before it in the order; None for the best."""
    decides: str = ""
    """Why it loses to that one: ``category``, ``rank``, ``side`` or ``suit``; ``tie`` where it is just as good."""
    better: str = ""
    """Of ranks and suits: the letter of what the better hand has there."""
    worse: str = ""


@dataclass(frozen=True, slots=True)
class HardCase:
    """A card of a hand that was shown, and that the reader found hard."""

    place: tuple[int, int]
    """(seat, slot) where it lay when the picture was taken."""
    home: tuple[int, int]
    """(seat, slot) where it lies now."""
    card: str
    why: str
    """``corrected`` or named by somebody, ``disputed``, ``unread`` at first, or ``doubtful``."""
    picture: int
    """Number of the picture."""
    sure: float
    """How sure the reader was of this card."""
    likely: tuple[tuple[str, float], ...]
    """The reader's most likely faces, best first."""
    looks: int
    agreed: int
    """How many of the looks name the same by themselves."""


@dataclass(frozen=True, slots=True)
class View:
    """The table as one role may know it; a pure function of the sitting's state."""

    version: int
    """Grows with every change; pages use it to know that they are up to date."""
    time: float
    game: str
    phase: str
    turn: int
    current: int | None
    seats: tuple[SeatView, ...]
    row: tuple[str | None, ...]
    """Card texts, oldest first; None where nobody has read the card."""
    pile: int
    removed: int
    ender: int | None
    final_left: tuple[int, ...]
    locks: tuple[LockView, ...]
    last: MoveView | None
    question: QuestionView | None
    violation: ViolationView | None
    awaiting: tuple[PlacementView, ...]
    """Cards that a declared action still has to move (a tapped steal, a bot's move)."""
    revealing: bool
    result: ResultView | None
    paused: bool
    hard_mode: bool = False
    blind: tuple[str, ...] = ()
    """What this rig cannot see: ``discards`` without a tray, ``quick_moves`` with a slow capture period."""
    troubled: tuple[TroubleView, ...] = ()
    """The cameras that do not see, mats by seat, then the tray."""
    deck: str = ""
    """``weak`` where many cards of this deck cannot be read, ``other`` where it is not the taught one; mostly empty."""
    unrecorded: bool = False
    """The record cannot be written; nothing goes on until it can."""
    clock_unset: bool = False
    """The game is recorded, and nobody has set this machine's clock."""
    stopped: bool = False
    """Somebody wants something settled; nothing is judged."""
    proposal: ProposalView | None = None
    undo: int = 0
    """How many actions can be taken back."""
    redo: int = 0
    """How many can be done again."""
    steps: tuple[StepView, ...] = ()
    """What people have to do with the cards after undo and redo, in this order."""
    turn_down: bool = False
    """Hands that were shown have to be hidden again."""
    confirm: bool = False
    """No camera sees whether that is done: somebody says so."""
    homes: tuple[HomeView, ...] = ()
    """Loose cards that lie in a wrong slot."""
    reseat: tuple[tuple[int, int], ...] = ()
    """(seat, slot) of cards that have to be lifted and laid back, so that they are read anew."""
    disagrees: bool = False
    """Cameras see another table than the one that is agreed: either may be declared right."""
    hard: tuple[HardCase, ...] = ()
    """After the result: cards that were hard to read, with what the camera saw of them."""
    pictureless: bool = False
    """Pictures cannot be kept as evidence; play goes on without them."""
    ranking: tuple[RankView, ...] = ()
    """After the end: the hands that are wholly open, best first.  Whoever leads here has not won while others are hidden."""
    unranked: bool = False
    """The game is over because players have left; nobody wins, and no hand has to be shown."""
    to_end: int | None = None
    """So many more discards bring on the end, as this table counts them; None where none can, or the end has begun."""
    waits: str = ""
    """What everybody waits for while nobody in particular has to act: ``upcards``, or ``declare``."""
    told: bool = True
    """Once its result stands the whole game may be told, with every card."""
    actors: tuple[int, ...] = ()
    """The seats that may act now."""
    chips: ChipsView | None = None
    """None in a game without chips."""
