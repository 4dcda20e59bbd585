"""The script of one hand of draw or stud: people who bet by tap and exchange, show and give up with their cards, and cheats."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial

from companion.games.poker_acts import Announce, Discard, Fold, Sort, Split, Wager
from companion.games.poker_rules import opens
from companion.observation import Claim, Press
from companion.rulings import Action
from companion.table import SLOTS, Place, slot
from companion.views import View
from firmware.virtual.acting import Manners
from firmware.virtual.cheats import Cheat
from firmware.virtual.following import DELIBERATION
from firmware.virtual.hand_cheats import Temptation
from firmware.virtual.hand_choices import choose, done_by, first_of_several, is_told_as
from firmware.virtual.hand_dealing import HandDealing
from firmware.virtual.hand_declaring import Declaring
from firmware.virtual.hand_following import HandFollowing
from firmware.virtual.hand_truth import HandTruth
from firmware.virtual.measure import Turn, Witness
from firmware.virtual.moves import Hands
from firmware.virtual.players import GIVE_UP_AFTER, LONG, Record
from firmware.virtual.showing import Showing
from firmware.virtual.situation import Plan
from firmware.virtual.stage import Act, Stage, Until
from firmware.virtual.talking import PATIENCE, Talk
from firmware.virtual.tidying import lay_as_true
from firmware.virtual.world import World

LONG_PATIENCE = 70.0
"""Seconds that a cheat waits to be named: cards may be out of their slots for a good while before that is anybody's concern."""
EXCHANGING = 2.0
"""How much more readily people cheat while cards are exchanged: such turns are few, and several kinds are only possible then."""
SHOWN_AS_PROVISIONAL_S = 10.0
HEARD_S = 10.0
"""So soon the page has followed; else people tap what they have done."""


