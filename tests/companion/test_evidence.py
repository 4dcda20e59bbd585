"""Pictures as evidence: kept for every ruling, sealed until the result, and never in the way of play."""

from __future__ import annotations

import json
import logging
from pathlib import Path

import pytest

from companion.cards import DECK, Card, Mark
from companion.errors import DeclarationError, JournalError
from companion.evidence import PictureCheck, check_pictures, opened
from companion.exhibits import EVIDENCE, Exhibit
from companion.games.steal_state import StealCard
from companion.journal import Draft, Entry, Journal, read_entries, read_walk
from companion.observation import Agree, Call, Claim, Correct
from companion.picturefile import PicturesInMemory
from companion.sitting import RowSight
from companion.table import Area, row, slot
from companion.verification import verify
from tests.companion.filmed import GAME, Film, shown, three_moves, to_the_end


@pytest.fixture
def film(tmp_path: Path) -> Film:
    return Film(tmp_path)


def places(exhibit: Exhibit) -> list[tuple[int, int, str]]:
    return [(piece.place.seat, piece.place.number, piece.when) for piece in exhibit.pieces if piece.when != "deal"]


def stopped(table):
    table.say(0, Call("stop"))
    assert table.view.stopped
    return table


# ---- what is kept -------------------------------------------------------------------------------------------------


def test_every_move_is_kept_with_what_lay_there_before_and_after(film: Film) -> None:
    table = three_moves(film.table())
    exhibits = film.evidence.exhibits
    assert [exhibit.rule for exhibit in exhibits] == ["STEAL-1.3-draw", "STEAL-1.3-steal", "STEAL-1.3-draw"]
    assert places(exhibits[0]) == [(0, 2, "before"), (0, 2, "after"), (-1, 1, "before"), (-1, 1, "after")]
    assert places(exhibits[1]) == [(1, 1, "before"), (1, 1, "after"), (2, 4, "before"), (2, 4, "after")]
    assert places(exhibits[2]) == [(-1, 2, "before"), (-1, 2, "after")]
    assert [exhibit.frames >= 2 for exhibit in exhibits] == [True] * 3
    assert [(lock.victim, lock.thief, lock.slot, lock.turns_left) for lock in exhibits[1].locks] == [(2, 1, 1, 2)]
    kept = [film.evidence.opened(piece) for piece in exhibits[1].pieces]
    first, second = DECK[5], DECK[13]
    assert [one.seen for one in kept if one is not None] == [first, second, second, first]
    assert table.kinds.count("action") == 3


def test_the_deal_is_kept_once_with_all_its_cards(film: Film) -> None:
    three_moves(film.table())
    deal = [piece for piece in film.pieces if piece.when == "deal"]
    assert [piece.place for piece in deal] == [slot(seat, k) for seat in range(3) for k in range(1, 6)]
    assert [film.evidence.opened(piece).seen for piece in deal] == list(DECK[:15])


def test_a_violation_is_kept_with_the_places_that_the_page_names(film: Film) -> None:
    table = three_moves(film.table())
    table.exchange(slot(0, 1), slot(0, 3), 6.0)
    assert table.view.violation is not None
    exhibit = film.evidence.exhibits[-1]
    assert (exhibit.what, exhibit.rule) == ("violation", "STEAL-1.10-positions")
    assert places(exhibit) == [(0, 1, "before"), (0, 1, "after"), (0, 3, "before"), (0, 3, "after")]
    assert [film.evidence.opened(piece).seen for piece in exhibit.pieces] == [DECK[0], DECK[2], DECK[2], DECK[0]]


def test_a_steal_back_is_kept_with_its_lock(film: Film) -> None:
    table = film.table()
    table.exchange(slot(0, 1), slot(1, 1), 6.0)
    table.exchange(slot(0, 1), slot(1, 1), 6.0)
    exhibit = film.evidence.exhibits[-1]
    assert (exhibit.what, exhibit.rule) == ("violation", "STEAL-1.5")
    assert [(lock.victim, lock.thief, lock.turns_left) for lock in exhibit.locks] == [(1, 0, 2)]
    proof = stopped(table).sitting.proofs(1)[-1]
    assert (proof.error, [left for _, left in proof.locks]) == ("steal_back_locked", [2])


