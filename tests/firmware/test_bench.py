"""`viewmat bench`: every figure of the contract, from a few repeats."""

from __future__ import annotations

import json
from importlib import resources

import numpy as np
import pytest
from click.testing import CliRunner

from companion.cards import DECK
from firmware.benchmark import PHOTO_PX, Benchmark, draw_photo
from firmware.commands import bench
from vision.errors import PictureError
from vision.onnx_classifier import OnnxClassifier
from vision.synthetic.decks import STYLES, draw_deck

TIMES = (
    "onnx_only_5_ms", "classify_5_ms", "mat_frame_changed_ms", "mat_frame_quiet_ms", "jpeg_decode_ms", "five_mats_ms",
    "photo_ms",
)  # fmt: skip


@pytest.fixture(scope="module")
def art():
    return draw_deck(STYLES[0])


@pytest.fixture(scope="module")
def figures(art):
    return Benchmark(OnnxClassifier.load(), art, repeats=3, seed=1).figures()


def test_every_figure_of_the_contract_is_there(figures):
    assert set(figures) == {"model", "idle_cpu_fraction_five_mats", *TIMES}
    assert all(figures[name] > 0 for name in TIMES)
    assert 0 < figures["idle_cpu_fraction_five_mats"] < 5


def test_the_packaged_model_is_as_small_as_it_has_to_be(figures):
    model = figures["model"]
    file = resources.files("models").joinpath("cards.onnx").read_bytes()
    assert model["megabytes"] == pytest.approx(len(file) / 1e6, abs=0.001)
    assert model["megabytes"] <= 2
    assert model["mmac_per_window"] <= 12
    assert 10_000 < model["parameters"] < 500_000


def test_a_changed_frame_is_read_and_a_quiet_one_is_not(art):
    """The figures say what they claim: counted, not timed."""
    from firmware.benchmark import _Mat

    asked = []

    class Counting(OnnxClassifier):
        def classify(self, patches):
            asked.append(len(patches))
            return super().classify(patches)

    loaded = OnnxClassifier.load()
    counting = Counting(loaded._facts, loaded.session)
    mat = _Mat(0, counting, art, seed=1)
    mat.settle()
    for _ in range(4):
        asked.clear()
        mat.exchange()
        assert asked == []
        mat.changed()
        assert asked == [5]
    mat.settle()
    asked.clear()
    for _ in range(30):
        mat.quiet()
    assert asked == []


def test_a_failing_part_is_said_and_hides_no_other(art, monkeypatch, capsys):
    def fail(*_):
        raise PictureError("the picture is upset")

    monkeypatch.setattr("firmware.benchmark.read_photo", fail)
    figures = Benchmark(OnnxClassifier.load(), art, repeats=2, seed=1).figures()
    assert figures["photo_ms"] is None
    assert figures["onnx_only_5_ms"] > 0
    assert "photo_ms: the picture is upset" in capsys.readouterr().err


def test_the_photograph_has_twelve_megapixels_and_its_cards(art):
    photo = draw_photo(art, DECK[:5], seed=1)
    assert photo.shape == (PHOTO_PX[1], PHOTO_PX[0], 3)
    white = np.count_nonzero(photo.min(axis=2) > 200) / photo[..., 0].size
    assert 0.05 < white < 0.3
    assert (photo == draw_photo(art, DECK[:5], seed=1)).all()


class Told:
    def __init__(self, photo_ms):
        self.photo_ms = photo_ms

    def figures(self):
        return {
            "model": {"parameters": 251602, "mmac_per_window": 10.919, "megabytes": 1.009},
            "onnx_only_5_ms": 1.5,
            "idle_cpu_fraction_five_mats": 0.0173,
            "photo_ms": self.photo_ms,
        }


@pytest.mark.parametrize(("photo_ms", "status"), [(640.0, 0), (None, 1)])
def test_json_and_exit_status(monkeypatch, photo_ms, status):
    monkeypatch.setattr(bench, "open_benchmark", lambda repeats, seed: Told(photo_ms))
    result = CliRunner().invoke(bench.command, ["--json"])
    assert result.exit_code == status
    assert json.loads(result.stdout) == Told(photo_ms).figures()


def test_words(monkeypatch):
    monkeypatch.setattr(bench, "open_benchmark", lambda repeats, seed: Told(None))
    assert CliRunner().invoke(bench.command, []).stdout.splitlines() == [
        "model: 251,602 parameters, 10.92 million multiply-adds a window, 1.01 MB",
        "onnx_only_5: 1.5 ms",
        "idle_cpu_fraction_five_mats: 0.0173 of one core",
        "photo_ms: failed",
    ]


def test_fewer_than_fifty_repeats_are_refused():
    result = CliRunner().invoke(bench.command, ["--repeats", "49"])
    assert result.exit_code == 2
    assert "--repeats" in result.output
