"""The packaged model, and what happens when something other than it is there."""

from __future__ import annotations

import hashlib
import shutil
from importlib import resources
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cards import Card, Mark
from vision.classifier import LABELS, Patches
from vision.errors import ModelError, VisionError
from vision.layout import WINDOW_MM, WINDOW_PX
from vision.model_size import measure
from vision.onnx_classifier import BATCH, NAMES, OnnxClassifier, read_facts
from vision.synthetic.decks import PX_PER_MM, STYLES, draw_deck

WIDTH, HEIGHT = WINDOW_PX


@pytest.fixture(scope="module")
def classifier() -> OnnxClassifier:
    return OnnxClassifier.load()


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """The packaged model in a folder of its own."""
    for name in ("cards.onnx", "cards.toml"):
        shutil.copyfile(str(resources.files("models").joinpath(name)), tmp_path / name)
    return tmp_path / "cards.onnx"


def rewrite(model: Path, old: str, new: str) -> None:
    description = model.with_suffix(".toml")
    text = description.read_text()
    assert old in text
    description.write_text(text.replace(old, new, 1))


def corner(face: Patches) -> Patches:
    """The window over a face that lies exactly at its place."""
    cut = face[: round(WINDOW_MM[1] * PX_PER_MM), : round(WINDOW_MM[0] * PX_PER_MM)]
    return np.asarray(cv2.resize(cut, WINDOW_PX, interpolation=cv2.INTER_AREA), np.uint8)


def named(classifier: OnnxClassifier, patches: Patches) -> list[str]:
    """What is claimed of each patch; an unsure card is unreadable."""
    claims = []
    for reading in classifier.classify(patches):
        seen = LABELS[int(reading.argmax())]
        sure = not isinstance(seen, Card) or reading.max() >= classifier.min_confidence
        claims.append(str(seen) if isinstance(seen, Card) else seen.value)
        if not sure:
            claims[-1] = Mark.UNREADABLE.value
    return claims


def test_rows_are_probabilities_over_the_labels(classifier: OnnxClassifier) -> None:
    noise = np.random.default_rng(1).integers(0, 256, (7, HEIGHT, WIDTH, 3), dtype=np.uint8)
    reading = classifier.classify(noise)
    assert reading.shape == (7, len(LABELS)) and reading.dtype == np.float32
    assert np.allclose(reading.sum(axis=1), 1, atol=1e-5)
    assert (reading >= 0).all()


def test_no_patches_give_no_rows(classifier: OnnxClassifier) -> None:
    assert classifier.classify(np.zeros((0, HEIGHT, WIDTH, 3), np.uint8)).shape == (0, len(LABELS))


def test_a_patch_is_read_alike_alone_and_among_many(classifier: OnnxClassifier) -> None:
    patches = np.random.default_rng(2).integers(0, 256, (BATCH + 3, HEIGHT, WIDTH, 3), dtype=np.uint8)
    together = classifier.classify(patches)
    for at in (0, BATCH - 1, BATCH, BATCH + 2):
        assert np.allclose(together[at], classifier.classify(patches[at : at + 1])[0], atol=1e-5)


def test_a_view_into_a_picture_is_read_like_a_copy(classifier: OnnxClassifier) -> None:
    wide = np.random.default_rng(3).integers(0, 256, (2, HEIGHT * 2, WIDTH * 2, 3), dtype=np.uint8)
    view = wide[:, ::2, ::2]
    assert np.allclose(classifier.classify(view), classifier.classify(view.copy()))


@pytest.mark.parametrize("style", STYLES, ids=lambda style: style.name)
def test_our_own_decks_are_read(classifier: OnnxClassifier, style: object) -> None:
    art = draw_deck(style)  # type: ignore[arg-type]
    cards = [seen for seen in LABELS if isinstance(seen, Card)]
    claims = named(classifier, np.stack([corner(art.face(card)) for card in cards]))
    pairs = list(zip(map(str, cards), claims, strict=True))
    wrong = [f"{card} read as {claim}" for card, claim in pairs if claim not in (card, "unreadable")]
    assert wrong == []
    assert sum(card == claim for card, claim in pairs) >= 49, "one look, with the threshold of the model"


def test_backs_and_jokers_are_no_cards(classifier: OnnxClassifier) -> None:
    decks = [draw_deck(style) for style in STYLES]
    backs = named(classifier, np.stack([corner(deck.back()) for deck in decks]))
    jokers = named(classifier, np.stack([corner(deck.joker()) for deck in decks]))
    assert set(backs) <= {"back", "unreadable", "foreign"} and backs.count("back") >= len(decks) - 1
    assert not set(jokers) & set(NAMES[:52])


def test_a_card_the_other_way_up_is_not_named(classifier: OnnxClassifier) -> None:
    art = draw_deck(STYLES[0])
    turned = np.stack([corner(art.face(Card.parse(text)))[::-1, ::-1] for text in ("6s", "9h", "8c", "Td", "Ah", "2s")])
    assert not set(named(classifier, turned)) & set(NAMES[:52])


