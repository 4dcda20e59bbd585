"""`viewmat score`: who has won, from photographs of the hands."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from companion.announcements import hand_words, standing_words, unscored_words
from companion.cards import Card
from companion.games.hands import Standing, value_of
from companion.scoring import HAND, ReadHand, Refusal, score
from companion.views import ResultView
from firmware.commands.read import images_argument, min_confidence_option
from firmware.printing import echo
from firmware.profiles import open_classifier, profile_option, tell_trouble
from vision.classifier import Classifier
from vision.errors import VisionError
from vision.grouping import grouped
from vision.photo import Glimpse, PhotoCard, glimpse, read_as_one_deck


@dataclass(frozen=True, slots=True)
class ScoredHand:
    """A hand and the photograph that shows it."""

    image: Path
    cards: tuple[PhotoCard, ...]

    @property
    def read(self) -> ReadHand:
        return tuple(card.card for card in self.cards)


@click.command()
@images_argument
@click.option(
    "--group", type=click.Choice(("photo", "rows", "auto")), default="photo", show_default=True,
    help="A hand is a photograph, a row of cards in one, or five cards that lie together in pictures of a whole table.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object on standard output.")
@min_confidence_option
@profile_option
def command(images: tuple[Path, ...], group: str, as_json: bool, min_confidence: float, profile: str | None) -> None:
    """Read the hands in the photographs and tell who has won."""
    classifier = open_classifier(profile)
    photographs, errors = _photographs(images, classifier, min_confidence)
    tell_trouble(classifier)
    hands = _hands(photographs, group)
    scored = score([hand.read for hand in hands])
    answer = _refused(hands, scored) if isinstance(scored, Refusal) else _awarded(hands, scored)
    if errors:
        answer = _with_errors(answer, errors)
    for path, message in errors:
        echo(message, err=True)
        if not as_json:
            echo(f"{path}: not read")
    if as_json:
        echo(json.dumps(answer))
    else:
        _tell(hands, answer)
    sys.exit(1 if "error" in answer else 0)


def _photographs(
    images: Sequence[Path], classifier: Classifier, min_confidence: float
) -> tuple[list[ScoredHand], list[tuple[Path, str]]]:
    seen: list[tuple[Path, Glimpse]] = []
    errors: list[tuple[Path, str]] = []
    for image in images:
        try:
            seen.append((image, glimpse(image, classifier)))
        except VisionError as error:
            errors.append((image, str(error)))
    readings = read_as_one_deck([found for _, found in seen], min_confidence)
    return [ScoredHand(image, reading.cards) for (image, _), reading in zip(seen, readings, strict=True)], errors


def _hands(photographs: Sequence[ScoredHand], group: str) -> list[ScoredHand]:
    found = grouped([photograph.cards for photograph in photographs], group)
    return [ScoredHand(photographs[number].image, cards) for number, cards in found]


def _awarded(hands: Sequence[ScoredHand], standing: Standing) -> dict[str, Any]:
    texts = tuple(tuple(str(card) for card in hand.read) for hand in hands)
    result = ResultView(standing.order, standing.winners, standing.categories, texts, standing.decided_by)
    return {
        "hands": [_hand_object(hand, category) for hand, category in zip(hands, standing.categories, strict=True)],
        "order": list(standing.order),
        "winner": standing.winners[0] if len(standing.winners) == 1 else None,
        "winners": list(standing.winners),
        "reason": standing.reason,
        "words": standing_words(result, [f"Hand {number + 1}" for number in range(len(hands))]),
    }


def _refused(hands: Sequence[ScoredHand], refusal: Refusal) -> dict[str, Any]:
    short = [number for number in refusal.hands if _known(hands[number]) < HAND]
    return {
        "error": refusal.kind,
        "hands": [_hand_object(hand, None) for hand in hands],
        "missing": [{"hand": number, "cards": HAND - _known(hands[number])} for number in short],
        "twice": [{"card": str(card), "hands": list(holders)} for card, holders in refusal.twice],
        "words": unscored_words(refusal),
    }


def _known(hand: ScoredHand) -> int:
    return sum(card is not None for card in hand.read)


def _with_errors(answer: dict[str, Any], errors: Sequence[tuple[Path, str]]) -> dict[str, Any]:
    """With a picture missing nothing is awarded: the hand on it might be the best."""
    unread = [{"image": str(path), "error": message} for path, message in errors]
    kept: dict[str, Any] = {name: answer[name] for name in ("hands", "missing", "twice") if name in answer}
    words = " ".join(message + "." for _, message in errors) + " Nothing is awarded."
    return {"error": "unreadable_picture", "missing": [], **kept, "pictures": unread, "words": words}


def _hand_object(hand: ScoredHand, category: str | None) -> dict[str, Any]:
    known = [card for card in hand.read if isinstance(card, Card)]
    if category is None and len(known) == len(hand.read) == HAND == len(set(known)):
        category = value_of(known).category.title
    return {
        "image": str(hand.image),
        "cards": [None if card is None else str(card) for card in hand.read],
        "category": category,
        "name": hand_words(known, category) if category else None,
    }


def _tell(hands: Sequence[ScoredHand], answer: dict[str, Any]) -> None:
    for number, (hand, told) in enumerate(zip(hands, answer["hands"], strict=True)):
        cards = " ".join(card or "?" for card in told["cards"])
        echo(f"Hand {number + 1} ({hand.image}): {cards}" + (f" - {told['name']}" if told["name"] else ""))
    echo(answer["words"])
