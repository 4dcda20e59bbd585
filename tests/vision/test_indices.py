"""Places that may be an index, without any outline."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.photographs import Laid, cloth, deck, lay
from vision.frame import Image
from vision.indices import IndexSpot, find_index_spots


def of_the_index(spots: tuple[IndexSpot, ...], rank: tuple[float, float], suit: tuple[float, float], miss: float) -> list[int]:
    """Numbers of the spots that lie on these two signs."""
    return [
        number for number, spot in enumerate(spots)
        if np.hypot(*np.subtract(spot.rank, rank)) < miss and np.hypot(*np.subtract(spot.suit, suit)) < miss
    ]


def court_in_a_frame(paper: int) -> Image:
    """A corner with a letter and a sign, and a thin frame line that touches the sign; `paper` is its brightness."""
    picture = np.full((500, 400, 3), paper, np.uint8)
    ink = (paper // 6,) * 3
    cv2.putText(picture, "K", (60, 130), cv2.FONT_HERSHEY_SIMPLEX, 2.0, ink, 8, cv2.LINE_AA)
    for x, y in ((80, 165), (68, 182), (92, 182)):
        cv2.circle(picture, (x, y), 11, ink, -1, cv2.LINE_AA)
    cv2.line(picture, (103, 60), (103, 460), tuple(int(0.4 * paper) for _ in range(3)), 1, cv2.LINE_AA)
    return cv2.GaussianBlur(picture, (0, 0), 1.0)


@pytest.mark.parametrize("paper", [230, 120, 80])
def test_a_sign_that_touches_a_courts_frame_is_found_in_any_light(paper: int) -> None:
    spots = find_index_spots(court_in_a_frame(paper))
    assert of_the_index(spots, (80, 108), (80, 176), 12)


def test_both_directions_of_an_index_are_tried_and_none_twice() -> None:
    picture = lay(cloth(640, 600, (200, 205, 205), grain=1.0), [Laid("7h", (320, 300), 0, 3.5)], deck())
    spots = find_index_spots(picture)
    places = {(round(spot.rank[0]), round(spot.rank[1]), round(spot.suit[0]), round(spot.suit[1])) for spot in spots}
    assert len(places) == len(spots)
    assert any((*place[2:], *place[:2]) in places for place in places)


def test_an_empty_table_has_few_spots_and_most_limits_them() -> None:
    assert len(find_index_spots(cloth(640, 480))) < 40
    picture = lay(cloth(900, 700), [Laid("Td", (250, 300), 10), Laid("9c", (600, 350), 60)])
    assert len(find_index_spots(picture, 5)) == 5
