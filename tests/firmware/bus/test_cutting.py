"""What a node sends, and what the hub makes of it: the reader sees what it would have seen."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.observation import TroubleKind
from firmware.bus.canvas import Canvas, mark_boxes, window_boxes
from firmware.bus.cutting import BURST, BYTES_PER_S, LOOKS, PULSE_S, Allowance, Cutter, News
from firmware.bus.messages import Box, CropOf, Shown, Wanted
from firmware.errors import BusError
from vision.calibrate import register
from vision.frame import Frame, Image
from vision.layout import mat_layout
from vision.synthetic.condition import condition
from vision.synthetic.decks import STYLES, draw_deck
from vision.synthetic.optics import BoardCamera
from vision.synthetic.scene import empty_scene

SIZE = (300, 100)
BOXES = (Box(10, 10, 40, 80), Box(100, 10, 40, 80))
MARKS = (Box(60, 10, 20, 20), Box(200, 10, 20, 20))


def picture(*lit: int, seed: int = 0) -> Image:
    """Grey and noisy; the windows named have something in them."""
    rng = np.random.default_rng(seed)
    image = np.full((SIZE[1], SIZE[0], 3), 120, np.uint8)
    for index in lit:
        box = BOXES[index]
        cv2.putText(image, "K", (box.x + 5, box.y + 60), cv2.FONT_HERSHEY_SIMPLEX, 1.5, (0, 0, 200), 6)
    for box in MARKS:
        image[box.y : box.y + 10, box.x : box.x + 10] = 0
    return np.clip(image + rng.normal(0, 2, image.shape), 0, 255).astype(np.uint8)


def frame(time: float, image: Image) -> Frame:
    return Frame("mat", time, round(time * 100), image)


def summary(news: News | None) -> object:
    if news is None:
        return None
    return "plate" if news.plate else tuple(crop.box.x for crop in news.crops)


def settled() -> Cutter:
    """A node that has sent everything once."""
    cutter = Cutter()
    cutter.follow(Wanted(BOXES, MARKS, "h-1"))
    for number in range(10):
        cutter.look(frame(0.1 * number, picture(seed=number)))
    return cutter


def test_first_a_whole_picture_then_windows_then_only_that_it_sees() -> None:
    cutter = Cutter()
    said = [summary(cutter.look(frame(0.1 * number, picture(seed=number)))) for number in range(3)]
    cutter.follow(Wanted(BOXES, MARKS, "h-1"))
    said += [summary(cutter.look(frame(0.1 * number, picture(seed=number)))) for number in range(3, 15)]
    both = (10, 100)
    assert said == ["plate", None, None, "plate", *[both] * LOOKS, None, None, (), None, None, (), None]


def test_what_changes_is_sent_and_looked_at_again() -> None:
    cutter = settled()
    said = [summary(cutter.look(frame(2 + 0.1 * number, picture(1, seed=number)))) for number in range(8)]
    assert said[: LOOKS + 1] == [(100,)] * (LOOKS + 1)
    assert (100,) not in said[LOOKS + 1 :]


def test_a_hub_that_wishes_for_it_gets_a_whole_picture() -> None:
    cutter = settled()
    cutter.follow(Wanted(BOXES, MARKS, "h-2"))
    assert summary(cutter.look(frame(2.0, picture()))) == "plate"
    cutter.follow(Wanted(BOXES, MARKS, "h-2"))
    assert summary(cutter.look(frame(2.1, picture(seed=1)))) == (10, 100)


def test_a_board_that_was_moved_is_shown_whole_once() -> None:
    cutter = settled()
    moved = [np.roll(picture(seed=number), 15, axis=1) for number in range(6)]
    said = [summary(cutter.look(frame(2 + 0.1 * number, image))) for number, image in enumerate(moved)]
    assert said[2] == "plate"
    assert said.count("plate") == 1


def test_a_dead_camera_is_not_vouched_for() -> None:
    cutter = settled()
    same = picture()
    told = [cutter.look(frame(2 + 0.1 * number, same)) for number in range(9)]
    assert {news.trouble for news in told if news is not None and news.trouble} == {TroubleKind.FROZEN}
    dark = [cutter.look(frame(3 + PULSE_S * number, np.zeros_like(same))) for number in range(2)]
    assert dark == [News(trouble=TroubleKind.DARK)] * 2


def test_no_more_is_sent_than_the_air_carries() -> None:
    """Hands over every window of five mats for a minute: below a megabit a second."""
    cutter, sent = Cutter(), 0
    cutter.follow(Wanted(BOXES, MARKS, "h-1"))
    rng = np.random.default_rng(0)
    for number in range(600):
        image = rng.integers(0, 255, (SIZE[1], SIZE[0], 3), np.uint8)
        news = cutter.look(frame(0.1 * number, image))
        sent += 0 if news is None else sum(len(crop.jpeg) for crop in news.crops)
    assert sent <= BURST + 60 * BYTES_PER_S
    assert 5 * sent * 8 / 60 <= 1_000_000


def test_the_allowance_fills_up_again() -> None:
    allowance = Allowance(rate=100, burst=150)
    assert [allowance.spend(*each) for each in ((150, 0.0), (1, 0.0), (50, 0.5), (1, 0.5), (150, 9.0), (1, 9.0))] == [
        True, False, True, False, True, False,
    ]  # fmt: skip


def coded(image: Image) -> bytes:
    return bytes(cv2.imencode(".png", image)[1])


def test_parts_are_put_where_they_belong_and_nothing_is_shown_before_the_whole() -> None:
    canvas, first, second = Canvas("mat0"), picture(), picture(1, seed=3)
    whole = Shown("b", 1, 0.0, 1, SIZE, (CropOf(Box(0, 0, *SIZE), coded(first)),), True)
    box = BOXES[1]
    part = Shown("b", 2, 0.1, 2, SIZE, (CropOf(box, coded(second[10:90, 100:140])),))
    assert canvas.take(part, 5.0) is None
    made = canvas.take(whole, 5.1)
    assert made is not None
    assert np.array_equal(made.image, first)
    after = canvas.take(part, 5.2)
    expected = first.copy()
    expected[10:90, 100:140] = second[10:90, 100:140]
    assert after is not None
    assert (after.camera, after.time, after.number, after.vouched) == ("mat0", 5.2, 2, True)
    assert np.array_equal(after.image, expected)
    assert np.array_equal(made.image, first), "a frame that was handed out does not change any more"
    canvas.lose()
    assert canvas.take(part, 5.3) is None


def test_a_smaller_crop_is_made_larger_and_a_dark_picture_is_dark() -> None:
    canvas, small = Canvas("mat0"), np.full((40, 20, 3), 77, np.uint8)
    canvas.take(Shown("b", 1, 0.0, 1, SIZE, (CropOf(Box(0, 0, *SIZE), coded(picture())),), True), 0.0)
    made = canvas.take(Shown("b", 2, 0.0, 2, SIZE, (CropOf(BOXES[0], coded(small)),)), 0.0)
    assert made is not None
    assert (made.image[10:90, 10:50] == 77).all()
    dark = canvas.take(Shown("b", 3, 0.0, 3, SIZE, trouble=TroubleKind.DARK), 0.0)
    assert dark is not None
    assert (dark.image == 0).all()
    still = canvas.take(Shown("b", 4, 0.0, 4, SIZE, trouble=TroubleKind.FROZEN), 0.0)
    assert still is not None
    assert not still.vouched


def test_what_is_no_picture_is_refused() -> None:
    canvas = Canvas("mat0")
    with pytest.raises(BusError, match=r"mat0: a JPEG is expected, found b'rubbish'"):
        canvas.take(Shown("b", 1, 0.0, 1, SIZE, (CropOf(Box(0, 0, *SIZE), b"rubbish"),), True), 0.0)
    with pytest.raises(BusError, match="mat0: a whole picture of 300 x 100 is expected, found parts"):
        canvas.take(Shown("b", 1, 0.0, 1, SIZE, (CropOf(BOXES[0], coded(picture())),), True), 0.0)


def test_a_picture_that_claims_to_be_larger_than_its_place_is_not_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    claiming = bytearray(cv2.imencode(".jpg", picture())[1].tobytes())
    at = claiming.find(b"\xff\xc0")
    claiming[at + 5 : at + 9] = (30_000).to_bytes(2, "big") * 2
    monkeypatch.setattr(cv2, "imdecode", lambda *_: pytest.fail("gigabytes are made of it"))
    with pytest.raises(BusError, match="mat0: a picture of at most 300 x 100 is expected, found 30000 x 30000"):
        Canvas("mat0").take(Shown("b", 1, 0.0, 1, SIZE, (CropOf(Box(0, 0, *SIZE), bytes(claiming)),), True), 0.0)


def test_boxes_hold_the_windows_and_markers_of_a_board() -> None:
    layout = mat_layout(2)
    camera = BoardCamera(layout, draw_deck(STYLES[0]), 1, condition("normal", np.random.default_rng(1)))
    found = register(camera.render(empty_scene(layout), 0.0), layout)
    for window, box in zip(layout.windows, window_boxes(found), strict=True):
        corners = found.to_px(np.array([[window.x - 0.8, window.y - 0.8],
                                        [window.x + window.width + 0.8, window.y + window.height + 0.8]]))  # fmt: skip
        assert (corners[0] >= (box.x, box.y)).all()
        assert (corners[1] <= (box.x + box.width, box.y + box.height)).all()
        assert box.width * box.height < 2.0 * 16 * 32 * found.px_per_mm() ** 2
    assert len(mark_boxes(found)) == len(found.found)
    assert mark_boxes(replace(found, found=found.found[:3])) == mark_boxes(found)[:3]
