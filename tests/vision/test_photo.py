"""Whole photographs: rendered ones with the packaged model, and a sample of the shared real ones."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cards import Card
from tests.photographs import Laid, apart_mm, cloth, deck, lay, relettered, right_handed, with_orientation
from vision.errors import PictureError
from vision.frame import Image
from vision.onnx_classifier import OnnxClassifier
from vision.paper import turned_over
from vision.photo import PhotoCard, PhotoReading, glimpse, read_as_one_deck, read_photo
from vision.synthetic.art import DeckArt

SHARED = Path(__file__).parents[2] / "../shared/photos"


@pytest.fixture(scope="module")
def classifier() -> OnnxClassifier:
    return OnnxClassifier.load()


def jpeg(image: Image) -> bytes:
    done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 92])
    assert done
    return data.tobytes()


def names(reading: PhotoReading) -> list[str | None]:
    return [None if card.card is None else str(card.card) for card in reading.cards]


def corners_of(card: PhotoCard) -> np.ndarray:
    return np.array(card.corners, np.float32)


@pytest.mark.parametrize(
    ("card", "degrees"),
    [("Kh", 0), ("9s", 45), ("Td", 90), ("6c", 135), ("Qc", 180), ("8d", 222), ("As", 270), ("Jh", 315)],
)
def test_one_card_at_any_angle(classifier: OnnxClassifier, card: str, degrees: int) -> None:
    laid = Laid(card, (320, 300), degrees, 3.5, 0.1)
    reading = read_photo(jpeg(lay(cloth(640, 600), [laid])), classifier)
    assert names(reading) == [card]
    assert apart_mm(corners_of(reading.cards[0]), laid) < 2.0
    assert reading.ms > 0


@pytest.mark.parametrize("ground", [(18, 18, 20), (90, 130, 175), (205, 210, 212)])
def test_several_cards_on_any_background_come_in_rows(classifier: OnnxClassifier, ground: tuple[int, int, int]) -> None:
    cards = [
        Laid("Ac", (170, 200), 10), Laid("7d", (430, 170), -20), Laid("Qs", (700, 210), 80),
        Laid("3h", (180, 560), 170), Laid("Jd", (450, 590), 5), Laid("8c", (720, 560), -35),
    ]
    reading = read_photo(jpeg(lay(cloth(900, 760, ground), cards)), classifier)
    assert names(reading) == ["Ac", "7d", "Qs", "3h", "Jd", "8c"]


def test_overlapping_cards_are_read_by_their_indices(classifier: OnnxClassifier) -> None:
    fan = [Laid(card, (260 + 75 * i, 330), -16 + 8 * i, 4.0) for i, card in enumerate(("6c", "Kd", "2s", "9h", "Ad"))]
    reading = read_photo(jpeg(lay(cloth(900, 660), fan)), classifier)
    assert set(names(reading)) - {None} == {"6c", "Kd", "2s", "9h", "Ad"}


@pytest.mark.parametrize("name", ["club", "tournament", "library"])
@pytest.mark.parametrize("turn", range(4))
def test_a_tight_crop_is_a_card(classifier: OnnxClassifier, name: str, turn: int) -> None:
    face = np.ascontiguousarray(np.rot90(cv2.resize(deck(name).face(Card.parse("5h")), None, fx=0.6, fy=0.6), turn))
    assert names(read_photo(jpeg(face), classifier)) == ["5h"]


def test_a_v_is_a_jack_in_france_a_queen_in_the_netherlands_and_unknown_alone(classifier: OnnxClassifier) -> None:
    french, dutch = relettered(deck(), {"J": "V", "Q": "D", "K": "R"}), relettered(deck(), {"J": "B", "Q": "V"})
    alone = glimpse(jpeg(lay(cloth(500, 480), [Laid("Js", (250, 240), 12, 4.0)], french)), classifier)
    lady = glimpse(jpeg(lay(cloth(500, 480), [Laid("Qd", (250, 240), -20, 4.0)], french)), classifier)
    assert alone.letters == {"V"}
    assert lady.letters == {"D"}
    assert names(read_as_one_deck([alone])[0]) == [None]
    assert [names(reading) for reading in read_as_one_deck([alone, lady])] == [["Js"], ["Qd"]]
    both = lay(cloth(900, 480), [Laid("Jh", (230, 240), 5, 4.0), Laid("Qs", (660, 240), -5, 4.0)], dutch)
    assert names(read_photo(jpeg(both), classifier)) == ["Jh", "Qs"]


def test_exif_orientation_is_respected(classifier: OnnxClassifier) -> None:
    laid = Laid("4s", (300, 200), 20)
    stored = np.ascontiguousarray(np.rot90(lay(cloth(640, 480), [laid])))
    reading = read_photo(with_orientation(jpeg(stored), 6), classifier)
    assert names(reading) == ["4s"]
    assert apart_mm(corners_of(reading.cards[0]), laid) < 2.0


def test_light_print_on_dark_cards_is_read(classifier: OnnxClassifier) -> None:
    art = deck()
    night = DeckArt("night", lambda card: turned_over(art.face(card)[None])[0], art.back, art.joker, 3.2)
    cards = [Laid("9s", (230, 240), 15, 4.0), Laid("Kd", (640, 250), -10, 4.0)]
    assert names(read_photo(jpeg(lay(cloth(900, 480, (120, 150, 170)), cards, night)), classifier)) == ["9s", "Kd"]


def test_a_court_card_on_paper_of_its_own_colour_is_found_by_its_frame(classifier: OnnxClassifier) -> None:
    stock = deck().face(Card.parse("2c"))[10, 10]
    table = lay(cloth(640, 600, tuple(int(value) for value in stock), grain=0.5), [Laid("Kh", (320, 300), 8, 4.0)])
    assert names(read_photo(jpeg(table), classifier)) == ["Kh"]


@pytest.mark.parametrize(("card", "degrees"), [("As", 0), ("Kd", 90), ("9c", 200)])
def test_indices_at_the_right_hand_corners_are_read(classifier: OnnxClassifier, card: str, degrees: int) -> None:
    laid = Laid(card, (320, 300), degrees, 3.5)
    reading = read_photo(jpeg(lay(cloth(640, 600), [laid], right_handed(deck()))), classifier)
    assert names(reading) == [card]


@pytest.mark.parametrize("what", ["back", "joker"])
def test_what_is_no_card_of_the_deck_is_not_named(classifier: OnnxClassifier, what: str) -> None:
    reading = read_photo(jpeg(lay(cloth(640, 480), [Laid(what, (320, 240), 12)])), classifier)
    assert set(names(reading)) <= {None}


@pytest.mark.parametrize("ground", [(60, 110, 40), (18, 18, 20), (205, 210, 212)])
def test_an_empty_table_has_no_cards(classifier: OnnxClassifier, ground: tuple[int, int, int]) -> None:
    assert read_photo(jpeg(cloth(640, 480, ground)), classifier).cards == ()


def test_a_blurred_card_is_refused_rather_than_guessed(classifier: OnnxClassifier) -> None:
    picture = cv2.GaussianBlur(lay(cloth(640, 480), [Laid("8h", (320, 240), 12, 2.0)]), (0, 0), 7)
    assert set(names(read_photo(jpeg(np.asarray(picture, np.uint8)), classifier))) <= {None, "8h"}


def test_the_threshold_turns_cards_into_unknown_ones(classifier: OnnxClassifier) -> None:
    data = jpeg(lay(cloth(640, 480), [Laid("8h", (320, 240), 12)]))
    sure, strict = read_photo(data, classifier), read_photo(data, classifier, min_confidence=1.0)
    assert names(sure) == ["8h"]
    assert sure.cards[0].confidence < 1.0
    assert names(strict) == [None]


def test_broken_files_are_errors(classifier: OnnxClassifier, tmp_path: Path) -> None:
    with pytest.raises(PictureError, match="the picture is empty"):
        read_photo(b"", classifier)
    with pytest.raises(PictureError, match=r"nowhere\.png is missing"):
        read_photo(tmp_path / "nowhere.png", classifier)


@pytest.mark.skipif(not SHARED.exists(), reason="the shared photographs are not here")
@pytest.mark.parametrize("group", ["phone-kd", "phone-rp", "overhead-rig", "webcam-any-angle", "table-scenes-felt"])
def test_real_photographs_are_read_without_a_wrong_card(classifier: OnnxClassifier, group: str) -> None:
    with (SHARED / "labels.csv").open(newline="") as file:
        pictures = [row for row in csv.DictReader(file) if row["group"] == group]
    pictures = pictures[:: max(1, len(pictures) // 6)][:6]
    assert pictures
    right = total = 0
    for picture in pictures:
        truth = Counter(picture["cards"].split())
        named = Counter(name for name in names(read_photo(SHARED / picture["path"], classifier)) if name)
        assert not named - truth, picture["path"]
        right, total = right + (named & truth).total(), total + truth.total()
    assert right >= 0.9 * total