@pytest.mark.parametrize("grey", [0, 40, 128, 200, 255])
def test_an_even_window_is_no_card(classifier: OnnxClassifier, grey: int) -> None:
    even = np.full((1, HEIGHT, WIDTH, 3), grey, np.uint8)
    assert named(classifier, even)[0] not in NAMES[:52]


@pytest.mark.parametrize("spread", [10, 60, 120])
def test_noise_is_no_card(classifier: OnnxClassifier, spread: int) -> None:
    noise = np.random.default_rng(spread).normal(128, spread, (200, HEIGHT, WIDTH, 3)).clip(0, 255).astype(np.uint8)
    assert not set(named(classifier, noise)) & set(NAMES[:52])


def test_it_is_small_enough_for_the_mat() -> None:
    size = measure(resources.files("models").joinpath("cards.onnx").read_bytes())
    assert 5 < size.multiply_adds / 1e6 <= 12
    assert size.megabytes <= 2


def test_labels_stand_in_the_description_in_the_order_of_the_columns() -> None:
    facts = read_facts(Path(str(resources.files("models").joinpath("cards.toml"))))
    assert facts.file == "cards.onnx"
    assert NAMES[0] == "2c" and NAMES[51] == "As" and NAMES[52:] == ("empty", "back", "covered", "unreadable", "foreign")
    assert 0.3 <= facts.min_confidence < 1


def test_a_model_elsewhere_loads(copied: Path) -> None:
    black = np.zeros((1, HEIGHT, WIDTH, 3), np.uint8)
    assert np.array_equal(OnnxClassifier.load(copied).classify(black), OnnxClassifier.load().classify(black))


def test_another_model_than_described_is_refused(copied: Path) -> None:
    data = bytearray(copied.read_bytes())
    data[len(data) // 2] ^= 1
    copied.write_bytes(bytes(data))
    told = r"cards\.onnx is not the model that cards\.toml describes: sha256 [0-9a-f]{64}, expected"
    with pytest.raises(ModelError, match=told):
        OnnxClassifier.load(copied)


def test_errors_of_models_are_value_errors() -> None:
    assert issubclass(ModelError, VisionError) and issubclass(ModelError, ValueError)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('"2c", "3c"', '"3c", "2c"', "label 0 is '3c', expected '2c'"),
        ('"2c", "3c"', '"2c"', "56 labels, expected 57"),
        ("width = 48", "width = 64", "input width is 64, this program gives 48"),
        ("height = 96", "height = 48", "input height is 48, this program gives 96"),
        ("blue green red", "red green blue", "input colours is 'red green blue', this program gives 'blue green red'"),
        ("min_confidence = ", "min_confidence = 7", "expected a probability from 0 to 1"),
        ("min_confidence = ", "least = ", "min_confidence is missing"),
        ('file = "cards.onnx"', 'file = "other.onnx"', "cards.toml describes other.onnx, not cards.onnx"),
        ('sha256 = "', "sha256 = 3 #", "sha256 is 3"),
        ("[output]", "[outcome]", "output is missing"),
        ('name = "patches"', 'name = "windows"', "expected {'windows'"),
        ('name = "probabilities"', 'name = "odds"', "expected {'odds'"),
        ("[input]", "[input", "cards.toml is no TOML"),
    ],
)
def test_a_description_that_does_not_fit_is_refused(copied: Path, old: str, new: str, told: str) -> None:
    rewrite(copied, old, new)
    with pytest.raises(ModelError) as refused:
        OnnxClassifier.load(copied)
    assert told in str(refused.value)


@pytest.mark.parametrize("name", ["cards.onnx", "cards.toml"])
def test_a_missing_file_is_named(copied: Path, name: str) -> None:
    (copied.parent / name).unlink()
    with pytest.raises(ModelError, match=f"no model file {name} where it is expected"):
        OnnxClassifier.load(copied)


def test_a_file_that_is_no_model_is_refused(copied: Path) -> None:
    told = read_facts(copied.with_suffix(".toml")).sha256
    copied.write_bytes(b"not a model")
    rewrite(copied, told, hashlib.sha256(b"not a model").hexdigest())
    with pytest.raises(ModelError, match=r"cards\.onnx is no model that can be run"):
        OnnxClassifier.load(copied)


@pytest.mark.parametrize(
    "patches",
    [
        np.zeros((HEIGHT, WIDTH, 3), np.uint8),
        np.zeros((1, WIDTH, HEIGHT, 3), np.uint8),
        np.zeros((1, 3, HEIGHT, WIDTH), np.uint8),
        np.zeros((1, HEIGHT, WIDTH, 3), np.float32),
        np.zeros((1, HEIGHT, WIDTH, 1), np.uint8),
    ],
    ids=lambda patches: f"{patches.shape} {patches.dtype}",
)
def test_patches_of_another_kind_are_refused(classifier: OnnxClassifier, patches: Patches) -> None:
    with pytest.raises(ModelError, match="expected count x 96 x 48 x 3 of uint8"):
        classifier.classify(patches)
