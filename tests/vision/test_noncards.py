"""No card is named where none lies."""

from __future__ import annotations

import importlib.util

import pytest

from models.training.noncards import SHIPPED, shipped_pictures
from vision.cardfinder import find_cards
from vision.onnx_classifier import OnnxClassifier
from vision.synthetic.noncards import KINDS, noncards


@pytest.fixture(scope="module")
def classifier() -> OnnxClassifier:
    return OnnxClassifier.load()


def test_nothing_is_named_on_pictures_without_cards(classifier: OnnxClassifier) -> None:
    named = {(kind, str(card.card)) for kind, picture in noncards(3, 1) for card in find_cards(picture, classifier) if card.sure}
    assert named == set()


@pytest.mark.long
def test_nothing_is_named_on_many_pictures_without_cards(classifier: OnnxClassifier) -> None:
    pictures = list(noncards(1, 8))
    assert len(pictures) == 8 * len(KINDS) >= 60
    named = [(kind, str(card.card)) for kind, picture in pictures for card in find_cards(picture, classifier) if card.sure]
    assert named == []


@pytest.mark.long
@pytest.mark.skipif(not any(map(importlib.util.find_spec, SHIPPED)), reason="no package with photographs is installed")
def test_nothing_is_named_on_photographs_that_packages_ship(classifier: OnnxClassifier) -> None:
    read = ((name, find_cards(picture, classifier)) for name, picture in shipped_pictures())
    assert [(name, str(card.card)) for name, cards in read for card in cards if card.sure] == []
