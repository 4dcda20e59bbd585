"""Decks of our own: every card can be told from every other by what its window shows."""

from __future__ import annotations

from itertools import combinations

import cv2
import numpy as np
import pytest

from companion.cards import DECK, Card, Rank, Suit
from vision.errors import StyleError
from vision.layout import CARD_MM, WINDOW_MM
from vision.synthetic.decks import CARD_PX, PX_PER_MM, STYLES, DeckStyle, draw_deck, find_style, random_style

WINDOW = (slice(0, round(WINDOW_MM[1] * PX_PER_MM)), slice(0, round(WINDOW_MM[0] * PX_PER_MM)))


def corners(style: DeckStyle) -> np.ndarray:
    """52 x rows x columns x 3: what the windows show, at 3 px per millimetre."""
    art = draw_deck(style)
    patches = [cv2.resize(art.face(card)[WINDOW], (48, 96), interpolation=cv2.INTER_AREA) for card in DECK]
    return np.stack(patches).astype(np.int32)


@pytest.fixture(scope="module")
def club():
    return draw_deck(find_style("club"))


@pytest.mark.parametrize("style", STYLES, ids=lambda style: style.name)
def test_index_corners_of_any_two_cards_differ(style):
    shown = corners(style)
    for i, first in enumerate(DECK):
        # many pixels must change clearly, not a few a little
        differing = (np.abs(shown - shown[i]).max(axis=-1) > 60).sum(axis=(1, 2))
        differing[i] = 10_000
        nearest = int(differing.argmin())
        assert differing[nearest] > 25, f"{first} and {DECK[nearest]} look alike in {style.name}"


@pytest.mark.parametrize("seed", range(2))
def test_random_decks_have_readable_corners_too(seed):
    shown = corners(random_style(np.random.default_rng(seed)))
    for i in range(52):
        differing = (np.abs(shown - shown[i]).max(axis=-1) > 50).sum(axis=(1, 2))
        differing[i] = 10_000
        assert differing.min() > 15


def test_there_are_enough_named_decks_and_they_cover_the_range():
    assert len(STYLES) >= 8
    assert len({style.name for style in STYLES}) == len(STYLES)
    assert len({style.font.name for style in STYLES}) >= 4
    assert {style.four_colours for style in STYLES} == {True, False}
    assert {style.indices for style in STYLES} == {2, 4}
    assert {style.court for style in STYLES} == {"classic", "flat", "line"}
    assert max(style.index_mm for style in STYLES) > 12 > 9 > min(style.index_mm for style in STYLES)
    assert max(style.wear for style in STYLES) > 0.5


def test_fonts_look_clearly_different():
    decks = [draw_deck(find_style(name)) for name in ("club", "saloon", "parlour", "pocket", "library")]
    letters = [deck.face(Card.parse("Qs"))[WINDOW].astype(int) for deck in decks]
    for first, second in combinations(letters, 2):
        assert (np.abs(first - second).max(axis=-1) > 80).mean() > 0.02


def test_faces_have_the_size_of_a_card(club):
    face = club.face(Card.parse("Td"))
    assert face.shape == (CARD_PX[1], CARD_PX[0], 3) and face.dtype == np.uint8
    assert PX_PER_MM >= 8
    assert (round(CARD_MM[0] * PX_PER_MM), round(CARD_MM[1] * PX_PER_MM)) == CARD_PX
    assert club.back().shape == club.joker().shape == face.shape
    assert club.outline().shape == face.shape[:2]


def test_faces_are_drawn_once_and_cannot_be_spoiled(club):
    face = club.face(DECK[0])
    assert club.face(DECK[0]) is face
    with pytest.raises(ValueError, match="read-only"):
        face[0, 0] = 0


@pytest.mark.parametrize("name", ["saloon", "attic"])
def test_the_same_style_gives_the_same_pictures(name):
    one, other = draw_deck(find_style(name)), draw_deck(find_style(name))
    # in another order, so that no state may leak from face to face
    other.face(Card.parse("2c"))
    for card in (Card.parse("Kh"), Card.parse("2c"), Card.parse("9d")):
        assert np.array_equal(one.face(card), other.face(card))
    assert np.array_equal(one.back(), other.back())


def test_random_styles_repeat_from_the_seed():
    assert random_style(np.random.default_rng(5)) == random_style(np.random.default_rng(5))
    assert random_style(np.random.default_rng(5)) != random_style(np.random.default_rng(6))


@pytest.mark.parametrize("name", ["club", "parlour", "pocket"])
def test_a_card_reads_the_same_head_to_foot(name):
    art = draw_deck(find_style(name))
    for text in ("Ks", "Td", "4h"):
        face = art.face(Card.parse(text)).astype(int)
        turned = face[::-1, ::-1]
        assert (np.abs(face - turned)[WINDOW].max(axis=-1) > 90).mean() < 0.01, text


