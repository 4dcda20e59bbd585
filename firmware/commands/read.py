"""`viewmat read`: the cards in photographs."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

from firmware.printing import echo
from firmware.profiles import open_classifier, profile_option, tell_trouble
from firmware.ranges import FiniteRange
from vision.errors import VisionError
from vision.photo import PhotoCard, PhotoReading, read_photo
from vision.sorting import MIN_CONFIDENCE

min_confidence_option = click.option(
    "--min-confidence", type=FiniteRange(0.0, 1.0), default=MIN_CONFIDENCE, show_default=True,
    help="A card that is less sure is reported as unknown.",
)
images_argument = click.argument("images", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="IMAGE...")


@click.command()
@images_argument
@click.option("--json", "as_json", is_flag=True, help="One JSON object per line on standard output.")
@min_confidence_option
@profile_option
def command(images: tuple[Path, ...], as_json: bool, min_confidence: float, profile: str | None) -> None:
    """Find and read the cards in each IMAGE."""
    classifier = open_classifier(profile)
    failed = False
    for image in images:
        try:
            reading = read_photo(image, classifier, min_confidence)
        except VisionError as error:
            failed = True
            echo(str(error), err=True)
            if as_json:
                echo(json.dumps({"image": str(image), "error": str(error)}))
            continue
        echo(json.dumps(as_object(image, reading)) if as_json else _in_words(image, reading))
    tell_trouble(classifier)
    sys.exit(1 if failed else 0)


def as_object(image: Path, reading: PhotoReading) -> dict[str, Any]:
    """What ``--json`` prints of one photograph."""
    return {"image": str(image), "cards": [_card_object(card) for card in reading.cards], "ms": round(reading.ms, 1)}


def _card_object(card: PhotoCard) -> dict[str, Any]:
    return {
        "card": None if card.card is None else str(card.card),
        "confidence": round(card.confidence, 4),
        "corners": [[round(x, 1), round(y, 1)] for x, y in card.corners],
    }


def _in_words(image: Path, reading: PhotoReading) -> str:
    if not reading.cards:
        return f"{image}: no card"
    told = ", ".join(f"{card.card or 'unknown'} ({card.confidence:.1%})" for card in reading.cards)
    return f"{image}: {told}"
