"""A hand of draw or stud on a table: the engine's hand, whose seats are those with chips, and the cards in their slots."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Self

from companion.cards import Card, Held, Unknown
from companion.errors import OptionError
from companion.games.poker_acts import Announce, Discard, Exchange, Fold, Sort, Split, Wager
from companion.games.poker_hand import Dealt, PokerHand
from companion.games.poker_openers import Opener, opened_by
from companion.games.poker_options import DrawOptions, StudOptions, chips_of
from companion.games.poker_rules import after as hand_after
from companion.games.poker_rules import opens
from companion.games.poker_terms import Terms
from companion.rulings import Action
from companion.table import SLOTS, TableState

FIRST_SHUFFLED = 500
"""Numbers of cards that were shuffled again, and that nobody can tell apart any more, begin here."""


@dataclass(frozen=True, slots=True)
class PokerState:
    """A position of the game."""

    options: DrawOptions | StudOptions
    hand: PokerHand
    """Its seat 0 sits at the dealer's left."""
    order: tuple[int, ...]
    """The table's seats in the order of the hand's."""
    table: TableState
    """What follows from `hand`: `placed` keeps the two together."""
    turn: int = 0
    begun: bool = False
    """The first action can be judged: the deal is done."""
    away: tuple[int, ...] = ()
    announced: int | None = None
    """How many cards the drawer has said he will exchange."""
    aces: tuple[tuple[int, int], ...] = ()
    """Seats and slots of kept aces that have to lie open."""
    opener: Opener | None = None
    """Who has opened a game of jacks or better with cards that nobody has read, and owes the proof."""

    @property
    def seats(self) -> int:
        """How many seats the table has, with cards or without."""
        return len(self.table.hands)

    @property
    def phase(self) -> str:
        if self.hand.phase in ("over", "redeal"):
            return "over"
        return "play" if self.begun else "setup"

    @property
    def current(self) -> int | None:
        """Seat to act; None before the first action, after the last one, and where no seat in particular has to."""
        acting = self.acting
        return acting if self.begun else None

    @property
    def acting(self) -> int | None:
        """The same, as soon as the deal is done."""
        place = self.hand.current
        if self.hand.phase == "declare" and getattr(self.options, "declare", "") == "clockwise_from_last_bettor":
            place = next((seat for seat in self.hand.show_order() if not self.hand.declared[seat]), None)
        return None if place is None else self.order[place]

    def place_of(self, seat: int) -> int | None:
        """The hand's seat of a table's seat; None for one without cards."""
        return self.order.index(seat) if seat in self.order else None

    def placed(self, hand: PokerHand) -> Self:
        """The state with another hand, and the table that follows from it."""
        return replace(self, hand=hand, table=table_of(hand, self.order, self.seats))

    def inner(self, action: Action) -> Action:
        """An action of the table as the hand knows it; its seat has to have cards."""
        seat = None if action.seat is None else self.place_of(action.seat)
        if seat is None:
            raise ValueError(f"seat {action.seat} has no cards")
        if isinstance(action, Discard):
            return Exchange(seat, tuple(self.hand.hands[seat][number - 1].card for number in action.slots))
        return replace(action, seat=seat)


def new_state(
    seats: int, options: DrawOptions | StudOptions, terms: Terms, deck: tuple[Held, ...] | None, title: str
) -> PokerState:
    """The state after the deal."""
    for name in ("stacks", "bought", "claims"):
        told = len(chips_of(getattr(options, name, "")))
        if told not in (0, seats):
            raise OptionError(f"option {name!r} of {title} gives the chips of {told} seats; the table has {seats}")
    stacks = chips_of(options.stacks) or (options.stack,) * seats
    dealer = seats - 1 if options.dealer is None else options.dealer
    if dealer >= seats:
        raise OptionError(f"option 'dealer' of {title} has to be one of the seats 0 to {seats - 1}; found {dealer}")
    claims = chips_of(getattr(options, "claims", "")) or (0,) * seats
    # Whoever is all-in for a pot that nobody has won plays for it still.
    order = tuple(seat for seat in clockwise(dealer, seats) if stacks[seat] or claims[seat])
    if len(order) < 2:
        raise OptionError(f"{title} takes at least two players with chips; found {list(stacks)}")
    cards: tuple[Held, ...] = tuple(Unknown(number) for number in range(52)) if deck is None else tuple(deck)
    if len(cards) != 52 or len(set(cards)) != 52:
        raise OptionError(f"a deck has 52 different cards; found {len(cards)} cards, {len(set(cards))} of them different")
    if any(claims):
        terms = replace(terms, claims=tuple(claims[seat] for seat in order))
    hand = PokerHand.begun(terms, [stacks[seat] for seat in order], cards)
    return PokerState(options, hand, order, table_of(hand, order, seats))


def clockwise(dealer: int, seats: int) -> tuple[int, ...]:
    """The seats from the dealer's left on; the dealer comes last."""
    return tuple((dealer + step) % seats for step in range(1, seats + 1))


