"""Deeds of the puppeteer: whatever hands can do is done, the cameras find out, and he sees no more than a person would."""

from __future__ import annotations

import pytest

from companion.errors import DeclarationError
from companion.table import PILE, slot
from companion.views import SlotShows
from companion.web.tabletop import DEEDS, Deed
from firmware.virtual.moves import Hands
from firmware.virtual.puppet import MOST_WAITING
from firmware.virtual.sight import MOST_CARDS
from firmware.virtual.world import HandOf
from tests.firmware.virtual.handplayed import HandTable, hand_table


@pytest.fixture
def table():
    with hand_table() as opened:
        yield opened


@pytest.fixture
def dealt(table: HandTable):
    table.do("deal_all")
    table.until(lambda view: all(one.shows is SlotShows.LYING for seat in view.seats for one in seat.slots))
    # The others look at their hands, and lay them back.
    table.until(lambda view: view.current == 0)
    table.run(10.0)
    return table


def faces(table: HandTable, seat: int, cheating: bool = False):
    top = table.puppet.top(cheating)
    return [spot.cards[-1].face if spot.cards else "-" for spot in top.seats[seat]]


def test_cards_are_dealt_one_by_one_and_then_all(table):
    table.do("deal")
    table.do("deal")
    assert [table.top.seats[seat][0].count for seat in range(3)] == [1, 1, 0]
    table.do("deal_all")
    assert [len(table.world.lying(slot(seat, number))) for seat in range(3) for number in range(1, 6)] == [1] * 15
    assert table.do("deal") == "dealt_already"


def test_the_first_card_goes_to_whose_turn_comes_first():
    with hand_table(first_seat=2) as table:
        table.do("deal")
        assert [table.top.seats[seat][0].count for seat in range(3)] == [0, 0, 1]


def test_nobody_sees_a_hidden_card_but_in_his_own_hand(dealt):
    assert faces(dealt, 0) == faces(dealt, 1) == [None] * 5
    own = [str(dealt.world.top(slot(0, number)).face) for number in range(1, 6)]
    assert faces(dealt, 0, cheating=True) == own
    dealt.puppet.do(Deed("lift", ("slot-0-2", "slot-0-4")))
    dealt.at_rest()
    assert [card.face for card in dealt.top.hands[0].cards] == [own[1], own[3]]
    dealt.do("lift", "slot-1-1", seat=2)
    assert [card.face for card in dealt.top.hands[2].cards] == [None], "another's hand shows its back"


def test_cards_go_back_to_the_slots_they_came_from(dealt):
    before = [dealt.world.top(slot(0, number)) for number in range(1, 6)]
    dealt.do("lift", " ".join(f"slot-0-{number}" for number in range(1, 6)))
    assert dealt.view.seats[0].slots[0].shows is SlotShows.OUT
    dealt.do("back")
    assert [dealt.world.top(slot(0, number)) for number in range(1, 6)] == before
    assert dealt.do("back") == "nothing_held"
    dealt.run(6.0)
    assert dealt.view.violation is None


def test_a_card_that_is_laid_on_another_takes_its_place_and_the_old_one_comes_into_the_hand(dealt):
    old = dealt.world.top(slot(0, 2))
    drawn = dealt.world.top(PILE)
    dealt.do("move", "pile", "slot-0-2")
    assert dealt.world.top(slot(0, 2)) == drawn
    assert [laid.piece for laid in dealt.world.lying(HandOf(0))] == [old]
    dealt.do("move", dealt.held()[0], "row")
    view = dealt.until(lambda view: view.turn == 1)
    assert (view.last.kind, view.last.seat, view.last.slot) == ("draw", 0, 2)
    assert view.row == (str(old.face),)


