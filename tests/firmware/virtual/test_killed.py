"""The program is killed at any moment of whole games: nothing that was accepted is lost, nothing is doubled."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.choices import is_hard
from companion.evidence import check_pictures
from companion.exhibits import EVIDENCE, Exhibit
from companion.games import GAMES, find_game
from companion.games.base import Game
from companion.journal import game_file, read_walk
from companion.verification import verify
from firmware.virtual.play import Settings, play_game
from tests.firmware.virtual.killed import GAME, KilledTable, pictures_in


def played(folder: Path, settings: Settings, number: int, share: float) -> tuple[KilledTable, tuple[object, ...]]:
    """One game with kills; the table, and what came out of it."""
    tables: list[KilledTable] = []

    def opened(game, given, world, rng):
        tables.append(KilledTable(game, given, folder, random.Random(f"{given.seed}/{number}/kills"), share))
        return tables[-1]

    figures, script = play_game(find_game(settings.game), settings, number, opened)
    table = tables[0]
    assert table.faults == []
    assert figures.false_accusations == 0, figures.notes
    assert figures.put_backs == figures.put_backs_recognised, figures.notes
    assert not any(tally.misnamed for tally in figures.violations.values()), figures.notes
    assert (figures.turns_right, figures.reveals_right) == (figures.turns, 1), figures.notes
    proof = verify(read_walk(game_file(folder, GAME)))
    assert proof.altered is None
    if find_game(settings.game).told:
        assert proof.opened == proof.committed
    else:
        assert proof.opened <= proof.committed, "what nobody had to show stays sealed"
    exhibits = [Exhibit.from_public(entry.body) for entry in read_walk(game_file(folder, GAME)).entries if entry.kind == EVIDENCE]
    pictures = check_pictures(exhibits, pictures_in(folder))
    # A kill between the record and its pictures loses these, never others.
    assert pictures.changed == ()
    if find_game(settings.game).told:
        assert pictures.found >= pictures.kept - 40 * table.kills
    numbers = [piece.number for exhibit in exhibits for piece in exhibit.pieces]
    assert numbers == list(range(1, len(numbers) + 1))
    assert table.view.result is not None
    return table, (table.view.result.order, table.view.result.hands, [turn.action for turn in script.record.turns])


@pytest.mark.parametrize(
    "sources", [pytest.param((), marks=pytest.mark.long), ("mat", "tap", "bot")], ids=["mats", "mat, tap and bot"]
)
def test_a_game_that_is_killed_again_and_again_ends_like_an_undisturbed_one(tmp_path: Path, sources: tuple[str, ...]) -> None:
    settings = Settings(seats=3, seed=2, sources=sources)
    killed, ended = played(tmp_path / "killed", settings, 0, 0.02)
    assert killed.kills >= 5
    quiet, undisturbed = played(tmp_path / "quiet", settings, 0, 0.0)
    assert quiet.kills == 0
    assert ended == undisturbed


@pytest.mark.parametrize("game", [game.name for game in GAMES if game.taps])
def test_a_hand_that_is_killed_again_and_again_is_paid_out_like_an_undisturbed_one(tmp_path: Path, game: str) -> None:
    settings = Settings(game=game, seats=3, seed=2, hands=1)
    killed, ended = played(tmp_path / "killed", settings, 0, 0.03)
    assert killed.kills >= 5
    _, undisturbed = played(tmp_path / "quiet", settings, 0, 0.0)
    assert ended == undisturbed


@pytest.mark.parametrize("hard", [pytest.param(False, marks=pytest.mark.long), True], ids=["standard", "hard"])
def test_whoever_cheats_while_it_is_killed_puts_back_what_he_moved(tmp_path: Path, hard: bool) -> None:
    """What was done around a restart is asked about, the players answer, and the game ends as it was played."""
    table, _ = played(tmp_path, Settings(seats=3, seed=3, cheat=0.2, habits=0.3, hard_mode=hard), 0, 0.02)
    assert table.kills >= 5


def settings_of(game: Game[Any], number: int, **given: Any) -> Settings:
    """The settings of game `number` of a series: with few and with many players, and among cheats by turns in hard mode."""
    seats = tuple(game.seats)[number % len(game.seats)]
    settings = Settings(game=game.name, seats=seats, hands=1, **given)
    return replace(settings, hard_mode=settings.cheat > 0 and number % 2 == 1 and is_hard(game.name))


def kill_many(folder: Path, game: Game[Any], made: Callable[[int], Settings]) -> None:
    """Play one game after another until so many processes were killed in them are wanted of such a game."""
    kills, wanted = 0, 200 if game.told else 60
    for number in range(80):
        table, _ = played(folder / str(number), made(number), number, 0.02)
        kills += table.kills
        if kills >= wanted:
            return
    pytest.fail(f"only {kills} kills in eighty games")


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_many_kills_among_cheats(tmp_path: Path, game: Game[Any]) -> None:
    kill_many(tmp_path, game, lambda number: settings_of(game, number, seed=11, cheat=0.1, habits=0.3))


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_many_kills(tmp_path: Path, game: Game[Any]) -> None:
    """With and without lively players, and with and without a tray where the game has a row."""

    def made(number: int) -> Settings:
        tray = ("overhead", "none")[number % 2]
        return settings_of(game, number, seed=5, tray=tray, habits=0.3 * (number % 2 == 0))

    kill_many(tmp_path, game, made)
