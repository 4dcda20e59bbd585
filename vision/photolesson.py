"""Windows of one card out of a photograph of it: both index corners."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from vision.cardfinder import find_cards
from vision.classifier import Classifier, Patches
from vision.corners import Pyramid, corner_window
from vision.errors import PictureError
from vision.paper import on_white_paper
from vision.picturefile import load_picture


def card_windows(picture: Path, classifier: Classifier) -> Patches:
    """The windows at both ends of the largest card in a photograph, 2 x 96 x 48 x 3.

    Raise `PictureError` for a file that cannot be read, or in which no card's outline is found.
    """
    image, _ = load_picture(picture)
    outlined = [card for card in find_cards(image, classifier) if card.outlined]
    if not outlined:
        raise PictureError(f"{picture}: no card's outline is found; lay it alone on a plain ground of another brightness")
    corners = max((card.corners for card in outlined), key=cv2.contourArea)
    ends = (corners, np.ascontiguousarray(np.roll(corners, -2, axis=0)))
    return on_white_paper(Pyramid(image).cut([corner_window(end, 1.0) for end in ends]))
