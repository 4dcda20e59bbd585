"""Commitments: fresh for every slot and turn, of one shape whatever lies there, and opened as one card only."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.cards import DECK, Card, Mark, Unknown
from companion.commitments import Commitments, Lying, Opening, card_code, commit, fits
from companion.errors import SealError
from companion.table import PILE, row, slot

HANDS: list[tuple[Any, Lying]] = [
    (slot(0, 1), Card.parse("Td")),
    (slot(0, 2), None),
    (slot(0, 3), Mark.UNREADABLE),
    (slot(1, 1), Unknown(7)),
    (slot(1, 2), Mark.FOREIGN),
]


def counting() -> Callable[[int], bytes]:
    """Numbers instead of chance."""
    numbers = iter(range(1, 1000))
    return lambda size: next(numbers).to_bytes(size, "big")


def test_every_slot_gets_a_commitment_of_its_own() -> None:
    public = commit("game", 4, reversed(HANDS)).public()
    assert public["turn"] == 4
    assert [(one["seat"], one["slot"]) for one in public["slots"]] == [(0, 1), (0, 2), (0, 3), (1, 1), (1, 2)]
    assert all(re.fullmatch(r"[0-9a-f]{64}", one["commitment"]) for one in public["slots"])
    assert len({one["commitment"] for one in public["slots"]}) == 5


def test_the_same_card_in_the_same_slot_never_gets_the_same_commitment_again() -> None:
    seen = [commit("game", turn, HANDS).public()["slots"][0]["commitment"] for turn in (1, 1, 1, 2, 3) for _ in range(40)]
    assert len(set(seen)) == len(seen)


def test_commitments_look_random() -> None:
    """Of many commitments to one card every bit is set about half of the time: within six standard deviations."""
    times = 1000
    seen = [int(one["commitment"], 16) for _ in range(times) for one in commit("game", 1, HANDS[:1]).public()["slots"]]
    for bit in range(256):
        assert abs(sum(number >> bit & 1 for number in seen) - times / 2) < 6 * (times / 4) ** 0.5


def test_a_salt_has_128_bits_and_is_drawn_for_each_slot() -> None:
    asked: list[int] = []

    def random(size: int) -> bytes:
        asked.append(size)
        return bytes(size)

    commit("game", 1, HANDS, random)
    assert asked == [16] * 5


def test_what_is_hidden_has_one_size_whatever_lies_there() -> None:
    everything: list[Lying] = [*DECK, *Mark, Unknown(1), Unknown(10**9), None]
    assert {len(card_code(lying)) for lying in everything} == {2}
    assert len({card_code(lying) for lying in (*DECK, *Mark)}) == 57
    sizes = {len(commit("game", 1, [(slot(0, 1), lying), (slot(0, 2), None)]).hidden()) for lying in everything}
    assert len(sizes) == 1


def test_nothing_that_is_logged_shows_a_card_or_a_salt() -> None:
    found = commit("game", 1, [(slot(0, 1), Card.parse("Td"))], counting())
    assert "Td" not in repr(found)
    assert "x01" not in repr(found)


@given(st.lists(st.sampled_from([*DECK, *Mark]), min_size=1, max_size=15), st.integers(0, 10**6))
def test_what_was_hidden_opens_what_was_committed_to(cards: list[Lying], turn: int) -> None:
    made = commit("game", turn, [(slot(index // 5, index % 5 + 1), card) for index, card in enumerate(cards)])
    again = Commitments.from_hidden(made.hidden())
    assert again == made
    for opening, one, card in zip(again.openings, made.public()["slots"], cards, strict=True):
        assert opening.card == card_code(card)
        assert fits("game", turn, opening, one["commitment"])


TEN = Opening(slot(0, 1), bytes(16), "Td")


@pytest.mark.parametrize(
    ("game", "turn", "opening"),
    [
        ("game2", 4, TEN),
        ("game", 5, TEN),
        ("game", 4, Opening(slot(0, 2), bytes(16), "Td")),
        ("game", 4, Opening(slot(1, 1), bytes(16), "Td")),
        ("game", 4, Opening(slot(0, 1), bytes(15) + b"\1", "Td")),
        ("game", 4, Opening(slot(0, 1), bytes(16), "Tc")),
        ("game", 4, Opening(slot(0, 1), bytes(15), "\0Td")),
        ("game", 4, Opening(slot(0, 1), bytes(15), "Td")),
    ],
)
def test_nothing_else_opens_a_commitment(game: str, turn: int, opening: Opening) -> None:
    commitment = commit("game", 4, [(slot(0, 1), Card.parse("Td"))], bytes).public()["slots"][0]["commitment"]
    assert fits("game", 4, TEN, commitment)
    assert not fits(game, turn, opening, commitment)


def test_hands_that_were_never_shown_stay_closed() -> None:
    made = commit("game", 4, HANDS, counting())
    shown = made.opened(17, {slot(0, 1), slot(0, 2)})
    assert shown == {
        "entry": 17,
        "turn": 4,
        "slots": [
            {"seat": 0, "slot": 1, "salt": f"{1:032x}", "card": "Td"},
            {"seat": 0, "slot": 2, "salt": f"{2:032x}", "card": "--"},
        ],
    }
    assert len(made.opened(17)["slots"]) == 5


@pytest.mark.parametrize("lying", [[(row(1), None)], [(PILE, None)], [(slot(0, 1), None), (slot(0, 1), None)]])
def test_only_slots_are_committed_to_and_each_once(lying: list[tuple[Any, Lying]]) -> None:
    with pytest.raises(SealError, match="commitments are to the slots of the mats, each once"):
        commit("game", 1, lying)


@pytest.mark.parametrize("data", [b"", b"[]", b"{}", b"\xff", b'{"game":"g","turn":1,"slots":[[0,1,"zz","Td"]]}', b'"Td"', b"7"])
def test_other_data_are_no_commitments_and_are_not_shown(data: bytes) -> None:
    with pytest.raises(SealError) as caught:
        Commitments.from_hidden(data)
    assert str(caught.value) == "the sealed part holds no commitments"
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__


def test_the_form_is_fixed() -> None:
    """What was committed to by one version has to open in the next: computed by hand from the form in the decision record."""
    form = b"\x14viewmat commitment 1" + b"\0\4game" + b"\0\0\0\0\0\0\0\4" + b"\0\1" + b"\0\3" + b"0123456789abcdef" + b"Td"
    assert Opening(slot(1, 3), b"0123456789abcdef", "Td").commitment("game", 4) == sha256(form).hexdigest()
    hidden = Commitments("game", 4, (Opening(slot(1, 3), b"0" * 16, "Td"),)).hidden()
    assert json.loads(hidden) == {"game": "game", "turn": 4, "slots": [[1, 3, "30" * 16, "Td"]]}
