"""What was agreed in a game so far, and how people add to it: presses, claims, answers, undo.

Every method is pure and returns a new value.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Generic, Self

from companion.cards import Card, Shadow, Unknown
from companion.comparing import moved_slots, readings_to_learn
from companion.errors import DeclarationError
from companion.games.base import Game, S
from companion.picture import Sight, row_is_blind
from companion.proceedings import (
    TYPED,
    Errand,
    LogEntry,
    Proposal,
    Question,
    Seating,
    Stop,
    Timing,
    Trust,
    Turn,
    Typed,
    Violation,
)
from companion.rulings import Action, Change, Ruling, Verdict
from companion.table import SLOTS, Place, slot


@dataclass(frozen=True, slots=True)
class Agreement(Generic[S]):
    """Everything that was agreed, said and asked in one game, and what people can declare."""

    game: Game[S]
    sight: Sight
    dealt: S
    """The state before the first action."""
    timing: Timing = field(default_factory=Timing)
    hard: bool = False
    bots: frozenset[int] = frozenset()
    """Seats that announce every move before anybody carries it out: whatever is seen without that is not theirs."""
    turns: tuple[Turn[S], ...] = ()
    deal_known: bool = False
    """All watched hands have been seen complete once."""
    deal_at: float = 0.0
    errand: Errand | None = None
    """A declared action, or an undo, that still has to be carried out with the cards."""
    violation: Violation | None = None
    question: Question | None = None
    asked: tuple[tuple[int, str], ...] = ()
    """Causes of questions that were asked already."""
    pressed: tuple[int, float] | None = None
    paused: bool = False
    was_blind: bool = False
    """A camera was silent, and since then the table has not been as agreed: what is seen may be several moves."""
    undone: tuple[Turn[S], ...] = ()
    """Actions that were taken back and may be done again, the next one last."""
    running_since: float = 0.0
    """When play went on after the last pause or stop: what was waited for before counts from then."""
    stopped: Stop | None = None
    meanwhile: tuple[Change, float] | None = None
    """What lay when play was stopped where it may have been moved since, and when play went on: nobody is accused of that."""
    proposal: Proposal | None = None
    trusted: tuple[Trust, ...] = ()
    named: tuple[Card, ...] = ()
    """Faces that people have given to cards; a camera that sees one of them elsewhere sees its `Shadow`."""
    log: tuple[LogEntry, ...] = ()

    @property
    def halted(self) -> bool:
        """Nothing is judged and nobody can act."""
        return self.paused or self.stopped is not None

    @property
    def state(self) -> S:
        """The agreed state."""
        return self.turns[-1].after if self.turns else self.dealt

    @property
    def open_turn(self) -> Turn[S] | None:
        """The last turn while it may still be taken back."""
        return self.turns[-1] if self.turns and not self.turns[-1].closed else None

    @property
    def row_peak(self) -> int:
        """The most cards that have lain on the row so far."""
        return max((len(turn.after.table.row) for turn in self.turns), default=0)

    # ---- what people declare ------------------------------------------------------------------------------------

    def press(self, seat: int, now: float) -> Self:
        """The big button of `seat`: "I am done"."""
        turn = self.open_turn
        if self.question is not None and self.question.seat == seat:
            return self.answer(self.question.id, 0, now)
        if self.errand is not None and not self.errand.seen and self.errand.seat == seat:
            return replace(self._close("press"), errand=None)
        if turn is not None and seat == turn.action.seat:
            return replace(self, pressed=(seat, now))
        if seat == self.game.opened(self.state).current:
            # The next player's press also ends the time in which the turn before may be taken back.
            return replace(self._close("act"), pressed=(seat, now))
        return self

    def claim(self, action: Action, now: float, ordered: bool = False) -> Self:
        """An action declared by tap; people carry it out with the cards before or after.

        `ordered`: the companion has chosen it, so nobody can have carried it out before.
        """
        state = self.game.opened(self.state)
        ruling = self.game.judge(state, action)
        if self.stopped is not None:
            raise DeclarationError("play is stopped", "first_go_on")
        if self.paused:
            raise DeclarationError("the table pauses", "first_resume")
        if self.proposal is not None:
            raise DeclarationError("first what was proposed has to be answered", "proposal_first")
        if self.violation is not None:
            raise DeclarationError("first the cards have to be put back as listed", "put_back_first")
        if ruling.verdict is not Verdict.LEGAL:
            said = f"{action} is not possible now: {ruling.error}"
            if ruling.error == "not_your_turn":
                raise DeclarationError(said, "not_your_turn")
            if ruling.error == "drew_out_of_turn":
                raise DeclarationError(said, "drew_out_of_turn")
            raise DeclarationError(said, "no_offer")
        accepted = self._accept(action, state, now, by_hand=True)
        settled = self.game.settles(action)
        turn = replace(accepted.turns[-1], ordered=ordered, pliable=not (ordered or settled or self.game.taps))
        turn = replace(turn, closed="press") if settled else turn
        accepted = replace(accepted, turns=(*accepted.turns[:-1], turn))
        errand = self._errand(action.seat, state, accepted.state)
        carried = errand.seen or (ordered and bool(errand.slots or not settled))
        return replace(accepted, errand=errand if carried else None, question=None)

    def _errand(self, seat: int | None, before: S, after: S) -> Errand:
        """What has to be moved between two states, and what of an errand before is not done yet."""
        moved = moved_slots(before.table, after.table)
        row = before.table.row != after.table.row and not row_is_blind(self.sight.row)
        watched = any(self.sight.watched[place.seat] for place in moved)
        pending = self.errand.slots if self.errand is not None and self.errand.seen else ()
        return Errand(seat, tuple(sorted({*moved, *pending})), bool(row or watched or pending))

    def answer(self, question: int, choice: int, now: float) -> Self:
        """The tap on one of the choices of the open question."""
        if self.question is None or self.question.id != question:
            raise DeclarationError(f"question {question} is not open", "no_question")
        if not 0 <= choice < len(self.question.choices):
            last = len(self.question.choices) - 1
            raise DeclarationError(f"question {question} has choices 0 to {last}, not {choice}", "no_choice")
        action = self.question.choices[choice]
        told = replace(self, question=None)._note(now, "answer", action)
        if action is None or isinstance(action, Typed):
            return told
        state = self.game.opened(told.state)
        if self.game.judge(state, action).verdict is not Verdict.LEGAL:
            raise DeclarationError(f"{action} is not possible any more", "no_offer")
        return told._accept(action, state, now, by_hand=True)

    def misdealt(self, now: float) -> Self:
        """Anyone may call a misdeal before the first action: everything is dealt again."""
        if self.turns:
            raise DeclarationError("a misdeal can be called before the first action only", "begun")
        fresh = replace(self, dealt=self.game.redealt(self.dealt), deal_known=False, violation=None, question=None)
        fresh = replace(fresh, errand=None, undone=(), proposal=None, trusted=(), named=(), meanwhile=None)
        return fresh._note(now, "misdeal")

    def seated(self, seat: int, away: bool, now: float) -> Self:
        """The player of `seat` leaves, or somebody sits down there again."""
        changed = self.game.seated(self.state, seat, away)
        if changed == self.state:
            raise DeclarationError(f"seat {seat} is {'away' if away else 'here'}, or the game is over", "no_change")
        closed = self._close("act")._noted(LogEntry(now, "left" if away else "returned", seat=seat))
        if not away:
            # He gets as long as everybody for cards that do not lie there yet.
            closed = replace(closed, running_since=now)
        if not closed.turns and changed.phase != "over":
            return replace(closed, dealt=changed)
        # What ends the game can be taken back like a move, also before the first one.
        turn = Turn(Seating(seat, away), closed.state, changed, now, closed="act", by_hand=True)
        errand = closed._errand(seat, closed.state, changed)
        moves = errand if errand.seen else closed.errand
        return replace(closed, turns=(*closed.turns, turn), undone=(), proposal=None, errand=moves)

    def returned(self, seat: int, now: float) -> Self:
        """Somebody sits down at `seat` again; where the leaving of another one has ended the game it goes on with him."""
        last = self.turns[-1] if self.turns else None
        over = last is not None and self.state.phase == "over" and isinstance(last.action, Seating) and last.action.away
        if last is None or not over or seat not in self.game.public(last.before).away:
            return self.seated(seat, False, now)
        assert last.action.seat is not None, "somebody has left"
        return replace(self, turns=self.turns[:-1]).seated(seat, False, now).seated(last.action.seat, True, now)

    def ask_for_cards(self, places: tuple[Place, ...], now: float) -> Self:
        """At the reveal: these cards lie open and no camera could read them, so somebody enters them; asked once."""
        cause = (self.state.turn, "enter_card")
        pending = self.question is not None and self.question.kind in TYPED
        if cause in self.asked or pending:
            return self
        question = Question(len(self.log) + 1, "enter_card", (), now, None, places)
        return replace(self, question=question, asked=(*self.asked, cause))._note(now, "question")

    def doubting(self, question: Question, now: float) -> Self:
        """At the reveal: a card was typed that goes against what everybody has seen, so it is asked about first."""
        # Which cards have to be entered can be asked once more when that is settled.
        asked = tuple(cause for cause in self.asked if cause[1] != "enter_card")
        return replace(self, question=question, asked=asked)._note(now, "question")

    def ended(self, now: float) -> Self:
        """The result has been announced."""
        return self._note(now, "result")

    # ---- bookkeeping --------------------------------------------------------------------------------------------

    def _accept(self, action: Action, state: S, now: float, by_hand: bool = False) -> Self:
        turn = Turn(action, state, self.game.after(state, action), now, by_hand=by_hand)
        pressed = self.pressed if self.pressed is None or self.pressed[0] != action.seat else None
        closed = "press" if self.pressed is not None and self.pressed[0] == action.seat else ""
        turn = replace(turn, closed=closed)
        accepted = replace(
            self, turns=(*self.turns, turn), pressed=pressed, question=None, was_blind=False, undone=(), proposal=None,
            meanwhile=None, errand=self._dealing(action.seat, state, turn.after),
        )  # fmt: skip
        return accepted._note(now, "action", action)

    def _dealing(self, seat: int | None, before: S, after: S) -> Errand | None:
        """What has to be dealt now into slots that were empty: whoever acted last cannot have done that."""
        fresh = tuple(place for place in moved_slots(before.table, after.table) if before.table.at(place) is None)
        return Errand(seat, fresh, True) if any(self.sight.watched[place.seat] for place in fresh) else None

    def _taken_back(self, now: float) -> Self:
        """Without the last turn, which its player has taken back with the cards."""
        return replace(self, turns=self.turns[:-1], undone=(), proposal=None)._note(now, "undone", self.turns[-1].action)

    def blinded(self) -> Self:
        """A camera is silent: whatever is seen afterwards accuses nobody until the table is as agreed again."""
        return self if self.was_blind else replace(self, was_blind=True)

    def _close(self, how: str) -> Self:
        if self.open_turn is None:
            return self
        return replace(self, turns=(*self.turns[:-1], replace(self.turns[-1], closed=how)))

    def _absorb(self, change: Change) -> Self:
        agreed = self
        turn = self.open_turn
        if turn is not None and turn.pliable:
            # Who declared his move may still change his mind about the card that he gives away.
            change = _without(change, moved_slots(turn.before.table, turn.after.table))
        for unknown, card in readings_to_learn(change, self.state.table):
            agreed = agreed.learnt(unknown, card)
        return agreed

    def learnt(self, unknown: Unknown, card: Card) -> Self:
        """The agreement after `unknown` was read as `card`, in every state."""
        learn: Callable[[S], S] = lambda state: self.game.learn(state, unknown, card)  # noqa: E731
        known: Callable[[Turn[S]], Turn[S]] = lambda turn: replace(turn, before=learn(turn.before), after=learn(turn.after))  # noqa: E731
        turns, undone = tuple(map(known, self.turns)), tuple(map(known, self.undone))
        return replace(self, dealt=learn(self.dealt), turns=turns, undone=undone)

    def forgotten(self, card: Card) -> Self:
        """With `card` not known any more, wherever it has lain."""
        # A name that no card has takes the card's name over.
        return self.learnt(self._spare(), card)

    def renamed(self, old: Card, new: Card) -> Self:
        """With the card `old` called `new`, which is the name of no card."""
        return self.forgotten(old).learnt(self._spare(), new)

    def shadowed(self, card: Card) -> Self:
        """With `card` free to be the name of another one; what was read so before is its shadow.

        What people have called so is not known any more.  Were it a shadow, too, it could only be one where there is none
        yet, and then the name would come back to it later, which tells whether anybody else holds this card.
        """
        shadow, table = Shadow(card.rank, card.suit), self.state.table
        if table.find(card) is None:
            return self
        if card in self.named:
            left = list(self.named)
            left.remove(card)
            return replace(self.forgotten(card), named=tuple(left))
        if table.find(shadow) is not None:
            return self
        return self.renamed(card, shadow)

    def called(self, unknown: Unknown, card: Card) -> Self:
        """With `unknown` called `card` by people.

        Whoever names cards at random must not learn that somebody holds this one: what is its own goes on as its shadow.
        """
        known = self.shadowed(card).learnt(unknown, card)
        return replace(known, named=(*known.named, card))

    def unnamed(self, card: Card) -> Self:
        """With the card that is called `card` not known any more; its shadow is the card of that name again."""
        left = list(self.named)
        if card in left:
            # The shadow may have got its face from people, too.
            left.remove(card)
        known = replace(self.forgotten(card), named=tuple(left))
        shadow = Shadow(card.rank, card.suit)
        return known if known.state.table.find(shadow) is None else known.renamed(shadow, card)

    def _spare(self) -> Unknown:
        numbers = (held.number for held in self.dealt.table.cards() if isinstance(held, Unknown))
        return Unknown(max((51, *numbers)) + 1)

    def _note(self, now: float, kind: str, action: Action | None = None, ruling: Ruling | None = None) -> Self:
        return self._noted(LogEntry(now, kind, action, ruling))

    def _noted(self, entry: LogEntry) -> Self:
        return replace(self, log=(*self.log, entry))


def _without(change: Change, slots: tuple[Place, ...]) -> Change:
    """The change as if nobody looked at `slots` and at the row."""
    mats = tuple(
        tuple(None if slot(seat, number) in slots else seen for number, seen in zip(SLOTS, mat, strict=True))
        for seat, mat in enumerate(change.mats)
    )
    return replace(change, mats=mats, row=None)
