"""Setting up a camera step by step: what is laid before it when, and what is taken from it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Literal, Protocol

from vision.calibration.camera import Calibration, Pictures, calibrate, sort_pictures
from vision.calibration.chessboard import find_board
from vision.calibration.controls import AdjustableCamera, Controls
from vision.calibration.exposing import WAIT_S, expose
from vision.calibration.focusing import FocusCurve, sweep_focus
from vision.frame import Image
from vision.layout import Layout
from vision.synthetic.optical_bench import BenchCamera, Pose, Sheet
from vision.synthetic.target_walk import board_poses, chessboard_sheet, mat_pose, plate_sheet

Step = Literal["focus", "blank", "plate", "chessboard"]
CHESSBOARDS = 12
STILL = 3
"""Pictures of what lies still."""


class Stage(Protocol):
    """Whoever lays things before the camera."""

    def show(self, step: Step, number: int) -> bool:
        """Wait until this is before the camera; False where there is no more of it."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Walk:
    """A camera that was set up, and the pictures that it was set up from."""

    calibration: Calibration
    curve: FocusCurve | None
    pictures: tuple[tuple[str, Image], ...]
    """With names; as the sensor saw them."""


def set_up(camera: AdjustableCamera, layout: Layout, stage: Stage, mains_hz: int = 50,
           told: Callable[[Pictures], None] = lambda pictures: None) -> Walk:  # fmt: skip
    """Focus, light, flip, place and lens of a camera, in this order, all through its mirror and plate.

    Raise `CalibrationError` where a step fails.
    """
    # A camera that sets its own light is taken as it is.
    settable = camera.ranges().exposure_us is not None
    stage.show("focus", 0)
    controls = expose(camera, Controls(), mains_hz).controls if settable else Controls()
    curve = None
    if camera.ranges().lens_position is not None:
        curve = sweep_focus(camera, controls)
        controls = replace(controls, lens_position=curve.best)
    stage.show("blank", 0)
    controls = expose(camera, controls, mains_hz).controls if settable else controls
    named = list(_still(camera, controls, "blank"))
    stage.show("plate", 0)
    named += _still(camera, controls, "plate")
    for number in range(CHESSBOARDS):
        if not stage.show("chessboard", number):
            break
        named.append((f"chessboard{number:02}", camera.lock(controls, WAIT_S).image))
    # A chessboard that slipped out of view is left out here, so that it is not counted as strange.
    named = [(name, image) for name, image in named if not name.startswith("chessboard") or find_board(image) is not None]
    pictures = sort_pictures(named, layout)
    told(pictures)
    return Walk(calibrate(camera.name, layout, pictures, controls), curve, tuple(named))


def _still(camera: AdjustableCamera, controls: Controls, name: str) -> Iterator[tuple[str, Image]]:
    for number in range(STILL):
        yield f"{name}{number}", camera.lock(controls, WAIT_S).image


class AskingStage:
    """Somebody at the table who lays what he is asked for."""

    def __init__(self, ask: Callable[[str], bool]) -> None:
        """`ask` says a sentence and waits; False means that there is no more of it."""
        self._ask = ask

    def show(self, step: Step, number: int) -> bool:
        if step != "chessboard":
            return self._ask(ASKED[step])
        return self._ask(f"Chessboard, picture {number + 1} of {CHESSBOARDS}: {POSES[number % len(POSES)]}.")


ASKED = {
    "focus": "Put the plate in its place, and a focus card, print down, into every slot.",
    "blank": "Put a blank white card into every slot.",
    "plate": "Take all cards off the plate.",
}
POSES = (
    "take the plate off and lay the board flat in its place", "lean its far edge up by 25 degrees",
    "lean its near edge up by 25 degrees", "lean its left edge up", "lean its right edge up",
    "lean it towards the left end of the mat", "lean it towards the right end", "turn it by a quarter", "lean one corner up",
    "lean the opposite corner up", "hold it closer to the camera", "hold it farther away",
)  # fmt: skip


class BenchStage:
    """The virtual table's stage: a camera whose optics are known."""

    def __init__(self, camera: BenchCamera, layout: Layout, pose: Pose | None = None) -> None:
        self._camera, self._layout = camera, layout
        self._pose = mat_pose(layout, (1.2, -0.8, 0.6), (1.4, -0.9)) if pose is None else pose
        self._poses = tuple(board_poses(camera.optics.lens))
        self._sheets: dict[str, Sheet] = {}

    @property
    def pose(self) -> Pose:
        """Where the plate lies."""
        return self._pose

    def show(self, step: Step, number: int) -> bool:
        if step == "chessboard":
            if number < len(self._poses):
                self._camera.show(chessboard_sheet(), self._poses[number])
            return number < len(self._poses)
        shown = "empty" if step == "plate" else step
        self._camera.show(plate_sheet(self._layout, shown), self._pose)
        return True
