"""The public story of a record, also of one that somebody else has written."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from companion.chronicle import MINUTE, RESTARTED
from companion.journal import Entry, Walk
from companion.particulars import CAMERAS, DECLARED
from companion.story import tell
from companion.words.story import line_words

SOUND = {"turns": 1, "said": [{"time": 3.0, "kind": "action", "move": ["draw", 0, 2, None, None]}]}


def walk(*told: tuple[str, str]) -> Walk:
    entries = tuple(
        Entry(number, kind, 1.0, "2027-03-01T12:00:00+00:00", True, text, None, b"", b"")
        for number, (kind, text) in enumerate((("header", "{}"), *told), 1)
    )
    return Walk(entries, None, len(entries))


ODD = (
    "[]", "{", "5" * 5000, "[" * 100_000, "null", '{"said": true}', '{"said": [{"a": 1}]}', '{"said": [null]}',
    '{"said": [{"kind": "action", "time": "soon"}]}', '{"said": [{"kind": "action", "move": ["draw", "x", 1, 2, 3]}]}',
    '{"said": [{"kind": "entered", "place": 7}]}', '{"said": [{"kind": "entered", "place": [0, "x"]}]}',
    '{"said": [{"kind": "entered", "place": [0, 53]}]}', '{"said": [{"kind": "left", "seat": "Ann"}]}',
    '{"refused": "late", "seat": "x"}', '{"troubles": 7}', '{"troubles": [7]}',
)  # fmt: skip


@pytest.mark.parametrize("kind", [MINUTE, DECLARED, CAMERAS, RESTARTED])
@pytest.mark.parametrize("text", ODD, ids=lambda text: text[:24])
def test_an_entry_of_another_form_is_passed_over(kind: str, text: str) -> None:
    found = tell(walk((kind, text), (MINUTE, json.dumps(SOUND))))
    assert found.lines[-1].number == 1 and found.lines[-1].entry == 3
    assert all(line.seat is None or isinstance(line.seat, int) for line in found.lines)


@pytest.mark.parametrize("text", ["{", "[0]", '{"header": [0]}', '{"header": {"seats": 7}}'])
def test_a_header_of_another_form_names_nobody(text: str) -> None:
    entry = Entry(1, "header", 0.0, "", False, text, None, b"", b"")
    assert tell(Walk((entry,), None, 1)).names == ()


LINES = (
    ({"kind": "entered", "place": [1, 3]}, "Slot 3 of Ben: a card that nobody had read was entered."),
    ({"kind": "entered", "place": [-1, 2]}, "Card 2 of the row: a card that nobody had read was entered."),
    ({"kind": "entered"}, "A card that nobody had read was entered."),
    ({"kind": "entered_hidden", "place": [0, 5]}, "Slot 5 of Ann: its owner entered the card, which no camera had read."),
    ({"kind": "corrected", "place": [4, 1]}, "Slot 1 of Seat 5: the card was corrected."),
    ({"kind": "reseat", "place": [0, 1]}, "Slot 1 of Ann: the card was to be read anew."),
    ({"kind": "reread", "place": [0, 1]}, "Slot 1 of Ann: the card was read anew."),
    ({"kind": "left", "seat": 1}, "Ben has left."),
    ({"kind": "returned", "seat": 1}, "Ben is back."),
    ({"kind": "left"}, "A player left."),
)  # fmt: skip


@pytest.mark.parametrize(("said", "words"), LINES, ids=[words for _, words in LINES])
def test_a_line_about_a_card_names_its_place_and_one_about_a_player_his_name_as_far_as_the_record_tells(
    said: dict[str, object], words: str
) -> None:
    found = tell(walk((MINUTE, json.dumps({"turns": 1, "said": [{"time": 3.0, **said}]}))))
    assert line_words(found.lines[0], replace(found, names=("Ann", "Ben"))) == words
