"""Keeping a board's registration true from frame to frame, at next to no cost."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from companion.observation import TroubleKind
from vision.calibrate import Bend, Lens, Points, Registration, find_markers, own_markers, register_markers
from vision.calibration.lens import MeasuredLens
from vision.errors import RegistrationError
from vision.frame import Image
from vision.layout import Layout

SAMPLES = 10
"""Every marker is sampled at this many points each way."""
LEAST_LIKENESS = 0.75
"""Correlation below which a marker no longer looks as it did: about half a millimetre aside."""
RETRY_S = 0.5
FOLLOWED_MM = 0.25
"""Above this a board that crept is registered anew."""
MOVED_MM = 1.0
"""Above this it is said."""
MOVED_CHECK_S = 2.5
"""A board that was moved is looked for again so soon: by then it lies where it will stay, or it is said once more."""
INSIDE = 0.25
"""So much of every window's width and height may lie outside the picture, at each side."""
FULL_LENS_MARKERS = 6
"""From so many markers on, the fit of the lens is trusted more than the one before."""


class Registrar:
    """Knows where one board lies in the frames of one camera.

    Markers are looked for at the start, every `recheck_s` seconds, and when most of them changed their looks at once;
    in between a frame costs some hundred samples.
    """

    def __init__(self, layout: Layout, recheck_s: float = 5.0, lens: MeasuredLens | None = None) -> None:
        """`lens`: what was measured of it; it holds for pictures of its own size."""
        self.layout = layout
        self.registration: Registration | None = None
        self.trouble: str | None = None
        """Why the board cannot be located; None while it can."""
        self.kind: TroubleKind | None = None
        """The same in a word: LOST, ASIDE or OTHER_BOARD; MOVED where it has been found again elsewhere a moment ago."""
        self.other_board: int | None = None
        """The number of the board that shows instead."""
        self.moved_mm: float | None = None
        """How far the board was found aside at the last check, if more than `MOVED_MM`."""
        self._recheck_s = recheck_s
        self._next_check = float("-inf")
        self._measured = lens
        self._lens: Bend | None = None
        self._spots: NDArray[np.intp] | None = None
        self._looks: NDArray[np.float32] | None = None

    def update(self, image: Image, time: float) -> Registration | None:
        """The registration that holds for this picture; None when there is none, see `trouble`."""
        known = self.registration
        if known is None:
            if time >= self._next_check:
                self._search(image, time)
            return self.registration
        if (image.shape[1], image.shape[0]) != known.size_px:
            self._search(image, time)
            return self.registration
        if self._alike(image) and time < self._next_check:
            return known
        self._check(image, time, known)
        return self.registration

    def _check(self, image: Image, time: float, known: Registration) -> None:
        self._next_check = time + self._recheck_s
        corners = find_markers(image)
        own = own_markers(corners, self.layout)
        if not own:
            self._search(image, time, corners)
            return
        shift = known.shift_mm(own)
        if shift > FOLLOWED_MM:
            self._search(image, time, corners)
            if self.registration is not None and shift > MOVED_MM:
                self.moved_mm = shift
                self.kind = TroubleKind.MOVED
                self._next_check = time + MOVED_CHECK_S
        else:
            self.moved_mm = self.kind = None
            self._remember(image)

    def _search(self, image: Image, time: float, corners: dict[int, Points] | None = None) -> None:
        self.registration, self.moved_mm, self.other_board, self.kind = None, None, None, None
        found = find_markers(image) if corners is None else corners
        lens = self._known_lens(image, len(own_markers(found, self.layout)))
        try:
            registration = register_markers(found, image, self.layout, lens)
            _check_windows(registration)
        except RegistrationError as error:
            self.trouble = str(error)
            self.other_board = error.board
            self.kind = TroubleKind.ASIDE if error.aside else TroubleKind.LOST
            if error.board is not None:
                self.kind = TroubleKind.OTHER_BOARD
            self._next_check = time + RETRY_S
            return
        self.trouble, self.registration = None, registration
        self._lens = self.registration.lens
        self._spots = _spots_px(self.registration)
        self._next_check = time + self._recheck_s
        self._remember(image)

    def _known_lens(self, image: Image, markers: int) -> Bend | None:
        if self._measured is not None and self._measured.size_px == (image.shape[1], image.shape[0]):
            return self._measured
        return self._lens if markers < FULL_LENS_MARKERS and isinstance(self._lens, Lens) else None

    def _sample(self, image: Image) -> NDArray[np.float32]:
        assert self._spots is not None
        green = image.reshape(-1, image.shape[2])[self._spots, 1].astype(np.float32)
        looks = green - green.mean(axis=1, keepdims=True)
        looks /= np.sqrt(np.einsum("ij,ij->i", looks, looks))[:, None] + 1e-3
        return np.asarray(looks, np.float32)

    def _remember(self, image: Image) -> None:
        self._looks = self._sample(image)

    def _alike(self, image: Image) -> bool:
        """Whether at least half of the markers look as they did."""
        assert self._looks is not None
        likeness = np.einsum("ij,ij->i", self._sample(image), self._looks)
        return bool(2 * np.count_nonzero(likeness >= LEAST_LIKENESS) >= len(likeness))


def _check_windows(registration: Registration) -> None:
    """Raise `RegistrationError` where a window lies outside the picture."""
    width, height = registration.size_px
    for number, window in enumerate(registration.layout.windows, 1):
        across, down = INSIDE * window.width, INSIDE * window.height
        left, right = window.x + across, window.x + window.width - across
        top, bottom = window.y + down, window.y + window.height - down
        px = registration.to_px(np.array([[left, top], [right, top], [right, bottom], [left, bottom]]))
        if (px < 0).any() or (px[:, 0] > width - 1).any() or (px[:, 1] > height - 1).any():
            words = f"{registration.layout.name}: window {number} lies outside the picture; push the board back into view"
            raise RegistrationError(words, aside=True)


def _spots_px(registration: Registration) -> NDArray[np.intp]:
    """Where markers are sampled: markers x points, as positions in the flattened picture."""
    width, height = registration.size_px
    steps = (np.arange(SAMPLES) + 0.5) / SAMPLES
    across, down = (grid.ravel() for grid in np.meshgrid(steps, steps))
    rows = []
    for marker in registration.layout.markers:
        square = marker.square
        px = registration.to_px(np.stack([square.x + across * square.width, square.y + down * square.width], axis=1))
        x = np.clip(np.rint(px[:, 0]), 0, width - 1)
        y = np.clip(np.rint(px[:, 1]), 0, height - 1)
        rows.append((y * width + x).astype(np.intp))
    return np.stack(rows)
