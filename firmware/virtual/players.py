"""The script of one game: honest people, lively people, and now and then a cheat."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from companion.observation import Claim, Press
from companion.table import SLOTS, Place, slot
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
from firmware.virtual.world import HandOf, World, row_place

LONG = 3600.0
"""Seconds that a living person may think."""
GIVE_UP_AFTER = 6
"""Turns in a row that the table did not follow; then the players stop."""


@dataclass(frozen=True, slots=True)
class Manners:
    """How the people at the table behave."""

    sources: tuple[str, ...]
    """Per seat ``mat``, ``tap`` or ``bot``."""
    lively: tuple[bool, ...]
    """Per seat whether the player holds, fans, changes his mind and forgets."""
    hard: bool = False
    persons: tuple[int, ...] = ()
    """Seats that living people play by tapping; the script moves the cards for them."""


@dataclass(slots=True)
class Record:
    """What the script did, for the measuring."""

    turns: list[Turn] = field(default_factory=list)
    finished: bool = False
    """The game came to its end; False when the players gave up."""
    revealed: bool = False
    trace: list[str] = field(default_factory=list)


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
        self.page = Following(truth, world, self.talk, self.record.turns)
        self.culprit = Culprit(truth, world, self.talk, witness, self.page)
        self.showing = Showing(truth, stage, self.hands, self.unwatched, lambda: self.page.rewound)
        self.claimed: ActionData = {}
        """The move that is being made, if it was tapped before."""
        self._ignored = 0
        self._fidgeting: set[int] = set()
        self._drawish = rng.uniform(0.45, 0.7)

    # The whole game -----------------------------------------------------------------------------------------------

    def play(self) -> Act:
        yield from self.deal()
        yield from self.set_up()
        yield from self.go_on()

    def go_on(self) -> Act:
        """Play to the end; also again, where the page goes back behind it."""
        while True:
            yield from self.follow()
            self._enter_fidgets()
            while self.truth.state.phase != "over" and self._ignored < GIVE_UP_AFTER and not self.page.broken_off:
                yield from self.turn()
            self.page.note()
            if self.truth.state.phase == "over":
                if not self.record.finished:
                    yield from self.maybe_cheat(2.0, ("game_over",))
                self.record.finished = True
                self.record.revealed = yield from self.showing.show(self.busy)
            if not self.page.rewound:
                return

    def follow(self) -> Act:
        """While nobody else moves, lay the cards as the page lists them after undo and redo."""
        if not self.page.rewound:
            return
        everybody = set(range(self.world.seats))
        yield Until(lambda: not self.busy, 30.0)
        self.busy |= everybody
        yield from self.page.follow()
        self.busy -= everybody

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
        yield 2.5
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
            yield from self.clear(self.touched(action))
            yield from self.culprit.commit_unseen(plan)
        elif self.manners.sources[seat] == "bot" or seat in self.manners.persons:
            action = yield from self.move_as_declared(seat)
            if not action:
                self.witness.turn = None
                return
        else:
            action = self.choose(self.truth.legal())
            yield from self.clear(self.touched(action))
            yield from self.perform(action)
        turn.action = action
        turn.excused = self.hidden(action)
        yield from self.finish(seat, turn, action)

    def finish(self, seat: int, turn: Turn, action: ActionData) -> Act:
        """Press the button or forget it, wait for the lamp, answer what is asked."""
        self.record.trace.append(f"{self.stage.now:.1f}: {dict(action)}")
        self.last_places = self.touched(action)
        self.busy -= {place.seat for place in self.last_places} | {seat}
        self.truth.do(action)
        self.record.turns.append(turn)
        self.page.made()
        rest = self.stage.now
        needed = self.talk.wants_confirmation or (self.blind_row and discards(action))
        told = needed or self.claimed == dict(action)
        if needed or self.rng.random() < (0.3 if self.manners.lively[seat] else 0.9):
            yield from self.hands.pause(0.1, 0.8 if not (needed and self.manners.lively[seat]) else 6.0)
            self.stage.say(seat, Press())
            rest = self.stage.now if needed else rest
        followed = yield from self.talk.await_turn(
            self.truth.state.turn, seat, action, lambda: None if told else self.owed(seat, action),
            lambda: self.page.rewound or self.page.broken_off,
        )  # fmt: skip
        if followed:
            self.witness.figures.delays.append(max(0.0, self.stage.now - rest))
            self._ignored = 0
            yield from self.hands.pause(0.6, 1.0)
            self.quiet_moment()
        elif not (self.page.rewound or self.page.broken_off):
            self._ignored += 1
            self.witness.figures.notes.append(f"{self.stage.now:.1f}: the table did not follow {dict(action)}")
        self.witness.turn = None
        self.truth.note_seen(self.world)

    def choose(self, legal: Sequence[dict[str, Any]]) -> dict[str, Any]:
        """A sensible mixture of the kinds, any action of the kind."""
        kinds = sorted({str(action["type"]) for action in legal})
        weights = {"draw": self._drawish, "steal": 0.85 - self._drawish, "take": 0.2, "pass": 0.01}
        kind = self.rng.choices(kinds, [weights[kind] for kind in kinds])[0]
        found = [action for action in legal if action["type"] == kind]
        discards = [action for action in found if action["type"] == "draw" and action.get("use") is None]
        return self.rng.choice(discards if discards and self.rng.random() < 0.35 else found)

    def touched(self, action: ActionData) -> frozenset[Place]:
        """The slots that an action touches."""
        seat = action.get("seat")
        if seat is None or action["type"] == "pass":
            return frozenset()
        if action["type"] == "steal":
            return frozenset((slot(seat, action["give"]), slot(action["from"], action["slot"])))
        number = action.get("use") if action["type"] == "draw" else action["slot"]
        return frozenset((slot(seat, number),)) if number is not None else frozenset()

    def hidden(self, action: ActionData) -> bool:
        """Whether 1.11 calls this turn invisible to this rig."""
        if any(self.unwatched(place.seat) for place in self.touched(action)):
            return True
        row = self.truth.state.table.row
        # Where nothing sees the row, a steal from a seat without a camera would leave the same trace as well.
        untold = (bool(row) and row[-1] not in self.truth.known) or not all(self.world.watched)
        kind = action["type"]
        return self.blind_row and (discards(action) or (untold and kind in ("take", "draw")))

    def unwatched(self, seat: int) -> bool:
        """Whether no camera follows the cards of this seat now."""
        return not self.world.watched[seat] or self.talk.by_hand(seat)

    @property
    def blind_row(self) -> bool:
        """Whether nothing follows the row now."""
        return self.world.tray == "none" or self.talk.blind_row

    def owed(self, seat: int, action: ActionData) -> Claim | Press | None:
        """What a player has to say of a move that the cameras could still follow when he began it."""
        if any(self.talk.by_hand(place.seat) for place in self.touched(action)) or self.talk.by_hand(seat):
            return Claim(self.truth.game.action_from_json(action))
        return Press() if self.talk.blind_row and discards(action) else None

    def clear(self, places: frozenset[Place]) -> Act:
        """Wait until nobody holds the cards of these seats, then keep them for this turn."""
        seats = {place.seat for place in places}
        current = self.truth.state.current
        if current is not None:
            seats.add(current)
        yield Until(lambda: not (seats & self.busy), 30.0)
        self.busy |= seats

    def perform(self, action: ActionData) -> Act:
        """Do with hands what the action says."""
        seat, row = action["seat"], len(self.truth.state.table.row)
        lively = self.changes_mind(seat)
        self.claimed = {}
        if self.claims(action):
            self.claimed = dict(action)
            self.stage.say(seat, Claim(self.truth.game.action_from_json(action)))
            yield from self.hands.pause(0.2, 0.6)
        style = self.rng.choice(("tidy", "row_first", "under") if lively else ("tidy", "row_first"))
        kind = action["type"]
        if kind == "draw" and action.get("use") is None:
            yield from self.hands.draw_discard(seat, row)
        elif kind == "draw":
            own = slot(seat, action["use"])
            if lively and self.world.tray == "overhead" and self.rng.random() < 0.25:
                yield from self.change_mind(seat, own, row)
            else:
                yield from self.hands.draw_use(seat, own, row, style)
        elif kind == "take":
            yield from self.hands.take(seat, slot(seat, action["slot"]), row, style)
        elif kind == "steal":
            yield from self.steal(action, style)

    def changes_mind(self, seat: int) -> bool:
        """Who moves cards for a bot has nothing to change his mind about."""
        return self.manners.lively[seat] and self.manners.sources[seat] != "bot"

    def claims(self, action: ActionData) -> bool:
        """A move that no camera can follow is tapped by whoever does it."""
        seat = action["seat"]
        if self.manners.sources[seat] == "bot" or seat in self.manners.persons:
            return False
        return self.unwatched(seat) or any(self.unwatched(place.seat) for place in self.touched(action))

    def steal(self, action: ActionData, style: str) -> Act:
        seat, theirs, own = action["seat"], slot(action["from"], action["slot"]), slot(action["seat"], action["give"])
        if self.manners.hard and self.changes_mind(seat) and self.rng.random() < 0.25:
            yield from self.hands.give_up_steal(seat, theirs, own)
        if self.changes_mind(seat) and self.rng.random() < 0.25:
            other = self.rng.choice([number for number in SLOTS if number != own.number])
            first, stolen = slot(seat, other), self.world.top(theirs)
            yield from self.hands.steal(seat, theirs, first, style)
            yield from self.hands.pause(0.3, 1.5)
            # He would rather give another card: the first one comes home.
            goals = [(self.world.top(own), theirs, True), (self.world.top(theirs), first, True), (stolen, own, True)]
            yield from self.hands.rearrange(seat, goals)
            return
        yield from self.hands.steal(seat, theirs, own, style)

    def change_mind(self, seat: int, own: Place, row: int) -> Act:
        """Discard the drawn card, then take it up again and use it."""
        place = row_place(self.world.tray, row + 1)
        yield from self.hands.draw_discard(seat, row)
        yield from self.hands.pause(0.2, 1.2)
        yield from self.hands.lift(seat, place)
        yield from self.hands.use_held(seat, self.world.top(HandOf(seat)), own, "tidy")
        yield from self.hands.lay(self.world.top(HandOf(seat)), place, face_down=False)

    def move_as_declared(self, seat: int) -> Act:
        """The companion has chosen for a bot, or a person has tapped; people move the cards as the page says."""
        legal = self.truth.legal()

        def chosen() -> dict[str, Any] | None:
            view = self.stage.view
            move = view.last if view is not None and view.turn > self.truth.state.turn else None
            return next((action for action in legal if matches(action, move)), None)

        patience = PATIENCE if seat not in self.manners.persons else LONG
        yield Until(lambda: chosen() is not None or self.page.rewound or self.page.broken_off, patience)
        if self.page.rewound or self.page.broken_off:
            return {}
        action = chosen()
        if action is None:
            self.witness.figures.notes.append(f"{self.stage.now:.1f}: nothing legal was chosen for seat {seat}")
            action = self.choose(legal)
        yield from self.clear(self.touched(action))
        yield from self.hands.pause(0.3, 1.0)
        yield from self.perform(action)
        return action

    # Cheating -----------------------------------------------------------------------------------------------------

    def situation(self) -> Situation:
        return Situation(
            self.truth.state, self.world, self.hands, self.rng, self.manners.hard, frozenset(self.truth.known), self.last_places
        )

    def plan_cheat(self) -> Plan | None:
        # Before the first action every change is one of the setting up (rules 1.10, step 4), which has its own cheat.
        begun = self.truth.state.turn > 0
        return self.cheat.plan(self.situation()) if self.cheat.tempted() and begun else None

    def maybe_cheat(self, weight: float, only: tuple[str, ...]) -> Act:
        if self.cheat.tempted(weight):
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
