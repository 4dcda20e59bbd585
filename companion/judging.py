"""Judging: when something is named, asked about or called a violation, and when everything lies as agreed.

Every method is pure and returns a new value.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass, replace
from typing import Self

from companion.cards import Card
from companion.comparing import agrees, concerned_seats, differing_slots, lying_open, moved_slots, remedy
from companion.games.base import GameState, S
from companion.picture import Picture, row_is_blind
from companion.proceedings import TYPED, Question, Violation
from companion.resuming import KIND, Resumption
from companion.rulings import Action, Change, Ruling, Verdict
from companion.table import Area, Place

MOST_CHOICES = 20
"""With more ways to read a picture a list helps nobody: a card has to be laid anew so that it can be read."""
ASKED_ONCE = ("enter_card", KIND)
"""Causes of questions that are not about what somebody did."""
LIES_OPEN = "lies_open"
"""Kind of a violation that accuses nobody: a card lies face up on a mat while hands are hidden."""
OUT_OF_TURN = ("not_your_turn", "acted_twice", "already_had_final_turn", "ender_acted")


@dataclass(frozen=True, slots=True)
class Undone(Container[Action]):
    """What is known not to have happened."""

    bots: frozenset[int]
    """Seats that announce whatever they do."""
    denied: tuple[Action | None, ...] = ()

    def __contains__(self, action: object) -> bool:
        return isinstance(action, Action) and (action.seat in self.bots or action in self.denied)


@dataclass(frozen=True, slots=True)
class Judgement(Resumption[S]):
    """What is agreed, and how a ruling about what is seen becomes an action, a question or a violation."""

    def _judge_now(self, picture: Picture, now: float, state: S, ruling: Ruling, undo: bool = False) -> Self:
        if ruling.verdict is Verdict.LEGAL and ruling.action is not None and self._half_seen(state, ruling.action):
            # It is all that a player without a camera can have done, and who has one may have done something else.
            ruling = replace(ruling, verdict=Verdict.UNSURE, action=None, choices=(ruling.action,))
        if ruling.verdict is Verdict.LEGAL and ruling.action is not None:
            if not self._still(picture, state, now, ruling.action) or not self._seen_whole(picture, state, (ruling.action,)):
                return self
            return self._close("act")._accept(ruling.action, state, now)._absorb(picture.change)
        shown = lying_open(picture.change) if self.state.phase in ("play", "final") else ()
        if shown and ruling.verdict in (Verdict.NOTHING, Verdict.UNSURE):
            # Whatever else is seen can be asked about when its face can be read again.
            ruling = Ruling(Verdict.ILLEGAL, error=LIES_OPEN, places=shown)
            return self._accuse(picture, now, ruling, self.timing.second_look)
        if ruling.verdict is Verdict.UNSURE:
            if not self._denied(state, ruling):
                return self._ask(picture, now, state, ruling)
            ruling = self.game.explain_without(state, picture.change, Undone(self.bots, ruling.choices))
        if ruling.verdict is Verdict.UNSURE:
            places = differing_slots(picture.change, state.table)
            rule = self.game.rule_against("unexplained_change")
            ruling = Ruling(Verdict.ILLEGAL, error="unexplained_change", rule=rule, seat=state.current, places=places)
        if ruling.verdict is Verdict.NOTHING:
            return self._standing(picture, now)
        hidden = self._unseen_before(picture, state, ruling)
        # Once the answer was that nothing of that kind happened, what is seen stands as it is.
        if hidden is not None and (self.question is not None or _cause(state, hidden) not in self.asked):
            return self._ask(picture, now, state, hidden)
        if self.was_blind:
            return self.ask_difference(picture, now)
        referee = replace(self, turns=self.turns[:-1], undone=()) if undo and self.turns else self
        judged = referee._accuse(picture, now, ruling, self._delay(picture, now, state, ruling))
        if judged is referee:
            return self
        return judged if not undo else judged._note(now, "undone", self.turns[-1].action)

    def at_work(self, picture: Picture, now: float, since: float) -> bool:
        """Whether somebody may be doing something at `now` that was not judged yet; `since`: when the last move was accepted.

        Who only holds his cards is waited for no longer than a move that may still become legal.
        """
        state = self.game.opened(self.state)
        otherwise = not agrees(picture.change, state.table)
        if otherwise and self._explained(state, picture.change).verdict is Verdict.ILLEGAL:
            return True
        return bool(picture.busy or picture.out) and now - since < self.timing.accuse + self.timing.patience

    def _explained(self, state: S, change: Change) -> Ruling:
        """What happened between `state` and the picture, where bots do nothing that they have not announced."""
        return self.game.explain_without(state, change, Undone(self.bots)) if self.bots else self.game.explain(state, change)

    def _denied(self, state: S, ruling: Ruling) -> bool:
        """Whether everything that this could be was said not to have happened."""
        half_seen = any(choice is not None and self._half_seen(state, choice) for choice in ruling.choices)
        return half_seen and self.question is None and _cause(state, ruling) in self.asked

    def _delay(self, picture: Picture, now: float, state: S, ruling: Ruling) -> float:
        timing = self.timing
        if ruling.error == "peek":
            return timing.peek_current if ruling.seat == state.current else timing.peek
        if ruling.error in ("foreign_card", "duplicate_card", "removed_card_returned", "upcard_unclear"):
            return timing.second_look
        # The press may come while the camera still waits for the last card to lie still.
        pressed = self.pressed is not None and self.pressed[0] == state.current and now - self.pressed[1] >= timing.press
        change, table = picture.change, state.table
        # A card that left the row and lies nowhere yet is in somebody's hand.
        in_hand = change.row is not None and len(change.row) < len(table.row) and not differing_slots(change, table)
        if not pressed and (in_hand or self.game.could_become(state, change)):
            return timing.patience
        return timing.accuse

    def _still(self, picture: Picture, state: S, now: float, action: Action) -> bool:
        """Whether an action may be named: an actor who holds more of his cards may not have finished.

        Only what the action touches has to be still; people may go on handling their other cards.
        """
        busy = action.seat is not None and picture.unfinished({action.seat})
        wait = self.timing.finish if busy else self.timing.confirm
        changed = self._changed_slots(state, action)
        if busy and picture.change.row and not isinstance(picture.change.row[-1], Card):
            # Nobody knows what was laid on the row: it may be the card of a slot that is empty now.
            wait = self.timing.unread
        if self._half_seen(state, action):
            wait = max(wait, self.timing.patience)
        touched = {*differing_slots(picture.change, state.table), *changed}
        return now - picture.places_moved_at(touched) >= wait - 1e-6

    def _half_seen(self, state: S, action: Action) -> bool:
        """Whether nobody looks at a slot that the action changes.

        Who steals from a seat without a camera taps it: more likely the move that this looks like is not finished yet.
        """
        return any(not self.sight.watched[place.seat] for place in self._changed_slots(state, action))

    def _changed_slots(self, state: S, action: Action) -> tuple[Place, ...]:
        return moved_slots(state.table, self.game.after(state, action).table)

    def _seen_whole(self, picture: Picture, state: S, actions: Iterable[Action | None]) -> bool:
        """Whether every slot that the actions change can be looked at; a covered one proves nothing."""
        hidden = {*picture.busy, *picture.out}
        return not any(hidden.intersection(self._changed_slots(state, action)) for action in actions if action is not None)

    def _accuse(self, picture: Picture, now: float, ruling: Ruling, delay: float) -> Self:
        table = self.state.table
        named = {*ruling.seats, *(place.seat for place in ruling.places), ruling.seat, self.state.current}
        seats = concerned_seats(picture.change, table) | {seat for seat in named if seat is not None and seat >= 0}
        if picture.unfinished(seats) or now - max(picture.moved_at(seats), self.running_since) < delay:
            return self
        if self.meanwhile is not None:
            # It may have been done while play stood still: that has to be settled, and accuses nobody.
            return self if agrees(picture.change, table) else self.differing(picture, now)
        violation = Violation(ruling, now, remedy(picture.change, table))
        return replace(self, violation=violation, question=None, pressed=None)._note(now, "violation", ruling.action, ruling)

    def _unseen_before(self, picture: Picture, state: S, ruling: Ruling) -> Ruling | None:
        """The next player acts though it is not his turn: the one before may have done something that leaves no trace."""
        if ruling.error not in OUT_OF_TURN or not row_is_blind(self.sight.row):
            return None
        for action in () if state.current in self.bots else self.game.invisible(state):
            after = self.game.after(state, action)
            if self.game.explain(after, picture.change).verdict in (Verdict.LEGAL, Verdict.UNSURE):
                return Ruling(Verdict.UNSURE, choices=(action, None), places=ruling.places)
        return None

    def _ask(self, picture: Picture, now: float, state: S, ruling: Ruling) -> Self:
        cause = _cause(state, ruling)
        seats = concerned_seats(picture.change, state.table)
        current = state.current
        tapped = current is not None and not self.sight.watched[current]
        wait = self.timing.ask_tap if tapped else self.timing.ask
        if all(choice is not None and self._half_seen(state, choice) for choice in ruling.choices):
            wait = max(wait, self.timing.patience)
        if self.pressed is not None:
            wait = min(wait, self.timing.accuse)
        since = max(picture.moved_at(seats), self.running_since)
        if self.question is not None or cause in self.asked or picture.unfinished(seats) or now - since < wait:
            return self
        if not self._seen_whole(picture, state, ruling.choices):
            return self
        choices = self._few(state, ruling.choices)
        if any(choice is not None and self._half_seen(state, choice) for choice in choices) and None not in choices:
            choices = (*choices, None)
        kind = "which_action" if any(choice is not None for choice in choices) else "reseat"
        question = Question(len(self.log) + 1, kind, choices, now, current, ruling.places)
        return replace(self, question=question, asked=(*self.asked, cause))._note(now, "question", ruling=ruling)

    def _at_work(self, picture: Picture, seat: int, pressed_at: float) -> bool:
        """Whether the player who pressed had not finished then: cards that he lifts afterwards, to look, do not count."""
        moved = dict(picture.moved)
        own = [place for place in picture.out if place.seat == seat]
        busy = any(place.seat == seat or place.area is Area.ROW for place in picture.busy)
        return busy or any(place in picture.strange or moved.get(place, 0.0) <= pressed_at for place in own)

    def _few(self, state: S, choices: tuple[Action | None, ...]) -> tuple[Action | None, ...]:
        """As many choices as a person can look through; what goes first are moves that have to be tapped anyway."""
        if len(choices) <= MOST_CHOICES:
            return choices
        seen = tuple(each for each in choices if each is None or not self._half_seen(state, each))
        return seen if 0 < len(seen) <= MOST_CHOICES else (None,)

    def _standing(self, picture: Picture, now: float) -> Self:
        """Everything lies as agreed: learn what can be read, and take a press for what it says."""
        referee = replace(self, was_blind=False)._absorb(picture.change) if self.was_blind else self._absorb(picture.change)
        question = None if referee.difference_hidden(picture) else referee.question
        about_move = question is not None and question.kind not in ("enter_card", *TYPED)
        if about_move and question is not None and self._seen_whole(picture, self.state, question.choices):
            # Nobody has answered: should it show again, it may be asked again.
            referee = replace(referee, question=None, asked=referee.asked[:-1])._note(now, "answer")
        if referee.pressed is None or referee._at_work(picture, *referee.pressed):
            return referee
        seat, at = referee.pressed
        turn = referee.open_turn
        if turn is not None and turn.action.seat == seat:
            return replace(referee._close("press"), pressed=None)
        if now - at < referee.timing.press or now - picture.moved_at({seat}) < referee.timing.confirm:
            return referee
        state = referee.game.opened(referee.state)
        hidden = next(iter(referee.game.invisible(state)), None)
        referee = replace(referee, pressed=None)
        if hidden is not None and hidden.seat == seat and row_is_blind(referee.sight.row) and referee.sight.watched[seat]:
            return referee._accept(hidden, state, now, by_hand=True)._close("press")
        return referee


def _cause(state: GameState, ruling: Ruling) -> tuple[int, str]:
    """What a question is about: nothing is asked twice."""
    return state.turn, repr(ruling.choices)
