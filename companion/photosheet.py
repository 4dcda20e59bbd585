"""The hands on photographs while people put them right: what was read, what they say instead, and who has won.

Every method is pure and returns a new sheet.  A sheet knows only what its pictures show, and nothing of any game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from companion.cards import Card
from companion.errors import SheetError
from companion.games.hands import Standing
from companion.scoring import HAND, RANKINGS, Refusal, score

MOST_HANDS = 10
"""Fifty cards; no further hand is begun by hand."""
OF_ONE_PICTURE = 1000
"""Numbers of spots are a thousand apart from picture to picture; those of cards that people add begin below."""

Corners = tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Spot:
    """A card on a sheet."""

    number: int
    card: Card | None
    """None while nobody knows which card it is."""
    picture: int | None = None
    """The picture that shows it; None for a card that somebody has added."""
    corners: Corners = ()
    """Clockwise, in pixels of the picture as it is shown."""
    likely: tuple[Card, ...] = ()
    """What the reader takes it for, the likeliest first."""
    told: bool = False
    """A person has said which card it is."""
    gone: bool = False
    """A person has said that no card lies there."""


@dataclass(frozen=True, slots=True)
class Snap:
    """One of the pictures."""

    number: int
    """Counted from 1."""
    state: str = "waiting"
    """``waiting``, ``reading``, ``read`` or ``refused``."""
    kind: str = ""
    """Why it was refused."""
    values: tuple[tuple[str, int], ...] = ()
    """What fills the sentence that says so."""
    width: int = 0
    height: int = 0
    """In pixels, as it is shown."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """Pictures and the cards on them, sorted into hands."""

    snaps: tuple[Snap, ...] = ()
    spots: tuple[Spot, ...] = ()
    hands: tuple[tuple[int, ...], ...] = ()
    """Numbers of spots.  A card that several pictures show is in a hand once."""
    way: str = "auto"
    """What makes a hand: ``auto``, ``rows`` or ``photo``."""
    ranking: str = ""
    """How hands are compared, as `RANKINGS` names it; empty where nobody has said so."""

    @property
    def waiting(self) -> int:
        """Pictures that are not read yet."""
        return sum(snap.state in ("waiting", "reading") for snap in self.snaps)

    def spot(self, number: int) -> Spot:
        """The card with this number; raise `SheetError` where there is none."""
        found = next((spot for spot in self.spots if spot.number == number), None)
        if found is None:
            raise SheetError(f"this sheet has no card {number}", "photo_no_card")
        return found

    def hand_of(self, number: int) -> int | None:
        """In which hand this card is, counted from 0; None where another picture shows it as well, or somebody took it out."""
        return next((place for place, hand in enumerate(self.hands) if number in hand), None)

    def cards(self, hand: int) -> tuple[Card | None, ...]:
        """The cards of a hand as they stand now."""
        known = {spot.number: spot.card for spot in self.spots}
        return tuple(known[number] for number in self.hands[hand])

    def scored(self, tie_break: str = "suit_significant", ranking: str = RANKINGS[0]) -> Standing | Refusal:
        """The order of the hands, or what stands in the way of one."""
        return score([self.cards(hand) for hand in range(len(self.hands))], tie_break, ranking)

    # ---- what people say ----------------------------------------------------------------------------------------

    def named(self, number: int, card: Card) -> Sheet:
        """It is this card; one that was taken out comes back into the first hand that lacks a card."""
        spot = self.spot(number)
        sheet = self._with_spot(replace(spot, card=card, told=True, gone=False))
        if not spot.gone:
            return sheet
        short = next((place for place, hand in enumerate(self.hands) if len(hand) < HAND), len(self.hands))
        hands = [*(list(hand) for hand in self.hands), []]
        hands[short].append(number)
        return sheet._with_hands(hands)

    def without(self, number: int) -> Sheet:
        """There is no card."""
        spot = self.spot(number)
        if spot.picture is None:
            sheet = replace(self, spots=tuple(each for each in self.spots if each is not spot))
        else:
            sheet = self._with_spot(replace(spot, gone=True))
        return sheet._with_hands([n for n in hand if n != number] for hand in self.hands)

    def with_card(self, hand: int, card: Card) -> Sheet:
        """A card that no picture shows belongs to this hand, or to a new one behind the last."""
        hands = self._opened(hand)
        if len(hands[hand]) >= 2 * HAND:
            raise SheetError(f"hand {hand} holds {len(hands[hand])} cards already", "photo_full")
        number = 1 + max((spot.number for spot in self.spots if spot.picture is None), default=0)
        if number >= OF_ONE_PICTURE:
            raise SheetError(f"{number - 1} cards were added already", "photo_full")
        hands[hand].append(number)
        return replace(self, spots=(*self.spots, Spot(number, card, told=True)))._with_hands(hands)

    def moved(self, number: int, hand: int) -> Sheet:
        """This card belongs to another hand, or to a new one behind the last."""
        before = self.hand_of(number)
        if before is None:
            raise SheetError(f"card {number} is in no hand", "photo_no_card")
        hands = self._opened(hand)
        if before != hand:
            hands[before].remove(number)
            hands[hand].append(number)
        return self._with_hands(hands)

    def _opened(self, hand: int) -> list[list[int]]:
        """The hands, with a new one where `hand` is the next number; raise `SheetError` where there can be no such hand."""
        hands = [list(each) for each in self.hands]
        if not 0 <= hand <= len(hands) or (hand == len(hands) and hand >= MOST_HANDS):
            raise SheetError(f"there is no hand {hand}: the sheet has {len(hands)}", "photo_no_hand")
        if hand == len(hands):
            hands.append([])
        return hands

    def _with_spot(self, spot: Spot) -> Sheet:
        return replace(self, spots=tuple(spot if each.number == spot.number else each for each in self.spots))

    def _with_hands(self, hands: Iterable[Sequence[int]]) -> Sheet:
        return replace(self, hands=tuple(tuple(hand) for hand in hands if hand))

    # ---- what is read -------------------------------------------------------------------------------------------

    def with_snap(self, snap: Snap) -> Sheet:
        """A picture is new, or has come further."""
        if snap.number > len(self.snaps):
            return replace(self, snaps=(*self.snaps, snap))
        return replace(self, snaps=tuple(snap if each.number == snap.number else each for each in self.snaps))

    def seen(self, found: Iterable[Spot]) -> Sheet:
        """All that the pictures show as it is read now; what people have said of it stands."""
        before = {spot.number: spot for spot in self.spots}
        fresh = [_as_told(spot, before.get(spot.number)) for spot in found]
        return replace(self, spots=(*fresh, *(spot for spot in self.spots if spot.picture is None)))

    def dealt(self, hands: Iterable[Sequence[int]]) -> Sheet:
        """Sorted anew into these hands of cards on pictures; a card that was added stays beside those that it was added to."""
        fresh = [list(hand) for hand in hands]
        for hand in self.hands:
            added = [number for number in hand if number < OF_ONE_PICTURE]
            shares = Counter(place for place, other in enumerate(fresh) for number in hand if number in other)
            if added and shares:
                fresh[shares.most_common(1)[0][0]] += added
            elif added:
                fresh.append(added)
        return self._with_hands(fresh)


def _as_told(spot: Spot, before: Spot | None) -> Spot:
    if before is None:
        return spot
    return replace(spot, card=before.card if before.told else spot.card, told=before.told, gone=before.gone)
