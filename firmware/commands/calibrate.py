"""`viewmat calibrate`: print targets, and set up cameras with them."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, get_args

import click
import cv2
import numpy as np

from companion.words.calibration import outcome_words
from firmware.calibrations import load_stored, store_calibration
from firmware.camera import CameraPlan
from firmware.camera_setup import SettableCamera
from firmware.errors import RecordingError, SettingsError
from firmware.outfolder import made_folder, writing_to
from firmware.printing import echo
from firmware.recorded import picture_files
from firmware.rig import TRAY_BOARD
from firmware.setting_up import WORDS, Figure, judge_calibration, worst_of
from firmware.settings import load_settings
from firmware.settings_camera import camera_plans
from firmware.walking import AskingStage, BenchStage, Walk, set_up
from vision.calibration.camera import Calibration, Drift, calibrate, recheck, sort_pictures, window_corners
from vision.calibration.sheet import PAPERS, Paper, pdf
from vision.calibration.targets import MATS, target_pages
from vision.frame import Image
from vision.layout import Layout, mat_layout, tray_layout
from vision.picturefile import load_picture
from vision.synthetic.optical_bench import BenchCamera
from vision.synthetic.target_walk import mat_lens, mat_optics

PLACES = ("1", "2", "3", "4", "5", "6", "tray")
which_argument = click.argument("which", type=click.Choice(PLACES), metavar="PLACE")


@click.group()
def command() -> None:
    """Set up cameras: print targets, measure lens, mirror, focus and light, and see whether a camera still is where it was.

    PLACE is the number of a mat's place at the table, 1 to 6, or `tray` for a camera above the tray; a tray that is a mat is 6.
    """


@command.command()
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), required=True, help="The PDF file to write.")
@click.option("--paper", type=click.Choice(get_args(Paper)), default="a4", show_default=True)
@click.option(
    "--mat", "mats", type=click.IntRange(1, MATS), multiple=True, help="A mat's place, again for more; all five without."
)
@click.option("--tray/--no-tray", default=True, help="The markers of a tray that is seen from above.")
def targets(out: Path, paper: Paper, mats: tuple[int, ...], tray: bool) -> None:
    """Write the targets as a PDF file to be printed at 100 %: chessboard, markers, focus cards, blank cards.

    Every page has two rulers of 100 mm: lay a real one against them before anything is glued.
    """
    numbers = [number - 1 for number in dict.fromkeys(mats)] or list(range(TRAY_BOARD))
    pages = target_pages(paper, numbers, tray)
    made_folder(out.parent, "--out")
    try:
        out.write_bytes(pdf(pages))
    except OSError as error:
        raise RecordingError(f"{out} cannot be written: {error.strerror or error}") from error
    width, height = PAPERS[paper]
    echo(f"{out}: {len(pages)} pages of {width:g} x {height:g} mm. Print at 100 %, not fitted to the page, and check the rulers.")


@command.command()
@which_argument
@click.option("--frames", type=click.Path(path_type=Path), help="Folder with pictures as the sensor sees them.")
@click.option("--config", type=click.Path(path_type=Path), default="table.toml", show_default=True, help="The settings file.")
@click.option("--virtual", type=int, metavar="SEED", help="Set up a virtual camera; say how far off the outcome is.")
@click.option("--mains", type=click.Choice(["50", "60"]), default="50", show_default=True, help="Hertz of the mains.")
@click.option("--save", type=click.Path(file_okay=False, path_type=Path), help="Folder for the pictures that were taken.")
@click.option("--keep/--no-keep", default=True, help="Store the outcome for this camera.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object on standard output.")
def camera(
    which: str, frames: Path | None, config: Path, virtual: int | None, mains: str, save: Path | None, keep: bool, as_json: bool
) -> None:
    """Set up the camera of a place: the one that the settings file names, one from a folder of pictures, or a virtual one.

    For the camera of the settings file it says step by step what to lay before it; the table must not be running meanwhile.

    A folder holds pictures in any order: the chessboard in ten poses, the plate with its markers, and the plate with a blank
    card on every window. What a picture shows is told by its content. Exit status 1 where something is bad.
    """
    if frames is not None and virtual is not None:
        raise click.UsageError("either --frames FOLDER or --virtual SEED is expected, not both")
    cv2.setNumThreads(1)
    layout, name = _layout(which), _name(which)
    told: dict[str, Any] = {}
    if frames is not None:
        walk = Walk(_from_folder(frames, name, layout), None, ())
    elif virtual is None:
        with closing(SettableCamera(_plan(config, name, which))) as real:
            walk = set_up(real, layout, AskingStage(_ask), int(mains))
    else:
        bench, stage = _bench(name, layout, virtual)
        walk = set_up(bench, layout, stage, int(mains))
        told["truth"] = against_truth(walk.calibration, bench, stage)
    if save is not None:
        _save(made_folder(save, "--save"), walk.pictures)
    figures = judge_calibration(walk.calibration, walk.curve)
    stored = store_calibration(walk.calibration, datetime.now(UTC)) if keep and virtual is None else None
    told = {
        "place": which, "camera": name, "grade": WORDS[worst_of(figures)], "figures": [figure.to_json() for figure in figures],
        "stored": None if stored is None else str(stored), **told,
    }  # fmt: skip
    echo(json.dumps(told) if as_json else _in_words(figures, told))
    sys.exit(1 if worst_of(figures) == 2 else 0)


@command.command()
@which_argument
@click.argument("picture", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object on standard output.")
def check(which: str, picture: Path, as_json: bool) -> None:
    """See by one PICTURE (the right way round) whether the camera of a place still is where it was set up.

    Exit status 1 where it is not.
    """
    stored = load_stored(_name(which))
    if stored is None:
        raise RecordingError(f"the camera of place {which} was never set up: viewmat calibrate camera {which}")
    drift = recheck(stored.calibration, load_picture(picture)[0])
    if as_json:
        echo(
            json.dumps(
                {
                    "place": which,
                    "made": stored.made,
                    "shift_mm": drift.shift_mm,
                    "markers": drift.found,
                    "problem": drift.problem,
                }
            )
        )
    else:
        echo(drift_words(drift))
    sys.exit(1 if drift.problem else 0)


def drift_words(drift: Drift) -> str:
    """What a check of a camera says."""
    return {
        "size": "The picture has another size than when the camera was set up.",
        "mirrored": "The picture is mirrored: the camera's flip was changed.",
        "lost": f"Only {drift.found} markers can be seen.",
        "moved": f"The camera or the plate has moved by {drift.shift_mm} mm: set it up again.",
    }.get(drift.problem, f"In place: markers lie within {drift.shift_mm} mm of where they were.")


def _name(which: str) -> str:
    """The name of the station's camera."""
    return "tray" if which == "tray" else f"mat{int(which) - 1}"


