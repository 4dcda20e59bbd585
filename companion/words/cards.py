"""Sentences for cards, hands and results.  Only for cards that everybody may know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from companion.cards import Card, Rank, Suit
from companion.views import ResultView, View
from companion.words.rules import seat_name
from companion.words.translator import ENGLISH, Translator, mark

_ONE: dict[Rank, str] = {
    Rank.TWO: mark("two"),
    Rank.THREE: mark("three"),
    Rank.FOUR: mark("four"),
    Rank.FIVE: mark("five"),
    Rank.SIX: mark("six"),
    Rank.SEVEN: mark("seven"),
    Rank.EIGHT: mark("eight"),
    Rank.NINE: mark("nine"),
    Rank.TEN: mark("ten"),
    Rank.JACK: mark("jack"),
    Rank.QUEEN: mark("queen"),
    Rank.KING: mark("king"),
    Rank.ACE: mark("ace"),
}

_MANY: dict[Rank, str] = {
    Rank.TWO: mark("twos"),
    Rank.THREE: mark("threes"),
    Rank.FOUR: mark("fours"),
    Rank.FIVE: mark("fives"),
    Rank.SIX: mark("sixes"),
    Rank.SEVEN: mark("sevens"),
    Rank.EIGHT: mark("eights"),
    Rank.NINE: mark("nines"),
    Rank.TEN: mark("tens"),
    Rank.JACK: mark("jacks"),
    Rank.QUEEN: mark("queens"),
    Rank.KING: mark("kings"),
    Rank.ACE: mark("aces"),
}

_SUITS: dict[Suit, str] = {
    Suit.CLUBS: mark("clubs"),
    Suit.DIAMONDS: mark("diamonds"),
    Suit.HEARTS: mark("hearts"),
    Suit.SPADES: mark("spades"),
}

_CATEGORIES: dict[str, str] = {
    "high card": mark("high card"),
    "one pair": mark("one pair"),
    "four straight": mark("four to a straight"),
    "four flush": mark("four to a flush"),
    "two pair": mark("two pair"),
    "three of a kind": mark("three of a kind"),
    "straight": mark("straight"),
    "flush": mark("flush"),
    "full house": mark("full house"),
    "four of a kind": mark("four of a kind"),
    "straight flush": mark("straight flush"),
    "royal flush": mark("royal flush"),
}

_HANDS: dict[str, str] = {
    "high card": mark("%(one)s high"),
    "one pair": mark("a pair of %(many)s"),
    "two pair": mark("two pair, %(many)s and %(other)s"),
    "three of a kind": mark("three of a kind, %(many)s"),
    "straight": mark("a straight to the %(one)s"),
    "flush": mark("a flush, %(one)s high"),
    "full house": mark("a full house, %(many)s over %(other)s"),
    "four of a kind": mark("four of a kind, %(many)s"),
    "straight flush": mark("a straight flush to the %(one)s"),
    "royal flush": mark("a royal flush"),
}

CATEGORIES: tuple[str, ...] = tuple(_CATEGORIES)
"""Every kind of hand that has a name, the lowest first."""


def card_words(card: Card, say: Translator = ENGLISH) -> str:
    """``king of spades``: how a card is read out."""
    return say("%(rank)s of %(suit)s", rank=say(_ONE[card.rank]), suit=say(_SUITS[card.suit]))


def suit_words(suit: Suit, say: Translator = ENGLISH) -> str:
    """The name of a suit: ``spades``."""
    return say(_SUITS[suit])


def rank_words(rank: Rank, say: Translator = ENGLISH) -> str:
    """The name of a rank: ``king``."""
    return say(_ONE[rank])


def category_words(category: str, say: Translator = ENGLISH) -> str:
    """The name of a kind of hand; a kind that has none is said as it is written."""
    return say(_CATEGORIES[category]) if category in _CATEGORIES else category


def _groups(cards: Sequence[Card], straight: bool) -> list[Rank]:
    """The hand's ranks from the most important group down; the ace stands last in the straight 5-4-3-2-A."""
    counts = Counter(card.rank for card in cards)
    ranks = sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True)
    return [*ranks[1:], ranks[0]] if straight and ranks[:2] == [Rank.ACE, Rank.FIVE] else ranks


