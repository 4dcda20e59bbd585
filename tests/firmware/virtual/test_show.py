"""The virtual table for people: real time, one page for game after game, lamps that follow."""

import random
import threading
from contextlib import closing
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from companion.cards import DECK, Mark
from companion.errors import DeclarationError
from companion.games import GAMES
from companion.journal import read_walk
from companion.observation import Agree, Call, Declaration, Entry, Press
from companion.table import slot
from companion.verification import verify
from companion.views import ProposalView
from firmware.board import NoBoard, PinBoard
from firmware.gpio import Factories
from firmware.pins import find_pins
from firmware.virtual import show
from firmware.virtual.consent import Consent
from firmware.virtual.kinds import kind_of
from firmware.virtual.play import Settings
from firmware.virtual.puppet import VirtualPuppet
from firmware.virtual.show import PacedTable, Parting, Show, Showcase, StoppedError
from firmware.virtual.world import World
from vision.classifier import LABELS


class SeesNothing:
    """A classifier for shows whose cards do not matter."""

    def classify(self, patches):
        readings = np.full((len(patches), len(LABELS)), 1e-6, np.float32)
        readings[:, LABELS.index(Mark.EMPTY)] = 1.0
        return readings


SETTINGS = Settings(seats=3, seed=1)


@pytest.fixture
def showcase():
    return Showcase(SETTINGS, SeesNothing())


class FakeInner:
    """A rendered table that only counts its steps."""

    frames = 0

    def __init__(self, view):
        self.view = view
        self.times = []
        self.said = []

    def step(self, time, world, said):
        self.times.append(time)
        self.said += said
        return self.view

    def log(self):
        return ()

    def close(self):
        pass


def test_the_page_sees_the_waiting_table_before_the_first_game(showcase):
    view = showcase.view()
    assert (view.phase, len(view.seats)) == ("setup", 3)
    assert [seat.name for seat in view.seats] == ["Anna", "Ben", "Cleo"]


def test_photographed_hands_are_compared_as_in_the_game_that_is_played(showcase):
    assert (showcase.tie_break(), showcase.ranking()) == ("suit_significant", "suits")
    showcase.build(replace(SETTINGS, rules=(("tie_break", "share"),)), 1, lambda: 0.0)
    assert showcase.tie_break() == "share"
    showcase.build(replace(SETTINGS, game="draw", rules=(("eval", "27"),)), 1, lambda: 0.0)
    assert showcase.ranking() == "27"
    showcase.close()


def test_versions_go_on_growing_from_game_to_game(showcase):
    seen = [showcase.view().version]
    for seed in (1, 2):
        showcase.build(SETTINGS, seed, lambda: 5.0)
        seen.append(showcase.view().version)
    assert seen == sorted(set(seen))
    assert showcase.now() == 5.0


def test_a_page_that_waits_is_told_of_the_next_game(showcase):
    before = showcase.view()
    showcase.build(SETTINGS, 1, lambda: 0.0)
    assert showcase.wait(before.version, 5.0).version > before.version


def test_what_people_declare_reaches_the_game_of_the_moment(showcase):
    table = showcase.build(SETTINGS, 1, lambda: 0.0)
    posted = []
    table.sitting.post = posted.append
    press = Declaration(0.0, 1, Press())
    showcase.post(press)
    assert posted == [press]
    assert showcase.offers(2) == ()


def test_time_on_the_wall_is_time_at_the_table(showcase, desk: Factories):
    inner = FakeInner(showcase.view())
    with closing(PinBoard(find_pins("A"), desk, showcase.post, showcase.now)) as board:
        table = PacedTable(inner, board, threading.Event(), speed=1000.0)
        for tick in range(1, 4):
            assert table.step(tick * 0.1, World(3, ()), ()) is inner.view
    assert inner.times == pytest.approx([0.1, 0.2, 0.3])
    assert table.readings() == ()


def test_who_plays_by_a_script_agrees_after_a_moment_and_others_are_waited_for(showcase):
    inner = FakeInner(replace(showcase.view(), stopped=True, proposal=ProposalView(3, "go_on", (0, 1, 2))))
    table = PacedTable(inner, NoBoard(), threading.Event(), 1000.0, consent=Consent({1, 2}))
    for tick in range(1, 20):
        table.step(tick * 0.1, World(3, ()), ())
    assert inner.said == [], "it has to be read first"
    for tick in range(20, 60):
        table.step(tick * 0.1, World(3, ()), ())
    agreed = [Agree(3, True)] * 2
    assert ([one.seat for one in inner.said], [one.what for one in inner.said]) == ([1, 2], agreed)
    inner.view = replace(inner.view, proposal=ProposalView(4, "undo", (0, 2), turns=1))
    for tick in range(60, 100):
        table.step(tick * 0.1, World(3, ()), ())
    assert [(one.seat, one.what.proposal) for one in inner.said[2:]] == [(2, 4)]