def test_a_card_that_is_turned_over_shows_its_face(dealt):
    dealt.do("turn", "slot-1-1 slot-1-2")
    assert faces(dealt, 1) == [*(str(dealt.world.top(slot(1, number)).face) for number in (1, 2)), None, None, None]
    dealt.do("turn", "slot-1-1 slot-1-2")
    assert faces(dealt, 1) == [None] * 5
    dealt.do("show")
    assert None not in faces(dealt, 0)
    dealt.do("show")
    assert faces(dealt, 0) == [None] * 5


def test_on_top_leaves_what_lies_there(dealt):
    dealt.do("move", "pile", "slot-0-2", on_top=True)
    assert len(dealt.world.lying(slot(0, 2))) == 2
    assert dealt.held() == []


def test_a_theft_is_seen_as_one(dealt):
    dealt.do("move", "slot-2-3", "slot-0-1")
    dealt.do("move", dealt.held()[0], "slot-2-3")
    last = dealt.until(lambda view: view.turn == 1).last
    assert (last.kind, last.victim, last.victim_slot, last.slot) == ("steal", 2, 3, 1)


@pytest.mark.parametrize(
    ("deeds", "error"),
    [
        ((("move", "slot-0-1", "slot-0-2"), ("move", "HELD", "slot-0-1")), "positions_changed"),
        ((("move", "other", "slot-0-1"),), "duplicate_card"),
        ((("move", "joker", "slot-0-1"),), "foreign_card"),
        ((("move", "slot-1-1", "away"),), "slot_empty"),
        ((("move", "slot-1-1", "hand-2"), ("move", "row-1", "pile")), "row_changed"),
    ],
)
def test_whatever_the_rules_say_it_is_done_and_found_out(dealt, deeds, error):
    dealt.do("move", "pile", "row")
    dealt.until(lambda view: view.turn >= 3 and view.current == 0)
    dealt.run(4.0)
    before = dealt.view.turn
    for name, what, to in deeds:
        dealt.do(name, dealt.held()[-1] if what == "HELD" else what, to)
    dealt.until(lambda view: view.violation is not None)
    if error != "duplicate_card":
        # A card of another deck need not have the face of one that lies in sight.
        assert dealt.view.violation.error == error
    dealt.do("restore")
    view = dealt.until(lambda view: view.violation is None and not view.awaiting)
    assert view.turn in (before, before + 1)
    assert view.question is None


def test_a_look_shows_the_card_for_a_while_and_lays_it_back_as_it_lay(dealt):
    before = dealt.world.lying(slot(1, 3))[-1].piece
    dealt.puppet.do(Deed("look", ("slot-1-3",)))
    dealt.until(lambda view: dealt.world.lying(HandOf(0)) != ())
    assert [card.face for card in dealt.top.hands[0].cards] == [str(before.face)]
    dealt.at_rest()
    assert dealt.world.lying(slot(1, 3))[-1].piece == before
    assert dealt.world.lying(slot(1, 3))[-1].face_down


def test_a_look_at_ones_own_card_is_a_peek_in_hard_mode():
    with hand_table(hard_mode=True) as table:
        table.do("deal_all")
        table.until(lambda view: view.current == 0)
        table.run(8.0)
        table.do("move", "pile", "row")
        table.until(lambda view: view.turn == 1)
        table.do("look", "slot-0-2")
        assert table.until(lambda view: view.violation is not None).violation.error == "peek"


def test_knocking_resting_and_pressing(dealt):
    number = dealt.world.changes
    dealt.do("bump", seat=1)
    dealt.puppet.do(Deed("rest", seat=0))
    dealt.until(lambda view: dealt.world.is_covered(slot(0, 1)))
    assert [spot.covered for spot in dealt.top.seats[0]] == [True] * 5
    dealt.at_rest()
    assert not dealt.world.covered and dealt.world.changes > number
    assert dealt.view.violation is None
    dealt.do("press")


