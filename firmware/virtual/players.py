"""The script of one game: honest people, lively people, and now and then a cheat."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from companion.observation import Press
from companion.table import SLOTS, Place, slot
from companion.views import View
from firmware.virtual.acting import Acting, Manners
from firmware.virtual.cheats import Cheat
from firmware.virtual.culprits import Culprit
from firmware.virtual.following import Following
from firmware.virtual.measure import Turn, Witness
from firmware.virtual.moves import Hands
from firmware.virtual.showing import Showing
from firmware.virtual.situation import Plan, Situation
from firmware.virtual.stage import Act, Stage, Until
from firmware.virtual.talking import PATIENCE, Talk
from firmware.virtual.truth import ActionData, Truth, discards, matches
from firmware.virtual.world import World

LONG = 3600.0
"""Seconds that a living person may think."""
GIVE_UP_AFTER = 6
"""Turns in a row that the table did not follow; then the players stop."""


@dataclass(slots=True)
class Record:
    """What the script did, for the measuring."""

    turns: list[Turn] = field(default_factory=list)
    finished: bool = False
    """The game came to its end; False when the players gave up."""
    revealed: bool = False
    trace: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Move:
    """A move whose cards lie."""

    seat: int
    turn: Turn
    action: ActionData
    before: Any
    """The true state without it."""


class Script:
    """Plays one game on a stage."""

    def __init__(
        self, truth: Truth, world: World, stage: Stage, manners: Manners, witness: Witness, cheat: Cheat, rng: random.Random,
        quiet_moment: Callable[[], None] = lambda: None,
    ) -> None:
        """`quiet_moment` is called whenever every card lies still as the truth says."""
        self.truth, self.world, self.stage, self.manners = truth, world, stage, manners
        self.witness, self.cheat, self.rng = witness, cheat, rng
        self.quiet_moment = quiet_moment
        self.hands = Hands(world, rng)
        self.record = Record()
        self.busy: set[int] = set()
        """Seats whose cards somebody holds or is about to touch."""
        self.last_places: frozenset[Place] = frozenset()
        self.talk = Talk(stage, self.hands)
        self.acting = Acting(truth, world, self.talk, manners, rng)
        self.page = Following(truth, world, self.talk, self.record.turns)
        self.culprit = Culprit(truth, world, self.talk, witness, self.page)
        self.showing = Showing(truth, stage, self.hands, self.acting.unwatched, lambda: self.page.rewound)
        self.unsettled: Move | None = None
        """What was made while the page broke the game off."""
        self._ignored = 0
        self._fidgeting: set[int] = set()

    # The whole game -----------------------------------------------------------------------------------------------

    def play(self) -> Act:
        yield from self.deal()
        yield from self.set_up()
        yield from self.go_on()

    def go_on(self) -> Act:
        """Play to the end; also again, where the page goes back behind it or somebody comes back."""
        while True:
            yield from self.follow()
            self._enter_fidgets()
            yield from self.settle_move()
            while self.truth.state.phase != "over" and self._ignored < GIVE_UP_AFTER and not self.page.broken_off:
                yield from self.turn()
            self.page.reopened = False
            self.page.note()
            if self.truth.state.phase == "over":
                if not self.record.finished:
                    yield from self.maybe_cheat(2.0, ("game_over",))
                self.record.finished = True
                self.record.revealed = yield from self.showing.show(self.busy)
            if not self.page.rewound:
                return

    @property
    def goes_on(self) -> bool:
        """The page has gone back behind the end, or somebody has come back to a game that was broken off."""
        return self.page.rewound or self.page.reopened

    def see(self, view: View) -> None:
        """A new view of the page."""
        self.page.see(view)

    def follow(self) -> Act:
        """While nobody else moves, lay the cards as the page lists them after undo and redo."""
        if not self.page.rewound:
            return
        everybody = set(range(self.world.seats))
        yield Until(lambda: not self.busy, 30.0)
        self.busy |= everybody
        yield from self.page.follow()
        self.busy -= everybody

    def settle_move(self) -> Act:
        """The game was broken off over a move, and goes on: the page may not have heard of the move yet."""
        if self.unsettled is None or self.page.broken_off:
            return
        move = self.unsettled
        if any(made is move.turn for made in self.record.turns):
            yield from self.tell(move)
        self.unsettled = None

    def _enter_fidgets(self) -> None:
        for seat, lively in enumerate(self.manners.lively):
            if lively and seat not in self._fidgeting:
                self._fidgeting.add(seat)
                self.stage.enter(self.fidget(seat))

    def deal(self) -> Act:
        """Five cards to everybody, by rounds."""
        yield 1.0
        for number in SLOTS:
            for seat in range(self.world.seats):
                card = self.truth.state.table.hands[seat][number - 1]
                yield from self.hands.lay(self.world.piece(card), slot(seat, number))
        yield from self.hands.pause(1.0, 1.5)

    def set_up(self) -> Act:
        """Everybody looks at his cards and sorts them."""
        for seat in range(self.world.seats):
            if self.rng.random() < 0.7:
                yield from self.arrange(seat)
        self.truth.note_seen(self.world)
        yield from self.settle_down()
        yield from self.maybe_cheat(2.0, ("not_started",))

    def arrange(self, seat: int) -> Act:
        order = list(SLOTS)
        self.rng.shuffle(order)
        if self.rng.random() < 0.5:
            order = sorted(order, key=lambda n: (n not in order[:2], n)) if self.rng.random() < 0.5 else list(SLOTS)
        goals = [(self.world.top(slot(seat, old)), slot(seat, new), True) for new, old in enumerate(order, 1)]
        yield from self.hands.rearrange(seat, goals, together=self.rng.random() < 0.5)
        if order != list(SLOTS):
            self.truth.do({"type": "arrange", "seat": seat, "perm": order})
        yield from self.hands.pause(0.1, 0.5)

    def settle_down(self) -> Act:
        """Leave the table alone long enough for every camera to read it."""
        yield 2.5 + self.stage.slack
        self.quiet_moment()

    # One turn -----------------------------------------------------------------------------------------------------

    def turn(self) -> Act:
        yield Until(lambda: not self.page.deciding, LONG)
        yield from self.follow()
        self.page.note()
        yield from self.page.lay_anew(self.busy)
        if self.truth.state.phase == "setup":
            self.truth.do({"type": "start"})
        if self.truth.state.phase != "over":
            yield from self.act()

    def act(self) -> Act:
        """What the player in turn does."""
        seat = self.truth.state.current
        assert seat is not None, "somebody has to act while the game goes on"
        plan = self.plan_cheat()
        if plan is not None and plan.turn is None:
            yield from self.commit(plan)
            if self.truth.state.current != seat:
                return
        yield from self.hands.pause(0.5, 2.0)
        turn = Turn({})
        self.witness.turn = turn
        if plan is not None and plan.turn is not None:
            action: ActionData = plan.turn
            yield from self.clear(self.acting.touched(action))
            yield from self.culprit.commit_unseen(plan)
        elif self.manners.sources[seat] == "bot" or seat in self.manners.persons:
            action = yield from self.move_as_declared(seat)
            if not action:
                self.witness.turn = None
                return
        else:
            action = self.acting.choose(self.truth.legal())
            yield from self.clear(self.acting.touched(action))
            yield from self.acting.perform(action)
        turn.action = action
        turn.excused = self.acting.hidden(action)
        yield from self.finish(seat, turn, action)

    def finish(self, seat: int, turn: Turn, action: ActionData) -> Act:
        """Press the button or forget it, wait for the lamp, answer what is asked."""
        self.record.trace.append(f"{self.stage.now:.1f}: {dict(action)}")
        self.last_places = self.acting.touched(action)
        self.busy -= {place.seat for place in self.last_places} | {seat}
        before = self.truth.state
        self.make(seat, action, before)
        self.record.turns.append(turn)
        self.page.made()
        yield from self.tell(Move(seat, turn, action, before))

    def make(self, seat: int, action: ActionData, before: Any) -> None:
        """The move as it really is, from the state `before`."""
        self.truth.state = before
        # Who comes or goes while somebody moves has come or gone before the next one is in turn.
        self.page.heed_leavers(seat)
        self.truth.do(action)

    def tell(self, move: Move) -> Act:
        """The rest of a turn whose cards lie already."""
        self.unsettled, seat, action = None, move.seat, move.action
        self.witness.turn = move.turn
        rest = self.stage.now
        needed = self.talk.wants_confirmation or (self.acting.blind_row and discards(action))
        told = needed or self.acting.claimed == dict(action)
        if needed or self.rng.random() < (0.3 if self.manners.lively[seat] else 0.9):
            yield from self.hands.pause(0.1, 0.8 if not (needed and self.manners.lively[seat]) else 6.0)
            self.stage.say(seat, Press())
            rest = self.stage.now if needed else rest
        followed = yield from self.talk.await_turn(
            lambda: self.turns_with(move), seat, action, lambda: None if told else self.acting.owed(seat, action),
            lambda: self.page.rewound or self.page.broken_off,
        )  # fmt: skip
        if followed:
            self.witness.figures.delays.append(max(0.0, self.stage.now - rest))
            self._ignored = 0
            yield from self.hands.pause(0.6, 1.0)
            self.quiet_moment()
        elif self.page.broken_off:
            self.unsettled = move
        elif not self.page.rewound:
            self._ignored += 1
            self.witness.figures.notes.append(f"{self.stage.now:.1f}: the table did not follow {dict(action)}")
        self.witness.turn = None
        self.truth.note_seen(self.world)

    def turns_with(self, move: Move) -> int:
        """As many turns the page counts with `move`, also when somebody comes or goes before it has heard of it."""
        if self.page.seats_differ(move.seat):
            self.make(move.seat, move.action, move.before)
        return int(self.truth.state.turn)

    def clear(self, places: frozenset[Place]) -> Act:
        """Wait until nobody holds the cards of these seats, then keep them for this turn."""
        seats = {place.seat for place in places}
        current = self.truth.state.current
        if current is not None:
            seats.add(current)
        yield Until(lambda: not (seats & self.busy), 30.0)
        self.busy |= seats

    def move_as_declared(self, seat: int) -> Act:
        """The companion has chosen for a bot, or a person has tapped; people move the cards as the page says."""
        legal = self.truth.legal()

        def chosen() -> dict[str, Any] | None:
            view = self.stage.view
            move = view.last if view is not None and view.turn > self.truth.state.turn else None
            return next((action for action in legal if matches(action, move)), None)

        def called_off() -> bool:
            return self.page.rewound or self.page.broken_off

        patience = LONG if seat in self.manners.persons else PATIENCE
        yield Until(lambda: chosen() is not None or called_off() or self.page.seats_differ(), patience)
        action = chosen()
        if called_off() or (action is None and self.page.seats_differ()):
            # Who comes or goes may change who is in turn.
            self.page.heed_leavers()
            return {}
        if action is None:
            self.witness.figures.notes.append(f"{self.stage.now:.1f}: nothing legal was chosen for seat {seat}")
            action = self.acting.choose(legal)
        yield from self.clear(self.acting.touched(action))
        yield from self.hands.pause(0.3, 1.0)
        yield from self.acting.perform(action)
        return action

    # Cheating -----------------------------------------------------------------------------------------------------

    def situation(self) -> Situation:
        return Situation(
            self.truth.state, self.world, self.hands, self.rng, self.manners.hard, frozenset(self.truth.known), self.last_places
        )

    def plan_cheat(self) -> Plan | None:
        # Before the first action every change is one of the setting up (rules 1.10, step 4), which has its own cheat.
        tempted = self.cheat.tempted() and self.truth.state.turn > 0 and not self.bot_in_turn
        return self.cheat.plan(self.situation()) if tempted else None

    @property
    def bot_in_turn(self) -> bool:
        """A bot announces its move at once: who acts then acts in the next player's turn, as far as the page knows."""
        return self.truth.state.phase != "over" and self.manners.sources[self.situation().seat] == "bot"

    def maybe_cheat(self, weight: float, only: tuple[str, ...]) -> Act:
        if self.cheat.tempted(weight) and not self.bot_in_turn:
            plan = self.cheat.plan(self.situation(), only)
            if plan is not None:
                yield from self.commit(plan)

    def commit(self, plan: Plan) -> Act:
        """Break a rule while nobody else moves, and put everything back."""
        everybody = set(range(self.world.seats))
        yield Until(lambda: not self.busy, 30.0)
        self.busy |= everybody
        self.record.trace.append(f"{self.stage.now:.1f}: {plan.kind} by {plan.who}")
        yield from self.culprit.commit(plan)
        self.busy -= everybody

    def fidget(self, seat: int) -> Act:
        """Hold one, three or all own cards now and then, where that is allowed, or knock against the mat, or reach over it."""
        while self.truth.state.phase not in ("over",) and self._ignored < GIVE_UP_AFTER:
            yield self.rng.uniform(4.0, 25.0)
            if self.truth.state.phase in ("over", "setup") or seat in self.busy:
                continue
            self.busy.add(seat)
            if self.rng.random() < 0.25:
                yield from self.hands.bump(seat)
            elif self.manners.hard:
                yield from self.hands.shade(seat)
            else:
                numbers = self.rng.sample(SLOTS, self.rng.choice((1, 3, 5)))
                yield from self.hands.hold(seat, numbers, self.rng.uniform(0.8, 7.0))
            self.busy.discard(seat)
        self._fidgeting.discard(seat)
