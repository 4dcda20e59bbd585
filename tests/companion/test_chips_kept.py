"""The record of games with chips: they go on after a restart, and what was never shown stays sealed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.commitments import OPENED
from companion.games import find_game
from companion.games.poker_actions import Fold
from companion.games.poker_acts import Discard
from companion.history import retelling, told
from companion.journal import Walk, read_walk
from companion.observation import Correct, Declaration, Tick
from companion.picture import RowSight
from companion.played import PlayedGame
from companion.rejudging import fresh_referee, read_game, rejudge, result_under
from companion.seal import KEY, Seal
from companion.sitting import Seat, Sitting
from companion.table import slot
from companion.verification import verify
from tests.companion.chips import CHIPS, NAMES, Hand
from tests.companion.test_sitting_kept import GAME, Shelf


def header(game: Any) -> dict[str, Any]:
    seats = [{"name": name, "source": "tap"} for name in NAMES[:3]]
    return {"game": game.name, "seats": seats, "options": {"stack": 30}, "tray": "none"}


@pytest.mark.parametrize("game", CHIPS, ids=lambda game: game.name)
def test_a_hand_that_is_switched_off_after_every_tap_ends_like_one_that_is_not(game: Any, tmp_path: Path) -> None:
    seed = 1
    undisturbed = Hand(game.name, 3, seed, stack=30).play()
    shelf = Shelf(tmp_path, header(game))
    table = Hand(game.name, 3, seed, shelf.again(), stack=30)

    def off_and_on() -> None:
        before, view = table.sitting.agreement, table.view
        table.restart(shelf.again())
        assert table.sitting.agreement == before
        assert (table.view.chips, table.view.current, table.view.waits) == (view.chips, view.current, view.waits)

    ended = table.play(off_and_on)
    assert ended.result == undisturbed.result and ended.chips == undisturbed.chips
    assert shelf.last is not None
    shelf.last.close()
    walk = read_walk(shelf.path)
    assert verify(walk, name=GAME).altered is None
    _is_told(table, walk)


def _is_told(table: Hand, walk: Walk) -> None:
    """History tells who has won what, and the hands that were shown, with the key and without."""
    result, chips = table.view.result, table.view.chips
    assert result is not None and chips is not None
    for seal in (None, Seal(bytes(KEY))):
        played = told(walk, GAME, seal)
        assert isinstance(played, PlayedGame)
        assert (played.won, played.winners, played.reason, played.names) == (
            result.won, result.winners, result.reason, tuple(table.names)
        )  # fmt: skip
        assert tuple(tuple(map(str, seat.hand)) for seat in played.seats) == result.hands
        assert all(seat.dealt == () for seat in played.seats)
        assert {move.kind for move in played.moves} <= set(table.game.moves)
        assert retelling(walk, GAME, seal) is None, "a story would show what nobody has shown"
    assert any(move.amount for move in played.moves) or not any(result.won)


def test_what_was_not_shown_is_not_opened(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path, {})
    table = Hand("draw", 3, 3, shelf.again())
    kinds = {one.move.kind: one.id for one in table.sitting.offers(0)}
    table.tap(0, kinds["fold"])
    ended = table.play()
    assert ended.chips is not None
    shown = {seat for seat in range(3) if seat not in ended.chips.folded}
    assert shelf.last is not None
    shelf.last.close()
    openings = [one for entry in read_walk(shelf.path).entries if entry.kind == OPENED for one in entry.body["slots"]]
    assert {int(one["seat"]) for one in openings} <= (shown if ended.result and ended.result.reason != "folded" else set())
    assert any(int(one["seat"]) in shown for one in openings) or len(shown) == 1


@pytest.mark.parametrize("game", CHIPS, ids=lambda game: game.name)
def test_a_hand_is_judged_again_by_other_house_rules(game: Any, tmp_path: Path) -> None:
    shelf = Shelf(tmp_path, header(game))
    table = Hand(game.name, 3, 4, shelf.again(), stack=30)
    ended = table.play()
    assert shelf.last is not None and ended.result is not None
    shelf.last.close()
    entries = read_walk(shelf.path).entries
    recorded = read_game(entries, Seal(bytes(KEY)), GAME, fresh_referee(header(game)))
    same = list(rejudge(recorded, game.options({"stack": 30}), {}))
    assert same and not any(one.changed for one in same)
    assert result_under(recorded, game.options({"stack": 30}), {}) == game.result(recorded.referee.state)
    strict = {"draw_max": 0} if game.name == "draw" else {"cap": 1}
    other = list(rejudge(recorded, game.options({"stack": 30, **strict}), {}))
    assert len(other) == len(same)
    if game.name == "draw":
        thrown = [one for one in other if isinstance(one.then.action, Discard) and one.then.action.slots]
        assert thrown and {one.now.error for one in thrown} == {"too_many_discards"}


def test_an_open_card_may_be_called_by_the_name_of_one_that_was_folded(tmp_path: Path) -> None:
    """Then nobody knows any more what had opened an earlier round of bets; what was bet stands, and so does the record."""
    shelf = Shelf(tmp_path, {**header(find_game("stud")), "options": {}})
    table = Hand("stud", 3, 3, shelf.again())
    _bet_until_a_second_street_is_folded(table)
    chips, folded = table.view.chips, next(entry.action.seat for entry in table.sitting.log() if isinstance(entry.action, Fold))
    face = next(turn for turn in table.sitting.agreement.turns if turn.action.seat == folded).before.table.at(slot(folded, 2))
    other = next(seat for seat in range(3) if seat != folded)
    receipt = table.sitting.post(Declaration(table.time, other, Correct(slot(other, 2), face)))
    table.sitting.work()
    assert (receipt.refusal, table.view.seats[other].slots[1].card) == ("", str(face))
    assert table.view.chips == chips, "no bet is taken back"
    agreed = table.sitting.agreement
    table.restart(shelf.again())
    assert table.sitting.agreement == agreed
    ended = table.play()
    assert ended.result is not None and shelf.last is not None
    shelf.last.close()
    walk = read_walk(shelf.path)
    assert isinstance(told(walk, GAME, Seal(bytes(KEY))), PlayedGame)
    recorded = read_game(walk.entries, Seal(bytes(KEY)), GAME, fresh_referee({**header(table.game), "options": {}}))
    assert len(list(rejudge(recorded, table.game.options({"cap": 1}), {}))) == len(recorded.cases)


def _bet_until_a_second_street_is_folded(table: Hand) -> None:
    """Everybody checks the first street; on the second somebody bets, and the next one folds."""
    for kind in ("check", "check", "check", "bet", "fold"):
        while table.view.waits == "upcards":
            table.enter_wanted()
        seat = table.view.current
        assert seat is not None
        offer = next(one for one in table.sitting.offers(seat) if one.move.kind == kind)
        table.tap(seat, offer.id, offer.move.amount or None)


def test_a_bot_bets_without_anybody_carrying_it_out() -> None:
    time = 0.0
    seats = [Seat("Anna", "tap"), Seat("Bot", "bot"), Seat("Cleo", "tap")]
    sitting = Sitting(find_game("draw"), seats, {"dealer": 0}, row_sight=RowSight.NONE, clock=lambda: time)
    for _ in range(200):
        time += 0.1
        sitting.post(Tick(time))
        sitting.work()
    view = sitting.view()
    assert view.last is not None and view.last.seat == 1 and view.current == 2
    assert not view.awaiting or view.last.kind == "fold"
