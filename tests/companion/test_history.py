"""What a record tells of a finished game, with its key and without, and how little before."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.cards import DECK, Card
from companion.chronicle import MINUTE, SHOWN
from companion.history import told
from companion.journal import HEADER, Draft, Journal, Stamp, game_file, read_walk
from companion.played import PlayedGame, Unfinished, Unreadable
from companion.seal import KEY, Seal
from tests.companion.finished import BEGAN, SEAL, STOLEN, played
from tests.companion.journal.keeping import set_field


def read(path: Path, seal: Seal | None = None) -> PlayedGame:
    found = told(read_walk(path), path.stem, seal)
    assert isinstance(found, PlayedGame)
    return found


def cards(text: str) -> tuple[Card, ...]:
    return tuple(map(Card.parse, text.split()))


def test_without_the_key_names_moves_and_hands_are_told(tmp_path: Path) -> None:
    found = read(played(tmp_path, blamed=(1,)))
    assert (found.rules, found.names, found.began) == ("steal", ("Ann", "Ben", "Cat"), BEGAN.isoformat(timespec="microseconds"))
    assert found.seconds == 50.0 and found.proven
    # Fifteen cards were dealt in the order of the deck; Ann drew the sixteenth, Ben stole her first and gave his fifth.
    assert [seat.hand for seat in found.seats] == [
        cards("Jc 4d 4c 5c 6c"), cards("7c 8c 7d Tc 2c"), cards("Qc Kc Ac 2d 3d"),
    ]  # fmt: skip
    assert [seat.category for seat in found.seats] == ["one pair", "one pair", "high card"]
    assert (found.order, found.winners, found.reason) == ((1, 0, 2), (1,), "rank")
    assert [(move.kind, move.seat, move.slot, move.victim, move.victim_slot) for move in found.moves[:3]] == [
        ("draw", 0, 2, None, None), ("steal", 1, 5, 0, 1), ("discard", 2, None, None, None),
    ]  # fmt: skip
    assert len(found.moves) == len(STOLEN)
    assert all(move.got is None and move.gave is None for move in found.moves)
    assert {seat.violations for seat in found.seats} == {None} and {seat.dealt for seat in found.seats} == {()}


def test_with_the_key_there_are_violations_and_the_cards_that_moved(tmp_path: Path) -> None:
    path = played(tmp_path, blamed=(1, 1, 2))
    found, public = read(path, SEAL), read(path)
    assert [seat.violations for seat in found.seats] == [0, 2, 1]
    drawn, stolen, laid = found.moves[:3]
    assert (drawn.gave, drawn.got) == (DECK[1], DECK[15])
    assert (stolen.got, stolen.gave) == (DECK[0], DECK[9])
    assert (laid.got, laid.gave) == (None, DECK[16])
    assert [seat.dealt for seat in found.seats] == [DECK[0:5], DECK[5:10], DECK[10:15]]
    assert [seat.hand for seat in found.seats] == [seat.hand for seat in public.seats]
    assert (found.order, found.winners, found.reason) == (public.order, public.winners, public.reason)
    assert [(move.kind, move.seat, move.slot, move.time) for move in found.moves] == [
        (move.kind, move.seat, move.slot, move.time) for move in public.moves
    ]


def test_another_key_tells_what_everybody_may_read(tmp_path: Path) -> None:
    path = played(tmp_path)
    assert read(path, Seal(bytes(KEY))) == read(path)


@pytest.mark.parametrize("seal", [SEAL, None])
def test_of_a_game_that_goes_on_only_who_sits_there_is_told(tmp_path: Path, seal: Seal | None) -> None:
    path = played(tmp_path, moves=STOLEN[:4], finished=False)
    found = told(read_walk(path), path.stem, seal)
    assert found == Unfinished(path.stem, ("Ann", "Ben", "Cat"), BEGAN.isoformat(timespec="microseconds"))


def test_an_end_that_was_taken_back_hides_everything_again(tmp_path: Path) -> None:
    path = played(tmp_path)
    journal = Journal.open(path)
    journal.append([Draft(SHOWN, Stamp(60.0, BEGAN), {"slots": [], "named": [], "finished": False})])
    journal.close()
    assert isinstance(told(read_walk(path), path.stem, SEAL), Unfinished)


def test_moves_that_were_taken_back_do_not_count(tmp_path: Path) -> None:
    path = played(tmp_path)
    before = read(path)
    journal = Journal.open(path)
    said = [{"time": 51.0, "kind": "undone", "move": ["discard", 1, None, None, None]}]
    journal.append([Draft(MINUTE, Stamp(51.0, BEGAN), {"turns": 7, "said": said})])
    journal.close()
    assert read(path).moves == before.moves[:-1]


def test_a_clock_that_was_not_set_gives_no_date(tmp_path: Path) -> None:
    found = read(played(tmp_path, clock_set=False))
    assert (found.began, found.evening()) == ("", "")


def test_a_changed_record_and_one_of_another_name_tell_nothing(tmp_path: Path) -> None:
    path = played(tmp_path)
    assert told(read_walk(path), "fedcba9876543210", SEAL) == Unreadable("fedcba9876543210", "changed")
    set_field(path, 3, "body", '{"said":[],"turns":0}')
    assert told(read_walk(path), path.stem, SEAL) == Unreadable(path.stem, "changed")


@pytest.mark.parametrize("header", [{}, {"game": "whist", "seats": [], "options": {}, "tray": "none"}, {"seats": 7}])
def test_a_record_of_an_unknown_game_is_named_and_not_told(tmp_path: Path, header: dict[str, object]) -> None:
    path = game_file(tmp_path, "abcd")
    journal = Journal.create(path, "abcd", header, Stamp(0.0, BEGAN))
    journal.append([Draft(SHOWN, Stamp(1.0, BEGAN), {"slots": [], "named": [], "finished": True})])
    assert journal.entries()[0].kind == HEADER
    journal.close()
    assert told(read_walk(path), "abcd", SEAL) == Unreadable("abcd", "unknown")


def test_a_result_without_all_hands_is_none_of_ours(tmp_path: Path) -> None:
    path = played(tmp_path, finished=False)
    journal = Journal.open(path)
    journal.append([Draft(SHOWN, Stamp(60.0, BEGAN), {"slots": [[0, 1]], "named": [], "finished": True})])
    journal.close()
    assert told(read_walk(path), path.stem, SEAL) == Unreadable(path.stem, "unknown")


def test_a_game_without_a_player_is_unproven_and_does_not_name_him(tmp_path: Path) -> None:
    found = read(played(tmp_path), SEAL)
    left = found.without("Ben")
    assert left.names == ("Ann", "", "Cat") and not left.proven
    assert (left.moves, left.seats[1].hand) == (found.moves, found.seats[1].hand)
