"""``[[camera]]``: what becomes of it, and what is refused with which words."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware.camera import CameraPlan, Locks
from firmware.errors import SettingsError
from firmware.settings import checked_settings
from firmware.settings_camera import camera_plans
from firmware.tablecheck import check_rig

FILE = Path("table.toml")
RIG = 'rig = "cameras"\n'
VIRTUAL = 'kind = "virtual"\n'
SEATS = '[[seat]]\nname = "Ann"\nsource = "mat"\n[[seat]]\nname = "Bob"\n[[seat]]\nname = "Cid"\n'
PI = '[[camera]]\nplace = 1\nkind = "picamera2"\nid = "imx708"\n'


def test_a_camera_with_everything() -> None:
    text = SEATS + (
        PI + "size = [2304, 1296]\ncrop = [0, 400, 2304, 432]\nmirror = false\nrotation = 180\nperiod = 0.2\ntimeout = 5.0\n"
        "exposure_us = 10000\ngain = 2.0\nred_blue = [1.8, 1.9]\nlens = 4.4\nlight = \"pulsed\"\n"
    )  # fmt: skip
    assert camera_plans(checked_settings(text, FILE).camera) == (
        CameraPlan(
            "mat0", "picamera2", "imx708", (2304, 1296), (0, 400, 2304, 432), False, 180, 0.2,
            Locks(10_000, 2.0, (1.8, 1.9), None, 4.4), 5.0, False, True,
        ),
    )  # fmt: skip


def test_what_is_left_out() -> None:
    text = SEATS + PI + (
        '[[camera]]\ntray = true\nkind = "url"\nurl = "http://phone:8080/shot.jpg"\n'
        '[[camera]]\nplace = 2\nkind = "uvc"\npath = "/dev/a"\nturns = true\nwhite_k = 4600\n'
        '[[camera]]\nplace = 3\nkind = "uvc"\npath = "/dev/b"\nturns = true\n'
    )  # fmt: skip
    plans = camera_plans(checked_settings(text, FILE).camera)
    assert [(plan.name, plan.mirror, round(plan.period, 2), plan.turns, plan.burst) for plan in plans] == [
        ("mat0", True, 0.1, False, 1), ("tray", False, 0.1, False, 1), ("mat1", True, 1.8, True, 4), ("mat2", True, 1.8, True, 4),
    ]  # fmt: skip
    tray = checked_settings(SEATS + '[[camera]]\ntray = true\nkind = "virtual"\n', FILE).camera
    assert [camera_plans(tray, row)[0].mirror for row in ("overhead", "mat")] == [False, True]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[[camera]]\n" + VIRTUAL, "camera 1: one of place and tray = true is expected, found neither"),
        ("[[camera]]\nplace = 1\ntray = true\n" + VIRTUAL, "camera 1: one of place and tray = true is expected, found both"),
        ('[[camera]]\nplace = 1\nkind = "webcam"\n', "camera 1.kind = 'webcam': there is no such kind of camera; allowed: "),
        ('[[camera]]\nplace = 1\nkind = "uvc"\n', "camera 1.path is missing: it says where a camera of kind uvc is"),
        (PI + 'url = "http://a:s3cret@b/"\n', "camera 1.url: a camera of kind picamera2 has none; allowed: id"),
        (PI + PI, "camera: place = 1: 2 cameras have it"),
        (PI + "lens = -1.0\n", "camera 1.lens = -1.0: input should be greater than or equal to 0"),
        (PI + "rotation = 45\n", "camera 1.rotation = 45: input should be 0, 90, 180 or 270"),
        (PI + 'uri = "http://a:s3cret@b/"\n', "camera 1.uri = (an address): there is no such key; allowed: place, tray, kind"),
        (PI + 'turns = true\nlight = "pulsed"\n',
         "camera 1.light = 'pulsed': only a camera of a mat, and without turns; allowed: steady"),
    ],
)  # fmt: skip
def test_what_is_refused(text: str, said: str) -> None:
    with pytest.raises(SettingsError) as found:
        checked_settings(SEATS + text, FILE)
    assert str(found.value).startswith(f"table.toml: {said}") and "s3cret" not in str(found.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (RIG + SEATS, "camera is missing: rig cameras needs at least one [[camera]], or a [bus] with mats that have"
         " computers of their own\n"
         "table.toml: seat 1.source = 'mat': no [[camera]] has place = 1; places with a camera: none"),
        (RIG + SEATS + PI.replace("1", "4", 1),
         "seat 1.source = 'mat': no [[camera]] has place = 1; places with a camera: 4"),
        (RIG + 'tray = "mat"\n' + SEATS + PI, "tray = 'mat': no [[camera]] has tray = true; allowed without one: none"),
        (SEATS + PI, "seat 1.source = 'mat': rig taps has no cameras; allowed: tap, bot"),
    ],
)  # fmt: skip
def test_seats_and_tray_that_no_camera_sees(text: str, said: str) -> None:
    with pytest.raises(SettingsError) as found:
        check_rig(checked_settings(text, FILE), FILE)
    assert str(found.value) == f"table.toml: {said}"


def test_a_table_that_its_cameras_see() -> None:
    check_rig(checked_settings(RIG + SEATS + PI, FILE), FILE)
