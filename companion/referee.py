"""The referee: what was agreed, held beside what is seen; turns, violations, questions, undo.

Every method is pure and returns a new referee.  Cards on a table cannot be refused, so after a violation the agreed
state and the table differ until people have put things right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any, Generic

from companion.cards import Card, Mark, Unknown
from companion.comparing import agrees, concerned_seats, differing_slots, exactly_as_agreed, readings_to_learn, remedy
from companion.errors import DeclarationError
from companion.games.base import Game, S
from companion.picture import Picture, Sight, row_is_blind
from companion.rulings import Action, Change, Placement, Ruling, Verdict
from companion.table import Area, Place

MOST_CHOICES = 10
"""With more ways to read a picture a list helps nobody: a card has to be laid anew so that it can be read."""
OUT_OF_TURN = ("not_your_turn", "acted_twice", "already_had_final_turn", "ender_acted")


@dataclass(frozen=True, slots=True)
class Timing:
    """How patient the referee is; seconds of capture time."""

    confirm: float = 0.2
    """A legal action is named when nothing has moved at its places for so long."""
    finish: float = 2.5
    """The same while more cards of the mats concerned are in somebody's hand."""
    undone: float = 1.0
    """A turn counts as taken back when the table has been as before for so long."""
    tidy: float = 4.0
    """After so long without a press the turn stands, and a second action is a second action."""
    accuse: float = 1.5
    """Nobody is accused before the places have been still for so long."""
    second_look: float = 2.5
    """The same for a card that cannot be there, which may be a misreading."""
    patience: float = 6.0
    """How long a move that can still become legal may stay unfinished."""
    hold: float = 45.0
    """How long a card may be out of its slot while cards may be looked at."""
    hold_hard: float = 12.0
    """The same in hard mode, where it may not."""
    peek: float = 2.0
    peek_current: float = 6.0
    """A lift by the seat to act may be the beginning of its move."""
    ask: float = 3.0
    """No question before the places have been still for so long."""
    ask_tap: float = 20.0
    """A seat that plays by tap gets longer to declare what it did."""
    dealt: float = 1.0
    """A deal is complete when all slots have been still for so long."""
    press: float = 1.0
    """A press counts when what it announces has had so long to become visible."""
    press_lapses: float = 8.0


@dataclass(frozen=True, slots=True)
class Turn(Generic[S]):
    """An accepted action between two states."""

    action: Action
    before: S
    after: S
    at: float
    closed: str = ""
    """What made it final: ``press``, ``act`` (the next player acted) or ``time``; empty while it may be taken back."""
    by_hand: bool = False


