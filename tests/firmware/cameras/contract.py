"""What every camera owes the table, whatever it hangs on: each check takes a bench."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from firmware.camera import Camera, upright
from firmware.errors import CameraError, CameraStalledError
from tests.firmware.cameras.benches import Bench
from tests.firmware.cameras.scenes import FIRST, SECOND, looks_like
from vision.frame import Frame, Image
from vision.health import Health

Check = Callable[[Bench], None]


def grabbed(bench: Bench, camera: Camera) -> Image:
    return upright(camera.grab(bench.timeout * 8).image, bench.plan)


def it_shows_what_lies_there(bench: Bench) -> None:
    """From the first picture on: upright, in its colours, sharp, lit as it was locked, and of this camera and no other."""
    camera = bench.open()
    for _ in range(2):
        assert looks_like(grabbed(bench, camera), FIRST)
    camera.close()


def it_shows_what_lies_there_now(bench: Bench) -> None:
    """A picture that waited in a buffer was taken before the lamp was switched."""
    if "show" in bench.cannot:
        return
    camera = bench.open()
    for cards in (FIRST, SECOND, FIRST):
        bench.show(cards)
        assert looks_like(grabbed(bench, camera), cards)
    camera.close()


def it_goes_on(bench: Bench) -> None:
    """Picture after picture, none of which changes when the next one is taken; their times run forward."""
    camera = bench.open()
    last, begun = bench.now(), bench.now()
    first = grabbed(bench, camera)
    kept = first.copy()
    for _ in range(8):
        called = bench.now()
        shot = camera.grab(bench.timeout * 8)
        assert called - 0.05 <= shot.time <= bench.now()
        assert shot.time >= last
        last = shot.time
    assert (first == kept).all()
    assert last > begun
    camera.close()


def it_says_when_nothing_comes(bench: Bench) -> None:
    """Within its time, and it can be closed and opened anew afterwards."""
    if "stall" in bench.cannot:
        return
    camera = bench.open()
    grabbed(bench, camera)
    bench.stall()
    before = bench.now()
    with pytest.raises(CameraStalledError) as said:
        camera.grab(bench.timeout)
    assert bench.now() - before < bench.timeout + 11
    assert "s3cret" not in str(said.value) and str(said.value).startswith("mat0: ")
    camera.close()
    bench.heal()
    again = bench.open()
    assert looks_like(grabbed(bench, again), FIRST)
    again.close()


def it_says_when_the_cable_is_pulled(bench: Bench) -> None:
    """And when it is plugged in again it can be opened again."""
    camera = bench.open()
    grabbed(bench, camera)
    bench.pull()
    with pytest.raises(CameraError) as said:
        for _ in range(40):
            camera.grab(bench.timeout)
    camera.close()
    with pytest.raises(CameraError) as gone:
        bench.open().grab(bench.timeout)
    assert gone.value.kind == "gone"
    assert "s3cret" not in f"{said.value} {gone.value}"
    bench.plug()
    again = bench.open()
    assert looks_like(grabbed(bench, again), FIRST)
    again.close()


def it_shows_no_half_picture(bench: Bench) -> None:
    """A picture that ends in the middle is left out or complained of, never shown."""
    if "truncate" in bench.cannot:
        return
    camera = bench.open()
    bench.truncate()
    try:
        assert looks_like(grabbed(bench, camera), FIRST)
    except CameraError as error:
        assert "s3cret" not in str(error)
    camera.close()
    again = bench.open()
    assert bench.plan.kind == "replay" or looks_like(grabbed(bench, again), FIRST)
    again.close()


def it_repeats_a_frozen_picture_as_it_is(bench: Bench) -> None:
    """Nobody may make it look alive: the watch over its pictures has to find out."""
    if "freeze" in bench.cannot:
        return
    camera, health = bench.open(), Health()
    grabbed(bench, camera)
    bench.freeze()
    said = [health.trouble(Frame("mat0", float(n), n, grabbed(bench, camera))) for n in range(5)]
    assert said[-1] == "mat0: the picture stands still for 4 s; the camera repeats itself"
    camera.close()


def it_can_be_closed_twice(bench: Bench) -> None:
    """And gives nothing afterwards."""
    camera = bench.open()
    camera.close()
    camera.close()
    with pytest.raises(CameraError):
        camera.grab(bench.timeout)


CHECKS: Mapping[str, Check] = {
    check.__name__: check
    for check in (
        it_shows_what_lies_there, it_shows_what_lies_there_now, it_goes_on, it_says_when_nothing_comes,
        it_says_when_the_cable_is_pulled, it_shows_no_half_picture, it_repeats_a_frozen_picture_as_it_is, it_can_be_closed_twice,
    )
}  # fmt: skip
