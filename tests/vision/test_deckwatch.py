"""When a deck is called weak."""

from __future__ import annotations

from companion.cards import DECK, Mark, Seen
from companion.observation import Observation, Sighting
from companion.table import Place, slot
from vision.deckwatch import FEWEST_FACES, RESTING_S, DeckWatch

PLACES: tuple[Place, ...] = tuple(slot(0, number) for number in range(1, 6))


def look(watch: DeckWatch, time: float, seen: list[Seen]) -> None:
    watch.hear(Observation(time, PLACES, tuple(Sighting(place, what, 0.9) for place, what in zip(PLACES, seen, strict=True))))


def deal(watch: DeckWatch, hands: int, unread: int, start: float = 0.0) -> None:
    """Hands that each lie for two seconds, with so many unread cards in each, and nothing between."""
    for number in range(hands):
        cards: list[Seen] = [Mark.UNREADABLE] * unread + [*DECK[5 * number % 40 :][: 5 - unread]]
        for step in range(5):
            look(watch, start + 4 * number + 0.5 * step, cards)
        look(watch, start + 4 * number + 3, [Mark.EMPTY] * 5)


def test_a_deck_with_many_unread_cards_is_weak() -> None:
    watch = DeckWatch()
    deal(watch, 8, 1)
    assert watch.weak


def test_a_deck_that_is_read_is_not_weak() -> None:
    watch = DeckWatch()
    deal(watch, 20, 0)
    assert not watch.weak


def test_a_few_cards_prove_nothing() -> None:
    watch = DeckWatch()
    deal(watch, FEWEST_FACES // 5 - 1, 5)
    assert not watch.weak


def test_one_card_that_lies_unread_for_long_counts_once() -> None:
    watch = DeckWatch()
    deal(watch, 6, 0)
    for step in range(100):
        look(watch, 30 + step, [Mark.UNREADABLE, Mark.EMPTY, Mark.EMPTY, Mark.EMPTY, Mark.EMPTY])
    assert not watch.weak


def test_cards_that_do_not_rest_are_not_counted() -> None:
    watch = DeckWatch()
    for number in range(60):
        look(watch, number * RESTING_S, [Mark.UNREADABLE if number % 2 else Mark.EMPTY] * 5)
    assert not watch.weak


def test_better_reading_makes_up_for_a_bad_start() -> None:
    watch = DeckWatch()
    deal(watch, 8, 1)
    deal(watch, 20, 0, start=100)
    assert not watch.weak
