"""A view arranged for the page: what each seat, slot and card place shows.  Pure functions of a spectator's view."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from companion.announcements import (
    Announced,
    Translator,
    announce,
    bet_button_words,
    card_words,
    seat_state_words,
    slot_state_words,
)
from companion.cards import Card
from companion.cues import Cue, Meaning, cues
from companion.views import LockView, SeatView, SlotShows, SlotView, View
from companion.web.todo import Todo, todo
from companion.web.trails import Trail, trail

ROW_PLACES = 5
"""Places of the row that are drawn even while they are empty."""


CALLS = ("misdeal", "leave", "return", "pause", "resume", "undo")
SEAT_CALLS = ("leave", "return")
"""Calls that concern the seat which they name."""


BET_ORDER: Mapping[str, int] = {
    kind: number for number, kind in enumerate(("fold", "check", "call", "bring_in", "declare_high", "declare_low"))
}  # fmt: skip
WAGERS = ("bet", "raise", "complete")

UNREAD = (SlotShows.UNWATCHED, SlotShows.UNCERTAIN)
"""What a slot shows whose hidden card no camera has read."""


@dataclass(frozen=True, slots=True)
class Face:
    """A card that everybody may see."""

    rank: str
    suit: str
    """``c``, ``d``, ``h`` or ``s``."""
    words: str


@dataclass(frozen=True, slots=True)
class SlotScene:
    """One slot of a mat as the page draws it."""

    number: int
    shows: str
    """The value of `SlotShows`."""
    words: str
    face: Face | None
    lamp: str
    """Name of the lamp's pattern, in lower case; ``off`` where it is dark."""
    meaning: str
    """Why the lamp burns; empty where it is dark."""
    locked: int
    """Turns until the card may be stolen back; 0 without a lock."""
    enter: bool
    """Its card may be entered by tap now."""
    own: Face | None = None
    """The visitor's own hidden card, where the house lets phones look at it."""
    names: bool = False
    """The visitor may say which card of his lies there."""


@dataclass(frozen=True, slots=True)
class BetScene:
    """One bet that a seat may make with a tap."""

    text: str
    kind: str
    offer: int
    sized: bool
    """It is asked first how many chips."""
    turn: int
    """When it was offered."""


@dataclass(frozen=True, slots=True)
class SeatScene:
    """One seat as the page draws it."""

    seat: int
    name: str
    source: str
    slots: tuple[SlotScene, ...]
    lamp: str
    meaning: str
    in_turn: bool
    acts: bool
    """Its move can be declared by tap now."""
    presses: bool
    """A press of its button can mean something now, and the seat does not tap its moves."""
    tags: tuple[str, ...]
    hand: str
    away: bool
    place: int = 0
    """Of its hand among those that lie open, from 1; 0 while a card of it is hidden."""
    stack: int | None = None
    """Its chips; None in a game without."""
    bet: int = 0
    """What it has put in during this round of betting."""
    deals: bool = False
    """The dealer button lies before it, as one of its tags says."""
    bets_open: tuple[BetScene, ...] = ()
    """What it may bet now; nothing where its move takes more than a tap and a number."""
    corrects: bool = True
    """A tap on an open card of it may say that it is another one."""


@dataclass(frozen=True, slots=True)
class RowScene:
    """One place of the row: a face, a card that nobody has read, or nothing yet."""

    number: int
    kind: str
    """``face``, ``unread`` or ``free``."""
    face: Face | None
    newest: bool
    last_place: bool
    """The place whose card brings on the end."""
    next_place: bool = False
    """Where the next card will lie."""


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything that the page draws."""

    view: View
    words: Announced
    seats: tuple[SeatScene, ...]
    row: tuple[RowScene, ...]
    asks_cards: bool
    """At the reveal: cards that no camera sees have to be entered by tap."""
    mood: str
    """What colours the page: ``play``, ``setup``, ``alert``, ``question``, ``final``, ``reveal``, ``result``, ``paused``,
    ``stopped``."""
    own: int | None = None
    """The seat of the phone that the page is drawn for; it lies nearest."""
    answers: bool = True
    """The open question may be answered here."""
    calls: tuple[str, ...] = CALLS
    """Calls that may be made here; those of a seat only for the own one, where there is one."""
    keeps: bool = True
    """What concerns the whole table may be done here: cards of the row, links for phones."""
    plays: bool = True
    """Play may be stopped here, and what was proposed may be answered: for the own seat, where there is one."""
    rules: bool = True
    """What a referee decides may be decided here."""
    trail: Trail = field(default_factory=Trail)
    """Which arrows are drawn."""
    todo: Todo = field(default_factory=Todo)
    """What people have to do with the cards."""


def face(text: str, say: Translator) -> Face:
    """The drawn form of a card text; the ten is written ``10``."""
    card = Card.parse(text)
    return Face("10" if card.rank.letter == "T" else card.rank.letter, card.suit.letter, card_words(card, say))


def scene(view: View, say: Translator) -> Scene:
    """Arrange `view`, which has to be a spectator's, for the page."""
    lamps = {(cue.seat, cue.slot): cue for cue in cues(view)}
    words = announce(view, say)
    seats = tuple(_seat(seat, view, words, lamps, say) for seat in view.seats)
    unseen = (SlotShows.UNWATCHED, SlotShows.UNCERTAIN)
    asks_cards = any(may_enter(slot, view) and slot.shows in unseen for seat in view.seats for slot in seat.slots)
    return Scene(
        view, words, seats, _row(view, say), asks_cards, _mood(view), trail=trail(view), todo=todo(view, words)
    )  # fmt: skip


