"""A sheet of photographs arranged for the page: pictures with outlines, hands in their order, and what can be done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot
from typing import Any

from companion.announcements import Translator, hand_words, standing_words, unfinished_words
from companion.cards import Card
from companion.games.hands import LOW, Standing, soko_value, value_of
from companion.photosheet import MOST_HANDS, Sheet, Spot
from companion.scoring import HAND, RANKINGS, Refusal
from companion.views import ResultView, SeatView, View
from companion.web.gate import PLAYERS, Visitor
from companion.web.photo_reveal import likely_seats, wanting
from companion.web.scene import Face, face
from companion.words.photo import low_words, lowest_words, photo_label, progress_words, snap_words, spot_words

WAYS = ("auto", "rows", "photo")
"""What can be a hand."""
LABEL = 0.3
"""Height of a label on a picture, in lengths of its card."""
SUIT_SIGNS = {"c": "♣\ufe0e", "d": "♦\ufe0e", "h": "♥\ufe0e", "s": "♠\ufe0e"}


@dataclass(frozen=True, slots=True)
class CardScene:
    """A card of a hand."""

    spot: int
    face: Face | None
    """None for one that nobody knows."""
    words: str
    """Hand and card."""
    twice: bool
    """The card appears elsewhere as well."""


@dataclass(frozen=True, slots=True)
class HandScene:
    number: int
    """Counted from 0."""
    name: str
    words: str
    """What it is worth; empty while that is not known."""
    place: int
    """In the order of the hands, from 1; 0 while there is none."""
    wins: bool
    cards: tuple[CardScene, ...]
    lacks: bool
    """It has fewer than five cards."""


@dataclass(frozen=True, slots=True)
class Shape:
    """The outline of a card on a picture."""

    spot: int
    kind: str
    """``known``, ``unknown``, ``out`` (taken out) or ``twin`` (in no hand, because another picture shows the card as well)."""
    hand: int | None
    points: str
    label: str
    x: float
    y: float
    size: float
    """Of the label; all in pixels of the picture."""


@dataclass(frozen=True, slots=True)
class PictureScene:
    number: int
    width: int
    height: int
    name: str
    shapes: tuple[Shape, ...]


@dataclass(frozen=True, slots=True)
class PhotoScene:
    """Everything that the page draws."""

    sheet: Sheet
    status: str
    problems: tuple[str, ...]
    """What is wrong with pictures that could not be read."""
    result: str
    won: bool
    hands: tuple[HandScene, ...]
    out: tuple[Spot, ...]
    """Cards that somebody took out."""
    pictures: tuple[PictureScene, ...]
    new_hand: bool
    """A further hand may be begun."""
    seats: tuple[SeatView, ...] = ()
    """Seats for which hands may be entered in the game at the table."""
    ranking: str = RANKINGS[0]
    """How hands are compared."""
    whose: tuple[int | None, ...] = ()
    """For each hand the seat whose it seems to be."""

    @property
    def waiting(self) -> int:
        return self.sheet.waiting

    @property
    def done(self) -> int:
        """Pictures that wait no more."""
        return len(self.sheet.snaps) - self.sheet.waiting


def photo_scene(
    sheet: Sheet, ahead: int, view: View | None, visitor: Visitor, tie_break: str, say: Translator, ranking: str = RANKINGS[0]
) -> PhotoScene:  # fmt: skip
    """Arrange `sheet` for `visitor`; `view` is a spectator's of the game at the table, where there is one, and `ranking` says how
    hands are compared there."""
    ranking = sheet.ranking or ranking
    scored = sheet.scored(tie_break, ranking) if sheet.hands and not sheet.waiting else None
    enters = visitor.role in PLAYERS and bool(sheet.hands) and not sheet.waiting
    seats = wanting(view, visitor) if view is not None and enters else ()
    hands = [sheet.cards(hand) for hand in range(len(sheet.hands))]
    return PhotoScene(
        sheet=sheet,
        status=progress_words(sheet, ahead, say),
        problems=tuple(filter(None, (snap_words(snap, say) for snap in sheet.snaps))),
        result=_result(sheet, scored, ranking, say),
        won=isinstance(scored, Standing) and not any(snap.state == "refused" for snap in sheet.snaps),
        hands=tuple(_hand(sheet, hand, scored, ranking, say) for hand in range(len(sheet.hands))),
        out=tuple(spot for spot in sheet.spots if spot.gone),
        pictures=tuple(
            PictureScene(
                snap.number, snap.width, snap.height, photo_label("picture", say, number=snap.number),
                tuple(_shape(sheet, spot) for spot in sheet.spots if spot.picture == snap.number),
            )
            for snap in sheet.snaps if snap.state == "read"
        ),
        new_hand=len(sheet.hands) < MOST_HANDS,
        seats=seats,
        ranking=ranking,
        whose=likely_seats(view, hands, seats) if view is not None and seats else (),
    )  # fmt: skip


def spots_told(sheet: Sheet, say: Translator) -> dict[str, Any]:
    """What the dialog about a card needs of each, by its number."""
    return {
        str(spot.number): {
            "words": _words(sheet, spot, say),
            "hand": sheet.hand_of(spot.number),
            "likely": [{"card": str(card), "words": spot_words(card, say)} for card in _offered(spot)],
            "picture": spot.picture,
            "corners": spot.corners,
            "gone": spot.gone,
        }
        for spot in sheet.spots
    }


def _offered(spot: Spot) -> tuple[Card, ...]:
    """The cards that are one tap away: what the reader takes it for, or what it was before it was taken out."""
    if spot.gone and spot.card is not None:
        return tuple(dict.fromkeys((spot.card, *spot.likely)))
    return tuple(card for card in spot.likely if card != spot.card)


def _words(sheet: Sheet, spot: Spot, say: Translator) -> str:
    hand, card = sheet.hand_of(spot.number), spot_words(spot.card, say)
    if spot.gone:
        return photo_label("taken_out_card", say, card=card)
    return card if hand is None else photo_label("in_hand", say, number=hand + 1, card=card)


def _result(sheet: Sheet, scored: Standing | Refusal | None, ranking: str, say: Translator) -> str:
    """Who has won, or why nobody has.  With a picture missing nothing is awarded: the hand on it might be the best."""
    if scored is None:
        return ""
    if isinstance(scored, Refusal):
        return unfinished_words(scored, say)
    if any(snap.state == "refused" for snap in sheet.snaps):
        return say("Nothing is awarded.")
    names = [photo_label("hand", say, number=number + 1) for number in range(len(sheet.hands))]
    if ranking in LOW:
        return _lowest(sheet, scored, ranking, names, say)
    texts = tuple(tuple(str(card) for card in sheet.cards(hand)) for hand in range(len(sheet.hands)))
    result = ResultView(scored.order, scored.winners, scored.categories, texts, scored.decided_by)
    told = standing_words(result, names, say)
    low = sheet.scored(ranking="a5") if ranking == "hilo" else None
    return told if not isinstance(low, Standing) else f"{told} {_lowest(sheet, low, 'a5', names, say)}"


def _lowest(sheet: Sheet, standing: Standing, low: str, names: Sequence[str], say: Translator) -> str:
    best = [card for card in sheet.cards(standing.winners[0]) if card is not None]
    return lowest_words([names[hand] for hand in standing.winners], low_words(best, low, say), say)


def _hand(sheet: Sheet, hand: int, scored: Standing | Refusal | None, ranking: str, say: Translator) -> HandScene:
    cards = sheet.cards(hand)
    known = [card for card in cards if card is not None]
    whole = len(known) == len(cards) == HAND == len(set(known))
    twice = {card for card, _ in scored.twice} if isinstance(scored, Refusal) else set()
    standing = scored if isinstance(scored, Standing) else None
    return HandScene(
        number=hand,
        name=photo_label("hand", say, number=hand + 1),
        words=_worth(known, ranking, say) if whole else "",
        place=standing.order.index(hand) + 1 if standing else 0,
        wins=standing is not None and hand in standing.winners,
        cards=tuple(_card(sheet, number, twice, say) for number in sheet.hands[hand]),
        lacks=len(cards) < HAND,
    )


def _worth(hand: Sequence[Card], ranking: str, say: Translator) -> str:
    """What a whole hand is called where hands are compared so."""
    if ranking in LOW:
        return low_words(hand, ranking, say)
    high = hand_words(hand, (soko_value if ranking == "soko" else value_of)(hand).category.title, say)
    return f"{high}; {low_words(hand, 'a5', say)}" if ranking == "hilo" else high


def _card(sheet: Sheet, number: int, twice: set[Card], say: Translator) -> CardScene:
    spot = sheet.spot(number)
    drawn = None if spot.card is None else face(str(spot.card), say)
    return CardScene(number, drawn, _words(sheet, spot, say), spot.card in twice)


def _shape(sheet: Sheet, spot: Spot) -> Shape:
    hand = sheet.hand_of(spot.number)
    kind = "out" if spot.gone else "twin" if hand is None else "unknown" if spot.card is None else "known"
    (left, top), (*_,), (*_,), (low_left, low_top) = spot.corners
    x = sum(corner[0] for corner in spot.corners) / 4
    y = sum(corner[1] for corner in spot.corners) / 4
    size = LABEL * hypot(low_left - left, low_top - top)
    name = "?" if spot.card is None else f"{_rank(spot.card)}{SUIT_SIGNS[spot.card.suit.letter]}"
    label = "✗" if spot.gone else name
    points = " ".join(f"{px},{py}" for px, py in spot.corners)
    return Shape(spot.number, kind, hand, points, label, round(x, 1), round(y, 1), round(size, 1))


def _rank(card: Card) -> str:
    return "10" if card.rank.letter == "T" else card.rank.letter
