"""What the journal of a sitting holds: enough to go on, nothing that tells a card, and what opens it at the end."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from companion.cards import DECK
from companion.chronicle import MINUTE, SHOWN, Chronicle, Shown
from companion.commitments import COMMITTED, OPENED
from companion.errors import JournalError, SealError
from companion.games import find_game
from companion.games.steal_state import Draw, StealCard, StealState
from companion.journal import Journal, Stamp, game_file, read_walk
from companion.picture import RowSight, Sight
from companion.referee import Referee
from companion.rulings import Change
from companion.seal import KEY, Seal
from companion.table import SLOTS, slot
from companion.verification import verify

STEAL = find_game("steal")
GAME = "0123456789abcdef"
SEAL = Seal(bytes(range(KEY)))


def stamp(time: float) -> Stamp:
    return Stamp(time, datetime(2027, 3, 1, 18, 30, tzinfo=UTC))


def blank() -> Referee[StealState]:
    return Referee(STEAL, Sight((True,) * 3, RowSight.OVERHEAD), STEAL.start(3, STEAL.options({})))


def opened(folder: Path, seal: Seal = SEAL) -> Chronicle:
    path = game_file(folder, GAME)
    journal = Journal.open(path) if path.exists() else Journal.create(path, GAME, {"seats": 3}, stamp(0.0))
    chronicle = Chronicle(journal, seal, stamp)
    chronicle.resume(blank())
    return chronicle


def dealt(first: int) -> Referee[StealState]:
    """Hands that the cameras have read: fifteen cards from the deck, beginning at `first`."""
    cards = iter(DECK[first : first + 15])
    agreed = blank()
    for seat in range(3):
        for number in SLOTS:
            unknown = agreed.state.table.at(slot(seat, number))
            agreed = agreed.learnt(unknown, next(cards))
    return replace(agreed, deal_known=True)


def played(first: int) -> list[Referee[StealState]]:
    """A deal and some turns, of which the last was taken back."""
    deal = dealt(first)
    drawn = deal.claim(Draw(0, None), 10.0)
    stolen = drawn.claim(StealCard(1, 2, 1, 5), 20.0)
    return [deal, drawn, stolen, stolen.undo(30.0)]


def test_a_sitting_goes_on_from_what_was_kept(tmp_path: Path) -> None:
    states = played(4)
    for number, state in enumerate(states):
        chronicle = opened(tmp_path)
        assert chronicle.agreement == (states[number - 1] if number else blank())
        chronicle.keep(state, Shown(frozenset({slot(0, number + 1)})), 10.0 * number)
        chronicle.close()
    chronicle = opened(tmp_path)
    assert chronicle.agreement == states[-1]
    assert (chronicle.shown, chronicle.time) == (Shown(frozenset({slot(0, 4)})), 30.0)


def test_nothing_is_written_for_nothing(tmp_path: Path) -> None:
    chronicle = opened(tmp_path)
    chronicle.keep(dealt(0), Shown(), 1.0)
    head = chronicle.noted().head
    chronicle.keep(dealt(0), Shown(), 2.0)
    assert chronicle.noted().head == head
    chronicle.keep(played(0)[1], Shown(), 3.0)
    assert chronicle.noted().head != head


def test_games_that_differ_in_hidden_cards_leave_the_same_record_but_for_what_is_sealed(tmp_path: Path) -> None:
    records = []
    for number, first in enumerate((0, 20)):
        chronicle = opened(tmp_path / str(number))
        for time, state in enumerate(played(first)):
            chronicle.keep(state, Shown(), float(time))
        chronicle.close()
        records.append(read_walk(game_file(tmp_path / str(number), GAME)).entries)
    one, other = records
    shapes = [[(entry.kind, len(entry.sealed or b"")) for entry in record] for record in records]
    assert shapes[0] == shapes[1]
    for mine, theirs in zip(one, other, strict=True):
        assert mine.sealed != theirs.sealed or mine.sealed is None
        if mine.kind == MINUTE:
            assert mine.text == theirs.text
        if mine.kind == COMMITTED:
            assert {each["commitment"] for each in mine.body["slots"]}.isdisjoint(
                each["commitment"] for each in theirs.body["slots"]
            )
    written = b"".join(entry.text.encode() + (entry.sealed or b"") for entry in one)
    assert not any(f'"{card}"'.encode() in written for card in DECK)
    commitments = [each["commitment"] for entry in one if entry.kind == COMMITTED for each in entry.body["slots"]]
    assert len(set(commitments)) == len(commitments) == 15 * 4, "one a slot and turn, whether or not the card changed"


def test_after_the_result_the_shown_hands_can_be_proved_and_no_others(tmp_path: Path) -> None:
    chronicle = opened(tmp_path)
    states = played(8)
    for time, state in enumerate(states):
        chronicle.keep(state, Shown(), float(time))
    shown = frozenset(slot(seat, number) for seat in (0, 2) for number in SLOTS)
    chronicle.keep(states[-1], Shown(shown, finished=True), 40.0)
    chronicle.close()
    walk = read_walk(game_file(tmp_path, GAME))
    proof = verify(walk)
    assert (proof.altered, proof.committed, proof.opened) == (None, 60, 40)
    cards = {(each["seat"], each["slot"]): each["card"] for entry in walk.entries if entry.kind == OPENED
             for each in entry.body["slots"]}  # fmt: skip
    assert cards[0, 1] == str(DECK[8]) and cards[2, 5] == str(DECK[22])
    assert not any(seat == 1 for seat, _ in cards)
    assert walk.entries[-2 - 3].kind == SHOWN


def test_what_was_seen_is_the_same_after_reading_again_also_when_cards_are_learnt(tmp_path: Path) -> None:
    deal = dealt(0)
    drawn = deal.claim(Draw(0, 2), 5.0)
    unknown = drawn.state.table.at(slot(0, 2))
    mats = tuple(tuple(drawn.state.table.hands[seat]) for seat in range(3))
    seen = tuple(tuple(DECK[40] if card == unknown else card for card in mat) for mat in mats)
    known = drawn._close("press")._absorb(Change(seen, drawn.state.table.row))
    assert known.state.table.at(slot(0, 2)) == DECK[40]
    chronicle = opened(tmp_path)
    for state in (deal, drawn, known):
        chronicle.keep(state, Shown(), 1.0)
    chronicle.close()
    again = opened(tmp_path)
    assert again.agreement == known


def test_another_key_does_not_open_it_and_says_so(tmp_path: Path) -> None:
    chronicle = opened(tmp_path)
    chronicle.keep(dealt(0), Shown(), 1.0)
    chronicle.close()
    with pytest.raises(SealError, match=r"entry 2 \(minute\) of game 0123456789abcdef does not open") as caught:
        opened(tmp_path, Seal(bytes(KEY)))
    assert not any(str(card) in str(caught.value).split() for card in DECK)


def test_a_record_of_another_version_is_refused_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chronicle = opened(tmp_path)
    monkeypatch.setattr("companion.chronicle.evened", lambda minute: b'{"_": "Protocol", "others": {}}')
    chronicle.keep(dealt(0), Shown(), 1.0)
    chronicle.close()
    with pytest.raises(JournalError, match=r"entry 2 \(minute\) cannot be read by this version: 'Protocol' in a record"):
        opened(tmp_path)
    assert read_walk(game_file(tmp_path, GAME)).entries[1].body == {"turns": 0, "said": []}
