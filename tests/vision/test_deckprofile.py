"""A taught deck: what is kept, what is refused, and what it does to readings."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cards import DECK, Mark
from vision.classifier import LABELS, Patches
from vision.deckprofile import DeckProfile, check_place, checked_name, load_profile, make_profile, profile_names, save_profile
from vision.errors import ModelError, ProfileError
from vision.features import FeatureModel, with_output
from vision.layout import WINDOW_MM, WINDOW_PX
from vision.onnx_classifier import OnnxClassifier, checked_model
from vision.synthetic.decks import PX_PER_MM, DeckArt, draw_deck, find_style
from vision.taught import FEWEST_WITNESSES, TaughtClassifier, weighed
from vision.variations import variations

TAUGHT, OTHER = "saloon", "parlour"


def corner(face: Patches, shift_mm: float = 0.0) -> Patches:
    """The window over a face that lies at its place, or too far to the left by so much."""
    height, width, left = (round(mm * PX_PER_MM) for mm in (WINDOW_MM[1], WINDOW_MM[0], shift_mm))
    return np.asarray(cv2.resize(face[:height, left : left + width], WINDOW_PX, interpolation=cv2.INTER_AREA), np.uint8)


def corners(art: DeckArt) -> Patches:
    return np.stack([corner(art.face(card)) for card in DECK])


@pytest.fixture(scope="module")
def model() -> FeatureModel:
    return FeatureModel.load()


@pytest.fixture(scope="module")
def profile(model: FeatureModel) -> DeckProfile:
    return make_profile(TAUGHT, DECK, corners(draw_deck(find_style(TAUGHT))), "2026-11-30", model)


@pytest.fixture
def kept(profile: DeckProfile, tmp_path: Path) -> Path:
    """A folder of profiles with one in it."""
    save_profile(profile, tmp_path)
    return tmp_path


def test_the_features_come_with_the_same_readings(model: FeatureModel) -> None:
    patches = corners(draw_deck(find_style(TAUGHT)))[:70]
    reading, features = model.see(patches)
    assert np.allclose(reading, OnnxClassifier.load().classify(patches), atol=1e-6)
    assert features.shape[0] == len(patches) and features.min() >= 0
    assert model.see(patches[:0])[0].shape == (0, len(LABELS))


def test_a_model_without_such_values_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.features.TENSOR", "nothing")
    with pytest.raises(ModelError, match="has no 'nothing' values, so no taught deck can be used with it"):
        FeatureModel.load()
    assert with_output(checked_model()[1], "flat") != checked_model()[1]


def test_variations_begin_with_the_window_itself() -> None:
    window = corner(draw_deck(find_style(TAUGHT)).face(DECK[30]))
    made = variations(window, 5, np.random.default_rng(1))
    assert made.shape == (6, 96, 48, 3) and made.dtype == np.uint8
    assert np.array_equal(made[0], window)
    assert len({one.tobytes() for one in made}) == 6
    assert np.array_equal(variations(window, 5, np.random.default_rng(1)), made)


def test_a_profile_comes_back_as_it_was(profile: DeckProfile, model: FeatureModel, kept: Path) -> None:
    again = load_profile(kept, TAUGHT, model)
    assert (again.name, again.cards, again.taught, again.model) == (TAUGHT, DECK, "2026-11-30", model.facts.sha256)
    assert np.array_equal(again.windows, profile.windows)
    assert np.array_equal(again.likeness.inverse, profile.likeness.inverse)
    assert profile_names(kept) == (TAUGHT,)


def test_what_was_learnt_with_another_model_is_learnt_again(profile: DeckProfile, model: FeatureModel, kept: Path) -> None:
    description = kept / TAUGHT / "profile.toml"
    description.write_text(description.read_text().replace(model.facts.sha256, "0" * 64))
    (kept / TAUGHT / "likeness.npz").write_bytes(b"of another model")
    again = load_profile(kept, TAUGHT, model)
    assert again.model == model.facts.sha256
    assert np.allclose(again.likeness.means, profile.likeness.means)


def test_what_was_cut_off_is_learnt_again(profile: DeckProfile, model: FeatureModel, kept: Path) -> None:
    stored = kept / TAUGHT / "likeness.npz"
    stored.write_bytes(stored.read_bytes()[:5000])
    assert np.allclose(load_profile(kept, TAUGHT, model).likeness.means, profile.likeness.means)


def test_learnt_values_of_another_deck_are_not_believed(profile: DeckProfile, model: FeatureModel, kept: Path) -> None:
    strange = replace(profile.likeness, means=np.roll(profile.likeness.means, 1, axis=0))
    strange.save(kept / TAUGHT / "likeness.npz")
    assert np.allclose(load_profile(kept, TAUGHT, model).likeness.means, profile.likeness.means)


def test_a_profile_is_never_half_replaced(
    profile: DeckProfile, model: FeatureModel, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: object, path: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(type(profile.likeness), "save", full)
    with pytest.raises(ProfileError, match="the taught deck cannot be written: No space left on device"):
        save_profile(replace(profile, taught="2026-12-24"), kept)
    assert load_profile(kept, TAUGHT, model).taught == profile.taught
    assert profile_names(kept) == (TAUGHT,)


def test_a_replacement_that_was_interrupted_is_taken_back(profile: DeckProfile, model: FeatureModel, kept: Path) -> None:
    (kept / TAUGHT).rename(kept / f".{TAUGHT}.before")
    assert load_profile(kept, TAUGHT, model).taught == profile.taught
    save_profile(replace(profile, taught="2026-12-24"), kept)
    assert load_profile(kept, TAUGHT, model).taught == "2026-12-24"
    assert [path.name for path in kept.iterdir()] == [TAUGHT]


def test_a_folder_that_cannot_be_written_is_noticed_before_the_lesson(tmp_path: Path) -> None:
    check_place(tmp_path / "decks")
    (tmp_path / "file").write_text("")
    with pytest.raises(ProfileError, match="taught decks cannot be written there"):
        check_place(tmp_path / "file" / "decks")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("format = 1", "format = 2", "format is 2, this program reads 1; teach the deck again"),
        ("format = 1", "format = ", "is no TOML that can be read"),
        ('"2c", ', "", "the deck is not whole, 2c missing"),
        ('"2c"', '"1c"', "'1c' is no card"),
        ('taught = "2026-11-30"', "taught = 7", "taught is 7; expected a text"),
        ('windows_sha256 = "', 'windows_sha256 = "0', "is not the picture that profile.toml describes"),
    ],
)
def test_a_damaged_profile_is_refused(model: FeatureModel, kept: Path, old: str, new: str, message: str) -> None:
    description = kept / TAUGHT / "profile.toml"
    text = description.read_text()
    assert old in text
    description.write_text(text.replace(old, new, 1))
    with pytest.raises(ProfileError, match=re.escape(message)):
        load_profile(kept, TAUGHT, model)


def test_a_profile_without_its_picture_or_without_itself_is_refused(model: FeatureModel, kept: Path) -> None:
    (kept / TAUGHT / "windows.png").unlink()
    with pytest.raises(ProfileError, match=r"windows\.png: cannot be read"):
        load_profile(kept, TAUGHT, model)
    shutil.rmtree(kept / TAUGHT)
    with pytest.raises(ProfileError, match=r"there is no taught deck 'saloon' in .*; taught are: none"):
        load_profile(kept, TAUGHT, model)


@pytest.mark.parametrize("name", ["", "../up", "a/b", "-x", "x" * 41, "küche"])
def test_names_that_are_no_folder_names_are_refused(name: str) -> None:
    with pytest.raises(ProfileError, match="is no name for a deck"):
        checked_name(name)


def test_a_deck_needs_all_its_cards(model: FeatureModel) -> None:
    windows = np.zeros((51, 96, 48, 3), np.uint8)
    with pytest.raises(ProfileError, match="no window shows As; a deck is taught with all of its 52 cards"):
        make_profile("x", DECK[:51], windows, "", model)
    with pytest.raises(ProfileError, match="expected 52 x 96 x 48 x 3"):
        make_profile("x", DECK, windows, "", model)


def test_half_an_index_is_read_that_the_model_alone_cannot_read(profile: DeckProfile, model: FeatureModel) -> None:
    art = draw_deck(find_style(TAUGHT))
    rng = np.random.default_rng(7)
    aside = np.stack([corner(art.face(card), 4.2) for card in DECK])
    dim = np.clip(aside * 0.7 + rng.normal(0, 5, aside.shape), 0, 255).astype(np.uint8)
    truth = np.arange(52)

    def counted(reading: Patches) -> tuple[int, int]:
        named = (reading.argmax(axis=1) < 52) & (reading.max(axis=1) >= 0.9)
        return int((named & (reading.argmax(axis=1) == truth)).sum()), int((named & (reading.argmax(axis=1) != truth)).sum())

    reading, features = model.see(dim)
    alone, taught = counted(reading), counted(weighed(reading, features, profile.likeness))
    assert taught[0] > alone[0]
    assert taught[1] == alone[1] == 0


def test_jokers_backs_and_nothing_stay_what_they_are(profile: DeckProfile, model: FeatureModel) -> None:
    art = draw_deck(find_style(TAUGHT))
    rng = np.random.default_rng(3)
    others = np.stack([corner(art.joker()), corner(art.back()), np.full((96, 48, 3), 25, np.uint8)])
    noisy = np.concatenate([variations(window, 20, rng) for window in others])
    reading, features = model.see(noisy)
    after = weighed(reading, features, profile.likeness)
    named = (after.argmax(axis=1) < 52) & (after.max(axis=1) >= 0.8)
    assert not named.any()
    assert np.allclose(after.sum(axis=1), 1.0, atol=1e-4)


def test_a_window_like_no_taught_card_is_left_alone(profile: DeckProfile, model: FeatureModel) -> None:
    reading, features = model.see(corners(draw_deck(find_style(TAUGHT))))
    unsure = np.zeros_like(reading)
    unsure[:, LABELS.index(Mark.UNREADABLE)] = 1.0
    told = weighed(unsure, features, profile.likeness).argmax(axis=1)
    known = told == np.arange(52)
    assert known.sum() >= 48, "the taught windows themselves"
    assert set(told[~known]) <= {LABELS.index(Mark.UNREADABLE)}
    assert np.array_equal(weighed(unsure, features * 4, profile.likeness), unsure)
    covered = np.roll(unsure, -1, axis=1)
    assert LABELS[int(covered[0].argmax())] is Mark.COVERED
    assert np.array_equal(weighed(covered, features, profile.likeness), covered)


def test_another_deck_on_the_table_is_noticed_and_the_profile_put_aside(profile: DeckProfile, model: FeatureModel) -> None:
    own, strange = (corners(draw_deck(find_style(name))) for name in (TAUGHT, OTHER))
    classifier = TaughtClassifier(model, profile)
    classifier.classify(own)
    assert classifier.trouble is None
    classifier.classify(np.concatenate([strange, strange]))
    assert classifier.trouble == "the cards on the table do not look like the taught deck 'saloon'; it is not used"
    assert np.array_equal(classifier.classify(strange), model.see(strange)[0])
    classifier.classify(np.concatenate([own, own]))
    assert classifier.trouble is None, "and the right deck is known again"
    assert FEWEST_WITNESSES < 52