def test_everything_is_gathered_and_dealt_anew(dealt):
    dealt.do("move", "joker", "slot-0-1")
    assert dealt.top.dealt
    dealt.do("gather")
    assert len(dealt.world.lying(PILE)) == 52
    assert not dealt.top.dealt, "the page offers to deal"
    dealt.do("deal")
    assert not dealt.top.dealt
    dealt.do("deal_all")
    assert dealt.top.dealt
    dealt.until(lambda view: all(one.shows is SlotShows.LYING for seat in view.seats for one in seat.slots))


def test_no_more_cards_are_brought_than_the_page_has_names_for(table):
    said = [table.do("lift", "other " * 20) for _ in range(8)]
    assert said == [""] * 7 + ["no_deed"]
    assert len(table.top.hands[0].cards) == 140, "the page can still be drawn"
    assert table.do("lift", "joker " * (MOST_CARDS - 52 - 140)) == ""
    assert table.do("move", "joker", "slot-0-1") == "no_deed"
    assert len({card.token for card in table.top.hands[0].cards}) == MOST_CARDS - 52


def names(table: HandTable):
    """What the page calls the cards in slots and hands, by their faces."""
    spots = [(spot, slot(*map(int, spot.name.split("-")[1:]))) for seat in table.top.seats for spot in seat]
    spots += [(spot, HandOf(seat)) for seat, spot in enumerate(table.top.hands)]
    pairs = [pair for spot, where in spots for pair in zip(spot.cards, table.world.lying(where), strict=True)]
    return {str(laid.piece.face): card.token for card, laid in pairs}


def test_after_a_shuffle_a_name_tells_nothing_of_the_card_it_was(dealt):
    before = names(dealt)
    dealt.do("gather")
    dealt.do("deal_all")
    now = names(dealt)
    again = before.keys() & now.keys()
    assert len(before) == len(now) == 15 and len(again) > 2
    assert sum(before[face] == now[face] for face in again) <= 1, "but for what chance does"


def test_the_pile_does_not_tell_which_card_is_next(dealt):
    def tops():
        return dealt.top.pile.cards[-1].token, dealt.world.top(PILE)

    (first, drawn), _ = tops(), dealt.do("move", "pile", "hand-0")
    second, below = tops()
    assert first == second and below != drawn
    token = dealt.top.hands[0].cards[0].token
    assert token != first, "in the hand it has a name of its own"
    dealt.do("move", f"held-{token}", "pile")
    assert tops() == (first, drawn), "nor is a card known again that was laid back on it"


@pytest.mark.parametrize(
    ("deed", "why"),
    [
        (Deed("move", ("slot-0-1",), ""), "no_such_place"),
        (Deed("move", ("slot-0-7",), "row"), "no_such_place"),
        (Deed("move", ("row-1",), "row"), "no_card_there"),
        (Deed("move", ("away",), "row"), "no_card_there"),
        (Deed("move", ("hand-0",), "row"), "no_card_there"),
        (Deed("move", ("pile",), "held-1"), "no_such_place"),
        (Deed("move", ("held-1",), "row"), "no_card_there"),
        (Deed("lift", ()), "no_such_place"),
        (Deed("look", ("nothing",)), "no_such_place"),
        (Deed("show", seat=9), "no_such_place"),
        (Deed("back"), "nothing_held"),
        (Deed("lift", ("slot-0-1", "slot-0-1")), "no_card_there"),
        (Deed("look", ("slot-1-1", "slot-0-1", "slot-1-1")), "no_card_there"),
        (Deed("turn", ("slot-1-1", "slot-1-1")), "no_card_there"),
        (Deed("lift", ("pile",) * 38), "no_card_there"),
        (Deed("lift", ("away", "other")), "no_card_there"),
    ],
)
def test_what_hands_cannot_do_is_said_and_nothing_moves(dealt, deed, why):
    before = [dealt.world.lying(slot(seat, number)) for seat in range(3) for number in range(1, 6)]
    dealt.puppet.do(deed)
    dealt.at_rest()
    assert dealt.top.said == why
    assert [dealt.world.lying(slot(seat, number)) for seat in range(3) for number in range(1, 6)] == before
    dealt.do("bump", seat=0)
    assert dealt.top.said == "", "the next deed clears it"


