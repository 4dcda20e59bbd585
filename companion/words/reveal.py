"""Words of the show at the end: what stands above the open hands, and why a hand loses to the next better one."""

from __future__ import annotations

from companion.cards import Card, Rank, Suit
from companion.games.hands import value_of
from companion.views import RankView, SlotShows, View
from companion.words.cards import hand_words, rank_words, suit_words
from companion.words.moves import names_of
from companion.words.rules import seat_name
from companion.words.translator import ENGLISH, Translator, mark

_LABELS: dict[str, str] = {
    "so_far": mark("Hands that lie open"),
    "all_hands": mark("All hands"),
    "winner_last": mark("Who wins is told when the last card lies open."),
    "place": mark("place %(number)d"),
    "story": mark("The story of the game"),
}

_LOSES: dict[str, str] = {
    "category": mark("Loses to %(who)s's hand, %(best)s."),
    "rank": mark("Loses to %(who)s's hand, %(best)s: %(better)s beats %(worse)s."),
    "side": mark("Loses to %(who)s's hand, %(best)s: the side card decides, %(better)s beats %(worse)s."),
    "suit": mark("Loses to %(who)s's hand, %(best)s: the ranks are the same, and %(better)s beat %(worse)s."),
    "tie": mark("Just as good as %(who)s's hand, %(best)s."),
}


def reveal_label(name: str, say: Translator = ENGLISH, /, **values: str | int) -> str:
    """The text called `name`; raises `KeyError` for one that there is not."""
    return say(_LABELS[name], **values)


def open_hand_words(view: View, seat: int, say: Translator = ENGLISH) -> str:
    """What the hand of `seat` is worth, from the cards that its slots show; empty while one of them is hidden."""
    slots = view.seats[seat].slots
    cards = [Card.parse(slot.card) for slot in slots if slot.shows is SlotShows.REVEALED and slot.card is not None]
    if len(cards) != len(slots):
        return ""
    return hand_words(cards, view.seats[seat].category or value_of(cards).category.title, say)


def loses_words(rank: RankView, view: View, say: Translator = ENGLISH) -> str:
    """Why a hand comes after the one before it; empty for the best of those that lie open, which need not have won."""
    if rank.behind is None:
        return ""
    who, best = seat_name(rank.behind, names_of(view), say), open_hand_words(view, rank.behind, say)
    return say(_LOSES[rank.decides], who=who, best=best, better=_named(rank.better, say), worse=_named(rank.worse, say))


def _named(letter: str, say: Translator) -> str:
    """A rank or a suit by its letter."""
    suit = next((suit for suit in Suit if suit.letter == letter), None)
    if suit is not None:
        return suit_words(suit, say)
    return "".join(rank_words(rank, say) for rank in Rank if rank.letter == letter)
