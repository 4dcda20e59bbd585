"""The quiet part of the table as one picture."""

from companion.cards import DECK, Card, Mark
from companion.observation import Observation, Sighting
from companion.picture import RowSight, Sight, row_is_blind, take_picture
from companion.table import TableState, row, slot
from companion.tracker import Tracker

HANDS = (tuple(DECK[:5]), tuple(DECK[5:10]), tuple(DECK[10:15]))
TABLE = TableState(HANDS, tuple(DECK[17:]), tuple(DECK[15:17]), ())
ALL = (True, True, True)


def look(tracker, shown, start=0.0, looks=12):
    """A tracker after `looks` looks at the places of `shown`."""
    for number in range(looks):
        sightings = tuple(Sighting(place, seen, 0.99) for place, seen in shown.items())
        tracker = tracker.after(Observation(start + number * 0.1, tuple(shown), sightings))
    return tracker


def whole(table=TABLE, positions=9, **changed):
    shown = {slot(seat, k): table.hands[seat][k - 1] for seat in range(3) for k in range(1, 6)}
    for number in range(1, positions + 1):
        shown[row(number)] = table.row[number - 1] if number <= len(table.row) else Mark.EMPTY
    return shown


def test_a_quiet_table_is_seen_whole() -> None:
    picture = take_picture(look(Tracker(), whole()), TABLE, Sight(ALL, RowSight.OVERHEAD), frozenset())
    assert picture.change.mats == HANDS
    assert picture.change.row == TABLE.row
    assert picture.busy == picture.out == ()


def test_an_empty_slot_may_be_a_card_in_a_hand() -> None:
    shown = {**whole(), slot(1, 2): Mark.EMPTY}
    tracker = look(Tracker(), shown)
    held = take_picture(tracker, TABLE, Sight(ALL, RowSight.OVERHEAD), frozenset())
    assert held.change.mats[1][1] is Mark.COVERED
    assert held.out == (slot(1, 2),)
    assert held.unfinished({1})
    assert not held.unfinished({0, 2})
    long = take_picture(tracker, TABLE, Sight(ALL, RowSight.OVERHEAD), frozenset({slot(1, 2)}))
    assert long.change.mats[1][1] is Mark.EMPTY


def test_a_hand_over_one_slot_leaves_the_others_to_be_seen() -> None:
    tracker = look(look(Tracker(), whole()), {slot(0, 1): Mark.COVERED}, start=2.0)
    picture = take_picture(tracker, TABLE, Sight(ALL, RowSight.OVERHEAD), frozenset())
    assert picture.change.mats[0] == (Mark.COVERED, *HANDS[0][1:])
    assert picture.busy == (slot(0, 1),)


def test_a_lift_and_return_is_listed() -> None:
    tracker = look(Tracker(), whole()).vouched(whole())
    tracker = look(tracker, {slot(2, 3): Mark.EMPTY}, start=2.0, looks=3)
    tracker = look(tracker, {slot(2, 3): HANDS[2][2]}, start=3.0)
    picture = take_picture(tracker, TABLE, Sight(ALL, RowSight.OVERHEAD), frozenset())
    assert picture.change.returned == (slot(2, 3),)


def test_a_seat_without_a_camera_is_not_looked_at() -> None:
    picture = take_picture(look(Tracker(), whole()), TABLE, Sight((True, False, True), RowSight.NONE), frozenset())
    assert picture.change.mats[1] == (None,) * 5
    assert picture.change.row is None


def test_a_hand_over_the_tray_hides_the_whole_row() -> None:
    tracker = look(look(Tracker(), whole()), {row(2): Mark.COVERED}, start=2.0)
    picture = take_picture(tracker, TABLE, Sight(ALL, RowSight.OVERHEAD), frozenset())
    assert picture.change.row is None
    assert picture.busy == (row(2),)
    assert picture.unfinished(set())


def test_an_unreadable_card_that_nobody_touched_is_still_the_old_one() -> None:
    tracker = look(Tracker(), whole()).vouched(whole())
    dull = look(tracker, {slot(0, 4): Mark.UNREADABLE}, start=2.0)
    picture = take_picture(dull, TABLE, Sight(ALL, RowSight.OVERHEAD), frozenset())
    assert picture.change.mats[0][3] is Mark.COVERED
    swapped = look(tracker, {slot(0, 4): Mark.COVERED}, start=2.0, looks=3)
    swapped = look(swapped, {slot(0, 4): Mark.UNREADABLE}, start=3.0)
    picture = take_picture(swapped, TABLE, Sight(ALL, RowSight.OVERHEAD), frozenset())
    assert picture.change.mats[0][3] is Mark.UNREADABLE