def test_one_card_under_two_names_is_taken_once(dealt):
    dealt.do("move", "pile", "row")
    dealt.until(lambda view: view.turn >= 3 and view.current == 0)
    dealt.run(4.0)
    newest = max(spot.name for spot in dealt.top.row if spot.cards)
    assert dealt.do("lift", f"row {newest}") == "no_card_there"
    dealt.do("lift", "slot-0-1")
    token = dealt.held()[0].removeprefix("held-")
    assert dealt.do("lift", f"held-{token} held-{token}") == "no_card_there"
    assert dealt.do("lift", "pile pile") == "", "of the pile several can be taken"
    assert len(dealt.held()) == 3


def test_a_deed_that_comes_to_nothing_halfway_lets_the_game_go_on(dealt, monkeypatch):
    def torn(self, place):
        self.world.cover(place)
        yield 0.2
        raise LookupError("the card is gone")

    monkeypatch.setattr(Hands, "turn_over", torn)
    assert dealt.do("turn", "slot-1-1") == "no_card_there"
    assert not dealt.world.covered
    assert dealt.do("bump", seat=1) == "", "hands are free for the next deed"


def test_who_holds_a_card_holds_it(table):
    table.do("deal_all")
    table.until(lambda view: bool(table.world.lying(HandOf(1))))
    piece = table.world.lying(HandOf(1))[0].piece
    table.puppet.do(Deed("bump", seat=1))
    while any(laid.piece == piece for laid in table.world.lying(HandOf(1))):
        assert table.top.busy, "it waits until the cards lie again"
        table.run(0.1)
    table.at_rest()
    assert table.top.said == ""


def test_only_so_many_deeds_wait(table):
    for _ in range(MOST_WAITING):
        table.puppet.do(Deed("bump"))
    with pytest.raises(DeclarationError, match=f"{MOST_WAITING} deeds are waiting already"):
        table.puppet.do(Deed("bump"))
    with pytest.raises(DeclarationError, match="'dance' is no deed; expected one of move"):
        table.puppet.do(Deed("dance"))


def test_pages_are_told_of_news(table):
    number = table.top.number
    table.puppet.do(Deed("deal"))
    table.at_rest()
    assert table.puppet.wait(number, 5.0) > number
    assert table.puppet.wait(table.top.number, 0.0) == table.top.number


def test_taking_all_seats_begins_a_game_that_one_person_plays(table):
    table.puppet.sit((0, 1, 2))
    table.until(lambda view: len(table.worlds) == 2)
    assert table.top.mine == (0, 1, 2)
    table.do("deal_all")
    table.until(lambda view: view.current == 0)
    table.run(30.0)
    assert table.view.turn == 0, "nobody else moves a card"
    for seat in range(3):
        table.do("move", "pile", "row", seat=seat)
        assert table.until(lambda view: view.turn == seat + 1).last.seat == seat  # noqa: B023


def test_every_deed_has_been_tried():
    import inspect

    source = inspect.getsource(inspect.getmodule(test_every_deed_has_been_tried))
    assert [name for name in DEEDS if f'"{name}"' not in source] == []


def test_two_tables_that_differ_in_hidden_cards_look_alike():
    """What the page gets is the same, byte for byte, as long as he does not look."""
    seen = []
    for seed in (1, 2):
        with hand_table(seed=seed) as table:
            table.do("deal_all")
            top = table.top
            spots = [spot for seat in top.seats for spot in seat]
            seen.append(([(spot.name, spot.count, [card.face for card in spot.cards]) for spot in spots], top.pile.count))
            tokens = {card.token for spot in spots for card in spot.cards}
            order = [table.world.top(slot(seat, number)).number for seat in range(3) for number in range(1, 6)]
            assert len(tokens) == 15
            assert [card.token for spot in spots for card in spot.cards] != order, "a name tells nothing of the deck's order"
    assert seen[0] == seen[1]