def test_a_show_waits_for_the_consent_of_its_persons_alone(monkeypatch):
    given = []
    monkeypatch.setattr(show, "Consent", lambda seats: given.append(set(seats)) or "consent")
    for settings in (TAPS, replace(TAPS, persons=(0,))):
        showcase = Showcase(settings, SeesNothing())
        monkeypatch.setattr(show, "RenderedTable", lambda *args, **more: None)

        def play(game, settings, number, open_table, pose, guest, stays):
            open_table(game, settings, None, None)
            return None, SimpleNamespace(record=SimpleNamespace(finished=True))

        monkeypatch.setattr(show, "play_game", play)
        Show(settings, showcase, threading.Event()).run(1)
    assert given == [{0, 1, 2}, {1, 2}]


def test_a_stopped_show_leaves_the_game_at_once(showcase):
    stop = threading.Event()
    stop.set()
    inner = FakeInner(showcase.view())
    with pytest.raises(StoppedError):
        PacedTable(inner, Show(SETTINGS, showcase, stop)._board, stop, 1.0).step(3600.0, World(3, ()), ())
    assert inner.times == []


def test_a_show_that_is_stopped_in_the_middle_of_a_game_ends(showcase):
    stop = threading.Event()
    show = Show(SETTINGS, showcase, stop, speed=50.0, pause=0.0)
    thread = threading.Thread(target=show.run)
    thread.start()
    assert showcase.wait(showcase.view().version, 20.0)
    stop.set()
    thread.join(20.0)
    assert not thread.is_alive()
    assert show.played == 0


