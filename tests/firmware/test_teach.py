"""`viewmat teach`: the sources of a deck, what is noticed, and what reads with it afterwards."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

import vision.likeness
from companion.cards import DECK
from firmware.cli import main
from firmware.errors import RecordingError
from firmware.recorded import picture_files, recorded_frames
from firmware.rig import mat_station
from firmware.teaching import from_answers, from_recording
from firmware.virtual.teacher import MISTAKES, Teacher
from vision.features import FeatureModel
from vision.frame import Frame
from vision.lesson import Lesson, Told
from vision.synthetic.condition import condition
from vision.synthetic.decks import STYLES, draw_deck
from vision.synthetic.optics import BoardCamera
from vision.synthetic.scene import LyingCard, empty_scene


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder of its own, and quick learning: how well it reads is tested elsewhere."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr(vision.likeness, "VARIATIONS", 1)
    return tmp_path


@pytest.fixture(scope="module")
def model() -> FeatureModel:
    return FeatureModel.load()


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["teach", *arguments])


def photograph(folder: Path, name: str, index: int) -> Path:
    """A card of our deck on a dark cloth."""
    ground = np.full((700, 560, 3), (60, 90, 40), np.uint8)
    face = cv2.resize(draw_deck(STYLES[0]).face(DECK[index]), (318, 444), interpolation=cv2.INTER_AREA)
    ground[130:574, 120:438] = face
    path = folder / name
    cv2.imwrite(str(path), ground)
    return path


@pytest.fixture
def photographs(tmp_path: Path) -> list[str]:
    folder = tmp_path / "photos"
    folder.mkdir()
    return [str(photograph(folder, f"{card}.jpg", index)) for index, card in enumerate(DECK)]


@pytest.mark.long
def test_photographs_make_a_deck_that_others_read_with(photographs: list[str], home: Path) -> None:
    result = run("kitchen", *photographs, "--json")
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert (told["name"], told["windows"], told["remarks"]) == ("kitchen", 104, [])
    assert sorted(path.name for path in Path(told["folder"]).iterdir()) == ["likeness.npz", "profile.toml", "windows.png"]
    assert Path(told["folder"]) == home / "data" / "viewmat" / "decks" / "kitchen"
    read = CliRunner().invoke(main, ["read", photographs[5], "--profile", "kitchen", "--json"])
    assert [card["card"] for card in json.loads(read.stdout)["cards"]] == [str(DECK[5])]
    unknown = CliRunner().invoke(main, ["read", photographs[5], "--profile", "garden"])
    assert unknown.exit_code == 2
    assert "there is no taught deck 'garden'; taught are: kitchen" in unknown.stderr


def test_pictures_that_do_not_make_a_deck_are_all_named(photographs: list[str]) -> None:
    folder = Path(photographs[0]).parent
    odd = photograph(folder, "holiday.jpg", 3)
    swapped = photograph(folder, "Ks-2.jpg", DECK.index(DECK[20]))
    result = run("kitchen", *photographs[1:4], str(odd), str(swapped))
    assert result.exit_code == 1
    assert "holiday.jpg: expected a card's name, such as As.jpg or 10h-2.png" in result.stderr
    assert f"Ks-2.jpg: this is read as {DECK[20]}" in result.stderr
    assert "no picture shows 48 of the 52 cards, 2c among them" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("../x",), "'../x' is no name for a deck"),
        (("x", "a.jpg", "--deck", "club"), "PICTURE and --deck name different sources of cards"),
        (("x", "--deck", "nonesuch"), "'nonesuch' is not one of"),
        (("x", "--window", "6"), "6 is not in the range 1<=x<=5"),
        ((), "Missing argument 'NAME'"),
    ],
)
def test_bad_usage_is_status_two(arguments: tuple[str, ...], message: str) -> None:
    result = run(*arguments)
    assert (result.exit_code, message in result.stderr) == (2, True), result.stderr


def test_a_folder_without_pictures_is_said(tmp_path: Path) -> None:
    for folder, message in (("nowhere", "is no folder"), (".", "holds no pictures")):
        result = run("x", "--frames", str(tmp_path / folder))
        assert (result.exit_code, message in result.stderr) == (1, True), result.stderr


def test_frames_come_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    for number in (10, 9, 1):
        cv2.imwrite(str(tmp_path / f"frame{number}.png"), np.full((40, 40, 3), number, np.uint8))
    (tmp_path / "notes.txt").write_text("no picture")
    assert [path.name for path in picture_files(tmp_path)] == ["frame1.png", "frame9.png", "frame10.png"]
    frames = list(recorded_frames(tmp_path, "mat0", period=0.5))
    assert [(frame.number, frame.time, int(frame.image[0, 0, 0])) for frame in frames] == [(1, 0.5, 1), (2, 1.0, 9), (3, 1.5, 10)]


def test_a_pass_that_breaks_off_says_what_it_waits_for(tmp_path: Path, model: FeatureModel) -> None:
    station = mat_station(0)
    camera = BoardCamera(station.layout, draw_deck(STYLES[0]), 1, condition("easy", np.random.default_rng(1)))
    shown = [None, DECK[0], None, DECK[2]]
    number = 0
    for card in shown:
        scene = empty_scene(station.layout)
        if card is not None:
            scene = scene.with_stack(2, (LyingCard(card),))
        for _ in range(5):
            number += 1
            cv2.imwrite(str(tmp_path / f"{number}.png"), camera.render(scene, number / 10))
    lesson = Lesson(station.layout, 2, model, both_ways=False)
    said: list[str] = []
    with pytest.raises(RecordingError) as refused:
        from_recording(tmp_path, lesson, said.append)
    assert str(refused.value).startswith("the lesson ended after 1 of 52 windows, waiting: This is read as the four of clubs")
    assert said[0] == "1 of 52: Lay the three of clubs face down over the window and push it to the rail."


class ShortLesson(Lesson):
    """The first cards of a lesson are enough."""

    def __init__(self, model: FeatureModel) -> None:
        super().__init__(mat_station(0).layout, 2, model, both_ways=False)
        self._course = self._course[:5]


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes_at_the_virtual_table_are_noticed_and_put_right(mistake: str, model: FeatureModel) -> None:
    lesson = ShortLesson(model)
    teacher = Teacher(draw_deck(STYLES[0]), "normal", 3, mistake=mistake, at=2)
    taught = from_answers(lesson, (event.answer for event in teacher.teach(lesson)), lambda words: None)
    remarks = {
        "none": (),
        "swap": ("This is read as the five of clubs; asked for is the four of clubs. Lay that one, or say that it lies there.",),
        "twice": ("This is the three of clubs, which was shown before; asked for is the four of clubs.",),
        "joker": ("This looks like a joker, or a card of another game; asked for is the four of clubs.",),
        "back": ("This card shows its back to the window; lay it face down.",),
    }
    assert taught.remarks == remarks[mistake]
    assert taught.cards == DECK[:5]
    assert lesson.answer.told is Told.DONE


def test_a_teacher_gives_up_where_the_camera_sees_nothing(model: FeatureModel) -> None:
    lesson = ShortLesson(model)
    lesson.look(Frame("mat0", 0.0, 1, np.zeros((288, 1536, 3), np.uint8)))
    assert lesson.answer.told is Told.BLIND
    with pytest.raises(RecordingError, match="the lesson ended after 0 of 5 windows, waiting: The camera cannot see the window"):
        from_answers(lesson, iter([lesson.answer]), lambda words: None)


@pytest.mark.long
def test_a_whole_deck_at_the_virtual_table_is_taught_and_played_with() -> None:
    result = run("club", "--deck", "club", "--difficulty", "hard", "--once", "--json")
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["windows"] == 52
    played = CliRunner().invoke(main, ["simulate", "--deck", "club", "--profile", "club", "--seats", "3", "--json"])
    told = json.loads(played.stdout)
    assert (told["wrong_reads"], told["games"]) == (0, 1)
