"""`viewmat check`: a good table passes, and every fault is named by its own cause."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import pytest
from click.testing import CliRunner, Result

from companion.cards import DECK
from firmware.checking import Grade, Limit, judge
from firmware.cli import main
from firmware.commands.check import dealt
from firmware.virtual.dealer import FAULTS, Dealer, Fault, Injected
from vision.onnx_classifier import OnnxClassifier
from vision.synthetic.decks import STYLES, draw_deck

SEATS = 2
EXPECTED: dict[Fault, set[str]] = {
    "blur": {"blur"}, "glare": {"glare", "unread", "missing"}, "dim": {"dim"}, "bright": {"bright"}, "stray": {"stray"},
    "noise": {"noise"}, "marker": {"marker"}, "dead": {"dead"}, "missing": {"missing"}, "twice": {"twice", "missing"},
    "joker": {"foreign", "missing"},
}  # fmt: skip
"""What may be called bad; the first of each has to be."""


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["check", *arguments])


@pytest.fixture(scope="module")
def classifier() -> OnnxClassifier:
    return OnnxClassifier.load()


RARE = ("stray", "noise", "bright", "missing")
"""Those of the long run."""


@pytest.mark.parametrize("fault", [pytest.param(one, marks=pytest.mark.long if one in RARE else ()) for one in FAULTS])
def test_each_fault_is_named_by_its_cause(fault: Fault, classifier: OnnxClassifier) -> None:
    dealer = Dealer(draw_deck(STYLES[0]), "easy", 5, SEATS, [Injected(fault, 1)])
    found = judge(dealt(dealer, classifier), range(SEATS), classifier)
    bad = [finding for finding in found if finding.grade is Grade.BAD]
    # A joker that is not surely one is a card that cannot be read, in whose stead another one is missing.
    needed = {"twice": {"twice"}, "joker": {"foreign", "missing"}, "glare": {"glare"}}.get(fault, EXPECTED[fault])
    assert needed & {finding.kind for finding in bad}
    assert {finding.kind for finding in bad} <= EXPECTED[fault]
    assert not any(finding.seat == 0 for finding in bad), "the other mat is not blamed"


def test_a_good_table_passes_and_the_report_has_pictures(tmp_path: Path) -> None:
    result = run("--seats", "2", "--difficulty", "normal", "--seed", "3", "--out", str(tmp_path / "report"), "--json")
    told = json.loads(result.stdout)
    assert (result.exit_code, told["passed"], told["cards_counted"]) == (0, True, 52), result.stdout
    assert [mat["mat"] for mat in told["mats"]] == [1, 2]
    assert json.loads((tmp_path / "report" / "report.json").read_text()) == told
    page = (tmp_path / "report" / "report.html").read_text()
    assert "52 of 52 cards counted" in page
    for name in ("mat1.png", "mat1-cards.png", "mat2.png", "mat2-cards.png"):
        assert f'src="{name}"' in page
        assert cv2.imread(str(tmp_path / "report" / name)) is not None


def test_recorded_frames_are_checked_like_a_table(tmp_path: Path) -> None:
    dealer = Dealer(draw_deck(STYLES[0]), "easy", 5, 1, [Injected("blur", 0)])
    for number, (_, frame) in zip(range(60), dealer.walk(lambda: ()), strict=False):
        cv2.imwrite(str(tmp_path / f"{number}.jpg"), frame.image, (cv2.IMWRITE_JPEG_QUALITY, 95))
    result = run("--frames", str(tmp_path))
    assert result.exit_code == 1
    first, counted, *lines = result.stdout.splitlines()
    assert first == "The table fails: put right what stands below, and check again."
    assert counted.endswith("of 52 cards counted.")
    assert any(line.startswith("mat 1: the picture is out of focus: edges are") for line in lines)


def test_the_wrong_mat_is_not_taken_for_a_dark_one(tmp_path: Path) -> None:
    dealer = Dealer(draw_deck(STYLES[0]), "easy", 5, 1)
    for number, (_, frame) in zip(range(8), dealer.walk(lambda: ()), strict=False):
        cv2.imwrite(str(tmp_path / f"{number}.png"), frame.image)
    result = run("--frames", str(tmp_path), "--seat", "3")
    assert "mat 3: nothing can be seen: mat2: this is another board (its markers: 0..)" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--fault", "fog@1"), "'fog' is no fault: expected one of blur, glare,"),
        (("--fault", "blur@9"), "mat '9' is not in the range 1 to 6"),
        (("--fault", "blur@3", "--seats", "2"), "blur@3: there are 2 mats"),
        (("--profile", "kitchen"), "there is no taught deck 'kitchen'"),
    ],
)
def test_bad_usage_is_status_two(
    arguments: tuple[str, ...], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    result = run(*arguments)
    assert (result.exit_code, message in result.stderr) == (2, True), result.stderr


def test_limits() -> None:
    limit = Limit(1.0, 2.0)
    assert [limit.grade(value) for value in (0.9, 1.0, 1.9, 2.0)] == [Grade.GOOD, Grade.WEAK, Grade.WEAK, Grade.BAD]


def test_a_dealt_deck_holds_what_the_fault_says() -> None:
    decks = {fault: Dealer(draw_deck(STYLES[0]), "easy", 1, 1, [Injected(fault)]).deck for fault in ("missing", "twice", "joker")}
    assert len(decks["missing"]) == 51
    assert len(set(decks["twice"])) == 51
    assert decks["joker"].count("joker") == 1
    assert set(Dealer(draw_deck(STYLES[0]), "easy", 1, 1).deck) == set(DECK)
