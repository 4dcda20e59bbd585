"""`viewmat optics`: whether a mat shows everything, followed ray by ray."""

from __future__ import annotations

import json
import sys
from itertools import product
from typing import Any

import click

from firmware.printing import echo
from vision.enclosure import Enclosure
from vision.optics import OPTICS
from vision.raytrace import Sight, trace


@click.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON object for each mat, one on a line.")
@click.option("--camera", type=click.Choice(list(OPTICS.camera)), help="Only mats with this camera.")
@click.option("--window", type=click.Choice(list(OPTICS.window)), help="Only mats with windows of this size.")
@click.option("--card", type=click.Choice(list(OPTICS.card)), help="Only mats for cards of this size.")
def command(as_json: bool, camera: str | None, window: str | None, card: str | None) -> None:
    """Follow the light through every mat that can be built.

    From each window and marker over the mirror to the lens, and from the owner's windows over the other mirror to the owner's
    eye.  Exit status 1 if something is not seen whole.
    """
    faulty = False
    for names in product(*(list(all_) if one is None else [one] for one, all_ in _choices(camera, window, card))):
        sight = trace(Enclosure(*names))
        faulty |= bool(sight.faults)
        if as_json:
            click.echo(json.dumps(as_table(sight)))
        else:
            echo("\n".join(_lines(sight)))
    sys.exit(1 if faulty else 0)


def _choices(camera: str | None, window: str | None, card: str | None) -> tuple[tuple[str | None, Any], ...]:
    return (camera, OPTICS.camera), (window, OPTICS.window), (card, OPTICS.card)


def as_table(sight: Sight) -> dict[str, Any]:
    """A sight as JSON shows it; lengths in millimetres."""
    mat = sight.enclosure
    return {
        "camera": mat.camera_name,
        "window": mat.window_name,
        "card": mat.card_name,
        "path_mm": mat.path_mm,
        "px_per_mm": round(sight.px_per_mm, 2),
        "frame_px_per_mm": round(mat.layout.frame_px[0] / mat.layout.extent.width, 2),
        "spare_mm": round(sight.spare_mm, 1),
        "steepest_deg": round(sight.steepest_deg, 1),
        "eyes_mm": sight.eyes_mm,
        "outside_mm": [round(size, 1) for size in mat.outside_mm],
        "rays": sight.rays,
        "faults": [{"what": fault.what, "why": fault.why} for fault in sight.faults],
    }


def _lines(sight: Sight) -> list[str]:
    told = as_table(sight)
    width, depth, height = told["outside_mm"]
    first = (
        f"{told['camera']}, {told['window']} windows, {told['card']} cards: "
        f"path {told['path_mm']:g} mm, {told['px_per_mm']:g} px/mm, steepest ray "
        f"{told['steepest_deg']:g} degrees, {told['spare_mm']:g} mm to spare on each side; "
        f"{width:g} x {depth:g} mm, {height:g} mm high"
    )
    eyes = "the owner sees nothing whole" if sight.eyes_mm is None else (
        f"the owner sees all with the eyes {sight.eyes_mm[0]:g} to {sight.eyes_mm[1]:g} mm above the plate"
    )  # fmt: skip
    faults = [f"  {fault.what}: {fault.why}" for fault in sight.faults] or [f"  everything is seen whole ({sight.rays} rays)"]
    return [first, f"  {eyes}", *faults]