def hand_words(cards: Sequence[Card], category: str, say: Translator = ENGLISH) -> str:
    """What five cards are worth: ``two pair, kings and nines``.  `category` is the name of the hand's kind."""
    if category not in _HANDS:
        return category_words(category, say)
    ranks = _groups(cards, straight="straight" in category)
    other = _MANY[ranks[1]] if len(ranks) > 1 else ""
    return say(_HANDS[category], one=say(_ONE[ranks[0]]), many=say(_MANY[ranks[0]]), other=say(other) if other else "")


_REASONS: dict[str, str] = {
    "category": mark("%(winner)s wins with %(best)s. That beats %(second)s's hand, %(next)s: it is the higher kind of hand."),
    "rank": mark("%(winner)s wins with %(best)s. %(second)s comes closest with %(next)s; the higher ranks decide."),
    "suit": mark("%(winner)s wins with %(best)s. %(second)s has the same ranks; the higher suit decides."),
}

_SIDE_CARD = mark("%(winner)s wins with %(best)s. %(second)s has %(next)s too; the higher side card decides.")


def _reason(result: ResultView, best: str, following: str) -> str:
    if result.reason in ("category", "suit"):
        return _REASONS[result.reason]
    return _SIDE_CARD if best == following else _REASONS["rank"]


def result_words(view: View, say: Translator = ENGLISH) -> str:
    """Who won, with what, and why it beats the next hand; empty while there is no result."""
    result = view.result
    if view.unranked:
        return _broken_off(view, say)
    if result is None:
        return ""
    if result.won:
        return payout_words(result, [seat.name for seat in view.seats], say)
    if not result.winners:
        return say("The game ends without a winner.")
    return standing_words(result, [seat.name for seat in view.seats], say)


def _broken_off(view: View, say: Translator) -> str:
    names = [seat.name for seat in view.seats]
    who = say.listed([seat_name(seat.seat, names, say) for seat in view.seats if seat.away])
    return say("%(who)s left, so the game ends without a winner. Undo brings it back.", who=who)


def standing_words(result: ResultView, names: Sequence[str], say: Translator = ENGLISH) -> str:
    """Who has won, with what, and why it beats the next hand; `names` of the hands, in the order of `result.hands`."""

    def hand(seat: int) -> str:
        return hand_words([Card.parse(text) for text in result.hands[seat]], result.categories[seat], say)

    best = hand(result.winners[0])
    if len(result.winners) > 1:
        winners = say.listed([seat_name(seat, names, say) for seat in result.winners])
        return say("%(winners)s share the win: their hands are equal, %(best)s.", winners=winners, best=best)
    winner = seat_name(result.winners[0], names, say)
    if len(result.order) < 2:
        return say("%(winner)s wins with %(best)s.", winner=winner, best=best)
    second, following = result.order[1], hand(result.order[1])
    sentence = _reason(result, best, following)
    return say(sentence, winner=winner, best=best, second=seat_name(second, names, say), next=following)


def payout_words(result: ResultView, names: Sequence[str], say: Translator = ENGLISH) -> str:
    """Who has won how many chips, and with what."""
    if result.reason == "redeal":
        return say("Nobody has opened. The pot stays, and the cards are dealt again.")
    if result.reason == "no_openers" and not result.winners:
        return say("Whoever opened has shown no openers. The pot stays, and the cards are dealt again.")
    if result.reason == "folded":
        who = seat_name(result.winners[0], names, say)
        return say("%(who)s wins %(chips)d: everybody else has folded.", who=who, chips=result.won[result.winners[0]])
    paid = " ".join(_paid(result, seat, names, say) for seat in result.order if result.won[seat])
    if result.reason == "no_openers":
        return say("%(paid)s Whoever opened has shown no openers and cannot win.", paid=paid)
    return paid


def _paid(result: ResultView, seat: int, names: Sequence[str], say: Translator) -> str:
    who, chips = seat_name(seat, names, say), result.won[seat]
    if seat not in result.winners:
        return say("%(who)s gets %(chips)d back, which nobody has matched.", who=who, chips=chips)
    cards = [Card.parse(text) for text in result.hands[seat]]
    best = hand_words(cards, result.categories[seat], say)
    return say("%(who)s wins %(chips)d with %(best)s.", who=who, chips=chips, best=best)
