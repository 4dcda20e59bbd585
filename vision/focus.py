"""Windows out of focus: how far their print is smeared, and the print as it was before.

An edge that a lens smears is as steep as its contrast over the smear, so the steepest edges of a window tell its smear.
Where that is known, the spectrum can be lifted back as far as noise allows (a Wiener filter).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import fft

from vision.classifier import Patches

BLURRED_PX = 1.5
"""A window is out of focus from this smear on, in pixels of the patch; sharp ones measure about one."""
STROKE_PX, SHALLOW = 1.6, 0.8
"""Strokes that are narrow beside the smear never reach their full depth, so that the slope tells too little from here on."""
SHARP_PX = 0.8
"""The smear that the cut into patches and the print itself bring along."""
MOST_PX = 4.0
"""What is smeared further has lost its signs."""
NOISE = 0.01
"""Power of the noise as a share of the picture's, against which the spectrum is lifted."""
STEEP_PERCENT = 99.0
DARK_PERCENT, LIGHT_PERCENT = 3.0, 95.0
PAD_PX = 16
_PEAK = float(np.sqrt(2 * np.pi))
"""The steepest slope of a step of one, smeared by a Gaussian of one pixel, is the inverse of this."""


def smear_px(patches: Patches) -> NDArray[np.float64]:
    """Standard deviation in pixels of the blur over each of count x height x width x 3 patches.

    Right to a tenth up to four pixels for indices as large as most decks have.
    """
    grey = patches.min(axis=3).astype(np.float32)
    across, down = (grey[:, 1:-1, 2:] - grey[:, 1:-1, :-2]) / 2, (grey[:, 2:, 1:-1] - grey[:, :-2, 1:-1]) / 2
    steepest = np.percentile(np.hypot(across, down).reshape(len(grey), -1), STEEP_PERCENT, axis=1)
    dark, light = np.percentile(grey.reshape(len(grey), -1), (DARK_PERCENT, LIGHT_PERCENT), axis=1)
    slope = np.asarray((light - dark) / (_PEAK * np.maximum(steepest, 0.5)), np.float64)
    return slope + SHALLOW * np.maximum(slope - STROKE_PX, 0.0)


def refocused(patches: Patches, strength: float = 1.0) -> Patches:
    """Patches with their blur undone, `strength` times as far as it is measured; sharp ones stay as they are."""
    smear = smear_px(patches) if len(patches) else np.zeros(0)
    blurred = np.flatnonzero(smear > BLURRED_PX)
    if not len(blurred):
        return patches
    lens = np.sqrt(np.minimum(smear[blurred], MOST_PX) ** 2 - SHARP_PX**2) * strength
    out = patches.copy()
    out[blurred] = _lifted(patches[blurred], lens)
    return out


def _lifted(patches: Patches, sigma: NDArray[np.float64]) -> Patches:
    wide = np.pad(patches.astype(np.float32), ((0, 0), (PAD_PX, PAD_PX), (PAD_PX, PAD_PX), (0, 0)), mode="reflect")
    height, width = wide.shape[1:3]
    frequency = fft.fftfreq(height)[:, None] ** 2 + fft.rfftfreq(width)[None, :] ** 2
    seen = np.exp(-2 * (np.pi * sigma[:, None, None]) ** 2 * frequency).astype(np.float32)
    lift = seen / (seen**2 + NOISE) * (1 + NOISE)
    spectrum = fft.rfft2(wide, axes=(1, 2)) * lift[..., None]
    sharp = fft.irfft2(spectrum, s=(height, width), axes=(1, 2))[:, PAD_PX:-PAD_PX, PAD_PX:-PAD_PX]
    return np.asarray(np.clip(np.rint(sharp), 0, 255), np.uint8)
