"""Letters of court cards, and what they mean beside each other."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.cards import Card, Rank
from tests.photographs import deck
from vision.courtletters import HEART, LETTERS, letter_of, meaning
from vision.frame import Image
from vision.layout import WINDOW_PX


def window(letter: str, font: int = cv2.FONT_HERSHEY_COMPLEX, ink: tuple[int, int, int] = (30, 20, 190)) -> Image:
    """A corner window with a letter over a heart."""
    width, height = WINDOW_PX
    large = np.full((height * 4, width * 4, 3), 240, np.uint8)
    cv2.putText(large, letter, (30, 140), font, 3.6, ink, 12, cv2.LINE_AA)
    heart = np.array(((50, 190), (70, 170), (90, 190), (110, 170), (130, 190), (90, 240)))
    cv2.fillPoly(large, [heart], ink, cv2.LINE_AA)
    return np.asarray(cv2.resize(large, WINDOW_PX, interpolation=cv2.INTER_AREA), np.uint8)


@pytest.mark.parametrize(("rank", "letter"), [(rank, letter) for rank, letters in LETTERS.items() for letter in letters])
@pytest.mark.parametrize("font", [cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_COMPLEX])
def test_a_letter_is_told_from_the_others_of_its_rank(rank: Rank, letter: str, font: int) -> None:
    assert letter_of(rank, window(letter, font)[None]) == letter


def test_a_heart_below_a_blurred_letter_is_no_v() -> None:
    width, height = WINDOW_PX
    empty = np.full((height, width, 3), 240, np.uint8)
    lower = window(" ")
    assert letter_of(Rank.JACK, np.stack([empty, np.roll(lower, -30, axis=0)])) is None
    assert HEART not in "".join(LETTERS.values())


def test_figures_have_no_letter_and_no_print_gives_none() -> None:
    assert letter_of(Rank.SEVEN, window("V")[None]) is None
    assert letter_of(Rank.JACK, np.full((1, WINDOW_PX[1], WINDOW_PX[0], 3), 128, np.uint8)) is None


@pytest.mark.parametrize("name", ["club", "saloon", "library"])
@pytest.mark.parametrize("card", ["Js", "Qd", "Kh", "Ac"])
def test_our_own_letters_are_never_taken_for_those_of_another_language(name: str, card: str) -> None:
    face = deck(name).face(Card.parse(card))
    patch = cv2.resize(face[: 32 * 8, : 16 * 8], WINDOW_PX, interpolation=cv2.INTER_AREA)
    assert letter_of(Card.parse(card).rank, np.asarray(patch)[None]) in {None, card[0]}


@pytest.mark.parametrize(
    ("letter", "others", "rank"),
    [
        ("V", {"V", "D"}, Rank.JACK),
        ("V", {"V", "R", "K"}, Rank.JACK),
        ("V", {"1"}, Rank.JACK),
        ("V", {"V", "B"}, Rank.QUEEN),
        ("V", {"V", "H"}, Rank.QUEEN),
        ("V", {"V"}, None),
        ("V", {"V", "K", "A"}, None),
        ("V", {"D", "B"}, None),
        ("B", {"B", "V"}, Rank.JACK),
        ("J", {"V", "B"}, Rank.JACK),
        (None, {"V", "D"}, Rank.JACK),
    ],
)
def test_the_deck_tells_what_a_letter_means(letter: str | None, others: set[str], rank: Rank | None) -> None:
    assert meaning(Rank.JACK, letter, others) is rank
