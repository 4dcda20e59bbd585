"""The referee: what was agreed, held beside what is seen.

Every method is pure and returns a new referee.  Cards on a table cannot be refused, so after a violation the agreed
state and the table differ until people have put things right.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any

from companion.amending import DIFFERS
from companion.cards import Card, Mark, Unknown
from companion.comparing import (
    agrees,
    concerned_seats,
    differing_slots,
    exactly_as_agreed,
    hand_before,
    lying_open,
    moved_slots,
    row_agrees,
    slots_of,
    sorted_hand,
)
from companion.games.base import S
from companion.judging import ASKED_ONCE, OUT_OF_TURN, Judgement
from companion.picture import Picture
from companion.proceedings import Errand, Seating, Turn, Violation
from companion.resuming import faces_only
from companion.rulings import Action, Ruling, Verdict
from companion.table import Area


@dataclass(frozen=True, slots=True)
class Referee(Judgement[S]):
    """What is agreed, and what the referee makes of what is seen."""

    def consider(self, picture: Picture, now: float) -> Referee[S]:
        """What the referee thinks after looking at the quiet part of the table."""
        if self.halted:
            return self
        referee, picture = self._trusting(picture, now)
        if referee.meanwhile is not None:
            referee = referee._compared(picture, now)
        referee = referee._by_time(picture, now)
        if referee.violation is not None:
            return referee._await_remedy(picture, now)
        if referee.state.phase == "over" and (referee.turns or referee.deal_known):
            return referee._after_the_end(picture, now)
        if any(place.area is Area.ROW for place in picture.busy):
            return referee
        if referee.errand is not None:
            if len(referee.turns) == 1 and not referee.undone and not referee.errand.restores:
                # Whoever still sorts his cards while the first action was only announced is setting up, and may look.
                picture = replace(picture, change=replace(picture.change, returned=()))
                referee = referee._sort_late(picture, now, referee.errand)
            if referee.errand is not None and referee.errand.seen:
                return referee._run(referee.errand, picture)
        if not referee.turns:
            return referee._before_the_first_action(picture, now)
        return referee._during_play(picture, now)

    def _by_time(self, picture: Picture, now: float) -> Referee[S]:
        referee = self
        turn = self.open_turn
        if turn is not None and not self._still_busy(turn, picture) and now - self._last_touch(turn, picture) > self.timing.tidy:
            referee = referee._close("time")
        if referee.pressed is not None:
            seat, at = referee.pressed
            quiet_since = max(at, picture.moved_at({seat}), self.running_since)
            if not picture.unfinished({seat}) and now - quiet_since > self.timing.press_lapses:
                referee = replace(referee, pressed=None)
        return referee

    def _still_busy(self, turn: Turn[S], picture: Picture) -> bool:
        seats = set() if turn.action.seat is None else {turn.action.seat}
        touched = moved_slots(turn.before.table, turn.after.table)
        return picture.unfinished(seats) or not {*picture.busy, *picture.out}.isdisjoint(touched)

    def _last_touch(self, turn: Turn[S], picture: Picture) -> float:
        """The last motion at the actor's mat or at a place that the turn has changed."""
        before, after = turn.before.table, turn.after.table
        touched, row = moved_slots(before, after), before.row != after.row
        own = (at for place, at in picture.moved if place.seat == turn.action.seat and place.area is Area.SLOT)
        changed = (at for place, at in picture.moved if place in touched or (row and place.area is Area.ROW))
        return max((turn.at, self.running_since, *own, *changed))

    def _run(self, errand: Errand, picture: Picture) -> Referee[S]:
        """Wait until the cards of a declared action, or of an undo, lie where they should."""
        change, table = picture.change, self.state.table
        hidden = {*picture.busy, *picture.out}
        row = any(place.area is Area.ROW for place in hidden) or not row_agrees(change, table)
        last = self.turns[-1] if self.turns else None
        if last is not None and last.ordered and any(at <= last.at for place, at in picture.moved if place in errand.slots):
            # An unread card fits anything, also the card that lay there before.
            return self
        if row or not hidden.isdisjoint(errand.slots) or not set(differing_slots(change, table)).isdisjoint(errand.slots):
            return self
        return replace(self, errand=None)._absorb(change)

    def _sort_late(self, picture: Picture, now: float, errand: Errand) -> Referee[S]:
        """The table after people have sorted hands that the first action does not touch."""
        first = self.turns[0]
        before = first.before
        for seat in concerned_seats(picture.change, self.state.table):
            hand = sorted_hand(picture.change.mats[seat], seat, before.table, errand.slots)
            if hand and not picture.unfinished({seat}) and now - picture.moved_at({seat}) >= self.timing.dealt:
                before = self.game.laid(before, before.table.with_hand(seat, hand))
        if before is first.before:
            return self
        after = self.game.after(before, first.action)
        return replace(self, dealt=self.game.laid(self.dealt, before.table), turns=(replace(first, before=before, after=after),))

    def _await_remedy(self, picture: Picture, now: float) -> Referee[S]:
        violation = self.violation
        assert violation is not None
        table = self.state.table
        waited = {placement.place for placement in violation.remedy}
        seats = {place.seat for place in waited if place.area is Area.SLOT} | set(concerned_seats(picture.change, table))
        if picture.unfinished(seats):
            return self
        if agrees(picture.change, table):
            # A peek leaves nothing to put back: it is said for a while, then play goes on.
            if waited or now - violation.since > self.timing.accuse * 2:
                return self._cleared(violation, now)
            return self
        state = self.game.opened(self.state)
        ruling = self._explained(state, picture.change)
        shown = lying_open(picture.change)
        if ruling.verdict is Verdict.NOTHING and waited and not shown and row_agrees(picture.change, table):
            # A card that cannot be read lies where it should; nothing speaks against its being the right one.
            return self._cleared(violation, now)
        still = now - picture.moved_at(seats) > self.timing.undone
        asked = violation.ruling.error == DIFFERS
        # What is not legal now may be nothing that can be done at all, so nobody asks what it would change.
        found = ruling.action if ruling.verdict is Verdict.LEGAL and still and waited and not asked else None
        if found is None or not self._seen_whole(picture, state, (found,)) or self._half_seen(state, found):
            # Beside seats without a camera a slot alone proves no theft: that it was one has been asked, and denied.
            return self
        cleared = replace(self, violation=None)._note(now, "cleared", ruling=violation.ruling)
        return cleared._accept(found, state, now)._absorb(picture.change)

    def _cleared(self, violation: Violation, now: float) -> Referee[S]:
        """Everything is as agreed again; where the house rules say so, the turn is lost as well."""
        # What was denied of this picture says nothing of the next one.
        asked = tuple(cause for cause in self.asked if cause[0] != self.state.turn or cause[1] in ASKED_ONCE)
        cleared = replace(self, violation=None, asked=asked)._note(now, "cleared", ruling=violation.ruling)
        state = self.game.opened(self.state)
        penalty = self.game.penalty(state, violation.ruling)
        return cleared if penalty is None else cleared._accept(penalty, state, now, by_hand=True)._close("act")

    def _after_the_end(self, picture: Picture, now: float) -> Referee[S]:
        """Cards are turned over one by one; only a face that does not belong there is anybody's concern."""
        faces = replace(picture, change=faces_only(picture.change))
        if self.errand is not None and self.errand.seen:
            return self._run(self.errand, faces)
        if self.game.public(self.state).unranked:
            # The cards may be gathered: nothing depends on them any more, unless somebody comes back.
            return self
        if not self.turns:
            # There was nothing to decide: everybody had put in all his chips before the deal.
            return self._standing(faces, now)
        turn = self.open_turn
        if turn is not None and any(place.area is Area.ROW for place in picture.busy):
            return self
        if turn is not None:
            return self._during_play(replace(faces, change=replace(faces.change, row=picture.change.row)), now)
        return self._during_play(replace(faces, change=replace(faces.change, row=None)), now)

    def _before_the_first_action(self, picture: Picture, now: float) -> Referee[S]:
        """Setting up is a free zone: whatever is quiet and complete is the deal, until a first action is seen."""
        change = picture.change
        watched = [seat for seat, looked in enumerate(self.sight.watched) if looked and not self._left_out(seat, picture)]
        complete = not picture.unfinished(watched) and not change.row
        if not self.deal_known:
            settled = complete and now - picture.moved_at(watched) >= self.timing.dealt
            return self._deal(picture, now) if settled else self
        if agrees(change, self.dealt.table):
            return self._standing(picture, now)
        state = self.game.opened(self.dealt)
        ruling = self._explained(state, change)
        told = self._with_leavings_as_turns()
        parted = told._parted(picture, now, ruling)
        if parted is not None:
            return self if parted is told else parted
        if ruling.verdict in (Verdict.LEGAL, Verdict.UNSURE):
            return self._judge_now(picture, now, state, ruling)
        begun_sorted = self._with_sorted_hands(picture)
        if begun_sorted is not self:
            # Somebody sorted his cards, and the first turn was made before that was taken for the deal.
            first = self.game.opened(begun_sorted.dealt)
            ruling_then = self._explained(first, change)
            if ruling_then.verdict is Verdict.LEGAL:
                still = not picture.unfinished(watched) and now - picture.moved_at(watched) >= self.timing.accuse
                return begun_sorted._judge_now(picture, now, first, ruling_then) if still else self
        if change.row:
            return self._judge_now(picture, now, state, ruling)
        begun = self.game.could_become(state, change)
        if not complete or now - picture.moved_at(watched) < (self.timing.patience if begun else self.timing.accuse):
            return self
        if ruling.error in OUT_OF_TURN and len(concerned_seats(change, self.dealt.table)) == 2:
            return self._judge_now(picture, now, self.dealt, self.game.explain(self.dealt, change))
        return self._deal(picture, now)

    def _left_out(self, seat: int, picture: Picture) -> bool:
        """Whether nobody sits at `seat` and no card lies there: people deal without it."""
        bare = [place in picture.out or seen is Mark.EMPTY for place, seen in slots_of(seat, picture.change)]
        return seat in self.game.public(self.dealt).away and all(bare)

    def _with_sorted_hands(self, picture: Picture) -> Referee[S]:
        """The deal with every hand as it lies whose cards are the same in another order, but for one that was exchanged."""
        table = self.dealt.table
        for seat in concerned_seats(picture.change, table):
            hand = hand_before(picture.change.mats[seat], table.hands[seat])
            if hand:
                table = table.with_hand(seat, hand)
        return self if table == self.dealt.table else replace(self, dealt=self.game.laid(self.dealt, table))

    def _deal(self, picture: Picture, now: float) -> Referee[S]:
        """Take what lies there as the deal; a card that cannot be there is a violation even now."""
        fresh = self.game.redealt(self.dealt)
        referee = replace(self, dealt=fresh, deal_known=True, deal_at=now, named=())._absorb(picture.change)
        referee = referee._called_again(self, picture)
        ruling = self.game.explain(referee.dealt, picture.change)
        if ruling.error in ("foreign_card", "duplicate_card"):
            return self._accuse(picture, now, ruling, self.timing.second_look)
        return referee

    def _called_again(self, before: Referee[S], picture: Picture) -> Referee[S]:
        """With the names that owners have given already to cards which no camera has read or seen move since."""
        known, moved = self, dict(picture.moved)
        for place in self.game.places(len(self.sight.watched)):
            card, fresh = before.dealt.table.at(place), known.dealt.table.at(place)
            if not (isinstance(card, Card) and card in before.named and isinstance(fresh, Unknown)):
                continue
            named = max((entry.time for entry in self.log if entry.new == card and place in entry.places), default=0.0)
            if moved.get(place, 0.0) <= named:
                known = known.called(fresh, card)
        return known

    def _during_play(self, picture: Picture, now: float) -> Referee[S]:
        state, turn = self.state, self.turns[-1]
        change = picture.change
        if exactly_as_agreed(change, state.table):
            return self._standing(picture, now)
        now_ruling = self._explained(state, change)
        if now_ruling.verdict is Verdict.NOTHING and agrees(change, state.table):
            return self._standing(picture, now)
        parted = self._parted(picture, now, now_ruling)
        if parted is not None:
            return parted
        # After the end the row is not looked at any more, so nobody sees what a turn that was changed late would have been.
        late = turn.closed == "time" and now_ruling.verdict is Verdict.ILLEGAL and state.phase != "over"
        followed = self._changed_and_followed(picture, now, turn, now_ruling)
        if followed is not None:
            return followed
        if (not turn.closed or late) and not agrees(change, state.table):
            before_ruling = self._explained(turn.before, change)
            amended = self._amended(picture, now, turn, before_ruling, late)
            if amended is not None:
                return amended
            broken = now_ruling.verdict is Verdict.ILLEGAL and not late
            if broken and self._is_same_turn(picture, turn, now_ruling, before_ruling):
                return self._judge_now(picture, now, turn.before, before_ruling, undo=True)
        return self._judge_now(picture, now, state, now_ruling)

    def _amended(self, picture: Picture, now: float, turn: Turn[S], ruling: Ruling, late: bool) -> Referee[S] | None:
        """The turn as its player has changed it, or None when it was not he who changed something."""
        change = picture.change
        if ruling.verdict is Verdict.LEGAL and ruling.action is not None and ruling.action.seat == turn.action.seat:
            rest = self._explained(self.game.opened(self.game.after(turn.before, ruling.action)), change).verdict
            # Something else has happened as well: that is not about this turn, unless nobody has seen how it was made.
            more = rest in (Verdict.LEGAL, Verdict.ILLEGAL)
            if ruling.action == turn.action or (more and not turn.by_hand):
                return None if more else self
            still = self._still(picture, turn.before, now, ruling.action)
            if not still or not self._seen_whole(picture, turn.before, (ruling.action,)):
                return self
            return self._taken_back(now)._accept(ruling.action, turn.before, now)._absorb(change)
        if ruling.verdict is Verdict.NOTHING and not late and not turn.by_hand and agrees(change, turn.before.table):
            # The next player may have lifted the newest discard, which looks the same for a while.
            begun = self.game.could_become(turn.after, change)
            wait = self.timing.patience if begun else self.timing.undone
            if now - picture.moved_at(concerned_seats(change, turn.after.table)) < wait:
                return self
            return self._taken_back(now)
        return None

    def _changed_and_followed(self, picture: Picture, now: float, turn: Turn[S], ruling: Ruling) -> Referee[S] | None:
        """The turn as its player has changed it, and the next player's move right after that; None where it was not so.

        Whoever lifts the card that he has just changed his mind about lets nobody see what he did before the next one acts.
        That has to be the only way in which both moves were legal, with motion wherever the next player's has left a trace, and
        the turn must not stand yet: a wrong accusation is worse than a change of mind unseen.
        """
        seats = {*concerned_seats(picture.change, turn.before.table), *concerned_seats(picture.change, turn.after.table)}
        still = not picture.unfinished(seats) and now - max(picture.moved_at(seats), self.running_since) >= self.timing.accuse
        stands = turn.closed in ("press", "time") or turn.by_hand
        if ruling.verdict is not Verdict.ILLEGAL or ruling.error == "peek" or self.was_blind or stands or not still:
            return None
        found = [(action, after, then) for action, after in self._otherwise(turn)
                 if (then := self._explained(after, picture.change)).verdict is Verdict.LEGAL]  # fmt: skip
        if len(found) != 1:
            return None
        action, after, then = found[0]
        seen = self._seen_whole(picture, turn.before, (action,)) and self._seen_whole(picture, after, (then.action,))
        if then.action is None or not seen or self._half_seen(after, then.action):
            return None
        moved, row = dict(picture.moved), picture.places_moved_at(())
        slots = [moved.get(place, 0.0) for place in self._changed_slots(after, then.action)]
        if min((*slots, row) if self.game.after(after, then.action).table.row != after.table.row else slots) <= turn.at:
            return None
        changed = self._taken_back(now)._accept(action, turn.before, now)._close("act")
        return changed._accept(then.action, after, now)._absorb(picture.change)

    def _otherwise(self, turn: Turn[S]) -> Iterator[tuple[Action, S]]:
        """What else the player could have done in his turn, and the state in which the next one could have acted then."""
        for action in () if turn.action.seat in self.bots else self.game.legal_actions(turn.before):
            if action.seat == turn.action.seat and action != turn.action and not self._half_seen(turn.before, action):
                yield action, self.game.opened(self.game.after(turn.before, action))

    def _parted(self, picture: Picture, now: float, ruling: Ruling) -> Referee[S] | None:
        """With the move that the player in turn has still brought to an end though he had left: it comes before his leaving.

        None where what is seen is none.  What another player could have done as well is his who left only right after that.
        """
        seatings = tuple(reversed(tuple(takewhile(lambda turn: isinstance(turn.action, Seating), reversed(self.turns)))))
        for since, left in enumerate(seatings):
            state = self.game.opened(left.before)
            last = self._last_move(picture, state, left)
            if last is None:
                continue
            soon = picture.places_moved_at(self._changed_slots(state, last)) - left.at <= self.timing.patience
            if ruling.verdict is not Verdict.ILLEGAL and not soon:
                continue
            if not self._still(picture, state, now, last) or not self._seen_whole(picture, state, (last,)):
                return self
            stood = replace(self, turns=self.turns[: len(self.turns) - len(seatings) + since])
            done = stood._accept(last, state, now)._absorb(picture.change)._close("act")
            for turn in seatings[since:]:
                done = replace(done, turns=(*done.turns, done._again(turn)))
            return done
        return None

    def _last_move(self, picture: Picture, state: S, left: Turn[S]) -> Action | None:
        """The move that explains the picture, of the player in turn in `state` who has `left` then; None where there is none."""
        if state.current is None or state.current != left.action.seat:
            return None
        last = self.game.explain(state, picture.change).action
        if last is None or last.seat != state.current:
            return None
        return last if self.game.judge(state, last).verdict is Verdict.LEGAL else None

    def _with_leavings_as_turns(self) -> Referee[S]:
        """Before the first action: who has left since the deal, told in turns, as it is told later on."""
        away = self.game.public(self.dealt).away
        times = {entry.seat: entry.time for entry in self.log if entry.kind == "left" and entry.time >= self.deal_at}
        gone = sorted((time, seat) for seat, time in times.items() if seat in away and seat is not None)
        here = self.dealt
        for _, seat in gone:
            here = self.game.seated(here, seat, False)
        told = replace(self, dealt=here)
        for time, seat in gone:
            after = self.game.seated(told.state, seat, True)
            turn = Turn(Seating(seat, True), told.state, after, time, closed="act", by_hand=True)
            told = replace(told, turns=(*told.turns, turn))
        return told

    def _is_same_turn(self, picture: Picture, turn: Turn[S], ruling: Ruling, from_before: Ruling) -> bool:
        """Whether what is wrong now is part of the turn that is still open, rather than somebody else's act."""
        if ruling.error == "positions_changed":
            # The turn itself was right and stands: only the own cards that were sorted after it go back.
            return False
        touched = {place.seat for place in differing_slots(picture.change, turn.after.table)}
        own = turn.action.seat
        again = ruling.error == "acted_twice" and ruling.seat == own
        same = touched == {own} or (not touched and from_before.error == "two_actions") or again
        return from_before.verdict is Verdict.ILLEGAL and own is not None and same


AnyReferee = Referee[Any]
