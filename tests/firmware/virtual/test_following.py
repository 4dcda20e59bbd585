"""The scripted players do what the page says after undo, redo and corrections, and play on from there."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from companion.games.steal import Steal
from companion.observation import Agree, Call, Declared, Entry, Reseat, Rewind
from companion.table import slot
from companion.views import View
from firmware.virtual.ideal import IdealTable
from firmware.virtual.play import Settings, play_game
from firmware.virtual.stage import Until
from firmware.virtual.truth import differences

TABLE = Settings(seats=3, seed=2)
LONG = 4000.0


class Visitor:
    """Somebody at the page, and the table that he looks at."""

    def __init__(self) -> None:
        self.table: IdealTable | None = None
        self.seen: list[View] = []

    def open(self, game, settings, world, rng):
        self.table = IdealTable(game, settings, rng.randrange(2**31))
        return self.table

    @property
    def view(self) -> View:
        assert self.table is not None
        return self.table.sitting.view()

    def when(self, so: Callable[[View], bool]) -> Until:
        return Until(lambda: so(self.view), LONG)

    def say(self, script, what: Declared, *agreeing: int) -> Iterator[object]:
        """He says it at seat 0, and these seats agree."""
        script.stage.say(0, what)
        yield 0.3
        for seat in agreeing:
            assert self.view.proposal is not None
            script.stage.say(seat, Agree(self.view.proposal.id, True))
            yield 0.3


def played(deeds: Callable[[Visitor, object], Iterator[object]], settings: Settings = TABLE, **more):
    """A game to its end with somebody at the page who does `deeds`; whatever is wrong with it is an error."""
    visitor, done = Visitor(), []

    def guest(script):
        yield from deeds(visitor, script)
        done.append(script.stage.now)

    figures, script = play_game(Steal(), settings, 0, visitor.open, guest=guest, stays=lambda script: not done, **more)
    assert done, "it came to that"
    assert script.record.finished and script.record.revealed, figures.notes
    assert (figures.reveals_right, figures.turns_right) == (1, figures.turns), figures.notes
    assert (figures.false_accusations, differences_left(script)) == (0, []), figures.notes
    return figures, script, visitor


def differences_left(script):
    """Cards that lie elsewhere than they should; at the end all of them lie open."""
    return [(piece, place) for piece, place, _ in differences(script.truth, script.world) if script.world.where(piece) != place]


def undo_and_see(visitor: Visitor, script, times: int) -> Iterator[object]:
    """Take moves back one after the other, and wait until the cards lie so."""
    left = visitor.view.undo - times
    for _ in range(times):
        yield from visitor.say(script, Call("undo"))
    assert visitor.view.undo == left and visitor.view.steps
    yield visitor.when(lambda view: not view.steps)
    assert not visitor.view.disagrees and visitor.view.violation is None
    assert differences(script.truth, script.world) == [], "as it was"


@pytest.mark.parametrize(("moves", "times"), [(1, 1), pytest.param(4, 1, marks=pytest.mark.long), (5, 3)])
@pytest.mark.parametrize("habits", [pytest.param(0.0, marks=pytest.mark.long), 1.0])
def test_cards_go_back_after_an_undo_and_the_game_goes_on(moves: int, times: int, habits: float) -> None:
    def deeds(visitor, script):
        yield visitor.when(lambda view: view.undo == moves)
        yield from undo_and_see(visitor, script, times)

    _, script, _ = played(deeds, Settings(seats=3, seed=2, habits=habits))
    assert len(script.record.turns) >= 5


def test_what_was_taken_back_is_done_again() -> None:
    """There and back: the cards lie as after the last move, and the next one is made from there."""

    def deeds(visitor, script):
        yield visitor.when(lambda view: view.undo == 5)
        before = visitor.view
        yield from undo_and_see(visitor, script, 3)
        yield from visitor.say(script, Rewind(before.undo))
        assert visitor.view.steps
        yield visitor.when(lambda view: not view.steps)
        assert (visitor.view.row, visitor.view.pile, visitor.view.turn) == (before.row, before.pile, before.turn)
        assert differences(script.truth, script.world) == []

    played(deeds)


@pytest.mark.parametrize("times", [pytest.param(1, marks=pytest.mark.long), 3])
def test_a_game_goes_on_after_its_end_was_taken_back(times: int) -> None:
    def deeds(visitor, script):
        yield visitor.when(lambda view: view.result is not None)
        turns = visitor.view.undo
        yield from visitor.say(script, Rewind(turns - times), 0, 1, 2)
        assert visitor.view.turn_down and visitor.view.phase != "over"
        yield visitor.when(lambda view: not view.steps and not view.turn_down)
        assert differences(script.truth, script.world) == [], "and every hand is hidden again"
        yield visitor.when(lambda view: view.result is not None)
        assert visitor.view.undo >= turns - times

    played(deeds)


def test_the_screen_is_right_before_anybody_has_laid_a_card() -> None:
    def deeds(visitor, script):
        yield visitor.when(lambda view: view.undo == 4)
        yield from visitor.say(script, Call("undo"))
        yield from visitor.say(script, Call("screen_right"), 0, 1, 2)
        assert not visitor.view.steps and visitor.view.undo == 3

    played(deeds)


def test_the_table_is_right_after_an_undo() -> None:
    def deeds(visitor, script):
        yield visitor.when(lambda view: view.undo == 4)
        yield from visitor.say(script, Call("undo"))
        yield from visitor.say(script, Call("table_right"), 0, 1, 2)
        assert not visitor.view.steps and visitor.view.undo == 4, "it is the move that was made"

    played(deeds)


@pytest.mark.parametrize(
    "kind",
    [pytest.param(kind, marks=() if kind == "wrong_slot" else pytest.mark.long)
     for kind in ("positions_changed", "wrong_slot", "row_changed")],
)  # fmt: skip
def test_what_a_cheat_has_done_is_taken_as_it_lies_and_can_be_taken_back(kind: str) -> None:
    def deeds(visitor, script):
        yield visitor.when(lambda view: view.violation is not None and view.disagrees)
        yield from visitor.say(script, Call("table_right"), 0, 1, 2)
        assert visitor.view.last is not None and visitor.view.last.kind == "as_it_lies"
        script.cheat.chance = 0.0
        at = visitor.view.undo
        assert (yield Until(lambda: differences(script.truth, script.world) == [], 8.0)), "nobody puts anything back"
        yield visitor.when(lambda view: view.undo == at + 1)
        yield from undo_and_see(visitor, script, 2)

    played(deeds, Settings(seats=3, seed=1, cheat=0.5), kinds=(kind,))


def test_a_card_that_is_to_be_read_anew_is_lifted_and_laid_back() -> None:
    def deeds(visitor, script):
        yield visitor.when(lambda view: view.undo == 2)
        yield from visitor.say(script, Reseat(slot(1, 3)), 0, 1, 2)
        assert visitor.view.reseat == ((1, 3),)
        yield visitor.when(lambda view: not view.reseat)

    played(deeds)


def test_people_wait_for_a_leaver_who_comes_back() -> None:
    def deeds(visitor, script):
        yield visitor.when(lambda view: view.undo == 3)
        yield from visitor.say(script, Call("leave"))
        assert visitor.view.unranked
        yield 30.0
        yield from visitor.say(script, Call("undo"))
        assert not visitor.view.unranked

    played(deeds)


def test_somebody_who_taps_his_moves_takes_them_back_and_others_lay_the_cards() -> None:
    def deeds(visitor, script):
        undone = False
        while visitor.view.phase != "over":
            yield 1.0
            view, sitting = visitor.view, visitor.table.sitting
            if view.undo == 5 and not undone:
                undone = True
                yield from visitor.say(script, Rewind(2))
                yield visitor.when(lambda view: not view.steps)
                assert not visitor.view.disagrees
            elif view.current == 0 and not (view.awaiting or view.steps or view.violation):
                offers = [offer for offer in sitting.offers(0) if offer.move.kind in ("discard", "steal")]
                if offers:
                    sitting.claim(0, offers[0].id)
        assert undone

    played(deeds, Settings(seats=3, seed=2, sources=("tap", "mat", "mat"), persons=(0,)))


@pytest.mark.parametrize("tray", ["overhead", pytest.param("mat", marks=pytest.mark.long)])
def test_moves_of_a_bot_are_taken_back_and_it_plays_on(tray: str) -> None:
    def deeds(visitor, script):
        yield visitor.when(lambda view: view.undo == 5 and not view.awaiting)
        yield from visitor.say(script, Rewind(2))
        yield visitor.when(lambda view: not view.steps)
        assert not visitor.view.disagrees

    played(deeds, Settings(seats=3, seed=4, sources=("mat", "bot", "mat"), tray=tray))


@pytest.mark.parametrize("after", [3.0, pytest.param(3.5, marks=pytest.mark.long)])
def test_a_game_that_was_broken_off_over_a_move_goes_on_when_the_leaver_is_back(after: float) -> None:
    """At three seats a leaver ends the game; the cards of the move that was begun lie by the time he is back."""

    def deeds(visitor, script):
        yield visitor.when(lambda view: view.undo == 2)
        yield after
        script.stage.say(2, Call("leave"))
        yield 0.3
        assert visitor.view.unranked and script.busy, "in the middle of a move"
        yield 10.0
        script.stage.say(2, Call("return"))
        yield 0.3
        assert not visitor.view.unranked

    _, script, _ = played(deeds, Settings(seats=3, seed=1))
    assert len(script.record.turns) > 5, "nobody has stopped"


@pytest.mark.parametrize(("seats", "seed", "who"), [(4, 2, 2), pytest.param(5, 2, 0, marks=pytest.mark.long)])
def test_a_leaver_finishes_his_move_and_is_passed_over_until_he_is_back(seats: int, seed: int, who: int) -> None:
    def deeds(visitor, script):
        yield Until(lambda: visitor.view.undo >= 4 and visitor.view.current == who and who in script.busy, LONG)
        yield 0.4
        before = visitor.view
        assert before.current == who
        script.stage.say(who, Call("leave"))
        yield visitor.when(lambda view: view.undo == before.undo + 2)
        assert visitor.view.last.kind == "leave" and visitor.view.turn > before.turn, "his move comes before it"
        yield visitor.when(lambda view: view.undo == before.undo + 4)
        script.stage.say(who, Call("return"))
        yield visitor.when(lambda view: view.current == who)

    played(deeds, Settings(seats=seats, seed=seed))


def test_a_card_that_is_typed_once_more_leaves_the_result_standing() -> None:
    def deeds(visitor, script):
        yield visitor.when(lambda view: view.result is not None)
        before = visitor.view.result
        card = script.truth.state.table.hands[0][0]
        script.stage.say(0, Entry(slot(0, 1), card))
        yield 0.3
        assert visitor.view.result == before

    played(deeds, Settings(seats=3, seed=2, sources=("tap", "mat", "mat")))


@pytest.mark.parametrize("moment", [pytest.param(40.2, marks=pytest.mark.long), 40.8, pytest.param(41.4, marks=pytest.mark.long)])
def test_an_undo_while_the_next_player_acts_accuses_nobody_and_is_followed(moment: float) -> None:
    """He takes the very card that has to go back: what lies right by chance does not count as laid back."""

    def deeds(visitor, script):
        yield moment
        before = visitor.view
        assert (before.undo, before.current, before.awaiting) == (3, 0, ()) and 0 in script.busy
        yield from visitor.say(script, Rewind(2))
        assert visitor.view.steps and visitor.view.violation is None
        yield visitor.when(lambda view: not view.steps)

    played(deeds, Settings(seats=3, seed=1, sources=("mat", "mat", "bot")))
