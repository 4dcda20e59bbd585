"""Candidates sorted into cards: nested outlines, lone indices, doubles, and the order in which they are told."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from companion.cards import Card
from tests.photographs import Laid
from vision.classifier import LABELS
from vision.evidence import weigh
from vision.outlines import Quad
from vision.sorting import FROM, MIN_CONFIDENCE, FoundCard, sort_cards


def places(card: str, *shares: float) -> np.ndarray:
    rows = np.zeros((len(shares), len(LABELS)), np.float32)
    rows[:, -1] = 1 - np.array(shares)
    rows[:, LABELS.index(Card.parse(card))] = shares
    return rows


def outline(card: str, corners: Quad, *shares: float, weight: float = 1.0) -> FoundCard:
    read = places(card, *(shares or (0.999, 0.999)))
    middle = corners.mean(axis=0)
    return FoundCard(corners, weigh(read), read, True, weight, (float(middle[0]), float(middle[1])))


def index(card: str, laid: Laid, corner: int = 0, share: float = 0.999, at: tuple[float, float] = (5.6, 7.2)) -> FoundCard:
    """The index at one of a card's corners, found without its outline."""
    turned = {0: laid, 2: Laid(laid.what, laid.middle, laid.degrees + 180, laid.px_per_mm)}[corner]
    corners = turned.corners()
    right, down = (corners[1] - corners[0]) / 63.5, (corners[3] - corners[0]) / 88.9
    anchor = corners[0] + at[0] * right + at[1] * down
    read = places(card, share)
    return FoundCard(corners, weigh(read), read, False, 0.0, (float(anchor[0]), float(anchor[1])))


def named(cards: tuple[FoundCard, ...]) -> list[str]:
    return [str(card.card) if card.sure else f"({card.card})" for card in cards]


HERE, THERE = Laid("As", (200, 200), 10.0), Laid("As", (600, 210), -20.0)


def test_the_outer_of_two_nested_outlines_stays_when_it_reads() -> None:
    inner = (HERE.corners() - 200) * 0.8 + 200
    assert named(sort_cards([outline("Kh", HERE.corners()), outline("3c", inner.astype(np.float32), 0.9, 0.1)])) == ["Kh"]


def test_an_outline_that_reads_beats_a_better_supported_one_that_does_not() -> None:
    outer = (HERE.corners() - 200) * 1.3 + 200
    cards = sort_cards([outline("Kh", HERE.corners(), weight=0.1), outline("3c", outer.astype(np.float32), 0.6, 0.0)])
    assert named(cards) == ["Kh"]


def test_indices_of_one_card_vouch_for_it_together() -> None:
    lone = sort_cards([index("7d", HERE, 0, 0.9)])
    both = sort_cards([index("7d", HERE, 0, 0.9), index("7d", HERE, 2, 0.9)])
    assert (named(lone), named(both)) == ([], ["7d"])


def test_indices_that_do_not_lie_like_those_of_one_card_are_not_joined() -> None:
    stray = index("7d", HERE, 0, 0.9, at=(30.0, 30.0))
    assert named(sort_cards([index("7d", HERE, 0, 0.9), stray])) == []


def test_print_inside_a_card_that_reads_is_its_own() -> None:
    assert named(sort_cards([outline("Td", HERE.corners()), index("3d", HERE, 0, at=(30.0, 40.0))])) == ["Td"]


def test_an_index_replaces_the_doubtful_outline_round_it() -> None:
    heap = ((HERE.corners() - 200) * 1.4 + 200).astype(np.float32)
    assert named(sort_cards([outline("3c", heap, 0.6, 0.0), index("Kh", HERE)])) == ["Kh"]


def test_a_second_card_of_one_name_is_doubtful_unless_both_its_corners_say_so() -> None:
    assert named(sort_cards([outline("Kh", HERE.corners()), index("Kh", THERE)])) == ["Kh"]
    assert named(sort_cards([outline("Kh", HERE.corners()), outline("Kh", THERE.corners(), 0.999, 0.0)])) == ["Kh", "(Kh)"]
    assert named(sort_cards([outline("Kh", HERE.corners()), outline("Kh", THERE.corners())])) == ["Kh", "Kh"]


def test_rows_come_from_the_top_and_each_from_left_to_right() -> None:
    middles = {"3c": (600, 230), "4c": (200, 200), "5c": (400, 180), "6c": (500, 560), "7c": (180, 600)}
    cards = [outline(name, Laid(name, middle).corners()) for name, middle in middles.items()]
    assert named(sort_cards(cards)) == ["4c", "5c", "3c", "7c", "6c"]


def test_corners_start_at_the_head_that_is_higher_in_the_picture() -> None:
    upside_down = np.roll(HERE.corners(), 2, axis=0)
    (card,) = sort_cards([outline("Kh", upside_down)])
    assert np.array_equal(card.corners, HERE.corners())


def test_two_sure_outlines_of_one_name_in_one_place_are_one_card() -> None:
    shifted = HERE.corners() + np.float32(0.55) * (HERE.corners()[1] - HERE.corners()[0])
    assert named(sort_cards([outline("As", HERE.corners()), outline("As", shifted.astype(np.float32))])) == ["As"]
    assert named(sort_cards([outline("As", HERE.corners()), outline("As", THERE.corners())])) == ["As", "As"]


def test_one_sure_corner_of_an_outline_names_a_card_that_the_other_corner_only_doubts() -> None:
    worn = outline("As", HERE.corners(), 0.93, 0.0)
    assert FROM < worn.verdict.confidence < MIN_CONFIDENCE <= worn.confidence < 0.99
    assert named(sort_cards([worn])) == ["As"]


def test_neither_a_corner_that_is_not_sure_nor_a_lone_index_is_believed_so() -> None:
    weak = outline("As", HERE.corners(), 0.88, 0.01)
    assert FROM < weak.confidence == weak.verdict.confidence < MIN_CONFIDENCE
    assert named(sort_cards([weak])) == ["(As)"]
    lone = index("As", HERE, 0, 0.93)
    assert lone.confidence == lone.verdict.confidence < MIN_CONFIDENCE


def test_a_corner_that_names_another_card_does_more_than_doubt() -> None:
    read = np.concatenate((places("4s", 0.97), places("4c", 0.65)))
    torn = replace(outline("4s", HERE.corners(), 0.97, 0.0), places=read)
    assert torn.confidence == torn.verdict.confidence
    milder = replace(torn, places=np.concatenate((places("4s", 0.97), places("4c", 0.55))))
    assert milder.confidence > torn.confidence


def test_a_card_of_which_two_judgements_say_different_things_stays_unknown() -> None:
    torn = outline("As", HERE.corners(), 0.97, 0.0)
    torn = replace(torn, verdict=replace(torn.verdict, confidence=0.5))
    assert torn.confidence == 0.5


def test_what_is_surer_by_itself_stays_surer() -> None:
    told = [outline("As", HERE.corners(), share, 0.0).confidence for share in (0.93, 0.95, 0.97, 0.99)]
    assert told == sorted(told)
    assert max(told) <= 1.0