def test_a_tapped_move_has_no_pictures_and_says_so(film: Film) -> None:
    table = film.table(sources=("tap", "mat", "mat"))
    table.say(0, Claim(StealCard(0, 1, 2, 3)), 3.0)
    assert film.evidence.exhibits == ()
    (proof,) = stopped(table).sitting.proofs(1)
    assert (proof.by_hand, proof.frames, proof.rule, proof.shots) == (True, 0, "STEAL-1.3-steal", ())


def test_a_seat_without_a_mat_has_no_pictures(film: Film) -> None:
    table = film.table(sources=("mat", "tap", "mat"))
    table.draw(0, 2, 6.0)
    assert {piece.place.seat for piece in film.pieces} == {0, 2, -1}
    assert table.kinds == ["action"]


# ---- who may see it -----------------------------------------------------------------------------------------------


def seen(table, film: Film) -> set[int]:
    return {piece.number for piece in film.pieces if table.sitting.picture(piece.number) is not None}


def of_row(film: Film) -> set[int]:
    return {piece.number for piece in film.pieces if piece.place.area is Area.ROW}


def test_before_the_result_nobody_gets_a_picture_of_a_slot(film: Film) -> None:
    table = three_moves(film.table())
    assert seen(table, film) == set()
    with pytest.raises(DeclarationError, match="first play has to be stopped"):
        table.sitting.proofs(1)
    stopped(table)
    assert seen(table, film) == of_row(film) != set()
    assert {shot.place[0] for n in (1, 2, 3) for proof in table.sitting.proofs(n) for shot in proof.shots} == {-1}
    for number in (-1, 4):
        with pytest.raises(DeclarationError, match=f"between 0 and 3 actions stand; found {number}"):
            table.sitting.proofs(number)
    assert table.sitting.picture(0) is None
    assert table.sitting.picture(10_000) is None


def test_cards_turned_over_at_the_reveal_stay_sealed_until_all_are(film: Film) -> None:
    table = to_the_end(three_moves(film.table()))
    table.lie({slot(0, k): Mark.BACK for k in range(1, 6)}, 3.0)
    assert table.view.revealing
    assert seen(table, film) == of_row(film)
    shown(table)
    assert seen(table, film) == {piece.number for piece in film.pieces}
    assert film.evidence.exhibits[-1].what == "result"
    assert len(film.evidence.exhibits[-1].pieces) == 15


def test_an_undo_across_the_end_hides_them_again(film: Film) -> None:
    table = shown(to_the_end(three_moves(film.table())))
    table.say(0, Call("undo"), 0.5)
    for seat in (0, 1, 2):
        if table.view.proposal is not None:
            table.say(seat, Agree(table.view.proposal.id, True), 0.3)
    assert table.view.result is None
    assert seen(table, film) == set()


def test_a_sixth_mat_shows_no_row_before_the_result(film: Film) -> None:
    table = film.table(sight=RowSight.SCAN)
    table.shown.update({row(n): Mark.EMPTY for n in range(1, 6)})
    table.wait(3.0)
    table.exchange(slot(0, 1), slot(1, 1), 6.0)
    table.shown[row(1)] = Mark.BACK
    stopped(table.wait(3.0))
    assert film.pieces
    assert seen(table, film) == set()


def test_a_lost_or_exchanged_picture_is_answered_like_none(film: Film) -> None:
    table = stopped(three_moves(film.table()))
    one, other, *_ = sorted(of_row(film))
    sealed = film.store.get(other)
    film.store.put(one, sealed)
    assert table.sitting.picture(one) is None
    film.store.drop(other)
    assert table.sitting.picture(other) is None
    assert len(table.sitting.proofs(1)) == 1


