"""The record beside what is agreed: declarations, cameras, and what was seen at a ruling."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from companion.cards import DECK, Card
from companion.chronicle import MINUTE, Chronicle
from companion.journal import Entry, Journal, Stamp, game_file, read_walk
from companion.observation import Call, Correct, Declaration, OwnEntry, Press
from companion.particulars import CAMERAS, DECLARED, MOST_REFUSED, SEEN, UNHEARD
from companion.seal import KEY, ROOM, About, Seal
from companion.sitting import RowSight
from companion.story import tell
from companion.table import row, slot
from companion.words.story import story_words
from tests.companion.told import Told

GAME = "0123456789abcdef"
SEAL = Seal(bytes(range(KEY)))


def stamp(time: float) -> Stamp:
    return Stamp(time, datetime(2027, 3, 1, 18, 30, tzinfo=UTC))


def chronicle(folder: Path) -> Chronicle:
    seats = [{"name": name} for name in ("Ann", "Ben", "Cat")]
    return Chronicle(Journal.create(game_file(folder, GAME), GAME, {"seats": seats}, stamp(0.0)), SEAL, stamp)


def entries(folder: Path, *kinds: str) -> list[Entry]:
    return [entry for entry in read_walk(game_file(folder, GAME)).entries if not kinds or entry.kind in kinds]


def hidden(entry: Entry) -> Any:
    assert entry.sealed is not None
    return json.loads(SEAL.decrypt(entry.sealed, About(GAME, entry.number, entry.kind)))


def test_who_declared_what_is_written_down_also_where_it_was_refused(tmp_path: Path) -> None:
    table = Told(chronicle=chronicle(tmp_path))
    table.draw(0, 1)
    for what, seat, by in ((Press(), 0, "button"), (Call("stop", "he peeked"), 2, "seat"), (Call("stop"), 1, "table")):
        table.sitting.post(Declaration(table.time, seat, what, by))
        table.wait(0.1)
    told = [entry.body for entry in entries(tmp_path, DECLARED)]
    assert told == [
        {"what": "press", "seat": 0, "by": "button", "refused": ""},
        {"what": "call", "name": "stop", "seat": 2, "by": "seat", "refused": ""},
        {"what": "call", "name": "stop", "seat": 1, "by": "table", "refused": "is_stopped"},
    ]
    reasons = [hidden(entry)["reason"] for entry in entries(tmp_path, DECLARED) if entry.sealed]
    assert reasons == [{"text": "he peeked"}], "words of people are not for everybody before the end"


def test_a_card_that_somebody_named_stands_in_the_sealed_part_alone(tmp_path: Path) -> None:
    table = Told(chronicle=chronicle(tmp_path))
    table.draw(0, 1)
    named = Card.parse("2c")
    table.say(0, Correct(row(1), table.pile[3]), 0.2)
    table.say(1, OwnEntry(slot(1, 2), named), 0.2)
    correct, own = entries(tmp_path, DECLARED)
    assert own.body == {"what": "own", "seat": 1, "by": "", "refused": "was_read", "place": [0, 1, 2]}
    assert hidden(own)["card"] == "2c"
    assert {len(entry.sealed or b"") for entry in (correct, own)} == {ROOM + 32}
    texts = "".join(entry.text for entry in entries(tmp_path))
    assert not any(f'"{card}"' in texts for card in DECK)


def test_nobody_fills_the_disk_by_tapping(tmp_path: Path) -> None:
    table = Told(chronicle=chronicle(tmp_path))
    table.draw(0, 1)
    for _ in range(3 * MOST_REFUSED):
        table.say(1, Call("laid"), 0.1)
    assert len(entries(tmp_path, DECLARED)) == MOST_REFUSED
    assert len(entries(tmp_path, UNHEARD)) == 1
    table.say(1, Call("pause"), 0.1).say(1, Call("laid"), 0.1)
    assert len(entries(tmp_path, DECLARED)) == MOST_REFUSED + 2, "from the next one that counts they are written again"


def test_cameras_that_do_not_see_and_come_back(tmp_path: Path) -> None:
    table = Told(chronicle=chronicle(tmp_path))
    table.draw(0, 1)
    table.fail(1, seconds=0.5).heal(4.0)
    assert entries(tmp_path, CAMERAS) == [], "a flicker is nothing"
    table.fail(1, None, seconds=7.0).heal()
    told = [(entry.body["troubles"], entry.body["by_hand"]) for entry in entries(tmp_path, CAMERAS)]
    assert [([(each["kind"], each["seat"]) for each in troubles], by_hand) for troubles, by_hand in told] == [
        ([("silent", 1), ("silent", None)], []),
        ([("silent", 1), ("silent", None)], [1, None]),
        ([], []),
    ]


def test_what_lay_there_is_kept_with_every_ruling_and_sealed(tmp_path: Path) -> None:
    table = Told(chronicle=chronicle(tmp_path))
    drawn = table.draw(0, 1)
    rulings = [entry for entry in entries(tmp_path, MINUTE) if any(said["kind"] == "action" for said in entry.body["said"])]
    (seen,) = entries(tmp_path, SEEN)
    assert [ruling.number for ruling in rulings] == [seen.number + 1]
    found = {(area, seat, number): what for area, seat, number, what in hidden(seen)}
    assert found[0, 0, 1] == str(drawn)
    assert found[1, -1, 1] == str(table.shown[row(1)])
    assert seen.body == {"places": len(found)} and str(drawn) not in seen.text
    table.exchange(slot(0, 1), slot(2, 2), 4.0)
    assert table.view.violation is not None
    assert len(entries(tmp_path, SEEN)) == 2, "a violation as well"


def test_a_table_without_cameras_keeps_no_picture(tmp_path: Path) -> None:
    table = Told(sources=("tap",) * 3, sight=RowSight.NONE, chronicle=chronicle(tmp_path))
    table.sitting.claim(0, 0)
    table.wait(0.2)
    assert entries(tmp_path, SEEN) == []
    assert [entry.body["what"] for entry in entries(tmp_path, DECLARED)] == ["claim"]


@pytest.mark.parametrize("first", [0, 20])
def test_twin_games_leave_entries_of_the_same_kinds_and_sizes(tmp_path: Path, first: int) -> None:
    shapes = []
    for number, start in enumerate((first, 12)):
        folder = tmp_path / str(number)
        table = Told(deal=False, chronicle=chronicle(folder))
        cards = [*DECK[start:], *DECK[:start]]
        table.lie({slot(seat, k): cards.pop(0) for seat in range(3) for k in range(1, 6)}, 3.0)
        # Whatever lies open is the same in both games; the hands are not.
        table.lie({row(1): Card.parse("Ks")}, 2.0)
        table.say(1, Press(), 1.0).say(2, Call("stop"), 0.5).say(2, Call("stop"), 0.5)
        shapes.append(
            [(entry.kind, len(entry.sealed or b""), entry.text) for entry in entries(folder) if entry.kind != "committed"]
        )
    assert shapes[0] == shapes[1]


# ---- the story ---------------------------------------------------------------------------------------------------


def test_the_story_tells_moves_and_calls_and_no_card(tmp_path: Path) -> None:
    table = Told(chronicle=chronicle(tmp_path))
    table.draw(0, 1)
    table.draw(1, 2)
    table.say(0, Call("undo"), 0.2).say(0, Call("redo"), 0.2)
    table.say(2, Call("stop"), 0.2).say(2, Call("stop"), 0.2)
    table.fail(1, seconds=3.0)
    story = tell(read_walk(game_file(tmp_path, GAME)))
    said = [line.split("  ", 1)[1] for line in story_words(story)]
    assert said == [
        "1. Ann drew into slot 1; the old card went to the row.",
        "2. Ben drew into slot 2; the old card went to the row.",
        "Taken back: Ben drew into slot 2; the old card went to the row.",
        "Done again: 2. Ben drew into slot 2; the old card went to the row.",
        "Play was stopped.",
        "Cat: a tap was not taken (a stop).",
        "The camera of Ben did not see (no picture came).",
    ]
    assert story.restarts == 0
