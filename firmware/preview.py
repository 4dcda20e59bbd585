"""A camera's picture as the setup wizard shows it."""

from __future__ import annotations

import cv2
import numpy as np

from vision.calibrate import Registration
from vision.frame import Image

LINE = (90, 220, 255)
"""Blue, green and red of the lines about the windows: readable on dark and on white."""


def draw_windows(picture: Image, registration: Registration) -> None:
    """Draw every window of the board into its picture, with the number of its slot."""
    windows = registration.layout.windows
    for number, window in enumerate(windows, 1):
        corners = np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) * (window.width, window.height) + (window.x, window.y)
        px = registration.to_px(corners)
        cv2.polylines(picture, [np.rint(px).astype(np.int32)], True, LINE, 3, cv2.LINE_AA)
        middle = px.mean(axis=0)
        at = int(middle[0]) - 14, int(middle[1]) + 16
        cv2.putText(picture, str(number), at, cv2.FONT_HERSHEY_SIMPLEX, 1.5, LINE, 4, cv2.LINE_AA)
