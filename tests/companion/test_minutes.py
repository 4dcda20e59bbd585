"""Every change of what was agreed can be written down, read again, and done again."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest

from companion.cards import DECK, Card, Mark, Suit, Unknown
from companion.errors import RecordError
from companion.games import find_game
from companion.games.steal_state import Draw, StealCard, Take
from companion.minutes import Minute, evened, from_record, minute_of, to_record, written
from companion.picture import RowSight, Sight
from companion.plain import Reader, to_plain
from companion.proceedings import LogEntry
from companion.referee import Referee
from companion.table import Area, Place, slot
from firmware.virtual.ideal import IdealTable
from firmware.virtual.play import Settings, play_game

STEAL = find_game("steal")


class Scribe(IdealTable):
    """A table that writes down every change and keeps a second agreement by what was written alone."""

    def __init__(self, settings: Settings, seed: int) -> None:
        super().__init__(STEAL, settings, seed)
        self.before = self.sitting.agreement
        self.copy = self.before
        self.lines: list[str] = []

    def step(self, time, world, said):
        view = super().step(time, world, said)
        now = self.sitting.agreement
        minute = minute_of(self.before, now)
        if minute is not None:
            self.lines.append(json.dumps(to_record(minute)))
            self.copy = written(self.copy, from_record(json.loads(self.lines[-1]), STEAL))
        self.before = now
        return view


@pytest.mark.parametrize(
    "settings",
    [
        Settings(seats=3, seed=4, cheat=0.25, habits=0.5),
        pytest.param(Settings(seats=4, seed=5, cheat=0.2, hard_mode=True, tray="none"), marks=pytest.mark.long),
        Settings(seats=4, seed=6, sources=("mat", "tap", "bot", "mat"), tray="mat", cheat=0.1),
    ],
    ids=["cheats and habits", "hard mode without a tray camera", "mat, tap and bot"],
)
def test_a_game_can_be_rebuilt_from_its_minutes_at_every_moment(settings: Settings) -> None:
    tables: list[Scribe] = []

    def opened(game, given, world, rng):
        tables.append(Scribe(given, rng.randrange(2**31)))
        return tables[-1]

    figures, _ = play_game(STEAL, settings, 0, opened)
    table = tables[0]
    assert figures.reveals_right == 1
    assert table.copy == table.before
    assert len(table.lines) > len(table.before.turns)
    start = Referee(STEAL, table.before.sight, STEAL.start(settings.seats, table.before.dealt.options))
    for line in table.lines:
        start = written(start, from_record(json.loads(line), STEAL))
    assert (start.dealt, start.turns, start.log) == (table.before.dealt, table.before.turns, table.before.log)
    assert repr((start.turns, start.log, start.asked)) == repr((table.before.turns, table.before.log, table.before.asked))
    longest = max(map(len, table.lines[3:]))
    assert longest < 20_000, "a minute holds what changed, not the game"


def test_undone_turns_leave_and_learnt_cards_stay() -> None:
    agreed = Referee(STEAL, Sight((True, True, True), RowSight.OVERHEAD), STEAL.start(3, STEAL.options({})))
    acted = agreed.claim(Draw(0, 2), 1.0).claim(StealCard(1, 0, 2, 3), 2.0)
    face = acted.state.table.at(slot(1, 3))
    assert isinstance(face, Unknown)
    known = acted.learnt(face, DECK[7])
    back = known.undo(3.0)
    for before, after in ((agreed, acted), (acted, known), (known, back), (acted, back), (back, agreed)):
        minute = minute_of(before, after)
        assert minute is not None
        again = from_record(json.loads(json.dumps(to_record(minute))), STEAL)
        if len(after.log) >= len(before.log):
            assert written(before, again) == after
    assert minute_of(back, back) is None
    assert minute_of(acted, known) == Minute(((face, DECK[7]),), kept=2)


def test_the_length_tells_neither_what_is_known_nor_what_was_named() -> None:
    """Somebody names one of his cards: the name is free, or it is taken from a hand that had it from its owner."""
    agreed = Referee(STEAL, Sight((False,) * 3, RowSight.NONE), STEAL.start(3, STEAL.options({})))
    table = agreed.dealt.table
    mine, other = table.at(slot(0, 1)), table.at(slot(1, 1))
    assert isinstance(mine, Unknown)
    assert isinstance(other, Unknown)
    lengths, bare = set(), set()
    for owner in (DECK[7], DECK[8]):
        before = agreed.called(other, owner)
        after = before.called(mine, DECK[7])
        minute = minute_of(before, replace(after, log=(LogEntry(1.0, "entered_hidden", new=DECK[7]),)))
        assert minute is not None
        lengths.add(len(evened(minute)))
        bare.add(len(json.dumps(to_record(minute))))
        assert from_record(json.loads(evened(minute)), STEAL) == minute
    assert len(bare) == 2, "otherwise this would test nothing"
    assert len(lengths) == 1


def any_value(rng: random.Random, depth: int = 3) -> object:
    kinds = [
        lambda: DECK[rng.randrange(52)], lambda: Unknown(rng.randrange(99)), lambda: Mark.EMPTY, lambda: None, lambda: True,
        lambda: rng.randrange(-5, 99), lambda: rng.random(), lambda: rng.choice(["Td", "", "ü?", "text"]),
        lambda: Draw(1, None), lambda: Take(2, 5), lambda: Place(Area.SLOT, 2, 3),
        lambda: LogEntry(1.5, "action", StealCard(0, 1, 2, 3)),
    ]  # fmt: skip
    if depth and rng.random() < 0.5:
        return tuple(any_value(rng, depth - 1) for _ in range(rng.randrange(4)))
    return rng.choice(kinds)()


def test_values_come_back_as_they_were() -> None:
    reader, rng = Reader((Area, Draw, Take, Place, LogEntry, StealCard, Mark)), random.Random(3)
    for _ in range(500):
        value = any_value(rng)
        again = reader.read(json.loads(json.dumps(to_plain(value))))
        assert again == value
        assert repr(again) == repr(value), "numbers of an area are no areas"


@pytest.mark.parametrize(
    ("plain", "said"),
    [
        ({"_": "Path", "args": []}, "'Path' in a record: expected one of Card, Draw"),
        ({"_": "Draw", "seat": 1}, "a Draw in a record is malformed"),
        ({"_": "Draw", "seat": 1, "use": 2, "more": 3}, "a Draw in a record is malformed"),
        ("Zz", "'Zz' in a record: expected a card"),
        ({"seat": 1}, "None in a record: expected one of"),
    ],
)
def test_what_was_not_recorded_by_us_is_refused(plain: object, said: str) -> None:
    with pytest.raises(RecordError, match=said):
        Reader((Draw, Card)).read(plain)


def test_only_frozen_values_can_be_recorded() -> None:
    with pytest.raises(RecordError, match="list cannot be recorded"):
        to_plain([1])
    assert to_plain(Suit.HEARTS) == {"_": "Suit", "value": 2}
