"""What is legal at a moment of a hand of draw or stud, and the hand after it."""

from __future__ import annotations

from collections.abc import Iterator

from companion.cards import Card, Rank
from companion.games.poker_acts import BringIn, Call, Check, Declare, Exchange, Fold, Wager
from companion.games.poker_hand import PokerHand
from companion.games.poker_openers import are_openers
from companion.rulings import Action

SIDES = ("high", "low")


def refusal(hand: PokerHand, action: Action) -> str:
    """The kind of the first error of an action; empty where it is legal."""
    if hand.phase in ("over", "redeal"):
        return "hand_over"
    seat = action.seat
    if seat is None or not 0 <= seat < hand.seats:
        return "bad_seat"
    if isinstance(action, Declare):
        return _refused_declaration(hand, seat, action)
    if isinstance(action, Exchange) and hand.phase != "draw":
        return "draw_not_open"
    if seat != hand.current:
        # Who is all-in still exchanges cards, but never bets again.
        broke = isinstance(action, Wager | Call) and hand.phase == "bet" and hand.live[seat] and not hand.stacks[seat]
        return "no_chips" if broke else "not_your_turn"
    if isinstance(action, Exchange):
        return _refused_exchange(hand, action)
    return _refused_bet(hand, action) if hand.phase == "bet" else "bad_action"


def _refused_declaration(hand: PokerHand, seat: int, action: Declare) -> str:
    if hand.phase != "declare" or action.side not in SIDES:
        return "bad_action"
    return "not_your_turn" if not hand.live[seat] or hand.declared[seat] else ""


def _refused_exchange(hand: PokerHand, action: Exchange) -> str:
    held = hand.cards(action.seat or 0)
    thrown = action.thrown
    if len(set(thrown)) < len(thrown) or any(card not in held for card in thrown):
        return "card_not_held"
    if len(thrown) > most_discards(hand, thrown):
        return "too_many_discards"
    stock = hand.stock_of(action.seat or 0, len(thrown))
    if len(stock) < len(thrown):
        return "too_many_discards"
    got = action.received
    if got is None:
        return ""
    # What lies in the pile comes in its order; what was shuffled comes as it may.
    sure = hand.pile[: len(thrown)]
    fits = len(got) == len(thrown) == len(set(got)) and got[: len(sure)] == sure and set(got) <= set(stock)
    return "" if fits else "bad_action"


def most_discards(hand: PokerHand, thrown: tuple[object, ...] = ()) -> int:
    """How many cards may be exchanged, given what would be thrown away; a kept card that nobody has read passes for an ace."""
    terms = hand.terms
    if terms.draw_four_with_ace and terms.draw_max < 4 and len(thrown) == 4 and hand.drawer is not None:
        kept = [card for card in hand.cards(hand.drawer) if card not in thrown]
        if all(not isinstance(card, Card) or card.rank == Rank.ACE for card in kept):
            return 4
    return terms.draw_max


def _refused_bet(hand: PokerHand, action: Action) -> str:
    betting = hand.betting
    if betting is None:
        return "bad_action"
    may = betting.may()
    if isinstance(action, Check):
        return "" if may.check and not _has_to_open(hand) else "must_open" if may.check else "check_facing_bet"
    if isinstance(action, Call):
        return "" if may.call else "call_without_bet"
    if isinstance(action, Fold):
        return "" if may.fold else "bring_in_due"
    if isinstance(action, BringIn):
        return "" if may.bring_in else "bad_action"
    if not isinstance(action, Wager):
        return "bad_action"
    if action.kind and may.wager and action.kind != may.wager:
        return "bad_action"
    return _refused_wager(hand, action.total)


def _refused_wager(hand: PokerHand, total: int) -> str:
    betting = hand.betting
    if betting is None:
        return "bad_action"
    may = betting.may()
    closed = "" if may.bring_in else betting.refused(may.seat)
    if closed:
        return closed
    if opens(hand) and has_openers(hand, may.seat) is False:
        return "no_openers"
    if may.allows(total):
        return ""
    return "bet_too_large" if may.totals and total > may.totals[-1][1] else "bet_too_small"


def opens(hand: PokerHand) -> bool:
    """Whether the next bet opens a game of jacks or better."""
    return hand.terms.openers and hand.street == 0 and hand.betting is not None and not hand.betting.high


def has_openers(hand: PokerHand, seat: int) -> bool | None:
    """Whether the hand holds a pair of jacks or better; None where not all of its cards are known."""
    return are_openers(hand.cards(seat))


def _has_to_open(hand: PokerHand) -> bool:
    betting = hand.betting
    asked = hand.terms.must_open and opens(hand) and betting is not None and betting.turn is not None
    return asked and betting is not None and has_openers(hand, betting.turn or 0) is True


def after(hand: PokerHand, action: Action) -> PokerHand:
    """The hand after a legal action, with everything that follows by itself: streets dealt, rounds opened."""
    if isinstance(action, Exchange):
        return hand.exchanged(action.thrown, action.received)
    if isinstance(action, Declare):
        return hand.declares(action.seat or 0, action.side)
    betting = hand.betting
    if betting is None:
        raise ValueError(f"{action!r} came while nobody could bet")
    if isinstance(action, Wager):
        return hand.with_betting(betting.wagered(action.total))
    moves = {Check: betting.checked, Fold: betting.folded, Call: betting.called, BringIn: betting.brought_in}
    return hand.with_betting(moves[type(action)]())


def legal(hand: PokerHand) -> Iterator[Action]:
    """Every legal action that is not a matter of amounts or cards, and of each wager the least and the greatest."""
    if hand.phase == "declare":
        declarations = (Declare(each, side) for each in range(hand.seats) for side in SIDES)
        yield from (declaration for declaration in declarations if not refusal(hand, declaration))
    seat = hand.current
    if seat is None:
        return
    tried: list[Action] = [Check(seat), Call(seat), BringIn(seat), Fold(seat), Exchange(seat)]
    if hand.phase == "bet" and hand.betting is not None:
        tried += [Wager(seat, total) for pair in hand.betting.may().totals for total in sorted(set(pair))]
    yield from (action for action in tried if not refusal(hand, action))
