"""From the breaking of a rule to the moment when everything lies as it should again."""

from __future__ import annotations

from dataclasses import dataclass

from companion.limits import KEPT_S
from companion.observation import Press
from firmware.virtual.following import DELIBERATION, Following
from firmware.virtual.measure import Witness
from firmware.virtual.situation import Plan
from firmware.virtual.stage import Act, Until
from firmware.virtual.talking import Talk
from firmware.virtual.tidying import lay_as_true
from firmware.virtual.truth import Truth, differences
from firmware.virtual.world import World, row_place

SECOND_ACTS = ("acted_twice", "already_had_final_turn", "ender_acted")
"""Violations by somebody whose turn is over."""


@dataclass(frozen=True, slots=True)
class Culprit:
    """Commits planned violations and clears up after them."""

    truth: Truth
    world: World
    talk: Talk
    witness: Witness
    following: Following

    def commit(self, plan: Plan) -> Act:
        """Break a rule, see whether the table says so, and put everything back."""
        talk, figures = self.talk, self.witness.figures
        yield from talk.hands.pause(0.5, 1.5)
        if plan.kind in SECOND_ACTS:
            # Until his turn stands, more of the same is part of it.
            yield Until(lambda: not talk.may_be_taken_back, 10.0 + talk.stage.slack)
        if plan.invisible:
            figures.invisible += 1
            yield from self._act(plan)
            self._tidy_unseen()
            return
        self.witness.begin(plan.kind)
        yield from self._act(plan)
        rest = talk.stage.now
        if (yield from talk.await_accusation(self._patience(plan))):
            figures.delays.append(max(0.0, talk.stage.now - rest))
        yield from self._put_back(plan)
        self.witness.end()

    def _patience(self, plan: Plan) -> float | None:
        """Seconds for which everybody waits for the table to name it; None for the usual ones.

        Cameras that look seldom cannot tell a card that was kept from one that was taken up after the press, to look at it.
        """
        slack = self.talk.stage.slack
        return KEPT_S + slack if slack and plan.kind == "slot_empty" else None

    def _act(self, plan: Plan) -> Act:
        yield from plan.act
        if plan.press:
            yield from self.talk.hands.pause(0.2, 0.6)
            self.talk.stage.say(plan.who, Press())

    def commit_unseen(self, plan: Plan) -> Act:
        """A violation that looks like an honest turn to this rig."""
        self.witness.figures.invisible += 1
        yield from plan.act
        # Nobody sees where the card went; it is laid where the honest turn would have it.
        game = self.truth.game
        row = game.after(self.truth.state, game.action_from_json(plan.turn or {})).table.row
        self.world.move(self.world.piece(row[-1]), row_place(self.world.tray, len(row)), face_down=False)

    def _put_back(self, plan: Plan) -> Act:
        """Everything as it was; then wait for the table to see it."""
        hands, figures = self.talk.hands, self.witness.figures
        said = self.talk.putting_back
        yield from hands.pause(0.5, 1.5)
        yield Until(lambda: not self.following.deciding, DELIBERATION)
        if said and not self.talk.putting_back and self.following.taken_as_it_lies():
            # What is still in a hand is out of the game, and the row has no gaps.
            yield from lay_as_true(plan.who, self.truth, self.world, hands)
            return
        yield from lay_as_true(plan.who, self.truth, self.world, hands)
        if not said:
            # What was taken for part of the deal when it was done looks like a violation when it is put back.
            yield from self.talk.insist(plan.who)
            return
        figures.put_backs += 1
        if (yield from self.talk.await_peace()):
            figures.put_backs_recognised += 1
            self._pay()
        else:
            figures.notes.append(f"{self.talk.stage.now:.1f}: putting back after {plan.kind} was not recognised")

    def _pay(self) -> None:
        """By house rule it may have cost the turn, as the page says once everything lies as it was."""
        view = self.talk.stage.view
        if view is not None and view.last is not None and view.last.kind == "forfeit" and view.turn > self.truth.state.turn:
            self.truth.do({"type": "forfeit", "seat": view.last.seat})
            self.following.made()

    def _tidy_unseen(self) -> None:
        for piece, spot, face_down in differences(self.truth, self.world):
            self.world.move(piece, spot, face_down)
