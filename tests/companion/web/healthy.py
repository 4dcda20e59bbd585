"""A source of health that says what a test wants."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from companion.health import CameraFigures, MachineFigures, ProgramFigures, Report, Room, Throttling

NOON = datetime(2027, 3, 1, 12, 5, tzinfo=UTC)
WELL = Report(
    MachineFigures(
        NOON, "Raspberry Pi 5 Model B Rev 1.0", "Debian GNU/Linux 13 (trixie)", 48.2, Throttling((), ()),
        Room(2 * 10**9, 4 * 10**9), Room(20 * 10**9, 32 * 10**9), False, 0.4, 7300.0, True,
    ),
    ProgramFigures("0.1.0", "3.13.2", "cards.onnx f90c497ec9ad"),
    (CameraFigures("mat0", 0, 10.0, 0.1, 0.7, 0.04, 0, "none"), CameraFigures("tray", None, 9.8, 0.2, 0.9, 0.07, 0, "up_to_2")),
    playing=True, age_s=0.4,
)  # fmt: skip
ILL = replace(
    WELL,
    machine=replace(WELL.machine, heat_c=83.4, throttling=Throttling(("throttled",), ("undervoltage", "throttled"))),
    cameras=(replace(WELL.cameras[0], age_s=7.2), replace(WELL.cameras[1], trouble="dark", unread="more")),
    messages=("2027-03-01 12:04:31 WARNING companion.evidence: <b>pictures</b> cannot be kept",),
)


class Healthy:
    """Tells `shown`; the file for support holds whether names were wanted."""

    def __init__(self, shown: Report = WELL) -> None:
        self.shown = shown
        self.recorded = True

    def report(self) -> Report:
        return self.shown

    def bundle(self, names: bool, /) -> bytes:
        return b"with names" if names else b"without"
