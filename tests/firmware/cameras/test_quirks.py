"""The stand-ins catch what the real things would do: each adapter is broken on purpose, and the contract has to notice."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest

import firmware.camera_picamera2
import firmware.camera_url
import firmware.camera_uvc
from firmware.camera import Locks
from firmware.errors import CameraGoneError, CameraRefusedError
from tests.firmware.cameras.benches import MINE, OTHER, PATH, Bench, PicameraBench, RtspBench, UvcBench, WebBench
from tests.firmware.cameras.contract import CHECKS
from tests.firmware.cameras.fake_picamera2 import NeverReturns

PI, USB, URL = firmware.camera_picamera2, firmware.camera_uvc, firmware.camera_url
MAKE = {PI: PicameraBench, USB: UvcBench}

# name: the module, what is right in it, what is put in its place, and the check that has to notice.
MUTANTS = {
    "waits for ever": (PI, "wait=wait, flush=True", "wait=True, flush=True", "it_says_when_nothing_comes"),
    "takes a picture from before": (PI, "wait=wait, flush=True", "wait=wait", "it_shows_what_lies_there_now"),
    "closes what hangs": (
        PI, "            self._device = None\n            said", "            said", "it_says_when_nothing_comes",
    ),
    "configures a second time": (
        PI, "            self._device.configure(config)\n", "            self._device.configure(config)\n" * 2, "it_goes_on",
    ),
    "asks for the sensor's modes": (
        PI, "            self._device.configure(config)\n",
        "            self._device.sensor_modes\n            self._device.configure(config)\n", "it_goes_on",
    ),
    "trusts the first picture": (PI, "if odd is None:", "if True:", "it_shows_what_lies_there"),
    "takes RGB for red, green, blue": (
        PI, 'request.make_array("main")', 'request.make_array("main")[:, :, ::-1]', "it_shows_what_lies_there",
    ),
    "asks for BGR888": (PI, 'FORMAT = "RGB888"', 'FORMAT = "BGR888"', "it_shows_what_lies_there"),
    "takes the usual format": (PI, ', "format": FORMAT}', "}", "it_shows_what_lies_there"),
    "counts by Num": (
        PI, "return ids.index(plan.at)", 'return int(found[ids.index(plan.at)]["Num"])', "it_shows_what_lies_there",
    ),
    "moves the lens without taking it over": (
        PI, '"AfMode": libcamera.controls.AfModeEnum.Manual, ', "", "it_shows_what_lies_there",
    ),
    "lets the exposure run": (PI, '"AeEnable": False, ', "", "it_shows_what_lies_there"),
    "lets the colours run": (PI, '"AwbEnable": False, ', "", "it_shows_what_lies_there"),
    "keeps the buffers": (PI, "                request.release()\n", "                pass\n", "it_goes_on"),
    "undoes the mirror twice": (
        PI, "buffer_count=BUFFERS,", "buffer_count=BUFFERS, transform=libcamera.Transform(hflip=1),", "it_shows_what_lies_there",
    ),
    "takes the oldest picture": (USB, "(begun >= called) if timed", "True if timed", "it_shows_what_lies_there_now"),
    "lets OpenCV decode": (USB, "device.set(cv2.CAP_PROP_CONVERT_RGB, 0)", "self._mjpeg = False", "it_shows_no_half_picture"),
    "forgets the exposure": (USB, "            _lock(self._device, plan)\n", "", "it_shows_what_lies_there"),
    "chooses what it gets too early": (
        USB, "        device.set(cv2.CAP_PROP_FRAME_WIDTH, width)\n",
        "        device.set(cv2.CAP_PROP_CONVERT_RGB, 0)\n        device.set(cv2.CAP_PROP_FRAME_WIDTH, width)\n"
        "        device.set = lambda *key: True\n", "it_shows_what_lies_there",
    ),
    "does not look whether it is plugged in": (
        USB, "        if not self._exists(self._plan.at):\n", "        if False:\n", "a_pulled_cable_is_called_so",
    ),
}  # fmt: skip


def mutant(module: ModuleType, old: str, new: str) -> ModuleType:
    """The module with one thing done wrong."""
    source = Path(str(module.__file__)).read_text()
    assert source.count(old) == 1, f"{old!r} stands {source.count(old)} times in {module.__name__}: this mutant breaks nothing"
    broken = ModuleType(f"{module.__name__}_broken")
    # Dataclasses look their module up.
    sys.modules[broken.__name__] = broken
    exec(compile(source.replace(old, new), broken.__name__, "exec"), broken.__dict__)
    return broken


@contextmanager
def bench_with(module: ModuleType, of: ModuleType) -> Iterator[Bench]:
    bench = MAKE[of](module)
    try:
        yield bench
    finally:
        bench.close()


def a_pulled_cable_is_called_so(bench: Bench) -> None:
    camera = bench.open()
    camera.grab(bench.timeout)
    bench.pull()
    with pytest.raises(CameraGoneError):
        for _ in range(40):
            camera.grab(bench.timeout)


ALL_CHECKS = {**CHECKS, a_pulled_cable_is_called_so.__name__: a_pulled_cable_is_called_so}


@pytest.mark.parametrize("name", MUTANTS)
def test_a_broken_adapter_fails_the_contract(name: str) -> None:
    module, old, new, check = MUTANTS[name]
    with bench_with(mutant(module, old, new), module) as bench, pytest.raises((Exception, NeverReturns, pytest.fail.Exception)):
        ALL_CHECKS[check](bench)


def test_a_pulled_usb_cable_is_called_so() -> None:
    with bench_with(USB, USB) as bench:
        a_pulled_cable_is_called_so(bench)


# ---- what is said ------------------------------------------------------------------------------------------------------


def test_a_camera_that_is_not_there_is_named_beside_those_that_are() -> None:
    with bench_with(PI, PI) as bench, pytest.raises(CameraGoneError) as said:
        bench.open(replace(bench.plan, at="imx219"))
    assert str(said.value) == f"mat0: no camera has the Id 'imx219'; found: {MINE}, {OTHER}"


@pytest.mark.parametrize(
    ("locks", "said"),
    [
        (Locks(exposure_us=9_000), "mat0: exposure and gain are locked together or not at all"),
        (Locks(white_k=4600), "mat0: a camera of this kind takes red_blue, not white_k"),
        (Locks(lens=4.4), "mat0: lens = 4.4, but this camera's lens does not move"),
    ],
)
def test_locks_that_a_pi_camera_does_not_take(locks: Locks, said: str) -> None:
    with bench_with(PI, PI) as bench:
        assert isinstance(bench, PicameraBench)
        bench.sensor.lens_moves = False
        with pytest.raises(CameraRefusedError, match=f"^{said}$"):
            bench.open(replace(bench.plan, locks=locks))


def test_a_control_that_never_arrives_is_told_with_both_values() -> None:
    with bench_with(PI, PI) as bench:
        camera = bench.open(replace(bench.plan, locks=Locks(exposure_us=8_000, gain=400.0)))
        camera._wanted = {"AnalogueGain": 16.0}
        with pytest.raises(CameraRefusedError) as said:
            camera.grab(3.0)
    assert str(said.value) == "mat0: AnalogueGain = 16.0 was asked for, the picture was taken with 400.0"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"locks": Locks(red_blue=(1.0, 2.0))}, "mat0: a camera on USB takes white_k, not red_blue"),
        ({"locks": Locks(gain=3.0)}, "mat0: exposure and gain are locked together or not at all"),
        ({"locks": Locks(lens=333.4)}, f"mat0: lens: 333.4 was asked for, the camera at {PATH} has 250"),
        ({"size": (800, 600)}, "mat0: size = [800, 600] was asked for, the camera gives 640 x 480"),
    ],
)
def test_what_a_usb_camera_does_not_take(change: dict[str, object], said: str) -> None:
    with bench_with(USB, USB) as bench:
        assert isinstance(bench, UvcBench)
        bench.wire.settable[USB.cv2.CAP_PROP_FOCUS] = lambda value: min(value, 250)
        with pytest.raises(CameraRefusedError) as found:
            bench.open(replace(bench.plan, **change))
    assert str(found.value) == said


def test_a_full_bus_is_guessed_at() -> None:
    with bench_with(USB, USB) as bench:
        assert isinstance(bench, UvcBench)
        bench.wire.crowded = True
        camera = bench.open()
        with pytest.raises(OSError, match=r"gives no picture: is there room for it on the bus\? `turns` opens cameras one after"):
            camera.grab(1.0)


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/nothing", "answers with status 404"),
        ("/page", "is a page, not a picture or a stream of JPEG pictures"),
    ],
)
def test_addresses_that_are_no_camera(path: str, said: str) -> None:
    bench = WebBench(URL, path)
    try:
        with pytest.raises(OSError) as found:
            bench.open().grab(2.0)
        bench.server.secret = "player:another"
        with pytest.raises(CameraRefusedError) as locked:
            bench.open().grab(2.0)
    finally:
        bench.close()
    shown = f"mat0: http://127.0.0.1:{bench.server.port}{path}"
    assert str(found.value) == f"{shown} {said}"
    assert str(locked.value) == f"{shown} wants another user or password (status 401)"


@pytest.mark.parametrize(
    ("at", "said"),
    [
        ("ftp://a:s3cret@b/c", "its address begins with ftp:, expected http, https or rtsp"),
        ("shot.jpg", "its address begins with nothing:, expected http, https or rtsp"),
        ("http://a:s3cret@b:port/", "its address is none"),
    ],
)
def test_addresses_that_are_none(at: str, said: str) -> None:
    with pytest.raises(CameraRefusedError, match=f"^mat0: {said}$"):
        URL.open_camera(replace(RtspBench(URL).plan, at=at))


def test_time_limits_are_told_to_the_stream() -> None:
    bench = RtspBench(URL)
    bench.open().grab(1.5)
    assert bench.wire.asked == [(bench.plan.at, URL.cv2.CAP_FFMPEG, [URL.cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, 1500,
                                                                  URL.cv2.CAP_PROP_READ_TIMEOUT_MSEC, 1500])]  # fmt: skip