@dataclass(frozen=True, slots=True)
class Violation:
    """A ruling against what is seen, and what would put it right."""

    ruling: Ruling
    since: float
    remedy: tuple[Placement, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """Something that could not be seen."""

    id: int
    kind: str
    choices: tuple[Action | None, ...]
    since: float
    seat: int | None
    places: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One line of what the referee said, for the record."""

    time: float
    kind: str
    """``action``, ``undone``, ``violation``, ``cleared``, ``question``, ``answer``, ``entered`` or ``result``."""
    action: Action | None = None
    ruling: Ruling | None = None


@dataclass(frozen=True, slots=True)
class Referee(Generic[S]):
    """The referee's whole mind about one game."""

    game: Game[S]
    sight: Sight
    dealt: S
    """The state before the first action."""
    timing: Timing = field(default_factory=Timing)
    hard: bool = False
    turns: tuple[Turn[S], ...] = ()
    deal_known: bool = False
    """All watched hands have been seen complete once."""
    deal_at: float = 0.0
    awaiting: bool = False
    """A declared action, or an undo, still has to be carried out with the cards."""
    violation: Violation | None = None
    question: Question | None = None
    asked: tuple[tuple[int, str], ...] = ()
    """Causes of questions that were asked already."""
    pressed: tuple[int, float] | None = None
    paused: bool = False
    log: tuple[LogEntry, ...] = ()

    @property
    def state(self) -> S:
        """The agreed state."""
        return self.turns[-1].after if self.turns else self.dealt

    @property
    def open_turn(self) -> Turn[S] | None:
        """The last turn while it may still be taken back."""
        return self.turns[-1] if self.turns and not self.turns[-1].closed else None

    # ---- what people declare ------------------------------------------------------------------------------------

    def press(self, seat: int, now: float) -> Referee[S]:
        """The big button of `seat`: "I am done"."""
        turn = self.open_turn
        if self.question is not None and self.question.seat == seat:
            return self.answer(self.question.id, 0, now)
        if turn is not None and seat == turn.action.seat:
            return replace(self, pressed=(seat, now))
        if seat == self.game.opened(self.state).current:
            # The next player's press also ends the time in which the turn before may be taken back.
            return replace(self._close("press"), pressed=(seat, now))
        return self

    def claim(self, action: Action, now: float) -> Referee[S]:
        """An action declared by tap, or chosen by a bot; people carry it out with the cards before or after."""
        state = self.game.opened(self.state)
        ruling = self.game.judge(state, action)
        if self.violation is not None:
            raise DeclarationError("first the cards have to be put back as listed")
        if ruling.verdict is not Verdict.LEGAL:
            raise DeclarationError(f"{action} is not possible now: {ruling.error}")
        return replace(self._accept(action, state, now, by_hand=True), awaiting=True, question=None)

    def answer(self, question: int, choice: int, now: float) -> Referee[S]:
        """The tap on one of the choices of the open question."""
        if self.question is None or self.question.id != question:
            raise DeclarationError(f"question {question} is not open")
        if not 0 <= choice < len(self.question.choices):
            raise DeclarationError(f"question {question} has choices 0 to {len(self.question.choices) - 1}, not {choice}")
        action = self.question.choices[choice]
        told = replace(self, question=None)._note(now, "answer", action)
        if action is None:
            return told
        state = self.game.opened(told.state)
        if self.game.judge(state, action).verdict is not Verdict.LEGAL:
            raise DeclarationError(f"{action} is not possible any more")
        return told._accept(action, state, now, by_hand=True)

    def undo(self, now: float) -> Referee[S]:
        """Take the last action back; the cards have to follow."""
        if not self.turns:
            raise DeclarationError("there is no action to undo")
        last = self.turns[-1]
        back = replace(self, turns=self.turns[:-1], violation=None, question=None, awaiting=True)
        return back._note(now, "undone", last.action)

    def misdealt(self, now: float) -> Referee[S]:
        """Anyone may call a misdeal before the first action: everything is dealt again."""
        if self.turns:
            raise DeclarationError("a misdeal can be called before the first action only")
        fresh = replace(self, dealt=self.game.redealt(self.dealt), deal_known=False, violation=None, question=None)
        return fresh._note(now, "misdeal")

    def seated(self, seat: int, away: bool, now: float) -> Referee[S]:
        """The player of `seat` leaves, or somebody sits down there again."""
        changed = self.game.seated(self.state, seat, away)
        closed = self._close("act")
        if not closed.turns:
            return replace(closed, dealt=changed)._note(now, "left" if away else "returned")
        last = replace(closed.turns[-1], after=changed)
        return replace(closed, turns=(*closed.turns[:-1], last))._note(now, "left" if away else "returned")

    def ended(self, now: float) -> Referee[S]:
        """The result has been announced."""
        return self._note(now, "result")

    def enter(self, place: Place, card: Card, now: float) -> Referee[S]:
        """A card entered by hand for a place that nobody could read."""
        held = self.state.table.at(place)
        if not isinstance(held, Unknown):
            raise DeclarationError(f"the card at {place} is known already, or none lies there")
        home = self.state.table.find(card)
        if home is not None and home.area is not Area.PILE:
            raise DeclarationError(f"{card} lies somewhere else already")
        return self._learn(held, card)._note(now, "entered")

    # ---- what is seen -------------------------------------------------------------------------------------------

    def consider(self, picture: Picture, now: float) -> Referee[S]:
        """What the referee thinks after looking at the quiet part of the table."""
        if self.paused:
            return self
        referee = self._by_time(picture, now)
        if referee.violation is not None:
            return referee._await_remedy(picture, now)
        if referee.state.phase == "over":
            return referee._after_the_end(picture, now)
        if any(place.area is Area.ROW for place in picture.busy):
            return referee
        if referee.awaiting:
            return referee._await_cards(picture)
        if not referee.turns:
            return referee._before_the_first_action(picture, now)
        return referee._during_play(picture, now)

    def _by_time(self, picture: Picture, now: float) -> Referee[S]:
        referee = self
        turn = self.open_turn
        if turn is not None and not self._still_busy(turn, picture) and now - self._last_touch(turn, picture) > self.timing.tidy:
            referee = referee._close("time")
        if referee.pressed is not None and now - referee.pressed[1] > self.timing.press_lapses:
            referee = replace(referee, pressed=None)
        return referee

    def _still_busy(self, turn: Turn[S], picture: Picture) -> bool:
        return turn.action.seat is not None and picture.unfinished({turn.action.seat})

    def _last_touch(self, turn: Turn[S], picture: Picture) -> float:
        seats = set() if turn.action.seat is None else {turn.action.seat}
        return max(turn.at, picture.moved_at(seats))

    @property
    def row_peak(self) -> int:
        """The most cards that have lain on the row so far."""
        return max((len(turn.after.table.row) for turn in self.turns), default=0)

    def _await_cards(self, picture: Picture) -> Referee[S]:
        if picture.busy or picture.out or not agrees(picture.change, self.state.table):
            return self
        return replace(self, awaiting=False)._absorb(picture.change)

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
                return replace(self, violation=None)._note(now, "cleared", ruling=violation.ruling)
            return self
        state = self.game.opened(self.state)
        ruling = self.game.explain(state, picture.change)
        still = now - picture.moved_at(seats) > self.timing.undone and self._seen_whole(picture, state, (ruling.action,))
        if ruling.verdict is Verdict.LEGAL and ruling.action is not None and still and waited:
            cleared = replace(self, violation=None)._note(now, "cleared", ruling=violation.ruling)
            return cleared._accept(ruling.action, state, now)._absorb(picture.change)
        return self

    def _after_the_end(self, picture: Picture, now: float) -> Referee[S]:
        """Cards are turned over one by one; only a face that does not belong there is anybody's concern."""
        mats = tuple(
            tuple(seen if isinstance(seen, Card) or seen is Mark.FOREIGN else None for seen in mat) for mat in picture.change.mats
        )
        faces = replace(picture, change=replace(picture.change, mats=mats, returned=()))
        if self.awaiting:
            return self._await_cards(faces)
        if not self.turns:
            return self
        turn = self.open_turn
        if turn is not None and any(place.area is Area.ROW for place in picture.busy):
            return self
        if turn is not None:
            return self._during_play(replace(faces, change=replace(faces.change, row=picture.change.row)), now)
        return self._during_play(replace(faces, change=replace(faces.change, row=None)), now)

    def _before_the_first_action(self, picture: Picture, now: float) -> Referee[S]:
        """Setting up is a free zone: whatever is quiet and complete is the deal, until a first action is seen."""
        change = picture.change
        watched = [seat for seat, looked in enumerate(self.sight.watched) if looked]
        complete = not picture.unfinished(watched) and not change.row
        if not self.deal_known:
            settled = complete and now - picture.moved_at(watched) >= self.timing.dealt
            return self._deal(picture, now) if settled else self
        if agrees(change, self.dealt.table):
            return self._standing(picture, now)
        state = self.game.opened(self.dealt)
        ruling = self.game.explain(state, change)
        if change.row or ruling.verdict in (Verdict.LEGAL, Verdict.UNSURE):
            return self._judge_now(picture, now, state, ruling)
        begun = self.game.could_become(state, change)
        if not complete or now - picture.moved_at(watched) < (self.timing.patience if begun else self.timing.accuse):
            return self
        if ruling.error in OUT_OF_TURN and len(concerned_seats(change, self.dealt.table)) == 2:
            return self._judge_now(picture, now, self.dealt, self.game.explain(self.dealt, change))
        return self._deal(picture, now)

    def _deal(self, picture: Picture, now: float) -> Referee[S]:
        """Take what lies there as the deal; a card that cannot be there is a violation even now."""
        fresh = self.game.redealt(self.dealt)
        referee = replace(self, dealt=fresh, deal_known=True, deal_at=now)._absorb(picture.change)
        ruling = self.game.explain(referee.dealt, picture.change)
        if ruling.error in ("foreign_card", "duplicate_card"):
            return self._accuse(picture, now, ruling, self.timing.second_look)
        return referee

    def _during_play(self, picture: Picture, now: float) -> Referee[S]:
        state, turn = self.state, self.turns[-1]
        change = picture.change
        if exactly_as_agreed(change, state.table):
            return self._standing(picture, now)
        now_ruling = self.game.explain(state, change)
        if now_ruling.verdict is Verdict.NOTHING and agrees(change, state.table):
            return self._standing(picture, now)
        late = turn.closed == "time" and now_ruling.verdict is Verdict.ILLEGAL
        if (not turn.closed or late) and not agrees(change, state.table):
            before_ruling = self.game.explain(turn.before, change)
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
            if ruling.action == turn.action:
                return self
            if not self._still(picture, turn.before, now, ruling.action.seat) or not self._seen_whole(picture, turn.before, (ruling.action,)):
                return self
            back = replace(self, turns=self.turns[:-1])._note(now, "undone", turn.action)
            return back._accept(ruling.action, turn.before, now)._absorb(change)
        if ruling.verdict is Verdict.NOTHING and not late and not turn.by_hand and agrees(change, turn.before.table):
            # The next player may have lifted the newest discard, which looks the same for a while.
            begun = self.game.could_become(turn.after, change)
            wait = self.timing.patience if begun else self.timing.undone
            if now - picture.moved_at(concerned_seats(change, turn.after.table)) < wait:
                return self
            return replace(self, turns=self.turns[:-1])._note(now, "undone", turn.action)
        return None

    def _is_same_turn(self, picture: Picture, turn: Turn[S], ruling: Ruling, from_before: Ruling) -> bool:
        """Whether what is wrong now is part of the turn that is still open, rather than somebody else's act."""
        touched = {place.seat for place in differing_slots(picture.change, turn.after.table)}
        own = turn.action.seat
        again = ruling.error == "acted_twice" and ruling.seat == own
        same = touched == {own} or (not touched and from_before.error == "two_actions") or again
        return from_before.verdict is Verdict.ILLEGAL and own is not None and same

    # ---- judging ------------------------------------------------------------------------------------------------

    def _judge_now(self, picture: Picture, now: float, state: S, ruling: Ruling, undo: bool = False) -> Referee[S]:
        if ruling.verdict is Verdict.LEGAL and ruling.action is not None:
            if not self._still(picture, state, now, ruling.action.seat) or not self._seen_whole(picture, state, (ruling.action,)):
                return self
            return self._close("act")._accept(ruling.action, state, now)._absorb(picture.change)
        if ruling.verdict is Verdict.UNSURE:
            return self._ask(picture, now, state, ruling)
        if ruling.verdict is Verdict.NOTHING:
            return self._standing(picture, now)
        hidden = self._unseen_before(picture, state, ruling)
        if hidden is not None:
            return self._ask(picture, now, state, hidden)
        referee = replace(self, turns=self.turns[:-1]) if undo and self.turns else self
        judged = referee._accuse(picture, now, ruling, self._delay(picture, state, ruling))
        if judged is referee:
            return self
        return judged if not undo else judged._note(now, "undone", self.turns[-1].action)

    def _delay(self, picture: Picture, state: S, ruling: Ruling) -> float:
        timing = self.timing
        if ruling.error == "peek":
            return timing.peek_current if ruling.seat == state.current else timing.peek
        if ruling.error in ("foreign_card", "duplicate_card", "removed_card_returned"):
            return timing.second_look
        pressed = self.pressed is not None and self.pressed[0] == state.current
        change, table = picture.change, state.table
        # A card that left the row and lies nowhere yet is in somebody's hand.
        in_hand = change.row is not None and len(change.row) < len(table.row) and not differing_slots(change, table)
        if not pressed and (in_hand or self.game.could_become(state, change)):
            return timing.patience
        return timing.accuse

    def _still(self, picture: Picture, state: S, now: float, actor: int | None) -> bool:
        """Whether an action may be named: a player who holds more cards of these mats may not have finished."""
        seats = concerned_seats(picture.change, state.table) | (set() if actor is None else {actor})
        wait = self.timing.finish if picture.unfinished(seats) else self.timing.confirm
        return now - picture.moved_at(seats) >= wait - 1e-6

    def _seen_whole(self, picture: Picture, state: S, actions: Iterable[Action | None]) -> bool:
        """Whether every slot that the actions change can be looked at; a covered one proves nothing."""
        hidden = {*picture.busy, *picture.out}
        old = state.table.hands
        return not any(
            place.area is Area.SLOT and old[place.seat] != self.game.after(state, action).table.hands[place.seat]
            and old[place.seat][place.number - 1] != self.game.after(state, action).table.at(place)
            for action in actions if action is not None
            for place in hidden
        )

    def _accuse(self, picture: Picture, now: float, ruling: Ruling, delay: float) -> Referee[S]:
        table = self.state.table
        named = {*ruling.seats, *(place.seat for place in ruling.places), ruling.seat}
        seats = concerned_seats(picture.change, table) | {seat for seat in named if seat is not None and seat >= 0}
        if picture.unfinished(seats) or now - picture.moved_at(seats) < delay:
            return self
        violation = Violation(ruling, now, remedy(picture.change, table))
        return replace(self, violation=violation, question=None, pressed=None)._note(now, "violation", ruling.action, ruling)

    def _unseen_before(self, picture: Picture, state: S, ruling: Ruling) -> Ruling | None:
        """The next player acts though it is not his turn: the one before may have done something that leaves no trace."""
        if ruling.error not in OUT_OF_TURN or not row_is_blind(self.sight.row):
            return None
        for action in self.game.invisible(state):
            after = self.game.after(state, action)
            if self.game.explain(after, picture.change).verdict in (Verdict.LEGAL, Verdict.UNSURE):
                return Ruling(Verdict.UNSURE, choices=(action, None), places=ruling.places)
        return None

    def _ask(self, picture: Picture, now: float, state: S, ruling: Ruling) -> Referee[S]:
        cause = (state.turn, repr(ruling.choices))
        seats = concerned_seats(picture.change, state.table)
        current = state.current
        tapped = current is not None and not self.sight.watched[current]
        wait = self.timing.ask_tap if tapped else self.timing.ask
        if self.pressed is not None:
            wait = min(wait, self.timing.accuse)
        if self.question is not None or cause in self.asked or picture.unfinished(seats) or now - picture.moved_at(seats) < wait:
            return self
        if not self._seen_whole(picture, state, ruling.choices):
            return self
        choices = ruling.choices if len(ruling.choices) <= MOST_CHOICES else ()
        kind = "which_action" if choices else "reseat"
        question = Question(len(self.asked) + 1, kind, choices, now, current, ruling.places)
        return replace(self, question=question, asked=(*self.asked, cause))._note(now, "question", ruling=ruling)

    def _standing(self, picture: Picture, now: float) -> Referee[S]:
        """Everything lies as agreed: learn what can be read, and take a press for what it says."""
        referee = self._absorb(picture.change)
        if referee.question is not None:
            referee = replace(referee, question=None)._note(now, "answer")
        if referee.pressed is None or picture.busy:
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
        if hidden is not None and hidden.seat == seat and row_is_blind(referee.sight.row):
            return referee._accept(hidden, state, now, by_hand=True)._close("press")
        return referee

    # ---- bookkeeping --------------------------------------------------------------------------------------------

    def _accept(self, action: Action, state: S, now: float, by_hand: bool = False) -> Referee[S]:
        turn = Turn(action, state, self.game.after(state, action), now, by_hand=by_hand)
        pressed = self.pressed if self.pressed is None or self.pressed[0] != action.seat else None
        closed = "press" if self.pressed is not None and self.pressed[0] == action.seat else ""
        turn = replace(turn, closed=closed)
        return replace(self, turns=(*self.turns, turn), pressed=pressed, question=None)._note(now, "action", action)

    def _close(self, how: str) -> Referee[S]:
        if self.open_turn is None:
            return self
        return replace(self, turns=(*self.turns[:-1], replace(self.turns[-1], closed=how)))

    def _absorb(self, change: Change) -> Referee[S]:
        referee = self
        for unknown, card in readings_to_learn(change, self.state.table):
            referee = referee._learn(unknown, card)
        return referee

    def _learn(self, unknown: Unknown, card: Card) -> Referee[S]:
        learn: Callable[[S], S] = lambda state: self.game.learn(state, unknown, card)  # noqa: E731
        turns = tuple(replace(turn, before=learn(turn.before), after=learn(turn.after)) for turn in self.turns)
        return replace(self, dealt=learn(self.dealt), turns=turns)

    def _note(self, now: float, kind: str, action: Action | None = None, ruling: Ruling | None = None) -> Referee[S]:
        return replace(self, log=(*self.log, LogEntry(now, kind, action, ruling)))


AnyReferee = Referee[Any]
