"""All cameras of one table together: frames in, observations out, and what keeps a camera from seeing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.observation import Observation
from companion.table import SLOTS, Place, row, slot
from vision.belief import TableBelief, Thresholds
from vision.classifier import Classifier
from vision.errors import CameraError
from vision.frame import Frame
from vision.layout import Layout, mat_layout, tray_layout
from vision.observe import Observer

SCAN_BOARD = 5
"""The board number of a sixth mat that serves as the tray."""
SILENT_S = 10.0
"""A camera that sends nothing for so long is in trouble, whatever its period."""


@dataclass(frozen=True, slots=True)
class Board:
    """One board, the camera that looks at it, and what its windows are called."""

    camera: str
    layout: Layout
    places: tuple[Place, ...]


def seat_board(seat: int, camera: str | None = None) -> Board:
    """The mat of a seat (0..4), watched by the camera ``mat0`` .. ``mat4`` unless said otherwise."""
    layout = mat_layout(seat)
    return Board(camera or layout.name, layout, tuple(slot(seat, number) for number in SLOTS))


def overhead_board(camera: str = "tray") -> Board:
    """The tray below an overhead camera: nine positions of the row."""
    layout = tray_layout()
    return Board(camera, layout, tuple(row(number) for number in range(1, len(layout.windows) + 1)))


def scan_board(camera: str | None = None) -> Board:
    """A sixth mat as the tray: five positions of the row, whose cards show their faces only on the way."""
    layout = mat_layout(SCAN_BOARD)
    return Board(camera or layout.name, layout, tuple(row(number) for number in range(1, len(layout.windows) + 1)))


class TableReader:
    """Reads every camera of a table; the boards share one `TableBelief`.

    Frames of one camera have to come in their order; frames of different cameras may come from different threads,
    as far as the classifier allows it.
    """

    def __init__(
        self,
        boards: Sequence[Board],
        classifier: Classifier,
        *,
        thresholds: Thresholds | None = None,
        silent_s: float = SILENT_S,
        recheck_s: float = 5.0,
        frozen_s: float = 3.0,
    ) -> None:
        table = TableBelief()
        self._silent_s = silent_s
        self._observers: dict[str, Observer] = {}
        self._heard: dict[str, float] = {}
        for board in boards:
            if board.camera in self._observers:
                raise CameraError(f"camera {board.camera!r} was named for two boards; every board needs one of its own")
            self._observers[board.camera] = Observer(
                board.layout, board.places, classifier, table,
                thresholds=thresholds, recheck_s=recheck_s, frozen_s=frozen_s,
            )  # fmt: skip

    def read(self, frame: Frame) -> Observation:
        """What this frame shows; `CameraError` for a camera that watches no board."""
        observation = self.observer(frame.camera).observe(frame)
        self._heard[frame.camera] = frame.time
        return observation

    def observer(self, camera: str) -> Observer:
        """The observer behind a camera's name."""
        try:
            return self._observers[camera]
        except KeyError:
            known = ", ".join(self._observers) or "none"
            raise CameraError(f"camera {camera!r} watches no board of this table; expected one of: {known}") from None

    def troubles(self, now: float) -> tuple[tuple[str, str], ...]:
        """Camera and sentence for everything that keeps a camera from seeing at `now`; silent cameras included."""
        return tuple(
            (camera, text) for camera, observer in self._observers.items() if (text := self._trouble(camera, observer, now))
        )

    def _trouble(self, camera: str, observer: Observer, now: float) -> str | None:
        heard = self._heard.get(camera)
        if heard is None:
            return f"{camera}: no picture yet"
        if now - heard > self._silent_s:
            return f"{camera}: no picture for {now - heard:.0f} s"
        return observer.trouble
