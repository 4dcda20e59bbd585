"""`viewmat rank`: put typed hands in their order."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import click

from companion.announcements import hand_words, standing_words, unscored_words
from companion.cards import RANK_LETTERS, Card
from companion.errors import CardTextError
from companion.games.hands import LOW, Standing, low_a5, order_low, order_soko
from companion.scoring import HAND, Refusal, score
from companion.views import ResultView

Hands = list[tuple[Card, ...]]


@click.command()
@click.argument("hands", nargs=-1, required=True, metavar='"CARD CARD CARD CARD CARD"...')
@click.option("--low", type=click.Choice(sorted(LOW)), help="The lowest hand wins: ace to five, or deuce to seven.")
@click.option("--soko", is_flag=True, help="Four to a straight and four to a flush count between a pair and two pairs.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def command(context: click.Context, hands: tuple[str, ...], low: str | None, soko: bool, as_json: bool) -> None:
    """Say which of the HANDS is the best, and why.  Cards are written like Td or 10d."""
    if low and soko:
        raise click.UsageError("--low and --soko exclude each other")
    answer = _answer(hands, low, soko)
    if "error" in answer:
        click.echo(answer["message"], err=True)
    if as_json:
        click.echo(json.dumps(answer))
    elif "error" not in answer:
        for number, hand in enumerate(answer["hands"], 1):
            click.echo(f"Hand {number}: {' '.join(hand['cards'])}: {hand['name']}")
        click.echo(answer["words"])
    if "error" in answer:
        context.exit(1)


def _answer(texts: Sequence[str], low: str | None, soko: bool) -> dict[str, Any]:
    try:
        hands = [tuple(Card.parse(text) for text in hand.replace(",", " ").split()) for hand in texts]
    except CardTextError as error:
        return {"error": "bad_card", "message": str(error), "hands": list(texts)}
    standing = score(hands)
    if isinstance(standing, Refusal):
        return _refused(hands, standing)
    if low:
        standing = order_low(hands, low)
    elif soko:
        standing = order_soko(hands)
    names = [_name(hand, category, low) for hand, category in zip(hands, standing.categories, strict=True)]
    return {
        "hands": [
            {"cards": [str(card) for card in hand], "category": category, "name": name}
            for hand, category, name in zip(hands, standing.categories, names, strict=True)
        ],
        "order": list(standing.order),
        "winner": standing.winners[0] if len(standing.winners) == 1 else None,
        "winners": list(standing.winners),
        "reason": standing.reason,
        "words": _low_words(standing, names) if low else _words(hands, standing),
    }


def _refused(hands: Hands, refusal: Refusal) -> dict[str, Any]:
    words = unscored_words(refusal)
    return {
        "error": refusal.kind,
        "message": words,
        "hands": [{"cards": [str(card) for card in hand]} for hand in hands],
        "missing": [{"hand": number, "cards": HAND - found} for number, found in refusal.short if found < HAND],
        "twice": [{"card": str(card), "hands": list(holders)} for card, holders in refusal.twice],
        "words": words,
    }


def _name(hand: Sequence[Card], category: str, low: str | None) -> str:
    if low is None or category != "high card":
        return hand_words(hand, category)
    ranks = low_a5(hand)[1:] if low == "a5" else sorted((int(card.rank) for card in hand), reverse=True)
    return "-".join("A" if rank == 1 else RANK_LETTERS[rank - 2] for rank in ranks)


def _titles(count: int) -> list[str]:
    return [f"Hand {number}" for number in range(1, count + 1)]


def _words(hands: Hands, standing: Standing) -> str:
    texts = tuple(tuple(map(str, hand)) for hand in hands)
    result = ResultView(standing.order, standing.winners, standing.categories, texts, standing.decided_by)
    return standing_words(result, _titles(len(hands)))


def _low_words(standing: Standing, names: Sequence[str]) -> str:
    titles = _titles(len(names))
    winners = " and ".join(titles[number] for number in standing.winners)
    return f"{winners} {'share' if len(standing.winners) > 1 else 'wins'} with {names[standing.winners[0]]}."
