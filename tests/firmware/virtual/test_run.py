"""Series of games: what is kept on disk, and what several processes make of it."""

import json

import cv2
import numpy as np
import pytest

from companion.cards import DECK
from companion.errors import OptionError
from companion.table import PILE, slot
from firmware.errors import RecordingError
from firmware.virtual.measure import Figures
from firmware.virtual.play import Settings
from firmware.virtual.run import Saver, check, run_games
from firmware.virtual.world import World
from vision.errors import DeckError


def test_a_kept_frame_has_its_truth_beside_it(tmp_path):
    world = World(3, DECK)
    world.move(world.top(PILE), slot(1, 2))
    world.cover(slot(1, 5))
    picture = np.random.default_rng(1).integers(0, 255, (288, 1536, 3), np.uint8)
    saver = Saver(tmp_path)
    saver.begin()
    saver.keep(world.boards[1], 17, 1.23456, picture, world)
    lines = [json.loads(line) for line in (tmp_path / "truth.jsonl").read_text().splitlines()]
    assert lines == [
        {"image": "mat1-000017.png", "camera": "mat1", "time": 1.235, "windows": ["empty", "2c", "empty", "empty", "covered"]}
    ]
    assert np.array_equal(cv2.imread(str(tmp_path / "mat1-000017.png")), picture)


def test_a_second_run_into_the_same_folder_begins_anew(tmp_path):
    world, picture = World(3, DECK), np.zeros((8, 8, 3), np.uint8)
    for _ in range(2):
        saver = Saver(tmp_path)
        saver.begin()
        saver.keep(world.boards[0], 1, 0.1, picture, world)
    assert len((tmp_path / "truth.jsonl").read_text().splitlines()) == 1


def test_a_folder_that_cannot_be_written_is_said(tmp_path):
    world, picture = World(3, DECK), np.zeros((8, 8, 3), np.uint8)
    with pytest.raises(RecordingError, match="nowhere cannot be written any more: the frame could not be written to"):
        Saver(tmp_path / "nowhere").keep(world.boards[0], 1, 0.1, picture, world)


def test_settings_are_checked_before_anything_is_started():
    with pytest.raises(OptionError, match="no game is called 'whist'"):
        check(Settings(game="whist"))
    with pytest.raises(OptionError, match="3 to 5 players"):
        check(Settings(seats=2))
    with pytest.raises(DeckError, match="is no folder"):
        check(Settings(art="/nowhere/at/all"))


def test_what_several_processes_report_is_summed_in_the_order_of_the_games(monkeypatch):
    class Pool:
        """Does in this process what the workers would do."""

        def __init__(self, workers, *, mp_context, initializer, initargs):
            assert workers == 2

        def __enter__(self):
            return self

        def __exit__(self, *_):
            return None

        def map(self, work, shares):
            return [
                Figures(games=len(numbers), turns=len(numbers), notes=[f"game {number}: odd" for number in numbers])
                for _, numbers, _ in shares
            ]

    monkeypatch.setattr("firmware.virtual.run.ProcessPoolExecutor", Pool)
    figures = run_games(Settings(), 5, jobs=2)
    assert (figures.games, figures.turns) == (5, 5)
    assert figures.notes == [f"game {number}: odd" for number in range(5)]