def _layout(which: str) -> Layout:
    return tray_layout() if which == "tray" else mat_layout(int(which) - 1)


def _plan(config: Path, name: str, which: str) -> CameraPlan:
    """The camera as the settings file has it."""
    settings = load_settings(config)
    plans = {plan.name: plan for plan in camera_plans(settings.camera, settings.tray)}
    if name not in plans:
        raise SettingsError(f"{config}: no [[camera]] looks at place {which}; --frames FOLDER sets one up from pictures")
    return plans[name]


def _ask(sentence: str) -> bool:
    return click.confirm(f"{sentence} Ready? (n: no more of these)", default=True, err=True)


def _from_folder(folder: Path, name: str, layout: Layout) -> Calibration:
    pictures = sort_pictures([(path.name, load_picture(path)[0]) for path in picture_files(folder)], layout)
    for unknown in pictures.unknown:
        echo(f"{unknown}: shows neither the chessboard nor the markers of {layout.name}; it is left out", err=True)
    return calibrate(name, layout, pictures)


def _bench(name: str, layout: Layout, seed: int) -> tuple[BenchCamera, BenchStage]:
    """A virtual camera of its own for each seed."""
    rng = np.random.default_rng((seed, 7))
    lens = mat_lens((2304, 1296), float(rng.uniform(64, 68)), float(rng.uniform(-0.08, 0.02)), float(rng.uniform(0.0, 0.02)))
    bench = BenchCamera(mat_optics(lens, layout.mirrored), name, seed)
    return bench, BenchStage(bench, layout)


def against_truth(calibration: Calibration, bench: BenchCamera, stage: BenchStage) -> dict[str, Any]:
    """How far a calibration of a virtual camera is from what it is."""
    corners = window_corners(calibration.layout)
    bench.show(bench.sheet, stage.pose)  # type: ignore[arg-type]  # something was shown before
    miss = np.linalg.norm(calibration.registration().to_px(corners) - bench.to_px(corners), axis=1) / calibration.px_per_mm
    true, found = bench.optics.lens, calibration.lens
    focal = getattr(found, "focal_px", None)
    return {
        "windows_mm": round(float(miss.max()), 4), 
        "focal_share": None if focal is None else round(focal[0] / true.focal_px[0] - 1, 6),
        "mirrored": bench.optics.mirrored, "sharp_at": bench.optics.sharp_at, "lens_position": calibration.controls.lens_position,
    }  # fmt: skip


def _save(folder: Path, pictures: Sequence[tuple[str, Image]]) -> None:
    with writing_to(folder):
        for name, image in pictures:
            cv2.imwrite(str(folder / f"{name}.png"), image)


def _in_words(figures: tuple[Figure, ...], told: dict[str, Any]) -> str:
    lines = [figure.line() for figure in figures]
    lines.append(outcome_words(worst_of(figures)))
    if "truth" in told:
        lines.append(f"Against the truth: windows within {told['truth']['windows_mm']} mm.")
    if told["stored"] is not None:
        lines.append(f"Stored in {told['stored']}")
    return "\n".join(lines)
