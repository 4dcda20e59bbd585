"""Photographs read in a process of their own, with the packaged model."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import closing

import cv2
import numpy as np
import pytest

from firmware.photoreader import SHOWN_PX, PhotoReader, Taken
from tests.photographs import Laid, cloth, lay, with_orientation
from vision.errors import PictureError
from vision.frame import Image
from vision.photo import read_as_one_deck


@pytest.fixture(scope="module")
def reader() -> Iterator[PhotoReader]:
    opened = PhotoReader()
    try:
        yield opened
    finally:
        opened.rest()


def jpeg(image: Image, quality: int = 90) -> bytes:
    done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    assert done
    return data.tobytes()


def names(taken: Taken) -> list[str]:
    return [str(card.card) for card in read_as_one_deck([taken.glimpse])[0].cards]


def small() -> Image:
    return lay(cloth(640, 480), [Laid("Kh", (180, 240)), Laid("7c", (440, 240))])


def test_cards_are_found_where_the_picture_shows_them(reader: PhotoReader) -> None:
    taken = reader.read(jpeg(small()))
    assert names(taken) == ["Kh", "7c"]
    assert (taken.width, taken.height, taken.scale) == (640, 480, 1.0)
    shown = cv2.imdecode(np.frombuffer(taken.jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert shown is not None and shown.shape == (480, 640, 3)


@pytest.mark.parametrize("orientation", [3, 6, 8])
def test_a_picture_is_shown_upright_whatever_its_exif_says(reader: PhotoReader, orientation: int) -> None:
    turns = {3: cv2.ROTATE_180, 6: cv2.ROTATE_90_COUNTERCLOCKWISE, 8: cv2.ROTATE_90_CLOCKWISE}
    lying = np.asarray(cv2.rotate(small(), turns[orientation]), np.uint8)
    taken = reader.read(with_orientation(jpeg(lying), orientation))
    assert names(taken) == ["Kh", "7c"]
    assert (taken.width, taken.height) == (640, 480)
    assert b"Exif" not in taken.jpeg, "what the camera wrote beside the picture goes no further"


@pytest.mark.parametrize("orientation", [0, 9, 65535])
def test_an_exif_that_means_nothing_does_no_harm(reader: PhotoReader, orientation: int) -> None:
    assert names(reader.read(with_orientation(jpeg(small()), orientation))) == ["Kh", "7c"]


@pytest.mark.long
def test_a_telephones_picture_of_twelve_million_pixels(reader: PhotoReader) -> None:
    big = cv2.resize(small(), (4000, 3000), interpolation=cv2.INTER_CUBIC)
    noise = np.random.default_rng(1).normal(0, 20, big.shape)
    data = jpeg(np.clip(big + noise, 0, 255).astype(np.uint8), 93)
    assert 6_000_000 < len(data) < 16_000_000
    taken = reader.read(data)
    assert names(taken) == ["Kh", "7c"]
    assert (taken.width, taken.height) == (SHOWN_PX, 1200)
    king = read_as_one_deck([taken.glimpse])[0].cards[0]
    middle = np.array(king.corners).mean(axis=0) * taken.scale
    assert np.hypot(*(middle - np.array((180, 240)) * SHOWN_PX / 640)) < 15


def test_what_is_no_whole_picture_is_refused_and_the_next_is_read(reader: PhotoReader) -> None:
    whole = jpeg(small())
    for data, kind in ((b"", "empty"), (b"text", "strange"), (whole[: len(whole) // 2], "truncated"), (whole[:40], "damaged")):
        with pytest.raises(PictureError) as refused:
            reader.read(data)
        assert refused.value.kind == kind
    assert names(reader.read(whole)) == ["Kh", "7c"]


def test_a_reader_that_dies_is_started_anew(reader: PhotoReader) -> None:
    reader.read(jpeg(small()))
    assert reader._process is not None and reader._process.pid is not None
    os.kill(reader._process.pid, 9)
    with pytest.raises(PictureError) as refused:
        reader.read(jpeg(small()))
    assert refused.value.kind == "unreadable"
    assert names(reader.read(jpeg(small()))) == ["Kh", "7c"]


def test_a_picture_that_takes_too_long_is_given_up() -> None:
    reader = PhotoReader(patience=0.0)
    with pytest.raises(PictureError, match="took longer than 0 seconds") as refused:
        reader.read(jpeg(small()))
    assert refused.value.kind == "slow"
    assert reader._process is None


def test_closing_ends_a_reading() -> None:
    with closing(PhotoReader()) as reader:
        said: list[str] = []

        def read() -> None:
            try:
                reader.read(jpeg(cv2.resize(small(), (4000, 3000))))
            except PictureError as error:
                said.append(error.kind)

        reading = threading.Thread(target=read)
        reading.start()
        reader.close()
        reading.join(60)
        assert said == ["unreadable"]
        with pytest.raises(PictureError, match="the program is ending"):
            reader.read(b"")
