"""A camera with known optics, shown every target once."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from firmware.walking import BenchStage, Walk, set_up
from vision.calibration.camera import Pictures
from vision.calibration.controls import Ranges
from vision.layout import mat_layout
from vision.synthetic.optical_bench import BenchCamera
from vision.synthetic.target_walk import mat_lens, mat_optics


@dataclass(frozen=True, slots=True)
class Done:
    """A camera that was set up, and what it is in truth."""

    walk: Walk
    camera: BenchCamera
    stage: BenchStage
    pictures: Pictures
    """Those of the walk, told apart."""


@pytest.fixture(scope="package")
def done():
    limits = Ranges((100, 200_000), (1.0, 16.0), (0.1, 8.0), (2.0, 7.0))
    camera = BenchCamera(mat_optics(mat_lens((1152, 324))), "mat2", 3, limits)
    layout = mat_layout(2)
    stage = BenchStage(camera, layout)
    told = []
    return Done(set_up(camera, layout, stage, told=told.append), camera, stage, told[0])