def test_a_back_does_not_tell_which_way_round_it_lies():
    for style in STYLES:
        if style.wear == 0:
            back = draw_deck(style).back().astype(int)
            assert (np.abs(back - back[::-1, ::-1]).max(axis=-1) > 60).mean() < 0.02, style.name


def inked(face: np.ndarray, area: tuple[slice, slice]) -> float:
    return float((face[area].min(axis=-1) < 120).mean())


def test_four_indices_stand_in_all_corners_and_two_in_two():
    width, height = CARD_PX
    mm = PX_PER_MM
    top_right = (slice(3 * mm, 18 * mm), slice(width - 9 * mm, width - 2 * mm))
    bottom_left = (slice(height - 18 * mm, height - 3 * mm), slice(2 * mm, 9 * mm))
    four, two = draw_deck(find_style("pocket")), draw_deck(find_style("club"))
    card = Card.parse("2s")
    for area in (top_right, bottom_left):
        assert inked(four.face(card), area) > 0.1
        assert inked(two.face(card), area) == 0.0


def hue_of(face: np.ndarray) -> tuple[int, int, int]:
    """The mean colour of the ink in the index corner: blue, green, red."""
    corner = face[WINDOW].reshape(-1, 3)
    ink = corner[corner.min(axis=1) < 110]
    mean = ink.mean(axis=0)
    return int(mean[0]), int(mean[1]), int(mean[2])


def test_two_and_four_colours():
    four, two = draw_deck(find_style("harbour")), draw_deck(find_style("club"))
    colours = {suit: hue_of(four.face(Card(Rank.TWO, suit))) for suit in Suit}
    assert colours[Suit.CLUBS].index(max(colours[Suit.CLUBS])) == 1
    assert colours[Suit.DIAMONDS].index(max(colours[Suit.DIAMONDS])) == 0
    assert colours[Suit.HEARTS].index(max(colours[Suit.HEARTS])) == 2
    assert max(colours[Suit.SPADES]) < 80
    assert max(hue_of(two.face(Card.parse("2c")))) < 80
    assert hue_of(two.face(Card.parse("2d")))[2] > 150


@pytest.mark.parametrize(
    ("text", "pips"), [("2s", 2), ("3s", 3), ("5h", 5), ("7d", 7), ("8c", 8), ("9h", 9), ("Td", 10), ("As", 1)]
)
def test_pips_count_the_rank(club, text, pips):
    face = club.face(Card.parse(text))
    middle = face[:, 11 * PX_PER_MM : CARD_PX[0] - 11 * PX_PER_MM]
    count, _, stats, _ = cv2.connectedComponentsWithStats((middle.min(axis=-1) < 120).astype(np.uint8))
    big = [i for i in range(1, count) if stats[i, cv2.CC_STAT_AREA] > 8 * PX_PER_MM**2]
    assert len(big) == pips


def test_court_cards_show_a_figure_and_no_pips(club):
    for text in ("Jc", "Qd", "Kh"):
        colours = {tuple(pixel // 64) for pixel in club.face(Card.parse(text)).reshape(-1, 3)[::7]}
        assert len(colours) > 8, text


@pytest.mark.parametrize("name", ["club", "saloon"])
def test_a_joker_is_none_of_the_52(name):
    art = draw_deck(find_style(name))
    joker = art.joker()[WINDOW].astype(int)
    assert (joker.min(axis=-1) < 120).mean() > 0.01
    for card in DECK[9::7]:
        assert (np.abs(art.face(card)[WINDOW].astype(int) - joker).max(axis=-1) > 60).mean() > 0.02, card


def test_sprites_are_cut_out_and_shared(club):
    sprite = club.sprite(Card.parse("Ks"), 4.0)
    assert sprite.shape == (round(CARD_MM[1] * 4), round(CARD_MM[0] * 4), 4)
    assert sprite[0, 0].tolist() == [0, 0, 0, 0] and sprite[100, 60, 3] == 255
    assert club.sprite(Card.parse("Ks"), 4.0) is sprite
    assert club.sprite(None, 4.0) is not club.sprite("joker", 4.0)


def test_the_outline_is_round_at_the_corners_only(club):
    outline = club.outline()
    assert outline[0, 0] == 0 and outline[-1, -1] == 0
    assert outline[0, CARD_PX[0] // 2] == 255 and outline[CARD_PX[1] // 2, 0] == 255


def test_wear_rubs_ink_off():
    card = Card.parse("As")
    new = DeckStyle("new", 8)
    worn = DeckStyle("old", 8, wear=1.0)
    area = (slice(CARD_PX[1] // 2 - 80, CARD_PX[1] // 2 + 40), slice(CARD_PX[0] // 2 - 60, CARD_PX[0] // 2 + 60))
    assert inked(draw_deck(new).face(card), area) > inked(draw_deck(worn).face(card), area) > 0.2


def test_an_unknown_deck_names_the_known_ones():
    with pytest.raises(StyleError, match=r"no deck is called 'bicycle'.*club.*attic") as caught:
        find_style("bicycle")
    assert isinstance(caught.value, KeyError)
