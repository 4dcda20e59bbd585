"""What the three games with chips have in common as games at the table."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from companion.cards import Card, Held, Unknown
from companion.games import poker_actions, poker_explain, poker_session
from companion.games.base import Choice, Game, PublicState, Purses, Result
from companion.games.betting import Betting, RoundTerms
from companion.games.margins import Ranked
from companion.games.poker_acts import Discard, Fold, Sort, Wager
from companion.games.poker_chips import chips_view, purses
from companion.games.poker_hand import Dealt, PokerHand
from companion.games.poker_judging import actors, choices, fault, legal_actions
from companion.games.poker_next import next_hand
from companion.games.poker_openers import Opener
from companion.games.poker_options import SESSION, DrawOptions, StudOptions
from companion.games.poker_state import PokerState, after, awake, learned, new_state
from companion.games.poker_terms import Street, Terms
from companion.rulings import Action, Change, Rule, Ruling, Verdict
from companion.table import SLOTS, Place, TableState, slot
from companion.views import MoveView

PokerOptions = DrawOptions | StudOptions
JUDGED = (
    "limit", "cap", "draw_max", "draw_four_with_ace", "must_open", "odd_chip", "eval", "low_eval", "short_allin_counts",
    "reshuffle_folds",
)  # fmt: skip
"""Options that bear on rulings and payouts alone; all others on the deal and the course of a hand."""
LATER = ("button", "redeal_dealer")
"""Options that only the next hand can show."""


class PokerGame(Game[PokerState]):
    """Draw and stud at the table; every method is pure."""

    seats = range(2, 6)
    moves = ("check", "bet", "raise", "complete", "call", "fold", "bring_in", "exchange", "stand_pat", "declare")
    session = SESSION
    taps = True
    told = False
    title: str
    rules: Mapping[str, tuple[str, ...]]
    """Rule id -> names of its parameters; there are none."""
    rule_of_error: Mapping[str, str]
    """Kind of violation -> rule id."""
    rule_of_action: Mapping[type[Action], str]

    @abstractmethod
    def terms(self, options: Any) -> Terms:
        """How the engine is to play a hand under these options."""

    def start(self, seats: int, options: Any, deck: tuple[Held, ...] | None = None) -> PokerState:
        return new_state(seats, options, self.terms(options), deck, self.title)

    def places(self, seats: int) -> tuple[Place, ...]:
        return tuple(slot(seat, number) for seat in range(seats) for number in SLOTS)

    # ---- rules ----------------------------------------------------------------------------------------------------

    def legal_actions(self, state: PokerState) -> Iterator[Action]:
        return legal_actions(state)

    def actors(self, state: PokerState) -> tuple[int, ...]:
        return actors(state) if state.begun else ()

    def choices(self, state: PokerState, seat: int, watched: bool) -> Iterator[Choice]:
        return choices(state, seat, watched)

    def sized(self, action: Action, amount: int) -> Action:
        return replace(action, total=amount) if isinstance(action, Wager) else action

    def settles(self, action: Action) -> bool:
        return not isinstance(action, (Fold, Sort)) and not (isinstance(action, Discard) and action.slots)

    def judge(self, state: PokerState, action: Action) -> Ruling:
        error = fault(state, action)
        if not error:
            return Ruling(Verdict.LEGAL, action)
        places = tuple(slot(action.seat or 0, number) for number in getattr(action, "slots", ()) if number in SLOTS)
        return Ruling(Verdict.ILLEGAL, action, error, self.rule_against(error), action.seat, places=places)

    def rule_of(self, action: Action) -> str:
        return self.rule_of_action.get(type(action), "")

    def rule_against(self, error: str) -> Rule | None:
        return Rule(self.rule_of_error[error]) if error in self.rule_of_error else None

    def after(self, state: PokerState, action: Action) -> PokerState:
        return after(state, action)

    # ---- what cameras see -----------------------------------------------------------------------------------------

    def explain(self, state: PokerState, change: Change) -> Ruling:
        return self.explain_without(state, change, ())

    def explain_without(self, state: PokerState, change: Change, ruled_out: Container[Action]) -> Ruling:
        found = poker_explain.explain(state, change, ruled_out)
        return found if found.error is None else replace(found, rule=self.rule_against(found.error))

    def could_become(self, state: PokerState, change: Change) -> bool:
        return poker_explain.could_become(state, change)

    def shown(self, state: PokerState) -> frozenset[Place]:
        return frozenset(slot(seat, number) for seat, number in poker_session.slots_shown(state))

    def to_show(self, state: PokerState) -> tuple[Place, ...]:
        return tuple(slot(seat, number) for seat in poker_session.showing(state) for number in SLOTS)

    # ---- the course of a game -------------------------------------------------------------------------------------

    def opened(self, state: PokerState) -> PokerState:
        return state if state.begun else awake(replace(state, begun=True))

    def under(self, state: PokerState, options: Any) -> PokerState:
        terms, wanted = state.hand.terms, self.terms(options)
        known = {name: getattr(wanted, name) for name in JUDGED if hasattr(wanted, name)}
        return replace(state, options=options, hand=replace(state.hand, terms=replace(terms, **known)))

    def unshown(self, option: str) -> str:
        return "" if option in JUDGED else "told" if option in LATER else "deal"

    def redealt(self, state: PokerState) -> PokerState:
        return replace(self.start(state.seats, state.options), away=state.away)

    def laid(self, state: PokerState, table: TableState) -> PokerState:
        """Hands and pile as in `table`; whatever else it has taken from them is out of the game."""
        if table == state.table:
            return state
        hand = state.hand
        drawer = state.acting if hand.phase == "draw" else None
        if drawer is not None and set(table.hands[drawer]) != set(state.table.hands[drawer]):
            # Whatever was announced was done otherwise, and stands so.
            state = replace(state, announced=None)
        hands = []
        for place, dealt in enumerate(hand.hands):
            lying = [card for card in table.hands[state.order[place]] if card is not None]
            same = hand.live[place] and len(lying) == len(dealt)
            hands.append(tuple(Dealt(card, one.up) for card, one in zip(lying, dealt, strict=True)) if same else dealt)
        kept = {card for cards in table.hands for card in cards} | set(table.pile)
        discards = tuple((seat, card) for seat, card in hand.discards if card not in kept)
        given_up = {one.card for place, dealt in enumerate(hands) if not hand.live[place] for one in dealt}
        known = {card for _, card in discards} | given_up
        burned = tuple(card for card in table.removed if card not in known)
        return state.placed(replace(hand, hands=tuple(hands), pile=table.pile, discards=discards, burned=burned))

    def seated(self, state: PokerState, seat: int, away: bool) -> PokerState:
        if state.phase == "over" or away is (seat in state.away) or not 0 <= seat < state.seats:
            return state
        gone = (*state.away, seat) if away else tuple(each for each in state.away if each != seat)
        return awake(replace(state, away=tuple(sorted(gone))))

    def learn(self, state: PokerState, unknown: Unknown, card: Card) -> PokerState:
        return learned(state, unknown, card)

    def empties(self, state: PokerState, seat: int, slots: tuple[Place, ...]) -> bool:
        """Whoever gives up takes all his cards away."""
        held = [number for number in SLOTS if state.table.at(slot(seat, number)) is not None]
        betting = state.hand.phase == "bet" and state.acting == seat
        return betting and bool(held) and [place.number for place in slots] == held

    # ---- what everybody may know ----------------------------------------------------------------------------------

    def public(self, state: PokerState) -> PublicState:
        phase = state.hand.phase
        waits = phase if phase in ("upcards", "declare") and state.begun and state.current is None else ""
        return PublicState(away=state.away, waits=waits, chips=chips_view(state))

    def move_view(self, action: Action) -> MoveView:
        return poker_actions.move_view(action)

    def result(self, state: PokerState) -> Result | None:
        return poker_session.ending(state)

    def ranked(self, state: PokerState, hands: Sequence[Sequence[Card]]) -> tuple[Ranked, ...]:
        return ()

    def ranking(self, options: Any) -> str:
        return str(options.eval)

    def purses(self, seats: int, options: Any) -> Purses:
        return purses(seats, options, self.terms(options).ante)

    def next_options(self, state: PokerState) -> Any:
        return next_hand(state, state.options)

    # ---- records --------------------------------------------------------------------------------------------------

    def records(self) -> tuple[type, ...]:
        return (
            PokerState, PokerHand, Dealt, Terms, Street, Betting, RoundTerms, DrawOptions, StudOptions, Opener,
            *poker_actions.ACTIONS,
        )  # fmt: skip

    def action_to_json(self, action: Action) -> dict[str, Any]:
        return poker_actions.action_to_json(action)

    def action_from_json(self, data: Mapping[str, Any]) -> Action:
        return poker_actions.action_from_json(data)