def test_a_piece_opens_only_under_its_own_number_and_hash(film: Film) -> None:
    three_moves(film.table())
    first, second, *_ = film.pieces
    store = PicturesInMemory()
    store.put(first.number, film.store.get(second.number))
    assert opened(store, film.seal, GAME, first) is None
    assert opened(film.store, film.seal, "another0", first) is None
    assert opened(film.store, film.seal, GAME, first) is not None


# ---- nothing tells ------------------------------------------------------------------------------------------------

TWIN = tuple({DECK[0]: DECK[14], DECK[14]: DECK[0], DECK[5]: DECK[11], DECK[11]: DECK[5]}.get(card, card) for card in DECK)
"""The same deck with hidden cards of different hands exchanged, none of which is ever laid open."""


def test_games_that_differ_in_hidden_cards_keep_as_much_of_the_same_places(tmp_path: Path) -> None:
    told = []
    for name, deck in (("one", DECK), ("two", TWIN)):
        film = Film(tmp_path / name)
        table = three_moves(film.table(deck=deck))
        table.exchange(slot(0, 1), slot(0, 3), 6.0)
        entries = [entry for entry in read_entries(film.journal) if entry.kind == EVIDENCE]
        public = [exhibit.public() for exhibit in film.evidence.exhibits]
        assert [entry.body for entry in entries] == json.loads(json.dumps(public))
        hashes = [piece.pop() for body in public for piece in body["pieces"]]
        assert len(set(hashes)) == len(hashes), "the same card never has the same hash"
        sizes = [len(entry.sealed or b"") for entry in entries]
        stopped(table)
        proofs = [table.sitting.proofs(number) for number in range(4)]
        pictures = [table.sitting.picture(number) for number in range(60)]
        told.append((public, sizes, film.store.path.stat().st_size, proofs, pictures, table.view))
    assert told[0] == told[1]


def test_a_place_that_showed_nothing_takes_as_much_room(film: Film) -> None:
    table = film.table()
    table.painted.clear()
    three_moves(table)
    sizes = {len(film.store.get(piece.number)) for piece in film.pieces}
    table.painted = None
    table.discard(3, 6.0)
    assert sizes == {len(film.store.get(piece.number)) for piece in film.pieces}
    assert film.evidence.opened(film.pieces[-1]).crop is None


# ---- never in the way ---------------------------------------------------------------------------------------------


class FullDisk(PicturesInMemory):
    def __init__(self) -> None:
        super().__init__()
        self.full = True

    def put(self, number: int, sealed: bytes, /) -> None:
        if self.full:
            raise OSError(28, "No space left on device")
        super().put(number, sealed)


def test_a_full_disk_is_said_once_and_play_goes_on(film: Film, caplog: pytest.LogCaptureFixture) -> None:
    disk = FullDisk()
    film.store = disk
    with caplog.at_level(logging.WARNING):
        table = three_moves(film.table())
    assert len(table.actions) == 3
    assert table.view.pictureless
    assert [record.getMessage() for record in caplog.records] == [
        f"pictures of game {GAME} cannot be kept: No space left on device; play goes on without them"
    ]
    disk.full = False
    table.discard(3, 6.0)
    assert not table.view.pictureless
    stopped(table)
    assert [bool(proof.shots) for n in (1, 4) for proof in table.sitting.proofs(n)] == [False, True]
    assert verify(read_walk(film.journal)).intact


def test_deleted_pictures_leave_the_record_whole(film: Film) -> None:
    table = shown(to_the_end(three_moves(film.table())))
    kept = len(film.pieces)
    assert check_pictures(film.evidence.exhibits, film.store) == PictureCheck(kept, kept, ())
    film.store.put(3, bytes([1]) * len(film.store.get(3)))
    assert check_pictures(film.evidence.exhibits, film.store) == PictureCheck(kept, kept - 1, (3,))
    film.store.path.unlink()
    assert check_pictures(film.evidence.exhibits, film.store) == PictureCheck(kept, 0, ())
    assert seen(table, film) == set()
    found = verify(read_walk(film.journal))
    assert (found.intact, found.seal) == (True, "opened")


