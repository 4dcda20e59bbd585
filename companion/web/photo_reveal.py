"""The reveal of a game from photographs: which seats want cards, whose each hand may be, and how a hand is entered.

Hands are entered by the same declarations as by taps, and the table refuses them as it refuses taps.  Nothing here knows a hidden
card: whose a hand is, is told by open cards alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from companion.announcements import Translator, card_words, refusal_words, seat_name
from companion.cards import Card
from companion.inbox import Receipt
from companion.observation import Declaration, Entry
from companion.scoring import HAND, ReadHand
from companion.table import slot
from companion.views import SeatView, SlotShows, View
from companion.web.answers import settled
from companion.web.gate import Visitor
from companion.web.scene import UNREAD, may_enter
from companion.web.table import LiveTable
from companion.web.taps import where_open
from companion.words.photo import entered_words, not_entered_words


def wanting(view: View, visitor: Visitor) -> tuple[SeatView, ...]:
    """The seats for which `visitor` may enter cards now: at the reveal, where some card is open to nobody's eye."""
    return tuple(seat for seat in view.seats if visitor.may_act_for(seat.seat) and unread(seat, view))


def unread(seat: SeatView, view: View) -> tuple[int, ...]:
    """The slots of a seat whose cards no camera has read and nobody has entered."""
    question = view.question
    asked = question.places if question is not None and question.kind == "enter_card" else ()
    return tuple(
        one.number for one in seat.slots
        if may_enter(one, view) and (one.shows in UNREAD or (seat.seat, one.number) in asked)
    )  # fmt: skip


def open_cards(seat: SeatView) -> frozenset[str]:
    """The cards of a seat that everybody sees."""
    return frozenset(one.card for one in seat.slots if one.shows is SlotShows.REVEALED and one.card is not None)


def likely_seats(view: View, hands: Sequence[ReadHand], seats: Sequence[SeatView]) -> tuple[int | None, ...]:
    """Whose each hand is, as far as open cards tell it, or as only one hand and one seat are left."""
    shared = {
        (seat.seat, number): len(open_cards(seat) & {str(card) for card in hand})
        for seat in view.seats for number, hand in enumerate(hands)
    }  # fmt: skip
    found: dict[int, int] = {}
    for (seat, number), count in sorted(shared.items(), key=lambda item: (-item[1], item[0])):
        if count and number not in found and seat not in found.values():
            found[number] = seat
    left = [number for number in range(len(hands)) if number not in found]
    free = [seat.seat for seat in seats if seat.seat not in found.values()]
    if len(left) == len(free) == 1:
        found[left[0]] = free[0]
    wanted = {seat.seat for seat in seats}
    return tuple(found[number] if found.get(number) in wanted else None for number in range(len(hands)))


@dataclass(slots=True)
class Entered:
    """What becomes of one hand that is entered for a seat."""

    seat: int
    counts: Counter[str] = field(default_factory=Counter)
    posted: list[tuple[Card, Receipt]] = field(default_factory=list)
    refused: list[tuple[Card, str]] = field(default_factory=list)
    """Cards with the kind of the refusal."""

    def told(self, view: View, say: Translator) -> list[str]:
        """In words, once the table has got to it."""
        for card, receipt in self.posted:
            kind = receipt.refusal if receipt.settled else "pending"
            if kind:
                self.refused.append((card, kind))
            else:
                self.counts["entered"] += 1
        who = seat_name(self.seat, [seat.name for seat in view.seats], say)
        reasons = [
            (card, refusal_words(kind, say, found=card_words(card, say), place=where_open(view, card, say)))
            for card, kind in self.refused
        ]
        return [*entered_words(who, self.counts, say), *not_entered_words(who, reasons, say)]


def enter(table: LiveTable, visitor: Visitor, pairs: Sequence[tuple[int, ReadHand]]) -> tuple[Entered, ...]:
    """Enter hands for seats as taps would, card by card, and wait for the table."""
    view = table.view()
    everywhere = frozenset().union(*(open_cards(seat) for seat in view.seats)) | {card for card in view.row if card}
    entered = tuple(_posted(table, visitor, view, seat, hand, everywhere) for seat, hand in pairs)
    for each in entered:
        for _, receipt in each.posted:
            settled(receipt)
    return entered


def _posted(table: LiveTable, visitor: Visitor, view: View, seat: int, hand: ReadHand, everywhere: frozenset[str]) -> Entered:
    result, here = Entered(seat), view.seats[seat]
    result.counts["unknown"] = hand.count(None)
    if len(hand) != HAND:
        result.counts["number"] = len(hand)
    if len(hand) > HAND:
        return result
    free = list(unread(here, view))
    for card in hand:
        if card is None:
            continue
        if str(card) in open_cards(here):
            result.counts["open"] += 1
        elif str(card) in everywhere:
            result.refused.append((card, "card_elsewhere"))
        elif not free:
            result.counts["no_room"] += 1
        else:
            entry = Entry(slot(seat, free.pop(0)), card)
            result.posted.append((card, table.post(Declaration(table.now(), seat, entry, visitor.role.value))))
    return result