def table_of(hand: PokerHand, order: tuple[int, ...], seats: int) -> TableState:
    """What lies where: the hands of who is still in, the pile, and everything else out of the game."""
    hands: list[tuple[Held | None, ...]] = [(None,) * len(SLOTS)] * seats
    gone = [card for _, card in hand.discards] + list(hand.burned)
    for place, seat in enumerate(order):
        cards = hand.cards(place)
        if hand.live[place]:
            hands[seat] = (*cards, *(None,) * (len(SLOTS) - len(cards)))
        else:
            gone += cards
    return TableState(tuple(hands), hand.pile, (), tuple(gone))


def after(state: PokerState, action: Action) -> PokerState:
    """The state after a legal `action`, with everything that follows by itself."""
    if isinstance(action, Sort):
        return state.placed(_sorted(state, action))
    begun = replace(state, begun=True)
    if isinstance(action, Announce):
        return replace(begun, announced=action.count)
    if isinstance(action, Split):
        return replace(begun, opener=None if state.opener is None else replace(state.opener, split=True))
    if isinstance(action, Wager) and opens(state.hand):
        begun = replace(begun, opener=opened_by(state.hand, state.place_of(action.seat or 0) or 0))
    hand = hand_after(state.hand, state.inner(action))
    if isinstance(action, Discard):
        hand = _unknown_again(state, hand)
        begun = replace(begun, aces=(*begun.aces, *_shown_ace(state, action)))
    if isinstance(action, Fold):
        begun = replace(begun, aces=tuple(ace for ace in begun.aces if ace[0] != action.seat))
    return awake(replace(begun, turn=state.turn + 1, announced=None).placed(hand))


def _sorted(state: PokerState, action: Sort) -> PokerHand:
    place = state.place_of(action.seat if action.seat is not None else -1)
    if place is None:
        return state.hand
    dealt = state.hand.hands[place]
    hand = tuple(dealt[source - 1] for source in action.perm)
    return replace(state.hand, hands=(*state.hand.hands[:place], hand, *state.hand.hands[place + 1 :]))


def _shown_ace(state: PokerState, action: Discard) -> tuple[tuple[int, int], ...]:
    """The slot of the one card that was kept, where it has to be shown."""
    if getattr(state.options, "draw_four_with_ace", "") != "keep_and_show" or len(action.slots) != 4 or action.seat is None:
        return ()
    return tuple((action.seat, number) for number in SLOTS if number not in action.slots)


def _unknown_again(before: PokerState, hand: PokerHand) -> PokerHand:
    """After a reshuffle: nobody knows any more which card lies where among those that were shuffled."""
    if not hand.shuffled:
        return hand
    thrown = {card for _, card in before.hand.discards} | {
        card for place in before.hand.folded if not hand.hands[place] for card in before.hand.cards(place)
    }
    used = [card.number for card in before.table.cards() if isinstance(card, Unknown)]
    fresh = max((FIRST_SHUFFLED - 1, *used)) + 1
    names: dict[Held, Held] = {card: Unknown(fresh + number) for number, card in enumerate(_in_order(before, thrown))}
    return renamed(hand, names)


def _in_order(state: PokerState, cards: set[Held]) -> list[Held]:
    return [card for card in state.table.cards() if card in cards]


def renamed(hand: PokerHand, names: Mapping[Held, Held]) -> PokerHand:
    """The hand with cards under other names, wherever they lie."""

    def name(card: Held) -> Held:
        return names.get(card, card)

    return replace(
        hand,
        hands=tuple(tuple(Dealt(name(one.card), one.up) for one in cards) for cards in hand.hands),
        pile=tuple(map(name, hand.pile)),
        discards=tuple((seat, name(card)) for seat, card in hand.discards),
        burned=tuple(map(name, hand.burned)),
    )


def learned(state: PokerState, unknown: Unknown, card: Card) -> PokerState:
    """The state after `unknown` was read as `card`; where that stands under its own name the two change names.

    A name that no card has takes the name of `card` over, which is unknown then.  Where open cards decide who opens a round, it
    is opened with what is known now.
    """
    if unknown.number >= FIRST_SHUFFLED and unknown not in set(state.table.cards()):
        # Before the shuffle nobody could have called it so.
        return state
    names: dict[Held, Held] = {unknown: card, card: unknown}
    opener = None if state.opener is None else state.opener.renamed(names)
    return replace(state, opener=opener).placed(renamed(state.hand, names).reopened())


def awake(state: PokerState) -> PokerState:
    """Whoever has left acts by himself as cheaply as he may: he checks, brings in, stands pat, goes for high or gives up."""
    while state.away and state.phase == "play":
        hand = _without_them(state)
        if hand is state.hand:
            return state
        state = replace(state, turn=state.turn + 1, announced=None).placed(hand)
    return state


def _without_them(state: PokerState) -> PokerHand:
    """The hand after one of those who have left has acted; the same where none of them has to."""
    hand = state.hand
    if hand.phase == "declare":
        silent = (place for place, seat in enumerate(state.order) if seat in state.away and hand.live[place])
        place = next((place for place in silent if not hand.declared[place]), None)
        return hand if place is None else hand.declares(place, "high")
    if state.acting not in state.away:
        return hand
    if hand.phase == "draw":
        return hand.exchanged(())
    betting = hand.betting
    if betting is None:
        return hand
    may = betting.may()
    return hand.with_betting(betting.checked() if may.check else betting.brought_in() if may.bring_in else betting.folded())
