"""Picture files: what is refused, in which words, and what comes out upright."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.photographs import with_orientation
from vision.errors import PictureError
from vision.picturefile import HALVED_ABOVE, LARGEST_FILE, decode_picture, load_picture


def picture(width: int = 120, height: int = 80) -> np.ndarray:
    """Bright at the top left, dark elsewhere."""
    image = np.full((height, width, 3), 40, np.uint8)
    image[: height // 2, : width // 2] = 220
    return image


def encoded(kind: str, image: np.ndarray | None = None) -> bytes:
    done, data = cv2.imencode(f".{kind}", picture() if image is None else image)
    assert done
    return data.tobytes()


def png_claiming(width: int, height: int) -> bytes:
    def chunk(name: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"\0" * 64)) + chunk(b"IEND", b"")


@pytest.mark.parametrize("kind", ["jpg", "png", "webp", "bmp"])
def test_pictures_of_every_kind_are_decoded(kind: str, tmp_path: Path) -> None:
    path = tmp_path / f"a.{kind}"
    path.write_bytes(encoded(kind))
    image, grain = load_picture(path)
    assert image.shape == (80, 120, 3)
    assert grain == 1.0
    assert image[20, 30].min() > 200 > 60 > image[60, 90].max()


@pytest.mark.parametrize("kind", ["jpg", "png", "webp", "bmp"])
@pytest.mark.parametrize("share", [0.5, 0.97])
def test_a_truncated_picture_is_refused(kind: str, share: float) -> None:
    noise = np.random.default_rng(1).integers(0, 255, (300, 400, 3), dtype=np.uint8)
    data = encoded(kind, noise)
    with pytest.raises(PictureError, match="a picture of the cellar is truncated"):
        decode_picture(data[: int(len(data) * share)], "a picture of the cellar")


def test_a_jpeg_with_another_one_behind_it_is_whole() -> None:
    data = encoded("jpg")
    image, _ = decode_picture(data + b"trailer" + encoded("jpg"), "phone.jpg")
    assert image.shape == (80, 120, 3)


def test_a_thumbnail_does_not_stand_for_the_end() -> None:
    data, thumbnail = encoded("jpg"), encoded("jpg", picture(32, 32))
    inside = data[:2] + b"\xff\xe2" + struct.pack(">H", len(thumbnail) + 2) + thumbnail + data[2:]
    assert decode_picture(inside, "a.jpg")[0].shape == (80, 120, 3)
    with pytest.raises(PictureError, match="is truncated"):
        decode_picture(inside[:-200], "a.jpg")


@pytest.mark.parametrize(("orientation", "bright"), [(1, (20, 30)), (3, (60, 90)), (6, (30, 60)), (8, (90, 20))])
def test_exif_orientation_turns_the_picture(orientation: int, bright: tuple[int, int]) -> None:
    image, _ = decode_picture(with_orientation(encoded("jpg"), orientation), "a.jpg")
    assert image.shape[:2] == ((80, 120) if orientation in (1, 3) else (120, 80))
    assert image[bright].min() > 200


def test_large_photographs_are_halved_and_say_so() -> None:
    width, height = 3600, 2400
    assert width * height > HALVED_ABOVE
    image, grain = decode_picture(encoded("jpg", picture(width, height)), "a.jpg")
    assert (image.shape, grain) == ((1200, 1800, 3), 2.0)


def test_missing_empty_and_foreign_files_are_named(tmp_path: Path) -> None:
    empty, text, folder = tmp_path / "empty.jpg", tmp_path / "letter.jpg", tmp_path / "folder"
    empty.write_bytes(b"")
    text.write_text("Dear cards")
    folder.mkdir()
    for path, words in (
        (tmp_path / "nowhere.jpg", "nowhere.jpg is missing: there is no such file"),
        (empty, "empty.jpg is empty: expected a JPEG, PNG, WebP or BMP picture"),
        (text, "letter.jpg is no picture that can be read: expected JPEG, PNG, WebP or BMP, found a file that begins with"),
        (folder, "folder is a folder: expected a picture"),
    ):
        with pytest.raises(PictureError, match=words):
            load_picture(path)


@pytest.mark.parametrize(
    ("beginning", "name"), [(b"GIF89a", "a GIF"), (b"%PDF-1.7", "a PDF"), (b"\0\0\0\x20ftypheic", "an HEIC, AVIF")]
)
def test_well_known_other_files_are_called_by_their_name(beginning: bytes, name: str) -> None:
    with pytest.raises(PictureError, match=f"found {name}"):
        decode_picture(beginning + b"\0" * 100, "a.jpg")


def test_a_small_file_that_claims_a_huge_picture_is_refused_unopened(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> None:
        raise AssertionError("decoded")

    monkeypatch.setattr(cv2, "imdecode", never)
    with pytest.raises(PictureError, match=r"bomb.png is too large: 50000 x 40000 pixels, at most 60 million can be read"):
        decode_picture(png_claiming(50_000, 40_000), "bomb.png")


def test_a_huge_file_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "huge.jpg"
    with path.open("wb") as file:
        file.truncate(LARGEST_FILE + 1)
    with pytest.raises(PictureError, match=f"huge.jpg is too large: {LARGEST_FILE + 1} bytes"):
        load_picture(path)


def test_damaged_content_and_tiny_pictures_are_refused() -> None:
    with pytest.raises(PictureError, match=r"a.png is a damaged PNG picture"):
        decode_picture(png_claiming(0, 0), "a.png")
    with pytest.raises(PictureError, match=r"a.png is too small: 20 x 90 pixels, expected at least 32 on either side"):
        decode_picture(encoded("png", picture(20, 90)), "a.png")
    with pytest.raises(PictureError, match=r"a.jpg is (truncated|a damaged JPEG)"):
        decode_picture(b"\xff\xd8\xff\xe0" + b"\0" * 40, "a.jpg")
