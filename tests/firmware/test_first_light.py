"""`viewmat first-light`: the kit, what is refused, and a whole round through real files."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.cards import DECK, Mark
from firmware.cli import main
from firmware.errors import RecordingError
from firmware.firstlight import FORM, load_recording, planned_shots, seen_of, write_kit
from firmware.firstlight_report import worse_than_baseline
from firmware.virtual.recorder import record
from vision.onnx_classifier import OnnxClassifier
from vision.synthetic.decks import STYLES, draw_deck


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["first-light", *arguments])


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recording of the virtual table."""
    folder = tmp_path_factory.mktemp("light") / "recording"
    record(folder, draw_deck(STYLES[0]), "normal", 0)
    return folder


@pytest.fixture
def form(recorded: Path):
    """Rewrites the form for one test."""
    path = recorded / FORM
    text = path.read_text()

    def rewrite(old: str, new: str) -> Path:
        assert old in text
        path.write_text(text.replace(old, new, 1))
        return recorded

    yield rewrite
    path.write_text(text)


def test_the_plan_shows_every_card_and_every_other_thing() -> None:
    shown = {seen_of(text) for _, windows, _ in planned_shots() for text in windows}
    assert shown == {*DECK, Mark.EMPTY, Mark.BACK, Mark.FOREIGN, Mark.COVERED}


def test_the_kit_is_a_form_and_a_folder_for_every_shot(tmp_path: Path) -> None:
    folder = tmp_path / "kit"
    assert run("new", str(folder)).exit_code == 0
    assert {path.name for path in folder.iterdir()} == {FORM, *(name for name, _, _ in planned_shots())}
    again = run("new", str(folder))
    assert (again.exit_code, "holds a recording.toml already" in again.stderr) == (1, True)
    unfilled = run("report", str(folder))
    assert unfilled.exit_code == 1
    assert "camera.exposure_us = 0: input should be greater than 0" in unfilled.stderr
    assert "camera.model = '': string should have at least 1 character" in unfilled.stderr


def test_a_filled_kit_without_frames_names_every_shot(tmp_path: Path, recorded: Path) -> None:
    write_kit(tmp_path / "kit")
    (tmp_path / "kit" / FORM).write_text((recorded / FORM).read_text())
    with pytest.raises(RecordingError) as refused:
        load_recording(tmp_path / "kit")
    assert str(refused.value).count("holds no pictures") == len(planned_shots())


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('cover = "open"', 'cover = "glass"', "mat.cover = 'glass': input should be 'open', 'film', 'acrylic' or 'frosted'"),
        ("number = 1", "number = 9", "mat.number = 9: input should be less than or equal to 6"),
        ('finish = "linen"', "", "deck.finish is missing"),
        ("gain = 1.0", "gain = nan", "camera.gain = nan: input should be a finite number"),
        ('folder = "backs"', 'folder = "../../backs"', "shot.2.folder = '../../backs': string should match pattern"),
        ('"2c"', '"1c"', "'1c' is neither a card such as Td nor one of empty, back, foreign, covered"),
        ('"2c"', '"3c"', "shot 'cards-01' names a card twice; a deck has one of each"),
        ('folder = "hand"', 'folder = "foot"', "shot 'foot': "),
        ('folder = "hand"', 'folder = "backs"', "shot 'backs' is listed 2 times"),
        ("format = 1", "format = 1\nweather = 3", "weather = 3: there is no such key"),
        ("format = 1", "format = ", "is no TOML"),
        ("format = 1", f"format = {'[' * 100_000}{']' * 100_000}", "nests too deeply"),
    ],
)
def test_a_form_that_does_not_fit_is_refused_with_the_place(form, old: str, new: str, message: str) -> None:
    with pytest.raises(RecordingError, match=re.escape(message)):
        load_recording(form(old, new))


def test_a_recording_needs_the_empty_mat(form) -> None:
    with pytest.raises(RecordingError, match="no shot shows the empty mat"):
        load_recording(form('windows = ["empty", "empty"', 'windows = ["2c", "empty"'))


def test_a_whole_round_through_real_files(recorded: Path, tmp_path: Path) -> None:
    kept = tmp_path / "set"
    result = run("report", str(recorded), "--out", str(tmp_path / "report"), "--set", str(kept), "--json")
    told = json.loads(result.stdout)
    assert result.exit_code == 0, result.output
    assert told["cards"]["wrong"] == 0
    assert told["cards"]["right"] >= 60
    assert told["others"] == {"shown": 23, "named_as_card": 0}
    assert told["cards_never_shown"] == []
    assert told["optics"]["marker_error_mm"] < 0.3
    page = (tmp_path / "report" / "report.md").read_text()
    assert page.startswith("# First light, ") and "| cards shown | right | wrong | unknown |" in page
    assert json.loads((kept / "baseline.json").read_text()) == told
    same = run("verify", str(kept))
    assert (same.exit_code, same.stdout) == (0, "nothing is read worse than before\n")


class Forgetful(OnnxClassifier):
    """A reader of a later day that can read no seven any more."""

    def classify(self, patches):
        reading = super().classify(patches)
        sevens = [index for index, card in enumerate(DECK) if str(card)[0] == "7"]
        lost = reading[:, sevens].sum(axis=1)
        reading[:, sevens] = 0.0
        reading[:, 55] += lost
        return reading


def test_a_reader_that_became_worse_is_caught(recorded: Path, tmp_path: Path) -> None:
    kept = tmp_path / "set"
    assert run("report", str(recorded), "--out", str(tmp_path / "r"), "--set", str(kept)).exit_code == 0
    good = OnnxClassifier.load()
    worse = worse_than_baseline(kept, Forgetful(good.facts, good.session))
    assert {line.split(": ")[1].split(" was")[0] for line in worse} >= {"7c", "7d", "7h", "7s"}
    (kept / "baseline.json").write_text("[]")
    broken = run("verify", str(kept))
    assert (broken.exit_code, "is no baseline that can be read" in broken.stderr) == (1, True)