class HandScript:
    """Plays one hand on a stage."""

    def __init__(
        self, truth: HandTruth, world: World, stage: Stage, manners: Manners, witness: Witness, cheat: Cheat, rng: random.Random,
        quiet_moment: Callable[[], None] = lambda: None,
    ) -> None:
        """`quiet_moment` is called whenever every card lies still as the truth says."""
        self.truth, self.world, self.stage, self.manners = truth, world, stage, manners
        self.witness, self.cheat, self.rng = witness, cheat, rng
        self.quiet_moment = quiet_moment
        self.hands = Hands(world, rng)
        self.record = Record()
        self.mind = random.Random(rng.random())
        """Chance of its own for what is chosen: the same hand is played whatever happens on the way."""
        self.busy: set[int] = set()
        """Seats whose cards somebody holds or is about to touch."""
        self._kept: set[int] = set()
        """Those of them that whoever acts keeps for that."""
        self.talk = Talk(stage, self.hands, partial(is_told_as, truth.game))
        self.dealing = HandDealing(truth, world, self.talk, manners, rng)
        self.page = HandFollowing(truth, world, self.talk, self.dealing, self.record.turns)
        self.declaring = Declaring(truth, stage, self.record.turns)
        self.showing = Showing(truth, stage, self.hands, self.unwatched, lambda: self.page.rewound)
        self._last: int | None = None
        self._ignored = 0

    # ---- what the loop around it asks --------------------------------------------------------------------------------

    @property
    def goes_on(self) -> bool:
        """Whether the page has gone back behind the end."""
        return self.page.rewound

    def see(self, view: View) -> None:
        """A new view of the page."""
        self.declaring.see(view)

    def go_on(self) -> Act:
        """Play to the end, again where that was taken back."""
        self.record.finished = self.record.revealed = False
        while (self.truth.state.phase != "over" or self.page.rewound) and self._ignored < GIVE_UP_AFTER:
            yield from self.turn()
        if self.truth.state.phase == "over":
            yield from self.maybe_cheat(1.0, ("hand_over",))
            self.record.finished = True
            self.record.revealed = yield from self.showing.show(self.busy)

    # ---- the whole hand ----------------------------------------------------------------------------------------------

    def play(self) -> Act:
        """The deal, the rounds, the showdown."""
        yield 1.0
        yield from self.dealing.bring_about()
        yield from self.settle_down()
        for seat, lively in enumerate(self.manners.lively):
            if lively:
                self.stage.enter(self.fidget(seat))
        yield from self.go_on()

    def settle_down(self) -> Act:
        """Leave the table alone until every camera has read it, and name what none of them can read."""
        yield 2.5
        yield from self.dealing.name_open_cards()
        yield Until(lambda: self.truth.state.phase == "over" or self._asks_for_acts, PATIENCE)
        self.truth.note_seen(self.world, self.manners.upcards != "tap")
        self.quiet_moment()

    @property
    def _asks_for_acts(self) -> bool:
        view = self.stage.view
        return view is not None and bool(view.actors) and view.waits != "upcards"

    def unwatched(self, seat: int) -> bool:
        """Whether no camera follows the cards of this seat now."""
        return not self.world.watched[seat] or self.talk.by_hand(seat)

    # ---- one turn ----------------------------------------------------------------------------------------------------

    def turn(self) -> Act:
        """What somebody does who may act, and what has to be dealt because of that."""
        if self.page.rewound or self.page.deciding:
            yield Until(lambda: not self.page.deciding, DELIBERATION)
            yield from self.clear(set(range(self.world.seats)))
            yield from self.page.follow()
            yield from self.dealing.bring_about()
            self.release()
            return
        self.page.heed_leavers()
        if self.truth.state.phase == "over" or not self.truth.game.actors(self.truth.state):
            yield from self._dealt_on()
            return
        # Before the first act every change is one of the deal.
        if self.truth.state.turn > 0 and not self._bot_acts:
            yield from self.maybe_cheat(EXCHANGING if self.truth.state.hand.phase == "draw" else 1.0)
        state = self.truth.state
        seat = self.mind.choice(self._at_hand(self.truth.game.actors(state)))
        if self.declaring.open:
            self.declaring.begin()
        yield from self.hands.pause(0.5, 2.0)
        if self.page.rewound or self.page.deciding:
            return
        turn = Turn({})
        self.witness.turn = turn
        rest = None
        if self._plays_itself(seat):
            action = yield from self.as_declared(seat)
            if action is None:
                self._ignored += not (self.page.rewound or self.page.deciding or self._has_left(seat))
                return
            yield from self.clear({seat})
            if isinstance(action, Discard):
                yield from self.exchange(seat, turn, action)
            else:
                self.do(turn, action)
        else:
            if self.manners.lively[seat]:
                yield from self.sort(seat)
            action = choose(self.truth.game, state, seat, self.mind)
            rest = yield from self.perform(seat, turn, action)
        yield from self.finish(seat, turn, rest)

    def _plays_itself(self, seat: int) -> bool:
        """Whether the companion chooses for this seat, or a living person."""
        return self.manners.sources[seat] == "bot" or seat in self.manners.persons

    def _at_hand(self, seats: tuple[int, ...]) -> tuple[int, ...]:
        """Where several may act, nobody at the table waits for those who choose for themselves."""
        return tuple(seat for seat in seats if not self._plays_itself(seat)) or seats

    def _dealt_on(self) -> Act:
        """Somebody has left, and nobody who is here has to act: the cards that are due are dealt."""
        yield from self.clear(set(range(self.world.seats)))
        yield from self.dealing.bring_about()
        self.release()
        yield from self.dealing.name_open_cards()
        yield 1.0

    def do(self, turn: Turn, action: Action) -> None:
        """The act as it really is."""
        self.page.note()
        data = self.truth.game.action_to_json(action)
        self.record.trace.append(f"{self.stage.now:.1f}: {data}")
        turn.action = data
        self.record.turns.append(turn)
        opens_unseen = isinstance(action, Wager) and opens(self.truth.state.hand) and self.unwatched(action.seat or 0)
        self.truth.unseen = opens_unseen
        self.truth.do(data)
        if opens_unseen:
            self.truth.opened_unseen(action.seat or 0)
        self.page.made()

    def as_declared(self, seat: int) -> Act:
        """What the companion has chosen for a bot, or a person has tapped; None where nothing legal ever comes."""
        state = self.truth.state

        def chosen() -> Action | None:
            view = self.stage.view
            if self.declaring.open:
                return self.declaring.declared(seat)
            if view is None or view.turn <= state.turn:
                return None
            if view.turn == state.turn + 1:
                return done_by(self.truth.game, state, seat, view.last)
            return first_of_several(self.truth.game, state, seat, view)

        patience = LONG if seat in self.manners.persons else PATIENCE
        yield Until(lambda: chosen() is not None or self.page.rewound or self.page.deciding or self._has_left(seat), patience)
        if chosen() is None and not (self.page.rewound or self.page.deciding or self._has_left(seat)):
            self.witness.figures.notes.append(f"{self.stage.now:.1f}: nothing legal was chosen for seat {seat}")
        return chosen()

    def _has_left(self, seat: int) -> bool:
        view = self.stage.view
        return view is not None and view.seats[seat].away

    def perform(self, seat: int, turn: Turn, action: Action) -> Act:
        """Tap or do with hands what the act says.  The answer is when the last card was at rest; None where nothing is seen."""
        watched = not self.unwatched(seat)
        if isinstance(action, Discard) and action.slots and watched:
            yield from self.announce(seat, len(action.slots))
            yield from self.clear({seat})
            yield from self.exchange(seat, turn, action)
            return self.stage.now
        if isinstance(action, Fold) and watched and self.rng.random() < 0.4:
            yield from self.clear({seat})
            yield from self.dealing.give_up(seat)
            self.do(turn, action)
            yield from self.hands.pause(0.2, 0.6)
            self.stage.say(seat, Press())
            return None
        if isinstance(action, Discard) and self.truth.splits(seat, action.slots) and self.rng.random() < 0.8:
            self.stage.say(seat, Claim(Split(seat)))
            self.truth.do(self.truth.game.action_to_json(Split(seat)))
            yield from self.hands.pause(0.5, 1.0)
        self.stage.say(seat, Claim(action))
        yield from self.hands.pause(0.2, 0.6)
        yield from self.clear({seat})
        if isinstance(action, Discard):
            yield from self.exchange(seat, turn, action)
        else:
            self.do(turn, action)
        return None

    def announce(self, seat: int, count: int) -> Act:
        """Say how many cards one wants, as many people do."""
        if self.truth.state.announced is None and self.rng.random() < 0.5:
            said = Announce(seat, count)
            self.stage.say(seat, Claim(said))
            self.truth.do(self.truth.game.action_to_json(said))
            yield from self.hands.pause(0.5, 1.0)

    def exchange(self, seat: int, turn: Turn, action: Discard) -> Act:
        """Throw cards away and get as many."""
        self.do(turn, action)
        hand = self.truth.state.table.hands[seat]
        if action.slots:
            yield from self.dealing.exchange(seat, action.slots, [hand[number - 1] for number in action.slots])

    def sort(self, seat: int) -> Act:
        """Cards of the own hand change places, which no rule minds."""
        order = list(SLOTS)
        self.rng.shuffle(order)
        sort = Sort(seat, tuple(order))
        if self.unwatched(seat) or self.rng.random() < 0.6 or self.truth.game.judge(self.truth.state, sort).error is not None:
            return
        yield from self.clear({seat})
        goals = [(self.world.top(slot(seat, old)), slot(seat, new), True) for new, old in enumerate(order, 1)]
        yield from self.hands.rearrange(seat, goals, together=self.rng.random() < 0.5)
        self.truth.do(self.truth.game.action_to_json(sort))
        yield 2.5

    def finish(self, seat: int, turn: Turn, rest: float | None) -> Act:
        """Wait until the page has followed, and deal what comes next."""
        self._last = seat
        told = self.stage.now + HEARD_S
        act = self.truth.game.action_from_json(turn.action)

        def owed() -> Claim | None:
            """What was done with cards and the page does not follow is tapped."""
            return Claim(act) if self.stage.now >= told else None

        followed = yield from self.talk.await_turn(lambda: int(self.truth.state.turn), seat, turn.action, owed)
        yield from self.declaring.settle()
        if followed and rest is not None:
            self.witness.figures.delays.append(max(0.0, self.stage.now - rest))
        yield from self.clear(set(range(self.world.seats)) if self.truth.state.phase == "over" else set())
        yield from self.dealing.bring_about()
        self.release()
        if self.talk.wants_confirmation:
            yield from self.hands.pause(0.2, 0.6)
            self.stage.say(seat, Press())
        yield from self.dealing.name_open_cards()
        if followed:
            self._ignored = 0
        else:
            self._ignored += 1
            self.witness.figures.notes.append(f"{self.stage.now:.1f}: the table did not follow {dict(turn.action)}")
        yield Until(lambda: self.truth.state.phase == "over" or self._asks_for_acts, PATIENCE)
        self.witness.turn = None
        yield from self.hands.pause(0.6, 1.0)
        self.quiet_moment()
        self.truth.note_seen(self.world, self.manners.upcards != "tap")

    def clear(self, seats: set[int]) -> Act:
        """Wait until nobody else holds the cards of these seats, then keep them until `release`."""
        yield Until(lambda: not ((seats - self._kept) & self.busy), 30.0)
        self._kept |= seats
        self.busy |= seats

    def release(self) -> None:
        """Others may hold these cards again."""
        self.busy -= self._kept
        self._kept.clear()

    def fidget(self, seat: int) -> Act:
        """Look at hidden cards of one's own now and then, or knock against the mat, or reach over it."""
        while self.truth.state.phase != "over" and self._ignored < GIVE_UP_AFTER:
            yield self.rng.uniform(4.0, 25.0)
            shown = self.truth.game.shown(self.truth.state)
            own = [number for number in SLOTS if self.world.lying(slot(seat, number)) and slot(seat, number) not in shown]
            if self.truth.state.phase == "over" or seat in self.busy or not own:
                continue
            self.busy.add(seat)
            habit = self.rng.random()
            if habit < 0.2:
                yield from self.hands.bump(seat)
            elif habit < 0.4:
                yield from self.hands.shade(seat)
            else:
                numbers = self.rng.sample(own, min(len(own), self.rng.choice((1, 3, 5))))
                yield from self.hands.hold(seat, numbers, self.rng.uniform(0.8, 7.0))
            self.busy.discard(seat)

    def scan_anew(self, place: Place) -> Act:
        """Show an open card to its window once more."""
        yield from self.dealing.scan_anew(place)

    # ---- cheating ----------------------------------------------------------------------------------------------------

    def temptation(self) -> Temptation:
        return Temptation(self.truth, self.world, self.stage, self.dealing, self.rng, self._last)

    @property
    def _bot_acts(self) -> bool:
        return any(self.manners.sources[seat] == "bot" for seat in self.truth.game.actors(self.truth.state))

    def maybe_cheat(self, weight: float, only: tuple[str, ...] | None = None) -> Act:
        """Somebody is tempted, and waits until nobody holds a card."""
        if not self.cheat.tempted(weight):
            return
        yield from self.clear(set(range(self.world.seats)))
        plan = self.cheat.plan(self.temptation(), only)
        if plan is not None:
            yield from self.commit(plan)
        self.release()

    def commit(self, plan: Plan) -> Act:
        """Break a rule while nobody else moves, see whether the table says so, and put everything back."""
        yield from self.hands.pause(0.5, 1.5)
        # Until the act before stands, more of the same belongs to it.
        yield Until(lambda: not self.talk.may_be_taken_back, SHOWN_AS_PROVISIONAL_S)
        self.record.trace.append(f"{self.stage.now:.1f}: {plan.kind} by {plan.who}")
        self.witness.begin(plan.kind, plan.tapped)
        yield from plan.act
        if plan.tapped:
            yield Until(lambda: self.witness.charged is not None, PATIENCE)
            self.witness.end()
            return
        if plan.press:
            yield from self.hands.pause(0.2, 0.6)
            self.stage.say(plan.who, Press())
        rest = self.stage.now
        said = yield from self.talk.await_accusation(LONG_PATIENCE)
        if said:
            self.witness.figures.delays.append(self.stage.now - rest)
        yield from self.put_back(plan, said)
        self.witness.end()

    def put_back(self, plan: Plan, said: bool) -> Act:
        """Everything as it was; open cards that were lifted are shown again."""
        figures = self.witness.figures
        yield from self.hands.pause(0.5, 1.5)
        yield from lay_as_true(plan.who, self.truth, self.world, self.hands)
        for place in plan.anew:
            yield from self.dealing.vouch_for(place)
        if not said:
            return
        figures.put_backs += 1
        if (yield from self.talk.await_peace()):
            figures.put_backs_recognised += 1
        else:
            figures.notes.append(f"{self.stage.now:.1f}: putting back after {plan.kind} was not recognised")