def backs(count):
    return {row(number): Mark.BACK if number <= count else Mark.EMPTY for number in range(1, 6)}


def test_a_sixth_mat_counts_backs_and_keeps_what_lay_there() -> None:
    tracker = look(Tracker(), {**whole(positions=0), **backs(2)}).vouched(backs(5))
    picture = take_picture(tracker, TABLE, Sight(ALL, RowSight.SCAN), frozenset())
    assert picture.change.row == TABLE.row


def test_a_sixth_mat_names_a_card_by_the_face_it_showed() -> None:
    tracker = look(Tracker(), {**whole(positions=0), **backs(2)}).vouched(backs(5))
    shown = look(tracker, {row(3): DECK[20]}, start=2.0)
    picture = take_picture(shown, TABLE, Sight(ALL, RowSight.SCAN), frozenset())
    assert picture.change.row is None, "a face on the tray's window is a card on its way"
    turned = look(shown, {row(3): Mark.BACK}, start=4.0)
    picture = take_picture(turned, TABLE, Sight(ALL, RowSight.SCAN), frozenset())
    assert picture.change.row == (*TABLE.row, DECK[20])


def test_a_back_that_was_never_scanned_stays_a_back() -> None:
    tracker = look(Tracker(), {**whole(positions=0), **backs(2)}).vouched(backs(5))
    laid = look(tracker, {row(3): Mark.BACK}, start=2.0)
    picture = take_picture(laid, TABLE, Sight(ALL, RowSight.SCAN), frozenset())
    assert picture.change.row == (*TABLE.row, Mark.BACK)


def scan(tracker, table, peak=0):
    return take_picture(tracker, table, Sight(ALL, RowSight.SCAN), frozenset(), peak)


def rowed(count):
    """A table whose row holds `count` cards."""
    return TableState(HANDS, tuple(DECK[15 + count :]), tuple(DECK[15 : 15 + count]), ())


def test_a_hand_passing_over_the_tray_changes_nothing() -> None:
    tracker = look(Tracker(), {**whole(rowed(5), positions=0), **backs(5)}).vouched(backs(5))
    passed = look(look(tracker, {row(1): Mark.COVERED}, start=2.0, looks=3), {row(1): Mark.BACK}, start=3.0)
    assert scan(passed, rowed(5)).change.row == rowed(5).row


def test_the_sixth_discard_takes_the_window_of_the_first() -> None:
    five = rowed(5)
    tracker = look(Tracker(), {**whole(five, positions=0), **backs(5)}).vouched(backs(5))
    pushed = look(tracker, {row(1): Mark.EMPTY}, start=2.0)
    assert scan(pushed, five).change.row is None, "the old card is pushed away, the new one is not there yet"
    shown = look(pushed, {row(1): DECK[30]}, start=4.0)
    turned = look(shown, {row(1): Mark.BACK}, start=6.0)
    assert scan(turned, five).change.row == (*five.row, DECK[30])
    six = TableState(HANDS, (), (*five.row, DECK[30]), ())
    settled = turned.vouched(backs(5))
    assert scan(settled, six).change.row == six.row
    taken = look(settled, {row(1): Mark.EMPTY}, start=8.0)
    assert scan(taken, six, peak=6).change.row == five.row
    assert scan(taken.vouched(backs(5)), five, peak=6).change.row == five.row


def test_two_cards_at_once_are_counted() -> None:
    tracker = look(Tracker(), {**whole(positions=0), **backs(2)}).vouched(backs(5))
    laid = look(tracker, {row(3): Mark.BACK, row(4): Mark.BACK}, start=2.0)
    assert scan(laid, TABLE).change.row == (*TABLE.row, Mark.BACK, Mark.BACK)


def test_a_discard_leaves_no_trace_only_where_nothing_sees_the_row() -> None:
    assert row_is_blind(RowSight.NONE)
    assert not row_is_blind(RowSight.OVERHEAD)
    assert not row_is_blind(RowSight.SCAN)


def test_an_unlooked_place_is_busy() -> None:
    picture = take_picture(Tracker(), TABLE, Sight(ALL, RowSight.OVERHEAD), frozenset())
    assert len(picture.busy) == 15 + 9
    assert isinstance(HANDS[0][0], Card)
