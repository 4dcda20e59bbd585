"""What may be done in Five Card Steal and what it leads to: ask (`fault`), check and act (`after`) over one rule."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, permutations

from companion.cards import Held, Unknown
from companion.errors import OptionError
from companion.games.steal_options import StealOptions
from companion.games.steal_state import (
    Arrange,
    ArrangeAll,
    Draw,
    Forfeit,
    Leave,
    Lock,
    Misdeal,
    Pass,
    Return,
    Start,
    StealCard,
    StealState,
    Take,
    lock_ends,
)
from companion.rulings import Action
from companion.table import SLOTS, TableState

HAND = 5
END_ROW = 5
"""So many discards bring the end."""
LEAST_SEATS = 3

OwnTurn = (Draw, StealCard, Take, Pass, Forfeit)
"""The actions that use up a turn."""


def new_state(seats: int, options: StealOptions, deck: tuple[Held, ...] | None = None) -> StealState:
    """The state after the deal, one card at a time clockwise from the first seat."""
    if not LEAST_SEATS <= seats <= 5:
        raise OptionError(f"Five Card Steal is for 3 to 5 players; found {seats}")
    if options.first_seat >= seats:
        raise OptionError(f"option 'first_seat' has to be one of the seats 0 to {seats - 1}; found {options.first_seat}")
    cards: tuple[Held, ...] = tuple(Unknown(number) for number in range(52)) if deck is None else tuple(deck)
    if len(cards) != 52 or len(set(cards)) != 52:
        raise OptionError(f"a deck has 52 different cards; found {len(cards)} cards, {len(set(cards))} of them different")
    dealt = cards[: HAND * seats]
    hands = tuple(dealt[(seat - options.first_seat) % seats :: seats] for seat in range(seats))
    return StealState(options, TableState(hands, cards[HAND * seats :], (), ()), arranged=(False,) * seats)


def fault(state: StealState, action: Action) -> str | None:
    """The first error kind of the rules specification (1.4, in its order), or None where `action` is legal."""
    return _form_fault(state, action) or _setup_fault(state, action) or _call_fault(state, action) or _turn_fault(state, action)


def _form_fault(state: StealState, action: Action) -> str | None:
    if not isinstance(action, (Arrange, ArrangeAll, Start, Leave, Return, Misdeal, *OwnTurn)):
        return "bad_action"
    table_acts = isinstance(action, (Start, Misdeal, ArrangeAll))
    if action.seat not in range(state.seats) and not (table_acts and action.seat is None):
        return "bad_seat"
    if isinstance(action, Draw):
        return None if action.use is None or action.use in SLOTS else "bad_slot"
    if isinstance(action, Take):
        return None if action.slot in SLOTS else "bad_slot"
    if isinstance(action, StealCard):
        if action.victim not in range(state.seats):
            return "bad_target"
        return None if action.slot in SLOTS and action.give in SLOTS else "bad_slot"
    return None


def _setup_fault(state: StealState, action: Action) -> str | None:
    if state.phase == "over":
        return "game_over"
    if isinstance(action, Start):
        return None if state.phase == "setup" else "already_started"
    if isinstance(action, Misdeal):
        return None if state.last_actor is None else "already_started"
    if isinstance(action, (Arrange, ArrangeAll)):
        if state.phase != "setup":
            return "positions_locked"
        perms = action.perms if isinstance(action, ArrangeAll) else (action.perm,)
        if any(sorted(perm) != list(SLOTS) for perm in perms) or (isinstance(action, ArrangeAll) and len(perms) != state.seats):
            return "bad_permutation"
        closed = isinstance(action, Arrange) and action.closes and state.arranged[action.seat]
        return "already_arranged" if closed and state.options.arrange == "once" else None
    return None


def _call_fault(state: StealState, action: Action) -> str | None:
    if isinstance(action, Leave):
        return "bad_seat" if action.seat in state.away else None
    if isinstance(action, Return):
        return None if action.seat in state.away else "bad_seat"
    return None


def _turn_fault(state: StealState, action: Action) -> str | None:
    if not isinstance(action, OwnTurn):
        return None
    if state.phase == "setup":
        return "not_started"
    if action.seat != state.current:
        return out_of_turn(state, action.seat)
    if isinstance(action, Draw):
        return _draw_fault(state)
    if isinstance(action, Take):
        if state.turn == 0:
            return "take_before_second_turn"
        return None if state.table.row else "row_empty"
    if isinstance(action, StealCard):
        return _steal_fault(state, action)
    if isinstance(action, Forfeit):
        return None if state.options.penalty == "lose_turn" else "pass_not_allowed"
    return None if state.options.allow_pass else "pass_not_allowed"


def out_of_turn(state: StealState, seat: int) -> str:
    """What it is called when `seat`, which is not the current one, acts."""
    if state.phase == "final" and seat == state.ender:
        return "ender_acted"
    if state.phase == "final" and seat not in state.final_left:
        return "already_had_final_turn"
    return "acted_twice" if seat == state.last_actor else "not_your_turn"


def _draw_fault(state: StealState) -> str | None:
    if not state.table.pile:
        return "pile_empty"
    full = state.phase == "final" and len(state.table.row) >= END_ROW and state.options.final_overflow == "no_draw"
    return "row_full" if full else None


def _steal_fault(state: StealState, action: StealCard) -> str | None:
    if action.victim == action.seat:
        return "steal_from_self"
    if state.phase == "final" and state.options.final_steal == "none":
        return "steal_not_allowed_in_final"
    if state.phase == "final" and state.options.final_steal == "not_ender" and action.victim == state.ender:
        return "ender_protected"
    return None if binding_lock(state, action) is None else "steal_back_locked"


def binding_lock(state: StealState, action: StealCard) -> Lock | None:
    """The lock that forbids `action`, or None."""
    card = state.table.hands[action.victim][action.slot - 1]
    return next((lock for lock in state.locks if state.turn < lock_ends(state, lock) and _binds(state, lock, action, card)), None)


def _binds(state: StealState, lock: Lock, action: StealCard, card: Held | None) -> bool:
    scope = "card_from_thief" if lock.kind == "given" else state.options.steal_back_scope
    his, from_thief, same = lock.victim == action.seat, lock.thief == action.victim, lock.card == card
    return {
        "card_from_thief": his and from_thief and same,
        "card_any_holder": his and same,
        "player": his and from_thief,
        "card_frozen": same,
    }[scope]


def turn_actions(state: StealState, seat: int) -> Iterator[Action]:
    """Every action of `seat` that is well formed and uses up a turn, legal or not; passes and forfeits apart."""
    yield Draw(seat, None)
    for number in SLOTS:
        yield Draw(seat, number)
    for number in SLOTS:
        yield Take(seat, number)
    for distance in range(1, state.seats):
        victim = (seat + distance) % state.seats
        for number in SLOTS:
            for give in SLOTS:
                yield StealCard(seat, victim, number, give)


def legal_actions(state: StealState) -> Iterator[Action]:
    """Every legal action of a player now: the calls (leaving, a misdeal) and penalties are not listed."""
    if state.phase == "setup":
        yield Start()
        for seat in range(state.seats):
            if state.options.arrange == "until_start" or not state.arranged[seat]:
                yield from (Arrange(seat, perm) for perm in permutations(SLOTS))
    if state.current is None:
        return
    for action in chain(turn_actions(state, state.current), (Pass(state.current),)):
        if fault(state, action) is None:
            yield action


def after(state: StealState, action: Action) -> StealState:
    """The state after `action`, which has to be legal (a forced pass of the next seat included)."""
    if isinstance(action, OwnTurn):
        return _turn_over(moved(state, action), action)
    if isinstance(action, Start):
        return _awake(replace(state, phase="play", current=state.options.first_seat))
    if isinstance(action, Misdeal):
        return replace(new_state(state.seats, state.options, action.deck), away=state.away)
    if isinstance(action, Leave):
        return _left(state, action)
    if isinstance(action, Return):
        return replace(state, away=tuple(seat for seat in state.away if seat != action.seat))
    return _arranged(state, action)


def _arranged(state: StealState, action: Action) -> StealState:
    if isinstance(action, ArrangeAll):
        perms, closing = action.perms, None
    elif isinstance(action, Arrange):
        perms = tuple(action.perm if seat == action.seat else SLOTS for seat in range(state.seats))
        closing = action.seat if action.closes else None
    else:
        raise TypeError(f"Five Card Steal has no action {action!r}")
    hands = tuple(tuple(hand[source - 1] for source in perm) for hand, perm in zip(state.table.hands, perms, strict=True))
    arranged = tuple(flag or seat == closing for seat, flag in enumerate(state.arranged))
    return replace(state, table=replace(state.table, hands=hands), arranged=arranged)


def moved(state: StealState, action: Action) -> StealState:
    """What the action itself moves: no turn is counted and nothing is tested."""
    if isinstance(action, Draw):
        return _drawn(state, action)
    table = state.table
    if isinstance(action, Take):
        old = table.hands[action.seat][action.slot - 1]
        gone = () if old is None else (old,)
        taken = table.with_slot(action.seat, action.slot, table.row[-1])
        return replace(state, table=replace(taken, row=table.row[:-1], removed=(*table.removed, *gone)))
    if isinstance(action, StealCard):
        stolen, given = table.hands[action.victim][action.slot - 1], table.hands[action.seat][action.give - 1]
        swapped = table.with_slot(action.seat, action.give, stolen).with_slot(action.victim, action.slot, given)
        return replace(state, table=swapped, locks=(*state.locks, *_new_locks(state, action, stolen, given)))
    return state


def _new_locks(state: StealState, action: StealCard, stolen: Held | None, given: Held | None) -> Iterator[Lock]:
    if stolen is not None:
        yield Lock(action.victim, action.seat, stolen, state.turn)
    if given is not None and state.options.lock_given_card:
        yield Lock(action.seat, action.victim, given, state.turn, "given")


def _drawn(state: StealState, action: Draw) -> StealState:
    table = state.table
    card, pile = table.pile[0], table.pile[1:]
    out: Held | None = card
    if action.use is not None:
        out = table.hands[action.seat][action.use - 1]
        table = table.with_slot(action.seat, action.use, card)
    table = replace(table, pile=pile)
    if out is None:
        return replace(state, table=table)
    full = state.phase == "final" and len(table.row) >= END_ROW
    if full and state.options.final_overflow == "removed":
        return replace(state, table=replace(table, removed=(*table.removed, out)))
    return replace(state, table=replace(table, row=(*table.row, out)), discards=state.discards + 1)


def _turn_over(state: StealState, action: Action) -> StealState:
    assert action.seat is not None
    ended = _end_tested(replace(state, turn=state.turn + 1, last_actor=action.seat), action)
    return _awake(_next_seat(_unlocked(ended), action.seat))


def _unlocked(state: StealState) -> StealState:
    running = tuple(lock for lock in state.locks if state.turn < lock_ends(state, lock))
    return state if running == state.locks else replace(state, locks=running)


def _end_tested(state: StealState, action: Action) -> StealState:
    """The fifth-discard test, the test of the pile and the limit of turns."""
    options, seat = state.options, action.seat
    assert seat is not None
    if state.phase == "final":
        reopened = not options.end_latch and isinstance(action, Take) and len(state.table.row) < END_ROW
        state = replace(state, phase="play", ender=None, final_left=()) if reopened else state
    elif isinstance(action, Draw) and (len(state.table.row) if options.end_count == "in_row" else state.discards) >= END_ROW:
        state = _ended_by(state, seat)
    if not state.table.pile and options.pile_empty == "recycle_removed" and state.table.removed:
        table = state.table
        state = replace(state, table=replace(table, pile=table.removed, removed=()))
    if state.phase == "play" and not state.table.pile and isinstance(action, Draw):
        if options.pile_empty == "end_now":
            return replace(state, phase="over", current=None, ender=seat)
        if options.pile_empty != "no_draw":
            state = _ended_by(state, seat)
    if state.phase == "play" and options.max_turns is not None and state.turn >= options.max_turns:
        return replace(state, phase="over", current=None)
    return state


def _ended_by(state: StealState, seat: int) -> StealState:
    count = state.seats
    others = tuple((seat + step) % count for step in range(1, count))
    if state.options.final_turns == "rest_of_round":
        place = (seat - state.options.first_seat) % count
        others = others[: count - 1 - place]
    # The seat itself stands in front until `_next_seat` moves on.
    return replace(state, phase="final", ender=seat, final_left=(seat, *others))


def _next_seat(state: StealState, seat: int) -> StealState:
    if state.phase == "over":
        return state
    if state.phase == "final":
        left = tuple(other for other in state.final_left if other != seat)
        return replace(state, final_left=left, current=left[0]) if left else _finished(state)
    return replace(state, current=(seat + 1) % state.seats)


def _finished(state: StealState) -> StealState:
    return replace(state, phase="over", current=None, final_left=())


def _awake(state: StealState) -> StealState:
    """Pass over seats whose players have left, and seats that can do nothing at all."""
    while state.current is not None and (state.current in state.away or not _can_act(state)):
        # A turn that is passed over counts: a lock lasts one turn of its victim, whoever has left.
        state = _next_seat(_unlocked(replace(state, turn=state.turn + 1)), state.current)
    return state


def _can_act(state: StealState) -> bool:
    return next(legal_actions(state), None) is not None


def _left(state: StealState, action: Leave) -> StealState:
    state = replace(state, away=tuple(sorted((*state.away, action.seat))))
    if state.options.leaver == "abort" or state.seats - len(state.away) < LEAST_SEATS:
        return replace(state, phase="over", current=None, final_left=(), unranked=True)
    if state.current != action.seat:
        left = tuple(seat for seat in state.final_left if seat != action.seat)
        return replace(state, final_left=left)
    discard = Draw(action.seat, None)
    if action.drawn and _draw_fault(state) is None:
        return _turn_over(moved(state, discard), discard)
    return _awake(state)
