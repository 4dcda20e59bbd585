"""How people put right what the companion holds: undo, redo, corrections, stopping play, and a table that lies otherwise.

Every method is pure and returns a new value.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Self

from companion.adopting import as_it_lies, changed_since, check_adoptable, faces_to_learn, masked, seen_places
from companion.agreement import Agreement
from companion.cards import Card, Mark, Unknown
from companion.comparing import agrees, differing_slots, remedy, row_agrees
from companion.errors import DeclarationError
from companion.games.base import S
from companion.observation import Call, Correct, Reseat, Rewind
from companion.picture import Picture
from companion.proceedings import AsItLies, Errand, LogEntry, Proposal, Seating, Step, Stop, Trust, Turn, Violation
from companion.rulings import Change, Ruling, Verdict
from companion.table import Area, Place, row

DIFFERS = "differs"
"""Kind of a violation that accuses nobody: table and screen do not agree."""


@dataclass(frozen=True, slots=True)
class Amendments(Agreement[S]):
    """What is agreed, and how people amend it."""

    # ---- undo and redo ------------------------------------------------------------------------------------------

    def undo(self, now: float, shown: Collection[Place] = ()) -> Self:
        """Take the last action back; the cards have to follow.  Cards at the places `shown` have to be hidden again."""
        if not self.turns:
            raise DeclarationError("there is no action to undo", "no_undo")
        self._check_penalty()
        last = self.turns[-1]
        errand = self._way(last, Step(last.action, back=True), last.after, last.before, shown)
        back = replace(
            self, turns=self.turns[:-1], undone=(*self.undone, last), violation=None, question=None, proposal=None,
            errand=errand, pressed=None, asked=tuple(cause for cause in self.asked if cause[0] < last.after.turn),
        )  # fmt: skip
        return back._note(now, "undone", last.action)

    def redo(self, now: float) -> Self:
        """Do again what was taken back last; raise `DeclarationError` where there is nothing, or where it has become illegal."""
        if not self.undone:
            raise DeclarationError("there is no action to do again", "no_redo")
        self._check_penalty()
        turn = self._again(self.undone[-1])
        errand = self._way(turn, Step(turn.action, back=False), self.state, turn.after, ())
        again = replace(
            self, turns=(*self.turns, turn), undone=self.undone[:-1], violation=None, question=None, proposal=None,
            errand=errand, pressed=None,
        )  # fmt: skip
        return again._note(now, "redone", turn.action)

    def _check_penalty(self) -> None:
        """Nobody gets around what a violation costs by going back or forth before the cards are put back."""
        violation = self.violation
        if violation is not None and self.game.penalty(self.game.opened(self.state), violation.ruling) is not None:
            raise DeclarationError("first the cards have to be put back as listed", "put_back_first")

    def rewind(self, turns: int, now: float, shown: Collection[Place] = ()) -> Self:
        """Undo or redo until `turns` actions stand."""
        if not 0 <= turns <= len(self.turns) + len(self.undone):
            most = len(self.turns) + len(self.undone)
            raise DeclarationError(f"between 0 and {most} actions can stand, not {turns}", "no_offer")
        amended = self
        while len(amended.turns) > turns:
            amended = amended.undo(now, shown)
        while len(amended.turns) < turns:
            amended = amended.redo(now)
        return amended

    def _again(self, turn: Turn[S]) -> Turn[S]:
        """The turn on top of the state of now: hands may have been sorted and players have left since it was taken back."""
        state = self.game.opened(self.state)
        if turn.before in (self.state, state):
            return replace(turn, closed="act")
        if isinstance(turn.action, Seating):
            changed = self.game.seated(self.state, turn.action.seat, turn.action.away)
            return replace(turn, before=self.state, after=changed, closed="act")
        if isinstance(turn.action, AsItLies):
            raise DeclarationError("the table was not as it is now when it was taken as it lay", "cannot_redo")
        if self.game.judge(state, turn.action).verdict is not Verdict.LEGAL:
            raise DeclarationError(f"{turn.action} is not possible any more", "cannot_redo")
        return replace(turn, before=state, after=self.game.after(state, turn.action), closed="act")

    def _way(self, turn: Turn[S], step: Step, before: S, after: S, shown: Collection[Place]) -> Errand | None:
        """What people have to do with the cards between two agreed states; None where that is nothing."""
        pending = self.errand
        if isinstance(turn.action, Seating) and self.violation is None and not shown:
            # Who comes or goes moves no card: what has to be done with them stays as it is.
            return pending
        steps = () if pending is None else pending.steps
        if steps and steps[-1] == replace(step, back=not step.back):
            steps = steps[:-1]
        elif before.table != after.table and (pending is None or pending.steps or not step.back):
            # A move that was only announced needs not be taken back with cards.
            steps = (*steps, step)
        errand = self._errand(turn.action.seat, before, after)
        wrong = () if self.violation is None else (p.place for p in self.violation.remedy if p.place.area is Area.SLOT)
        held = {place for place in shown if place.area is Area.SLOT}
        down = tuple(sorted(held.union(() if pending is None else pending.turn_down))) if after.phase != "over" else ()
        slots = tuple(sorted({*errand.slots, *wrong, *(place for place in down if self.sight.watched[place.seat])}))
        seen = errand.seen or any(self.sight.watched[place.seat] for place in slots)
        whole = Errand(errand.seat, slots, seen, steps=steps, turn_down=down)
        return whole if seen or steps or down else None

    def told_by_hand(self, picture: Picture) -> Self:
        """After undo or redo: where all that can be seen lies so by chance, only people can tell when the rest does.

        The next player may just have lifted the card that has to go.
        """
        errand, table = self.errand, self.state.table
        if errand is None or not errand.steps or not agrees(picture.change, table):
            return self
        blind = any(not self.sight.watched[place.seat] for place in errand.slots)
        return replace(self, errand=replace(errand, seen=False)) if blind else self

    def laid(self) -> Self:
        """Somebody says that the cards lie as listed, where no camera can see it."""
        if self.errand is None or self.errand.seen:
            raise DeclarationError("nothing has to be confirmed by hand", "nothing_to_confirm")
        return replace(self, errand=None)

    # ---- stopping -----------------------------------------------------------------------------------------------

    def stop(self, seat: int, picture: Picture, now: float) -> Self:
        """Somebody wants something settled: nothing is judged until play goes on."""
        if self.stopped is not None:
            raise DeclarationError("play is stopped already", "is_stopped")
        halted = replace(self, stopped=Stop(seat, now, picture.change), pressed=None)
        return halted._noted(LogEntry(now, "stopped", seat=seat))

    def go_on(self, now: float, picture: Picture, reason: str = "") -> Self:
        """What was to be settled is settled; whatever was moved meanwhile is compared before anybody is accused of it."""
        if self.stopped is None:
            raise DeclarationError("play is not stopped", "not_stopped")
        going = replace(self, stopped=None, running_since=now)._noted(LogEntry(now, "went_on", reason=reason))
        if going._moved_by_agreement:
            return going
        before, change = self.stopped.seen, picture.change
        changed = changed_since(before, change)
        state = self.game.opened(self.state)
        # A move that was under way at the stop is finished now; one that was made while play stood still has to be settled.
        begun = self.game.explain(state, change).verdict is not Verdict.LEGAL and self.game.could_become(state, change)
        if not begun and going._still_otherwise(changed, change):
            return going.differing(picture, now)
        doubtful = changed.union(place for place in (*picture.busy, *picture.out))
        return replace(going, meanwhile=(_only(before, doubtful), now)) if doubtful else going

    @property
    def _moved_by_agreement(self) -> bool:
        """Cards are on their way by agreement: to where they belong, to the deal, or over to their faces."""
        return self.violation is not None or self.errand is not None or not self.turns or self.state.phase == "over"

    def _still_otherwise(self, places: Collection[Place], change: Change) -> bool:
        """Whether one of `places` lies otherwise than agreed."""
        if any(place.area is Area.ROW for place in places) and not row_agrees(change, self.state.table):
            return True
        return not set(places).isdisjoint(differing_slots(change, self.state.table))

    def _compared(self, picture: Picture, now: float) -> Self:
        """After a stop, until all that may have been moved meanwhile is found as agreed: nobody is accused of it."""
        assert self.meanwhile is not None
        before, since = self.meanwhile
        hidden = any(place in _looked_at(before) for place in (*picture.busy, *picture.out))
        waits = hidden and now - since < self.timing.patience
        otherwise = self._still_otherwise(changed_since(before, picture.change), picture.change)
        return self if (waits or otherwise) and not self._moved_by_agreement else replace(self, meanwhile=None)

    def differing(self, picture: Picture, now: float) -> Self:
        """Table and screen do not agree, and nobody is accused of it: what lies otherwise is listed."""
        places = differing_slots(picture.change, self.state.table)
        ruling = Ruling(Verdict.ILLEGAL, error=DIFFERS, places=places)
        violation = Violation(ruling, now, remedy(picture.change, self.state.table))
        return replace(self, violation=violation, question=None, pressed=None)._note(now, "violation", ruling=ruling)

    # ---- two ways out -------------------------------------------------------------------------------------------

    def table_right(self, picture: Picture, now: float, reason: str = "") -> Self:
        """Take what the cameras see: as an action, where one explains it; else as it lies, and the same seat stays to act."""
        if picture.busy or picture.out:
            raise DeclarationError("first every card has to lie still in its slot", "moving")
        freed = replace(self, violation=None, question=None, errand=None, pressed=None, proposal=None, meanwhile=None)
        picture = self._believed(picture)
        change, state = picture.change, self.game.opened(self.state)
        if agrees(change, state.table):
            return freed._noted(LogEntry(now, "as_it_lies", reason=reason))
        ruling = self.game.explain(state, change)
        if ruling.verdict is Verdict.LEGAL and ruling.action is not None and state.phase != "over":
            return freed._accept(ruling.action, state, now)._absorb(change)._close("act")
        return freed._adopted(picture, now, reason)

    def _adopted(self, picture: Picture, now: float, reason: str) -> Self:
        change, before = picture.change, self.state.table
        check_adoptable(before, change)
        known = self
        for unknown, card in faces_to_learn(before, change):
            known = known.learnt(unknown, card)
        places = tuple(placement.place for placement in remedy(change, before))
        noted = known._noted(LogEntry(now, "as_it_lies", places=places, reason=reason))
        after = self.game.laid(noted.state, as_it_lies(noted.state.table, change))
        if not noted.turns:
            return replace(noted, dealt=after)
        turn = Turn(AsItLies(), noted.state, after, now, closed="act")
        return replace(noted, turns=(*noted.turns, turn), undone=())

    def screen_right(self, picture: Picture, now: float, reason: str = "") -> Self:
        """The cards lie as the screen says, whatever the cameras make of them: they are not asked until a card is moved."""
        if picture.busy or picture.out:
            raise DeclarationError("first every card has to lie still in its slot", "moving")
        change, table = self._believed(picture).change, self.state.table
        wrong = list(differing_slots(change, table))
        if any(change.mats[place.seat][place.number - 1] is Mark.EMPTY for place in wrong):
            raise DeclarationError("a slot is empty: its card has to come back first", "empty_first")
        if change.row is not None and not row_agrees(change, table):
            if len(change.row) != len(table.row):
                lie, held = len(change.row), len(table.row)
                raise DeclarationError(f"the row has to hold {held} cards first; {lie} lie there", "row_first")
            wrong += [row(number) for number in range(1, len(table.row) + 1)]
        trusted = (*self.trusted, *(Trust(place, _claimed(picture, place)) for place in wrong))
        freed = replace(self, violation=None, question=None, errand=None, pressed=None, proposal=None, meanwhile=None)
        return replace(freed, trusted=trusted)._noted(LogEntry(now, "as_shown", places=tuple(wrong), reason=reason))

    # ---- corrections --------------------------------------------------------------------------------------------

    def correct(
        self, entry: Correct, picture: Picture, now: float, shown: Collection[Place] = (), hidden: bool = False
    ) -> Self:
        """Name the card at a place; whatever hidden card was read as this one before is unknown again.

        `shown`: the slots whose cards everybody can see; `hidden`: the card itself is seen by its owner alone.  Which cards
        lie hidden makes no difference to the answer.
        """
        place, card = entry.place, entry.card
        held, home = self.state.table.at(place), self.state.table.find(card)
        if held is None:
            raise DeclarationError(f"no card lies at {place}", "no_place")
        claimed = _claimed(picture, place)
        unsure = place in picture.change.returned or place in picture.change.doubtful
        trust = (Trust(place, claimed),) if unsure or (isinstance(claimed, Card) and claimed != card) else ()
        if held == card and not (unsure and place in shown):
            return self._entered(place)
        if held == card:
            # It was lifted, or the cameras do not agree about it, and everybody sees that it is the same one.
            vouched = replace(self, trusted=(*self.trusted, *trust))
            return vouched._noted(LogEntry(now, "entered", places=(place,), old=held, new=card, reason=entry.reason))
        if home is not None and (home.area is Area.ROW or home in shown):
            if home.area is Area.ROW:
                raise DeclarationError(f"{card} lies open at {home} already", "lies_in_row")
            raise DeclarationError(f"{card} lies open at {home} already", "lies_in_hand")
        known, old = (self, None) if isinstance(held, Unknown) else (self.unnamed(held), held)
        unknown = known.state.table.at(place)
        assert isinstance(unknown, Unknown)
        known = known.called(unknown, card)
        known = replace(known, trusted=(*known.trusted, *trust))
        kind = "entered_hidden" if hidden else "entered" if old is None else "corrected"
        return known._noted(LogEntry(now, kind, places=(place,), old=old, new=card, reason=entry.reason))._entered(place)

    def _entered(self, place: Place) -> Self:
        question = self.question
        if question is None or question.kind != "enter_card":
            return self
        left = tuple(each for each in question.places if each != place)
        return replace(self, question=replace(question, places=left) if left else None)

    def reseat(self, place: Place, now: float, reason: str = "") -> Self:
        """The hidden card at `place` is lifted and laid back by its owner, and then read anew."""
        held = self.state.table.at(place)
        if place.area is not Area.SLOT or held is None or not self.sight.watched[place.seat]:
            raise DeclarationError(f"no camera can read a card anew at {place}", "no_camera")
        known = self.forgotten(held) if isinstance(held, Card) else self
        others = tuple(trust for trust in known.trusted if trust.place != place)
        asked = replace(known, trusted=(*others, Trust(place, anew=True)))
        return asked._noted(LogEntry(now, "reseat", places=(place,), old=held, reason=reason))

    def _trusting(self, picture: Picture, now: float) -> tuple[Self, Picture]:
        """What people know better is kept from judgement until its card is moved; what was read anew is learned."""
        if not self.trusted:
            return self, picture
        known, kept = self, []
        for trust in self.trusted:
            seen = _claimed(picture, trust.place)
            away = trust.place in picture.out or seen is Mark.EMPTY
            if not trust.anew:
                gone = seen is None and trust.place.area is Area.ROW and picture.change.row is not None
                if not (away or gone or (isinstance(seen, Card) and seen != trust.claimed)):
                    kept.append(trust)
            elif not trust.lifted or away or trust.place in picture.busy:
                kept.append(replace(trust, lifted=trust.lifted or away))
            else:
                held = known.state.table.at(trust.place)
                if isinstance(seen, Card) and isinstance(held, Unknown) and known.state.table.find(seen) is None:
                    known = known.learnt(held, seen)
                known = known._noted(LogEntry(now, "reread", places=(trust.place,)))
        known = known if tuple(kept) == self.trusted else replace(known, trusted=tuple(kept))
        return known, replace(picture, change=masked(picture.change, frozenset(trust.place for trust in kept)))

    def _believed(self, picture: Picture) -> Picture:
        """The picture without what people know better."""
        return replace(picture, change=masked(picture.change, frozenset(trust.place for trust in self.trusted)))

    # ---- agreeing -----------------------------------------------------------------------------------------------

    def proposed(self, what: Call | Rewind | Reseat | Correct, seat: int, now: float) -> Self:
        """Everybody is asked whether this shall be done."""
        if self.proposal is not None:
            raise DeclarationError("first what was proposed has to be answered", "proposal_first")
        asked = replace(self, proposal=Proposal(len(self.log) + 1, what, seat, now))
        return asked._noted(LogEntry(now, "proposed", seat=seat, reason=what.reason))

    def agreed(self, proposal: int, seat: int, yes: bool, now: float) -> Self:
        """One seat's answer; a single no ends it."""
        if self.proposal is None or self.proposal.id != proposal:
            raise DeclarationError(f"proposal {proposal} is not open", "no_agreement")
        if not yes:
            return replace(self, proposal=None)._noted(LogEntry(now, "refused", seat=seat))
        agreed = tuple(sorted({*self.proposal.agreed, seat}))
        return replace(self, proposal=replace(self.proposal, agreed=agreed))


def _looked_at(change: Change) -> frozenset[Place]:
    """The places of which the change tells something."""
    return frozenset(place for place, claim in seen_places(change) if claim not in (Mark.COVERED, Mark.UNREADABLE))


def _only(change: Change, places: frozenset[Place]) -> Change:
    """The change as if nobody had looked at other places than these."""
    others = frozenset(place for place, _ in seen_places(change)) - places
    line = change.row if any(place.area is Area.ROW for place in places) else None
    return masked(replace(change, row=line), others)


def _claimed(picture: Picture, place: Place) -> Card | Mark | None:
    """What the quiet picture shows at `place`; None where nobody looks, or where the row is shorter."""
    if place.area is Area.SLOT:
        return picture.change.mats[place.seat][place.number - 1]
    line = picture.change.row or ()
    return line[place.number - 1] if place.area is Area.ROW and place.number <= len(line) else None
