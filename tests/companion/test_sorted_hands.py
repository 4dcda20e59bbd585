"""Hands of draw that were sorted before any camera looked: nobody is accused, and what else was done is judged for itself."""

from companion.cards import DECK, Mark
from companion.games import find_game
from companion.games.poker_acts import Check, Discard, Sort
from companion.observation import Claim, Declaration
from companion.picture import RowSight
from companion.sitting import Seat, Sitting
from companion.table import SLOTS, slot
from tests.companion.looking import Looking

SWAPPED = (2, 1, 3, 4, 5)


class Table(Looking):
    """Three players of draw with a mat each, dealt from the deck's top, hand by hand."""

    def __init__(self):
        super().__init__()
        self.pile = list(DECK)
        seats = [Seat(name, "mat") for name in ("Anna", "Ben", "Cleo")]
        self.sitting = Sitting(find_game("draw"), seats, {"dealer": 2}, row_sight=RowSight.NONE, clock=lambda: self.time)
        self.seen = {slot(seat, number): self.pile.pop(0) for seat in range(3) for number in SLOTS}
        self.wait(4.0)

    def tap(self, action):
        receipt = self.sitting.post(Declaration(self.time, action.seat, Claim(action)))
        self.sitting.work()
        assert not receipt.refusal, receipt.refusal

    def at_once(self, seat, hand, seconds=10.0):
        """The cards of a seat lie otherwise at the next look."""
        self.seen |= {slot(seat, number): card for number, card in zip(SLOTS, hand, strict=True)}
        return self.wait(seconds)

    def hand(self, seat):
        return [self.seen[slot(seat, number)] for number in SLOTS]

    @property
    def moves(self):
        return [entry.action for entry in self.sitting.log() if entry.kind == "action" and not isinstance(entry.action, Check)]


def in_the_draw():
    table = Table()
    for seat in range(3):
        table.tap(Check(seat))
        table.wait(0.5)
    assert table.sitting.view().current == 0
    return table


def test_sorted_and_exchanged_between_two_looks():
    table = in_the_draw()
    a, b, c, d, _ = table.hand(0)
    view = table.at_once(0, [b, a, c, d, table.pile.pop()])
    assert (view.violation, view.question, view.current) == (None, None, 1)
    assert table.moves == [Sort(0, SWAPPED), Discard(0, (5,))]


def test_sorted_and_exchanged_where_the_exchange_was_tapped_before_a_camera_looked():
    table = in_the_draw()
    a, b, c, d, _ = table.hand(0)
    table.tap(Discard(0, (5,)))
    view = table.at_once(0, [b, a, c, d, table.pile.pop()])
    assert (view.violation, view.question, view.current) == (None, None, 1)
    assert table.moves[-2:] == [Sort(0, SWAPPED), Discard(0, (5,))]


def test_a_card_that_comes_back_in_another_slot_was_not_sorted_before():
    """The same cards would lie there if it had been kept, and the one that it lies in the place of thrown instead."""
    table = in_the_draw()
    a, b, c, d, e = table.hand(0)
    new = table.pile.pop()
    table.at_once(0, [new, b, c, d, e])
    assert table.moves == [Discard(0, (1,))]
    view = table.at_once(0, [new, a, c, d, e])
    assert view.violation is not None and view.violation.error == "card_returned"


def test_one_sorts_while_another_breaks_a_rule():
    table = in_the_draw()
    a, b, *rest = table.hand(2)
    table.seen |= {slot(2, 1): b, slot(2, 2): a}
    view = table.at_once(1, [table.pile.pop(), *table.hand(1)[1:]])
    assert table.moves == [Sort(2, SWAPPED)] and rest
    assert view.violation is not None and (view.violation.error, view.violation.seat) == ("drew_out_of_turn", 1)


def test_a_sort_stands_beside_what_somebody_else_does_then():
    """The picture is that of the sort and of more: it must not be waited for until it is that of the sort alone."""
    table = in_the_draw()
    a, b, *_ = table.hand(2)
    table.seen |= {slot(2, 1): b, slot(2, 2): a}
    table.wait(1.5)
    assert table.moves == [Sort(2, SWAPPED)]
    view = table.at_once(1, [table.pile.pop(), *table.hand(1)[1:]])
    assert view.violation is not None and view.violation.error == "drew_out_of_turn"


def test_who_sorts_right_before_the_last_bet_is_not_accused_after_it():
    table = in_the_draw()
    for seat in range(3):
        table.tap(Discard(seat, ()))
        table.wait(0.5)
    for seat in range(3):
        table.tap(Check(seat))
    a, b, *rest = table.hand(1)
    view = table.at_once(1, [b, a, *rest])
    assert view.phase == "over" and view.violation is None
    assert table.moves[-1] == Sort(1, SWAPPED)
    other = table.pile.pop()
    view = table.at_once(1, [other, a, *rest])
    assert view.violation is not None and view.violation.error == "hand_over"


def test_an_empty_slot_beside_a_sort_is_told_for_itself():
    table = in_the_draw()
    a, b, *_ = table.hand(2)
    table.seen |= {slot(2, 1): b, slot(2, 2): a}
    table.at_once(1, [Mark.EMPTY, *table.hand(1)[1:]], 60.0)
    view = table.sitting.view()
    assert view.violation is not None and (view.violation.error, view.violation.seats) == ("slot_empty", (1,))


def test_a_card_of_another_hand_was_not_exchanged_with_the_pile():
    table = in_the_draw()
    (a, b, c, d, e), (f, *others) = table.hand(0), table.hand(1)
    table.seen |= {slot(1, 1): e}
    view = table.at_once(0, [b, a, c, table.pile.pop(), f])
    assert table.moves == [] and d and others
    assert view.violation is not None and view.violation.error == "unexplained_change"
