"""A camera set up from what it sees, against what its optics are; and pictures from which it cannot be."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision.calibrate import Lens
from vision.calibration.camera import Drift, calibrate, recheck, sort_pictures, window_corners
from vision.calibration.flatfield import measure_light
from vision.calibration.lens import MeasuredLens
from vision.errors import CalibrationError
from vision.layout import mat_layout
from vision.registrar import Registrar
from vision.synthetic.target_walk import mat_pose, plate_sheet


def miss_mm(calibration, camera, pose):
    """The largest distance between truth and calibration over the corners of all windows."""
    camera.pose = pose
    corners = window_corners(calibration.layout)
    miss = np.linalg.norm(calibration.registration().to_px(corners) - camera.to_px(corners), axis=1)
    return miss.max() / calibration.px_per_mm


def test_the_camera_is_what_its_optics_are(done):
    found, optics = done.walk.calibration, done.camera.optics
    assert found.mirrored is optics.mirrored is True
    assert found.lens.focal_px == pytest.approx(optics.lens.focal_px, rel=0.004)
    assert found.lens.middle_px[0] == pytest.approx(optics.lens.middle_px[0], abs=4.0)
    assert found.fit.rms_px < 0.3
    assert miss_mm(found, done.camera, done.stage.pose) < 0.15
    assert found.turned_deg == pytest.approx(0.6, abs=0.15)
    assert found.px_per_mm == pytest.approx(optics.lens.focal_px[0] / 234.0, rel=0.01)
    assert found.missing == ()
    assert found.error_mm < 0.15


def test_focus_and_light_are_locked(done):
    controls, optics = done.walk.calibration.controls, done.camera.optics
    assert controls.lens_position == pytest.approx(optics.sharp_at, abs=0.15)
    assert done.walk.curve.best == controls.lens_position
    assert controls.exposure_us % 10_000 == 0
    assert controls.colour_gains == pytest.approx(optics.tint, rel=0.05)
    assert done.walk.calibration.edge_px < 1.0


def test_the_light_over_the_mat_is_measured_and_taken_out(done):
    calibration = done.walk.calibration
    flat = calibration.flat
    # 18 % fall and 12 % in the corners of the light are less in levels, which follow it with a power of 1/2.2.
    assert 0.85 < flat.evenness < 0.95
    assert flat.glare < 0.01
    blanks = [calibration.upright(image) for name, image in done.walk.pictures if name.startswith("blank")]
    uneven, even = (measure_light([image], calibration.registration()) for image in (blanks[0], flat.corrected(blanks[0])))
    assert uneven.evenness < 0.95 < 0.985 < even.evenness


def test_a_reflection_on_blank_paper_is_glare(done):
    calibration, camera = done.walk.calibration, done.camera
    shares = []
    for shine in (0.01, 0.35):
        camera.show(plate_sheet(calibration.layout, "blank", shine), done.stage.pose)
        shares.append(measure_light([calibration.upright(camera.take().image)], calibration.registration()).glare)
    assert shares[0] < 0.005 < 0.01 < shares[1] < 0.1


def test_an_empty_window_is_named(done):
    calibration = done.walk.calibration
    plate = next(calibration.upright(image) for name, image in done.walk.pictures if name.startswith("plate"))
    with pytest.raises(
        CalibrationError, match=r"^mat2: window 1 shows no blank card: its level is \d+, that of the white .* \d+$"
    ):
        measure_light([plate], calibration.registration())


@pytest.mark.parametrize(("shift", "problem"), [(0.0, ""), (0.6, ""), (1.6, "moved"), (4.0, "moved")])
def test_drift_is_measured_in_millimetres(done, shift, problem):
    calibration, camera = done.walk.calibration, done.camera
    pose = done.stage.pose
    camera.show(
        plate_sheet(calibration.layout), mat_pose(calibration.layout, pose.turn_deg, (pose.at_mm[0] + shift, pose.at_mm[1]))
    )
    drift = recheck(calibration, calibration.upright(camera.take().image))
    assert drift == Drift(pytest.approx(shift, abs=0.15), 8, problem)


def test_other_reasons_why_a_camera_is_not_where_it_was(done):
    calibration = done.walk.calibration
    raw = next(image for name, image in done.walk.pictures if name.startswith("plate"))
    mirrored = recheck(calibration, raw)
    assert (mirrored.shift_mm, mirrored.problem) == (None, "mirrored")
    assert recheck(calibration, np.full_like(raw, 90)) == Drift(None, 0, "lost")
    assert recheck(calibration, raw[:, 1:]) == Drift(None, 0, "size")


def test_pictures_are_told_apart_by_what_they_show(done):
    chessboards = sum(name.startswith("chessboard") for name, _ in done.walk.pictures)
    assert (len(done.pictures.lens), len(done.pictures.plate), len(done.pictures.blanks)) == (chessboards, 3, 3)
    assert done.pictures.unknown == ()
    assert chessboards >= 8
    plate = done.pictures.plate[0]
    assert sort_pictures([("wall", np.full_like(plate, 120))], mat_layout(2)).unknown == ("wall",)
    assert sort_pictures([("another board", plate)], mat_layout(4)).unknown == ("another board",)


def test_without_chessboard_the_lens_is_guessed_from_the_markers(done):
    found = calibrate("mat2", mat_layout(2), replace(done.pictures, lens=()))
    assert isinstance(found.lens, Lens) and found.fit is None
    assert miss_mm(found, done.camera, done.stage.pose) < 0.5


def test_mixed_flips_are_refused(done):
    flipped = np.ascontiguousarray(done.pictures.plate[0][:, ::-1])
    pictures = replace(done.pictures, lens=done.pictures.lens[:2], plate=(flipped,))
    with pytest.raises(CalibrationError) as caught:
        calibrate("mat2", mat_layout(2), pictures)
    assert str(caught.value) == (
        "mat2: 5 pictures are mirrored and 1 are not: take all of them with the same setting, through the mirror"
    )


def test_without_the_plate_there_is_no_place(done):
    pictures = replace(done.pictures, plate=(), blanks=())
    with pytest.raises(CalibrationError) as caught:
        calibrate("mat2", mat_layout(2), pictures)
    assert str(caught.value) == (
        f"mat2: no picture shows the markers 16 to 23 of mat2: {len(pictures.lens)} show the chessboard, 0 nothing that is known"
    )


def test_sizes_do_not_mix(done):
    image = done.walk.pictures[0][1]
    with pytest.raises(CalibrationError) as caught:
        sort_pictures([("a", image), ("b", image[:, 2:])], mat_layout(2))
    assert str(caught.value) == "pictures of one camera have one size; found 1150 x 324, 1152 x 324"


def test_the_registrar_keeps_a_measured_lens(done):
    calibration = done.walk.calibration
    plate = next(calibration.upright(image) for name, image in done.walk.pictures if name.startswith("plate"))
    registrar = Registrar(calibration.layout, lens=calibration.lens)
    assert registrar.update(plate, 0.0).lens is calibration.lens
    # Pictures of another size have another lens.
    smaller = np.ascontiguousarray(plate[::2, ::2])
    assert not isinstance(registrar.update(smaller, 0.1).lens, MeasuredLens)