def test_after_a_restart_the_evidence_goes_on(film: Film) -> None:
    table = film.table()
    table.draw(0, 2, 6.0)
    before = film.evidence.exhibits
    table.restart(film.chronicle()).wait(3.0)
    assert film.evidence.exhibits == before
    table.exchange(slot(1, 1), slot(2, 4), 6.0)
    assert film.evidence.exhibits[:-1] == before
    assert [piece.number for piece in film.pieces] == list(range(1, len(film.pieces) + 1))
    shown(to_the_end(table.discard(2, 6.0) and table))
    assert seen(table, film) == {piece.number for piece in film.pieces}


def test_what_the_journal_could_not_keep_has_no_evidence_either(film: Film, monkeypatch: pytest.MonkeyPatch) -> None:
    table = film.table()
    table.draw(0, 2, 6.0)
    kept = film.evidence.exhibits

    def full(journal: Journal, drafts: list[Draft]) -> tuple[Entry, ...]:
        raise JournalError("no room")

    with monkeypatch.context() as patched:
        patched.setattr(Journal, "append", full)
        table.exchange(slot(1, 1), slot(2, 4), 6.0)
        assert table.view.unrecorded
        assert film.evidence.exhibits == kept
    table.wait(8.0)
    assert len(table.actions) == 2
    assert len(film.evidence.exhibits) == 2
    journal = [Exhibit.from_public(entry.body) for entry in read_entries(film.journal) if entry.kind == EVIDENCE]
    assert tuple(journal) == film.evidence.exhibits


# ---- the showdown -------------------------------------------------------------------------------------------------


def test_a_card_that_was_unread_at_first_is_shown_big(film: Film) -> None:
    table = film.table(deal=False)
    hard = slot(1, 3)
    table.shown.update({slot(seat, k): table.pile.pop(0) for seat in range(3) for k in range(1, 6)})
    card, table.shown[hard] = table.shown[hard], Mark.UNREADABLE
    assert isinstance(card, Card)
    table.wait(5.0)
    three_moves(table)
    table.shown[hard] = card
    table.wait(3.0)
    shown(to_the_end(table))
    (case,) = table.view.hard
    assert (case.home, case.card, case.why, case.looks, case.agreed) == ((1, 3), str(card), "unread", 5, 4)
    assert table.sitting.picture(case.picture) is not None


def test_a_doubtful_card_is_shown_with_what_else_it_was_taken_for(film: Film) -> None:
    table = film.table()
    table.likely = {slot(2, 5): ((DECK[14], 0.71), (DECK[15], 0.2))}
    shown(to_the_end(three_moves(table)))
    (case,) = table.view.hard
    assert (case.why, case.likely) == ("doubtful", ((str(DECK[14]), 0.71), (str(DECK[15]), 0.2)))


def test_a_card_that_somebody_had_to_name_is_shown(film: Film) -> None:
    table = shown(to_the_end(three_moves(film.table())))
    assert table.view.hard == ()
    place = slot(2, 5)
    table.say(0, Correct(place, DECK[40]), 0.5)
    for seat in (0, 1, 2):
        if table.view.proposal is not None:
            table.say(seat, Agree(table.view.proposal.id, True), 0.3)
    table.wait(1.0)
    assert [(case.home, case.card, case.why) for case in table.view.hard] == [((2, 5), str(DECK[40]), "corrected")]


def test_pictures_of_hands_that_were_never_shown_are_deleted(film: Film) -> None:
    three_moves(film.table())
    shown_places = frozenset(slot(0, k) for k in range(1, 6))
    film.evidence.forget(shown_places)
    left = {piece.place.seat for piece in film.pieces if film.store.get(piece.number) is not None}
    assert left == {0, -1}
