"""Any interleaving of actions, undo, redo and corrections leaves the state of the plain history."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.cards import DECK, Card, Unknown
from companion.errors import DeclarationError
from companion.games import find_game
from companion.games.steal_state import StealState
from companion.observation import Correct
from companion.picture import Picture, RowSight, Sight
from companion.proceedings import Seating
from companion.referee import Referee
from companion.rulings import Action, Change
from companion.table import Place, TableState, row

GAME = find_game("steal")
SEATS = 4
NOBODY_LOOKS = Picture(Change(((None,) * 5,) * SEATS, None), (), (), ())


class Plain:
    """The history as a list of actions and of names, without any of the referee's ways."""

    def __init__(self) -> None:
        self.dealt = GAME.start(SEATS, GAME.options({}))
        self.standing: list[Action] = []
        self.undone: list[Action] = []
        self.names: dict[int, Card] = {}
        """Unknown card of the deal -> what it was called last."""

    def unnamed(self) -> StealState:
        state = self.dealt
        for action in self.standing:
            if isinstance(action, Seating):
                state = GAME.seated(state, action.seat, action.away)
            else:
                state = GAME.after(GAME.opened(state), action)
        return state

    def name(self, place: Place, card: Card) -> bool:
        """Call the card at `place` so; refused where an open card has the name."""
        held = self.unnamed().table.at(place)
        if not isinstance(held, Unknown):
            return False
        if self.names.get(held.number) == card:
            return True
        others = [number for number, name in self.names.items() if name == card and number != held.number]
        if any(Unknown(number) in self.unnamed().table.row for number in others):
            return False
        for number in others:
            del self.names[number]
        self.names[held.number] = card
        return True


def shape(state: StealState, names: dict[int, Card] | None = None) -> object:
    """A state with its unknown cards numbered as they lie, so that two ways of counting them compare."""
    order: dict[object, object] = {}

    def called(card: object) -> object:
        known = (names or {}).get(card.number, card) if isinstance(card, Unknown) else card
        return known if isinstance(known, Card) else order.setdefault(known, len(order))

    table: TableState = state.table
    cards = [[called(card) for card in pile] for pile in (*table.hands, table.row, table.removed, table.pile)]
    locks = [(lock.victim, lock.thief, called(lock.card), lock.turn, lock.kind) for lock in state.locks]
    return (
        cards, locks, state.phase, state.turn, state.current, state.ender, state.final_left, state.last_actor, state.discards,
    )  # fmt: skip


steps = st.lists(
    st.one_of(
        st.tuples(st.just("act"), st.integers(0, 10_000)),
        st.tuples(st.just("undo"), st.just(0)),
        st.tuples(st.just("redo"), st.just(0)),
        st.tuples(st.just("rewind"), st.integers(0, 10_000)),
        st.tuples(st.just("seat"), st.integers(0, 2 * SEATS - 1)),
        st.tuples(st.just("name"), st.integers(0, 6 * 52 - 1)),
    ),
    max_size=40,
)


def fresh() -> Referee[StealState]:
    return Referee(GAME, Sight((False,) * SEATS, RowSight.NONE), GAME.start(SEATS, GAME.options({})))


def acted(referee: Referee[StealState], plain: Plain, number: int) -> Referee[StealState]:
    actions = [action for action in GAME.legal_actions(GAME.opened(referee.state)) if action.seat is not None]
    if not actions:
        return referee
    plain.standing.append(actions[number % len(actions)])
    plain.undone.clear()
    return referee.claim(plain.standing[-1], 0.0)


def seated(referee: Referee[StealState], plain: Plain, number: int) -> Referee[StealState]:
    """Somebody leaves or comes back, before the first action too; what ends the game is taken back like an action."""
    call = Seating(number % SEATS, number < SEATS)
    if GAME.seated(plain.unnamed(), call.seat, call.away) == plain.unnamed():
        with pytest.raises(DeclarationError):
            referee.seated(call.seat, call.away, 0.0)
        return referee
    if not plain.standing and GAME.seated(plain.dealt, call.seat, call.away).phase != "over":
        if not plain.undone:
            plain.dealt = GAME.seated(plain.dealt, call.seat, call.away)
            return referee.seated(call.seat, call.away, 0.0)
        return referee
    plain.standing.append(call)
    plain.undone.clear()
    return referee.seated(call.seat, call.away, 0.0)


def rewound(referee: Referee[StealState], plain: Plain, turns: int) -> Referee[StealState]:
    while len(plain.standing) > turns:
        plain.undone.append(plain.standing.pop())
    while len(plain.standing) < turns:
        plain.standing.append(plain.undone.pop())
    return referee.rewind(turns, 0.0)


def named(referee: Referee[StealState], plain: Plain, number: int) -> Referee[StealState]:
    place, card = row(number // 52 + 1), DECK[number % 52]
    if referee.state.table.at(place) is None:
        return referee
    try:
        after = referee.correct(Correct(place, card), NOBODY_LOOKS, 0.0)
    except DeclarationError:
        assert not plain.name(place, card)
        return referee
    assert plain.name(place, card)
    return after


@settings(max_examples=100, deadline=None)
@given(steps)
def test_the_state_is_that_of_the_plain_history(walk: list[tuple[str, int]]) -> None:
    referee, plain = fresh(), Plain()
    for kind, number in walk:
        total = len(plain.standing) + len(plain.undone)
        if kind == "act":
            referee = acted(referee, plain, number)
        elif kind == "name":
            referee = named(referee, plain, number)
        elif kind == "seat":
            referee = seated(referee, plain, number)
        elif kind == "rewind":
            referee = rewound(referee, plain, number % (total + 1))
        elif (kind == "undo" and plain.standing) or (kind == "redo" and plain.undone):
            referee = rewound(referee, plain, len(plain.standing) + (1 if kind == "redo" else -1))
        assert shape(referee.state) == shape(plain.unnamed(), plain.names)
        assert (len(referee.turns), len(referee.undone)) == (len(plain.standing), len(plain.undone))
        cards = list(referee.state.table.cards())
        assert len(cards) == len(set(cards)) == 52


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(0, 10_000), min_size=1, max_size=25), st.data())
def test_back_to_any_turn_and_forth_again_is_where_it_was(choices: list[int], data: st.DataObject) -> None:
    referee, plain = fresh(), Plain()
    states = [referee.state]
    for number in choices:
        referee = acted(referee, plain, number)
        if len(referee.turns) == len(states):
            states.append(referee.state)
    last = len(referee.turns)
    turns = data.draw(st.integers(0, last))
    back = referee.rewind(turns, 0.0)
    assert back.state == states[turns]
    assert back.rewind(last, 0.0).state == referee.state
    steps = () if back.errand is None else back.errand.steps
    moved = [turn for turn in reversed(referee.turns[turns:]) if turn.before.table != turn.after.table]
    assert [step.action for step in steps] == [turn.action for turn in moved]
    forth = back.rewind(last, 0.0)
    assert forth.errand is None, "nothing has to be moved after there and back"
