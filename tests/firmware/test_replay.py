"""The command `replay`: a game from rendered cameras, judged again by the shipped model, by others, and by other rules."""

from __future__ import annotations

import hashlib
import json
import shutil
from importlib import resources
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from companion.cards import DECK, Card, Mark
from companion.games.steal_options import CHOICES, TOLD_ONLY
from companion.observation import Agree, Call
from companion.picturefile import ENDING
from companion.seal import KEY_FILE
from firmware.cli import main
from firmware.commands import replay as command
from firmware.replay import replay
from firmware.virtual.play import Settings
from tests.companion.filmed import Film, shown, three_moves, to_the_end
from tests.companion.journal.keeping import set_field
from tests.firmware.forged import key_of
from tests.firmware.virtual.kept import GAME, play_painted, play_rendered
from vision.classifier import LABELS
from vision.onnx_classifier import OnnxClassifier


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of a short game with draws, a take and a steal, seen through rendered cameras."""
    folder = tmp_path_factory.mktemp("played") / "viewmat"
    sitting, script = play_rendered(folder, Settings(seats=3, seed=10, period=0.2))
    assert script.record.finished
    assert sitting.view().result is not None
    return folder


@pytest.fixture
def folder(played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of it as this user's data folder."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    shutil.copytree(played, tmp_path / "viewmat")
    return tmp_path / "viewmat"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["replay", GAME, *arguments])


def state(folder: Path) -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.rglob("*") if path.is_file()}


class Swapped:
    """The shipped model, which takes one card for another."""

    def __init__(self, one: Card, other: Card) -> None:
        self._model = OnnxClassifier.load()
        self._columns = list(range(len(LABELS)))
        first, second = LABELS.index(one), LABELS.index(other)
        self._columns[first], self._columns[second] = second, first

    def classify(self, patches: np.ndarray) -> np.ndarray:
        return self._model.classify(patches)[:, self._columns]


# ---- another reader -----------------------------------------------------------------------------------------------


def test_the_shipped_model_changes_nothing_and_nothing_is_written(folder: Path) -> None:
    before = state(folder)
    result = run("--json")
    assert (result.exit_code, result.stderr) == (0, "")
    found = json.loads(result.stdout)
    kept = found["pictures"]["kept"]
    assert (found["pictures"]["found"], found["changed"], found["readings_changed"]) == (kept, 0, 0)
    assert kept > 40
    assert (found["rulings"], [turn["number"] for turn in found["turns"]]) == (7, list(range(1, 8)))
    for reading in [each for turn in found["turns"] for each in turn["readings"]] + found["reveal"]:
        assert reading["now"]["confidence"] == pytest.approx(reading["then"]["confidence"], abs=0.01)
    assert len(found["reveal"]) == 15
    assert found["result"]["then"] == found["result"]["now"] is not None
    assert state(folder) == before
    assert run().stdout == f"Nothing would change (rulings: 7, pictures: {kept}).\n"


def test_another_threshold_lists_what_would_not_be_read(folder: Path) -> None:
    result = run("--json", "--min-confidence", "0.99995")
    found = json.loads(result.stdout)
    changed = [each for turn in found["turns"] for each in turn["readings"] if each["changed"]]
    changed += [each for each in found["reveal"] if each["changed"]]
    assert len(changed) == found["readings_changed"] > 0
    assert {each["now"]["seen"] for each in changed} == {"??"}
    assert all(Card.parse(each["then"]["seen"]) in DECK for each in changed)
    said = run("--min-confidence", "0.99995").stdout.splitlines()
    assert len([line for line in said if " was read as " in line and "and now as ?? (" in line]) == len(changed)


def test_a_model_that_takes_one_card_for_another_changes_rulings(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = json.loads(run("--json").stdout)
    drawn = next(turn for turn in found["turns"] if turn["ruling"]["then"]["action"]["type"] == "draw")
    old = next(each for each in drawn["readings"] if each.get("row") and each["when"] == "after")["then"]["seen"]
    fresh = next(str(card) for card in DECK if str(card) not in json.dumps(found))
    swapped = Swapped(Card.parse(old), Card.parse(fresh))
    monkeypatch.setattr(command.OnnxClassifier, "load", lambda path=None: swapped)
    again = json.loads(run("--json").stdout)
    turn = next(one for one in again["turns"] if one["number"] == drawn["number"])
    assert turn["changed"]
    assert turn["ruling"]["then"] == drawn["ruling"]["then"]
    assert turn["ruling"]["now"]["error"] == "replaced_card_not_in_row"
    row = next(each for each in turn["readings"] if each.get("row") and each["when"] == "after")
    assert (row["then"]["seen"], row["now"]["seen"], row["changed"]) == (old, fresh, True)
    assert any(line.startswith(f"Move {drawn['number']}: ") for line in run().stdout.splitlines())


def test_a_model_from_a_file_with_its_description_beside_it(folder: Path, tmp_path: Path) -> None:
    packaged = resources.files("models")
    (tmp_path / "mine.onnx").write_bytes(packaged.joinpath("cards.onnx").read_bytes())
    (tmp_path / "mine.toml").write_text(packaged.joinpath("cards.toml").read_text().replace('"cards.onnx"', '"mine.onnx"'))
    assert run("--model", str(tmp_path / "mine.onnx")).stdout.startswith("Nothing would change (")
    with (tmp_path / "mine.onnx").open("ab") as file:
        file.write(b"more")
    result = run("--model", str(tmp_path / "mine.onnx"))
    assert (result.exit_code, result.stdout) == (1, "")
    assert "mine.onnx is not the model that mine.toml describes" in result.stderr


@pytest.mark.parametrize("name", ["none.onnx", "cards.toml"])
def test_a_model_that_is_none(folder: Path, name: str) -> None:
    result = run("--json", "--model", name)
    assert result.exit_code == 1
    assert "error" in json.loads(result.stdout)
    assert name.partition(".")[0] in result.stderr


# ---- other rules --------------------------------------------------------------------------------------------------


def test_another_house_rule_tells_which_moves_it_would_forbid(folder: Path) -> None:
    result = run("--json", "--option", "max_turns=4")
    found = json.loads(result.stdout)
    assert [turn["changed"] for turn in found["turns"]] == [False] * 4 + [True] * 3
    assert {turn["ruling"]["now"]["error"] for turn in found["turns"][4:]} == {"game_over"}
    assert found["readings_changed"] == 0
    german = run("--option", "max_turns=4", "--language", "de").stdout.splitlines()
    assert german[0].startswith("Zug 5: ") and " Jetzt: " in german[0] and "Das Spiel ist vorbei" in german[0]
    assert german[-1].startswith("Entscheidungen, die sich ändern würden: 3 von 7;")
    said = run("--option", "max_turns=4").stdout
    assert "Move 5: " in said
    assert "The game is over" in said
    assert (found["ended"], found["unshown"]) == ({"then": 7, "now": 4}, [])
    assert "\nThe game would have been over after move 4, and not after move 7.\n" in said
    assert said.endswith(f"Rulings that would change: 3 of 7; readings: 0 of {found['pictures']['kept']}. Nothing was written.\n")


def test_without_pictures_the_referee_alone_judges(folder: Path) -> None:
    (folder / "games" / f"{GAME}{ENDING}").unlink()
    result = run("--json", "--option", "max_turns=4")
    found = json.loads(result.stdout)
    assert result.exit_code == 0
    assert "The pictures of this game are gone" in result.stderr
    assert (found["pictures"]["found"], found["changed"], found["readings_changed"]) == (0, 3, 0)


def test_lost_pictures_are_counted(folder: Path) -> None:
    path = folder / "games" / f"{GAME}{ENDING}"
    data = bytearray(path.read_bytes())
    data[: 2 * (72 * 1024 + 32)] = bytes(2 * (72 * 1024 + 32))
    path.write_bytes(data)
    result = run()
    assert result.exit_code == 0
    assert result.stderr.startswith("Pictures that are gone: 2 of ")
    assert "Nothing would change (rulings: 7," in result.stdout


@pytest.mark.parametrize(
    ("option", "sentence"),
    [
        ("max_turns", "expected an option of the game and its value"),
        ("seven=7", "unknown option 'seven'"),
        ("end_latch=7", "takes True, False; found 7"),
        ("first_seat=3", "option 'first_seat' has to be one of the seats 0 to 2; found 3"),
        ("first_seat=4", "option 'first_seat' has to be one of the seats 0 to 2; found 4"),
        ("first_seat=5", "option 'first_seat' of Five Card Steal takes a whole number from 0 to 4; found 5"),
        ("first_seat=", "option 'first_seat' of Five Card Steal takes a whole number from 0 to 4; found None"),
        ("first_seat=true", "takes a whole number from 0 to 4; found True"),
        ("max_turns=0", "option 'max_turns' of Five Card Steal takes a whole number from 1 to 10000; found 0"),
        ("max_turns=10001", "takes a whole number from 1 to 10000; found 10001"),
    ],
)
def test_options_that_there_are_not(folder: Path, option: str, sentence: str) -> None:
    result = run("--option", option)
    assert (result.exit_code, result.stdout) == (2, "")
    assert sentence in result.stderr


# ---- records that cannot be judged again --------------------------------------------------------------------------


def test_a_game_that_is_not_over_stays_sealed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    film = Film(tmp_path / "viewmat" / "games")
    three_moves(film.table())
    result = run("--json")
    assert result.exit_code == 1
    assert "has no result yet: its cards stay sealed" in result.stderr
    assert json.loads(result.stdout).keys() == {"file", "error"}
    assert not (tmp_path / "viewmat" / KEY_FILE).exists(), "no key is made"


def test_a_missing_game_and_a_missing_key(folder: Path) -> None:
    assert CliRunner().invoke(main, ["replay", "nowhere0"]).exit_code == 2
    (folder / KEY_FILE).unlink()
    result = run()
    assert (result.exit_code, result.stdout) == (1, "")
    assert "seal.key is missing" in result.stderr
    assert not (folder / KEY_FILE).exists()


def test_a_damaged_record(folder: Path) -> None:
    set_field(folder / "games" / f"{GAME}.sqlite", 3, "body", "{}")
    result = run("--json")
    assert result.exit_code == 1
    assert "entry 3" in json.loads(result.stdout)["error"]


# ---- whole games with everything that happens in them -------------------------------------------------------------


class Blind:
    """There is no picture to be read."""

    def classify(self, patches: np.ndarray) -> np.ndarray:
        raise AssertionError("no picture is there")


@pytest.mark.parametrize(
    "settings",
    [
        pytest.param(Settings(seats=3, seed=3, cheat=0.3, habits=0.5), marks=pytest.mark.long),
        Settings(seats=3, seed=5, cheat=0.3, tray="mat", sources=("mat", "tap", "bot")),
    ],
)
def test_games_with_violations_are_judged_alike_under_their_own_rules_and_can_be_under_others(
    settings: Settings, tmp_path: Path
) -> None:
    table, _ = play_painted(tmp_path, settings)
    assert table.sitting.view().result is not None
    journal = tmp_path / "games" / f"{GAME}.sqlite"
    (tmp_path / "games" / f"{GAME}{ENDING}").unlink()
    same = replay(journal, tmp_path, Blind(), {})
    kinds = [one.case.entry.kind for one in same.rejudged]
    judged = [entry for entry in table.sitting.log() if entry.action is not None or entry.ruling is not None]
    assert kinds == [entry.kind for entry in judged if entry.kind in ("action", "violation", "question")]
    assert "violation" in kinds
    assert not any(one.changed for one in same.rejudged)
    assert same.then == same.now is not None
    for name, values in CHOICES.items():
        for value in values:
            found = replay(journal, tmp_path, Blind(), {name: value})
            if name in TOLD_ONLY:
                assert not any(one.changed for one in found.rejudged)


class Painted:
    """Reads the painted cards of a film; a colour that is no card is anything."""

    def __init__(self, wrong: bool = False) -> None:
        self._shift = int(wrong)

    def classify(self, patches: np.ndarray) -> np.ndarray:
        found = np.full((len(patches), len(LABELS)), 1e-6)
        for number, patch in enumerate(patches):
            found[number, LABELS.index(DECK[(int(patch[0, 0, 0]) - 1 + self._shift) % len(DECK)])] = 1.0
        return found


def test_as_many_pictures_are_read_as_stand_in_the_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also those of a reveal that was taken back, which belong to no ruling that is judged again."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr("firmware.replay.WINDOW_PX", (4, 8))
    film = Film(tmp_path / "viewmat" / "games")
    key_of(tmp_path / "viewmat")
    table = shown(to_the_end(three_moves(film.table())))
    hands = {place: seen for place, seen in table.shown.items() if seen is Mark.BACK}
    table.say(0, Call("undo"), 0.5)
    for seat in (0, 1, 2):
        if table.view.proposal is not None:
            table.say(seat, Agree(table.view.proposal.id, True), 0.3)
    assert table.view.result is None
    table.say(0, Call("redo"), 3.0)
    if table.view.result is None:
        table.lie(dict.fromkeys(hands, Mark.BACK), 6.0)
    assert table.kinds.count("result") == 2
    film.chronicle().close()
    checked = json.loads(CliRunner().invoke(main, ["verify", GAME, "--json"]).stdout)["pictures"]
    found = replay(film.journal, tmp_path / "viewmat", Painted(), {})
    assert (found.kept, found.found) == (checked["kept"], checked["found"])
    assert len(found.shown) == 15 and len(found.aside) == 15
    monkeypatch.setattr(command.OnnxClassifier, "load", lambda path=None: Painted(wrong=True))
    told = json.loads(run("--json").stdout)
    assert (told["pictures"]["kept"], told["pictures"]["found"]) == (checked["kept"], checked["found"])
    assert any(each["changed"] for each in told["aside"])