def press_counts(view: View, seat: int) -> bool:
    """Whether the seat's button says anything now: it is in turn, moved last, is asked, or is to confirm."""
    if view.phase == "over":
        return False
    asked = view.question is not None and view.question.seat == seat
    moved = view.last is not None and view.last.seat == seat and (view.last.provisional or bool(view.awaiting))
    return view.current is None or view.current == seat or asked or moved


def _confirms(view: View, seat: int) -> bool:
    """Whether the button of `seat` says that the last action was carried out."""
    waits = any(placement.kind == "confirm" for placement in view.awaiting)
    return waits and view.last is not None and view.last.seat == seat


def _seat(
    seat: SeatView, view: View, words: Announced, lamps: Mapping[tuple[int | None, int | None], Cue], say: Translator
) -> SeatScene:
    lamp = lamps.get((seat.seat, None))
    locks = {lock.slot: lock for lock in view.locks if lock.thief == seat.seat}
    in_turn = (view.current == seat.seat or seat.seat in view.actors) and view.result is None
    quiet = not view.paused and not view.stopped and view.violation is None and view.question is None
    acts = seat.taps and quiet and (in_turn or _may_begin(seat, view))
    return SeatScene(
        seat=seat.seat,
        name=seat.name,
        source=seat.source,
        slots=tuple(_slot(slot, view, lamps.get((seat.seat, slot.number)), locks.get(slot.number), say) for slot in seat.slots),
        lamp=_pattern(lamp),
        meaning="" if lamp is None else lamp.meaning.value,
        in_turn=in_turn,
        presses=press_counts(view, seat.seat) and ((seat.source == "mat" and not seat.by_hand) or _confirms(view, seat.seat)),
        acts=acts,
        tags=seat_state_words(seat, view, say),
        hand=words.hands[seat.seat],
        place=next((rank.place for rank in view.ranking if rank.seat == seat.seat), 0),
        away=seat.away,
        stack=None if view.chips is None else view.chips.stacks[seat.seat],
        bet=0 if view.chips is None else view.chips.bets[seat.seat],
        deals=view.chips is not None and view.chips.dealer == seat.seat,
        bets_open=tuple(_bets_open(view, say)) if acts and view.current == seat.seat else (),
    )


def _bets_open(view: View, say: Translator) -> Iterator[BetScene]:
    """The bets as players lay them out: fold, then check or call, then what is more.  All chips are one of the amounts where
    these may be chosen, and have a button of their own where they may not."""
    offered = () if view.chips is None else view.chips.bets_open
    sized = any(bet.most for bet in offered)
    for bet in sorted(offered, key=lambda bet: BET_ORDER.get(bet.kind, len(BET_ORDER))):
        if bet.most or bet.kind not in WAGERS or not (sized and bet.all_in):
            yield BetScene(bet_button_words(bet, say), bet.kind, bet.offer, bool(bet.most), view.turn)


def _may_begin(seat: SeatView, view: View) -> bool:
    """Whether the seat may be the one that begins: while a deal is not complete nobody knows that yet."""
    return view.phase == "setup" and view.current is None and not seat.away and view.chips is None


def _slot(slot: SlotView, view: View, lamp: Cue | None, lock: LockView | None, say: Translator) -> SlotScene:
    open_card = face(slot.card, say) if slot.shows is SlotShows.REVEALED and slot.card is not None else None
    return SlotScene(
        number=slot.number,
        shows=slot.shows.value,
        words=slot_state_words(slot, say) if open_card is None else open_card.words,
        face=open_card,
        lamp=_pattern(lamp),
        meaning="" if lamp is None else lamp.meaning.value,
        locked=0 if lock is None else lock.turns_left,
        enter=may_enter(slot, view),
    )


def may_enter(slot: SlotView, view: View) -> bool:
    """Whether the slot's card can be entered by tap, while nobody has read it: at the reveal, or where it lies face up."""
    return slot.open or (not slot.bare and view.revealing and view.result is None and slot.shows is not SlotShows.REVEALED)


def _pattern(lamp: Cue | None) -> str:
    return "off" if lamp is None else lamp.pattern.name.lower()


def _row(view: View, say: Translator) -> tuple[RowScene, ...]:
    if view.chips is not None:
        return ()
    count = len(view.row)
    cards = [
        RowScene(i, "unread" if text is None else "face", None if text is None else face(text, say), i == count, False)
        for i, text in enumerate(view.row, 1)
    ]
    end = 0 if view.to_end is None else count + view.to_end
    places = range(count + 1, max(ROW_PLACES, end) + 1)
    return (*cards, *(RowScene(i, "free", None, False, i == end, i == count + 1) for i in places))


def _mood(view: View) -> str:
    for mood, so in (
        ("stopped", view.stopped),
        ("paused", view.paused),
        ("alert", view.violation is not None),
        ("question", view.question is not None),
        ("result", view.result is not None or view.unranked),
        ("reveal", view.revealing),
        ("final", view.phase == "final"),
        ("setup", view.current is None and not view.waits),
    ):
        if so:
            return mood
    return "play"


SLOT_SIGNS: Mapping[str, str] = {
    Meaning.PUT_BACK.value: "↩",
    Meaning.LAY_HERE.value: "↓",
    Meaning.HOME.value: "⌂",
    Meaning.ASKED.value: "?",
    Meaning.TOUCHED.value: "●",
}
"""The sign that says in a shape what a slot's lamp says in light."""
