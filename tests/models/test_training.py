"""Windows and what they are called; a small training run from nothing to a model that loads."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed: pip install 'viewmat[train]'")
if not (shutil.which("rsvg-convert") and shutil.which("fc-list")):
    pytest.skip("rsvg-convert or fc-list is not installed", allow_module_level=True)
pytest.importorskip("onnx", reason="onnx is not installed: pip install 'viewmat[train]'")

from models.training import augment, train  # noqa: E402
from models.training.augment import CARD, COVERED, EMPTY, UNREADABLE, make_batch  # noqa: E402
from models.training.export import export_onnx, mmac  # noqa: E402
from models.training.glyphs import font_families  # noqa: E402
from models.training.net import CardNet  # noqa: E402
from models.training.pool import Pool, make_pool  # noqa: E402
from vision.classifier import LABELS  # noqa: E402
from vision.model_size import measure  # noqa: E402
from vision.onnx_classifier import OnnxClassifier  # noqa: E402


@pytest.fixture(scope="module")
def pool() -> Pool:
    """Two drawn decks and some of everything else."""
    return make_pool(np.random.default_rng(4), [], font_families()[:6], decks=2, seed=1, rendered=1)


def test_a_batch_depends_on_its_seed_alone(pool: Pool) -> None:
    first, second, other = make_batch(pool, 70, 3), make_batch(pool, 70, 3), make_batch(pool, 70, 4)
    assert torch.equal(first.windows, second.windows) and torch.equal(first.kinds, second.kinds)
    assert not torch.equal(first.windows, other.windows)
    assert first.windows.shape == (70, 3, 96, 48) and first.windows.dtype == torch.uint8


def only(pool: Pool, mode: str, count: int = 256) -> augment.Batch:
    return make_batch(pool, count, 11, {mode: 1.0})


def test_cards_at_their_place_are_mostly_cards(pool: Pool) -> None:
    batch = only(pool, "card")
    assert int((batch.kinds == CARD).sum()) > 150
    assert not ((batch.kinds == EMPTY) & (batch.weights > 0)).any()


def test_turned_cards_are_never_called_cards(pool: Pool) -> None:
    assert not (only(pool, "turned").kinds == CARD).any()


def test_shifted_cards_become_unreadable_or_leave(pool: Pool) -> None:
    kinds = only(pool, "shifted").kinds
    assert {UNREADABLE, EMPTY} <= set(kinds.tolist()) and int((kinds == CARD).sum()) < 100


def test_hands_cover(pool: Pool) -> None:
    kinds = only(pool, "hand").kinds
    assert int((kinds == COVERED).sum()) > 60


def test_what_is_cut_off_is_not_called_a_card(pool: Pool) -> None:
    batch, whole = only(pool, "cut"), only(pool, "card")
    named = (batch.kinds == CARD) & (batch.weights > 0)
    assert int(named.sum()) < 0.25 * int(((whole.kinds == CARD) & (whole.weights > 0)).sum())
    assert int((batch.kinds == COVERED).sum()) > 100


def test_smeared_and_burnt_cards_are_called_after_what_is_left_of_them(pool: Pool) -> None:
    whole = int((only(pool, "card").kinds == CARD).sum())
    for mode in ("blurred", "burnt"):
        batch = only(pool, mode)
        assert 0 < int((batch.kinds == CARD).sum()) < 0.8 * whole
        assert int(((batch.kinds == UNREADABLE) & (batch.weights > 0)).sum()) > 60, mode


def test_a_burnt_out_index_is_lost(pool: Pool) -> None:
    """White where the print was: nothing of it counts as seen."""
    scene = torch.full((1, 3, 96, 48), 230.0)
    scene[:, :, 20:50, 10:26] = 20.0
    within = torch.zeros(1, 2, 48, 24)
    within[:, :, 10:25, 5:13] = 1.0
    lost = torch.zeros(1, 96, 48)
    assert augment._lost_share(lost, scene, within).tolist() == [[0.0, 0.0]]
    lost[:, 20:35] = 1.0
    assert augment._lost_share(lost, scene, within)[0].tolist() == pytest.approx([8 / 15, 8 / 15], abs=0.05)


def test_even_a_spoilt_card_is_asked_for_but_nothing_else(pool: Pool) -> None:
    spoilt = only(pool, "blurred")
    assert float(spoilt.told[spoilt.kinds == UNREADABLE].max()) == 0.5
    assert float(only(pool, "card").told.max()) == 1.0
    for mode in ("turned", "back", "empty", "foreign", "inside"):
        assert not only(pool, mode).told.any(), mode


def test_a_large_index_is_often_seen_whole(pool: Pool) -> None:
    """Its window is as high as it needs to be in two cases of three."""
    boxes = torch.tensor([[[2.0, 3.0, 12.0, 20.0], [2.0, 22.0, 12.0, 38.0]]]).repeat(400, 1, 1)
    dice = augment.Dice(torch.Generator().manual_seed(1), 400)
    never = lambda name: torch.zeros(400, dtype=torch.bool)  # noqa: E731
    places, area = augment._places(never, torch.ones(400, dtype=torch.bool), boxes, dice)
    seen = augment._visible(augment._within(places, boxes), boxes, area, None)[:, 1]
    assert 0.4 < float((seen > 0.85).float().mean()) < 0.9


def test_half_of_a_large_suit_is_enough_and_half_of_a_small_one_is_not() -> None:
    boxes = torch.tensor([[[2.0, 3.0, 12.0, 15.0], [2.0, 17.0, 12.0, 29.0]], [[2.0, 3.0, 6.0, 8.0], [2.0, 9.0, 6.0, 13.0]]])
    half = torch.tensor([[1.0, 0.5], [1.0, 0.5]])
    assert augment._enough(half, boxes).tolist() == [[1.0, 1.0], [1.0, 0.5]]
    assert augment._enough(half.flip(1), boxes).tolist() == [[0.5, 1.0], [0.5, 1.0]], "ranks need all of themselves"


@pytest.mark.parametrize(("mode", "kind"), [("back", "back"), ("empty", "empty"), ("foreign", "foreign")])
def test_others_keep_their_names(pool: Pool, mode: str, kind: str) -> None:
    batch = only(pool, mode)
    assert int((batch.kinds == augment.KINDS.index(kind)).sum()) > 220


def test_the_onnx_graph_says_what_the_net_says(tmp_path: Path) -> None:
    torch.manual_seed(2)
    net = CardNet()
    net.train()
    with torch.no_grad():
        net(torch.rand(8, 3, 96, 48) * 255)  # so that the normalisation has something to fold in
    net.eval()
    patches = np.random.default_rng(1).integers(0, 256, (5, 96, 48, 3), dtype=np.uint8)
    heat = (0.8, 1.1, 1.3)
    export_onnx(net, heat, tmp_path / "cards.onnx")
    with torch.no_grad():
        scores = net(torch.from_numpy(patches).permute(0, 3, 1, 2).float())
    rank, suit, kind = (part / t for part, t in zip(scores, heat, strict=True))
    rank, suit, kind = rank.softmax(1), suit.softmax(1), kind.softmax(1)
    expected = torch.cat([(suit[:, :, None] * rank[:, None] * kind[:, :1, None]).flatten(1), kind[:, 1:]], dim=1).numpy()
    import onnxruntime

    session = onnxruntime.InferenceSession(str(tmp_path / "cards.onnx"), providers=["CPUExecutionProvider"])
    found = session.run(None, {"patches": patches})[0]
    assert found.shape == (5, len(LABELS)) and np.allclose(found, expected, atol=1e-5)
    size = measure((tmp_path / "cards.onnx").read_bytes())
    assert size.multiply_adds / 1e6 == pytest.approx(mmac(net)) and size.multiply_adds <= 12e6


def small(out: Path, **more: object) -> train.Plan:
    plan: dict[str, object] = {"seed": 3, "samples": 64 * 4, "batch": 64, "decks": 2, "rendered": 1, "makers": 0}
    plan |= {"validation": 1, "mats": 1, "artwork": False, **more}
    return train.Plan(out, out / "cache", **plan)  # type: ignore[arg-type]


def test_a_small_run_makes_a_model_that_loads_and_is_the_same_again(tmp_path: Path) -> None:
    figures = train.run(small(tmp_path / "first"))
    assert 0 <= figures["right"] <= 1 and figures["right"] + figures["wrong"] + figures["unknown"] == pytest.approx(1)
    classifier = OnnxClassifier.load(tmp_path / "first" / "cards.onnx")
    reading = classifier.classify(np.zeros((3, 96, 48, 3), np.uint8))
    assert reading.shape == (3, len(LABELS)) and np.allclose(reading.sum(axis=1), 1, atol=1e-5)
    train.run(small(tmp_path / "second"))
    assert (tmp_path / "first" / "cards.onnx").read_bytes() == (tmp_path / "second" / "cards.onnx").read_bytes()


def test_an_interrupted_run_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = train.run(small(tmp_path / "whole"))
    learn = train._learn
    steps = []

    def stumble(*arguments: object) -> float:
        steps.append(len(steps))
        if len(steps) == 4:
            raise KeyboardInterrupt
        return learn(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(train, "_learn", stumble)
    with pytest.raises(KeyboardInterrupt):
        train.run(small(tmp_path / "parts", keep_every=2))
    monkeypatch.setattr(train, "_learn", learn)
    resumed = train.run(small(tmp_path / "parts", keep_every=2, resume=True))
    assert resumed == whole
    assert (tmp_path / "whole" / "cards.onnx").read_bytes() == (tmp_path / "parts" / "cards.onnx").read_bytes()
    assert not (tmp_path / "parts" / "checkpoint.pt").exists()
