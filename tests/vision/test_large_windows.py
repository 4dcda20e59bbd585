"""Large print through large windows: the same markers, cutter and model as through the usual ones."""

from __future__ import annotations

import numpy as np
import pytest

from companion.cards import DECK, Card
from companion.observation import Seen
from vision.calibrate import register
from vision.classifier import LABELS
from vision.layout import mat_layout
from vision.onnx_classifier import OnnxClassifier
from vision.synthetic.condition import condition
from vision.synthetic.decks import STYLES, draw_deck
from vision.synthetic.optics import BoardCamera
from vision.synthetic.scene import Scene, slop
from vision.windows import WindowCutter


def read_through(window: str, deck: str, cards: tuple[Card, ...]) -> list[Seen | None]:
    """What is read of the cards, five to a frame; None where the model is not sure."""
    layout, rng, model = mat_layout(0, window), np.random.default_rng(3), OnnxClassifier.load()
    art = draw_deck(next(style for style in STYLES if style.name == deck))
    camera = BoardCamera(layout, art, 5, condition("normal", rng))
    found: list[Seen | None] = []
    for first in range(0, len(cards), 5):
        frame = camera.render(Scene(tuple((slop("normal", rng).lay(card),) for card in cards[first : first + 5])), 0.0)
        registration = register(frame, layout)
        assert registration.found == tuple(range(8))
        assert registration.error_mm < 0.2
        rows = model.classify(WindowCutter(layout, registration).cut(frame))
        found += (LABELS[int(row.argmax())] if row.max() >= model.min_confidence else None for row in rows)
    return found


def test_ten_cards_of_large_print() -> None:
    cards = DECK[::5][:10]
    assert read_through("large", "parlour", cards) == list(cards)


@pytest.mark.long
@pytest.mark.parametrize("deck", ["parlour", "harbour"])
@pytest.mark.parametrize("window", ["standard", "large"])
def test_fifty_cards_of_large_print(window: str, deck: str) -> None:
    cards = DECK[:50]
    assert read_through(window, deck, cards) == list(cards)