def ended(showcase, seats=3):
    """The game of the moment, over, with all hands shown."""
    sitting = showcase.sitting
    while sitting.view().phase != "over":
        seat = sitting.view().current or 0
        sitting.claim(seat, next(offer.id for offer in sitting.offers(seat) if offer.move.kind == "discard"))
        sitting.work()
    for number, card in enumerate(DECK[: 5 * seats]):
        sitting.post(Declaration(0.0, number // 5, Entry(slot(number // 5, number % 5 + 1), card)))
    sitting.work()
    assert sitting.view().result is not None
    return sitting


TAPS = Settings(seats=3, seed=1, sources=("tap",) * 3, tray="none")


def sitting_on(showcase, pause, finished=True):
    """What decides how long people sit on, and the game as it meets that; time on the wall and at the table are one."""
    script = SimpleNamespace(stage=SimpleNamespace(view=None, now=100.0), record=SimpleNamespace(finished=finished))
    parting = Parting(showcase, pause)

    def stays(seconds, wall):
        script.stage.view, script.stage.now = showcase.sitting.view(), script.stage.now + seconds
        wall.now += seconds
        return parting.stays(script)

    return stays


@pytest.fixture
def wall(monkeypatch):
    wall = SimpleNamespace(now=50.0)
    monkeypatch.setattr(show, "monotonic", lambda: wall.now)
    return wall


def test_a_game_that_is_over_stays_for_its_time_and_goes_when_it_is_up(wall):
    showcase = Showcase(TAPS, SeesNothing())
    ended(showcase)
    stays = sitting_on(showcase, 2.0)
    assert [stays(0.5, wall) for _ in range(6)] == [True] * 4 + [False] * 2
    assert stays(60.0, wall), "it has gone on meanwhile, and is over once more"


def test_a_game_that_is_over_stays_while_somebody_sets_up_the_next_table(wall):
    showcase, busy = Showcase(TAPS, SeesNothing()), [True]
    ended(showcase)
    parting = Parting(showcase, 2.0, lambda: busy[0])
    stage = SimpleNamespace(view=showcase.sitting.view(), now=100.0)
    script = SimpleNamespace(stage=stage, record=SimpleNamespace(finished=True))

    def stays():
        script.stage.now, wall.now = script.stage.now + 0.5, wall.now + 0.5
        return parting.stays(script)

    assert all(stays() for _ in range(20))
    busy[0] = False
    assert not stays()


def test_what_is_being_settled_holds_the_next_game_back_until_it_is_asked_for(wall):
    showcase = Showcase(TAPS, SeesNothing())
    sitting = ended(showcase)
    stays = sitting_on(showcase, 2.0)
    assert stays(0.5, wall)
    showcase.post(Declaration(0.0, 0, Call("stop")))
    sitting.work()
    assert all(stays(0.5, wall) for _ in range(20))
    asked = showcase.ask_next()
    assert not stays(0.5, wall)
    assert not asked.settled, "it is settled when the next game is there"


def test_what_nobody_settles_does_not_hold_the_next_game_back_for_ever(wall):
    showcase = Showcase(TAPS, SeesNothing())
    ended(showcase)
    showcase.post(Declaration(0.0, 0, Call("stop")))
    showcase.sitting.work()
    stays = sitting_on(showcase, 2.0)
    assert [stays(1.0, wall) for _ in range(182)] == [True] * 180 + [False] * 2


def test_games_are_recorded_one_by_one(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    showcase = Showcase(TAPS, SeesNothing(), record=True)
    assert not list(tmp_path.rglob("*.sqlite")), "nothing is played yet"
    for seed in (1, 2):
        showcase.build(TAPS, seed, lambda: 5.0)
        ended(showcase)
    showcase.close()
    games = list((tmp_path / "viewmat" / "demo" / "games").glob("*.sqlite"))
    assert len(games) == 2
    for game in games:
        proved = verify(read_walk(game))
        assert proved.intact and proved.seal == "opened"
    assert not (tmp_path / "viewmat" / "games").exists()


def test_a_show_goes_on_where_nothing_can_be_recorded(tmp_path, monkeypatch):
    (tmp_path / "viewmat").write_text("a file where a folder should be")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    showcase = Showcase(TAPS, SeesNothing(), record=True)
    showcase.build(TAPS, 1, lambda: 5.0)
    assert showcase.kept is None
    assert ended(showcase).view().result is not None


CHIPS = [game.name for game in GAMES if kind_of(game).session]


@pytest.mark.parametrize("name", CHIPS)
def test_the_hands_of_a_session_follow_one_another_with_their_chips(monkeypatch, name):
    settings = replace(TAPS, game=name, rules=(("stack", 50),))
    showcase, hands = Showcase(settings, SeesNothing()), []

    def play(game, settings, number, open_table, pose, guest, stays):
        open_table(game, settings, World(3, (), "none", (False,) * 3), random.Random(number))
        sitting = showcase.sitting
        hands.append((sitting.view().chips.hand, sum(sitting.view().chips.stacks) + sitting.view().chips.pots[0].amount))
        for number, seat in enumerate((0, 1, 2)):
            # Where open cards decide who begins, they are tapped in.
            for place in (slot(seat, 2),) if sitting.view().waits == "upcards" else ():
                sitting.post(Declaration(0.0, seat, Entry(place, DECK[number])))
                sitting.work()
        while sitting.view().phase != "over":
            seat = sitting.view().current
            kinds = ("fold", "bring_in", "check")
            offers = sorted((kinds.index(one.move.kind), one.id) for one in sitting.offers(seat) if one.move.kind in kinds)
            sitting.claim(seat, offers[0][1])
            sitting.work()
        return None, SimpleNamespace(record=SimpleNamespace(finished=True))

    monkeypatch.setattr(show, "play_game", play)
    shown = Show(settings, showcase, threading.Event())
    shown.run(3)
    assert (hands, shown.played) == ([(1, 150), (2, 150), (3, 150)], 3)


def test_nobody_takes_a_seat_by_hand_where_chips_are_played_for(monkeypatch):
    settings, puppet = replace(TAPS, game="draw"), VirtualPuppet((0,))
    monkeypatch.setattr(show, "play_game", lambda *args, **more: (None, SimpleNamespace(record=SimpleNamespace(finished=True))))
    shown = Show(settings, Showcase(settings, SeesNothing()), threading.Event(), puppet=puppet)
    shown.run(1)
    assert (puppet.playing, shown.played) == (False, 1)
    with pytest.raises(DeclarationError, match="nobody moves the cards of this game by hand") as refused:
        puppet.sit((0,))
    assert refused.value.kind == "no_hands"
    puppet.sit(())
    puppet.fit(3)
    puppet.sit((0,))
    assert puppet.playing


def test_whoever_asks_for_the_next_game_gets_it_at_once(monkeypatch):
    showcase, stop = Showcase(TAPS, SeesNothing()), threading.Event()

    def play(game, settings, number, open_table, pose, guest, stays):
        open_table(game, settings, World(3, (), "none", (False,) * 3), random.Random(number))
        script = SimpleNamespace(stage=SimpleNamespace(view=None, now=0.0), record=SimpleNamespace(finished=number == 0))
        if number == 0:
            script.stage.view = ended(showcase).view()
            while stays(script):
                stop.wait(0.02)
        else:
            stop.wait(60.0)
        return None, script

    monkeypatch.setattr(show, "play_game", play)
    thread = threading.Thread(target=Show(TAPS, showcase, stop, pause=600.0).run)
    thread.start()
    try:
        while showcase.view().result is None:
            showcase.wait(showcase.view().version, 1.0)
        first = showcase.sitting
        receipt = showcase.ask_next()
        assert receipt.wait(30.0) and not receipt.refusal
        assert showcase.sitting is not first
        assert (showcase.view().phase, showcase.view().turn) == ("setup", 0)
    finally:
        stop.set()
        thread.join(30.0)
