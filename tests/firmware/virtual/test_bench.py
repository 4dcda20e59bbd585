"""The workbench of the virtual table."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from time import monotonic

import pytest

import vision.likeness
from companion.errors import TaskError
from companion.web.bench import TaskView
from firmware.virtual.bench import BenchTask, VirtualCheck, VirtualLesson
from firmware.virtual.server import packaged_classifier
from vision.deckprofile import profile_names
from vision.synthetic.art import DeckArt
from vision.synthetic.decks import STYLES, draw_deck


def art() -> DeckArt:
    return draw_deck(STYLES[0])


def wait_until(task: BenchTask, holds: Callable[[TaskView], bool], seconds: float = 240.0) -> TaskView:
    patience = monotonic() + seconds
    pause = threading.Event()
    while not holds(task.view()) and monotonic() < patience:
        pause.wait(0.05)
    return task.view()


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(vision.likeness, "VARIATIONS", 1)
    return tmp_path


def test_a_check_runs_to_its_verdict() -> None:
    task = VirtualCheck(art, "easy", 1, 1, packaged_classifier)
    assert task.view() == TaskView()
    task.start("")
    over = wait_until(task, lambda view: not view.running)
    task.close()
    assert over == TaskView(words="The table passes.", done=52, passed=True)


def test_a_lesson_can_be_stopped_and_two_do_not_run_at_once(home: Path) -> None:
    task = VirtualLesson(art, "easy", 1)
    task.start("kitchen")
    with pytest.raises(TaskError, match="this is running already"):
        task.start("kitchen")
    with pytest.raises(TaskError, match="nobody has to confirm"):
        task.confirm()
    assert wait_until(task, lambda view: view.done > 0).done > 0
    task.close()
    assert (task.view().running, task.view().passed) == (False, None)
    assert profile_names(home / "viewmat" / "decks") == ()


def test_a_name_that_is_none_is_refused() -> None:
    with pytest.raises(TaskError, match="is no name for a deck"):
        VirtualLesson(art, "easy", 1).start("../x")


def test_a_lesson_that_could_not_be_kept_does_not_begin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "viewmat").write_text("a file where the folder should be")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    task = VirtualLesson(art, "easy", 1)
    with pytest.raises(TaskError, match="taught decks cannot be written there"):
        task.start("kitchen")
    assert not task.view().running


@pytest.mark.long
def test_a_whole_lesson_keeps_the_deck(home: Path) -> None:
    task = VirtualLesson(art, "easy", 1, both_ways=False)
    task.start("kitchen")
    over = wait_until(task, lambda view: not view.running)
    task.close()
    assert (over.done, over.total, over.passed) == (52, 52, True)
    assert profile_names(home / "viewmat" / "decks") == ("kitchen",)
