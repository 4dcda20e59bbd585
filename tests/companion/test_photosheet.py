"""Hands on photographs while people put them right."""

from __future__ import annotations

import pytest

from companion.cards import Card
from companion.errors import SheetError
from companion.games.hands import Standing
from companion.photosheet import MOST_HANDS, Sheet, Snap, Spot
from companion.scoring import Refusal


def card(text: str) -> Card:
    return Card.parse(text)


def sheet(*hands: str, picture: int = 1) -> Sheet:
    """A sheet with these hands on one picture; ``?`` is a card that cannot be read."""
    texts = [hand.split() for hand in hands]
    spots, held = [], []
    for hand in texts:
        held.append(tuple(picture * 1000 + len(spots) + n for n in range(len(hand))))
        spots += [Spot(picture * 1000 + len(spots) + n, None if t == "?" else card(t), picture) for n, t in enumerate(hand)]
    return Sheet((Snap(picture, "read"),), tuple(spots), tuple(held))


def texts(made: Sheet) -> list[str]:
    return [" ".join(str(one or "?") for one in made.cards(hand)) for hand in range(len(made.hands))]


TWO = sheet("As Ks Qs Js 9s", "Kh Kd 4c ? 6h")


def test_an_unknown_card_is_named_and_somebody_has_won() -> None:
    assert isinstance(refused := TWO.scored(), Refusal)
    assert (refused.kind, refused.unknown) == ("unknown_card", ((1, 1),))
    named = TWO.named(1008, card("5d"))
    assert texts(named) == ["As Ks Qs Js 9s", "Kh Kd 4c 5d 6h"]
    assert isinstance(standing := named.scored(), Standing)
    assert standing.winners == (0,)
    assert TWO.spot(1008).card is None, "the sheet before stays what it was"


def test_where_no_card_is_nothing_is_counted_and_it_may_come_back() -> None:
    gone = TWO.without(1008)
    assert texts(gone) == ["As Ks Qs Js 9s", "Kh Kd 4c 6h"]
    assert gone.hand_of(1008) is None and gone.spot(1008).gone
    back = gone.named(1008, card("5d"))
    assert texts(back) == ["As Ks Qs Js 9s", "Kh Kd 4c 6h 5d"]
    assert not back.spot(1008).gone


def test_a_card_that_comes_back_to_full_hands_begins_another() -> None:
    made = sheet("As Ks Qs Js 9s 2c").without(1005)
    assert texts(made.named(1005, card("3c"))) == ["As Ks Qs Js 9s", "3c"]


def test_cards_are_added_and_taken_out_again() -> None:
    added = TWO.with_card(0, card("2c")).with_card(2, card("3c"))
    assert texts(added) == ["As Ks Qs Js 9s 2c", "Kh Kd 4c ? 6h", "3c"]
    assert [spot.number for spot in added.spots if spot.picture is None] == [1, 2]
    assert texts(added.without(1).without(2)) == texts(TWO)
    assert added.without(1).spots[-1].number == 2, "nothing is left of it"


def test_cards_move_to_other_hands_and_new_ones() -> None:
    assert texts(TWO.moved(1000, 1)) == ["Ks Qs Js 9s", "Kh Kd 4c ? 6h As"]
    assert texts(TWO.moved(1000, 2)) == ["Ks Qs Js 9s", "Kh Kd 4c ? 6h", "As"]
    assert TWO.moved(1000, 0) == TWO
    alone = TWO.moved(1000, 2)
    assert texts(alone.moved(1000, 0)) == ["Ks Qs Js 9s As", "Kh Kd 4c ? 6h"], "a hand without cards is none"


@pytest.mark.parametrize(
    ("deed", "kind"),
    [
        (lambda made: made.named(7, card("2c")), "photo_no_card"),
        (lambda made: made.without(7), "photo_no_card"),
        (lambda made: made.moved(7, 0), "photo_no_card"),
        (lambda made: made.without(1000).moved(1000, 0), "photo_no_card"),
        (lambda made: made.moved(1000, 3), "photo_no_hand"),
        (lambda made: made.moved(1000, -1), "photo_no_hand"),
        (lambda made: made.with_card(5, card("2c")), "photo_no_hand"),
    ],
)
def test_what_cannot_be_done_is_refused(deed, kind: str) -> None:
    with pytest.raises(SheetError) as refused:
        deed(TWO)
    assert refused.value.kind == kind


def test_a_hand_and_a_sheet_have_an_end() -> None:
    made = sheet("As")
    for _ in range(9):
        made = made.with_card(0, card("2c"))
    with pytest.raises(SheetError, match="holds 10 cards already"):
        made.with_card(0, card("2c"))
    for hand in range(1, MOST_HANDS):
        made = made.with_card(hand, card("2c"))
    with pytest.raises(SheetError, match=f"no hand {MOST_HANDS}"):
        made.with_card(MOST_HANDS, card("2c"))


def test_what_people_said_stands_when_more_is_read() -> None:
    before = TWO.named(1008, card("5d")).without(1000)
    again = before.seen([*TWO.spots, Spot(2000, card("2c"), 2)])
    assert (again.spot(1008).card, again.spot(1008).told) == (card("5d"), True)
    assert again.spot(1000).gone
    better = before.seen([Spot(1001, card("Kc"), 1)])
    assert better.spot(1001).card == card("Kc"), "what nobody has touched is what the reader says now"


def test_what_was_added_stays_beside_its_hand_when_all_is_sorted_anew() -> None:
    made = TWO.with_card(1, card("2c")).with_card(2, card("3c"))
    held = [spot.number for spot in TWO.spots]
    sorted_anew = made.dealt([held[5:], held[:5]])
    assert texts(sorted_anew) == ["Kh Kd 4c ? 6h 2c", "As Ks Qs Js 9s", "3c"]


def test_a_picture_comes_further() -> None:
    made = Sheet().with_snap(Snap(1)).with_snap(Snap(2))
    assert made.waiting == 2
    made = made.with_snap(Snap(1, "read", width=10, height=20)).with_snap(Snap(2, "reading"))
    assert (made.waiting, [snap.state for snap in made.snaps]) == (1, ["read", "reading"])
