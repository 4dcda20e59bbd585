"""How players and the table talk: the page says things, people answer with buttons and taps."""

from __future__ import annotations

from collections.abc import Callable

from companion.observation import Agree, Answer, Call, Claim, Press
from companion.views import MoveView
from firmware.virtual.moves import Hands
from firmware.virtual.stage import Act, Stage, Until
from firmware.virtual.truth import ActionData, matches

DIFFERS = "differs"
"""Kind of the question whether the table is right or the screen."""
RESTORES = ("return_card", "clear_slot", "return_row")
"""Kinds of lines that put the table back to what the screen shows."""
DOUBTS_S = 8.0
"""So soon the page has said whether it takes what lies there for wrong."""
PATIENCE = 20.0
"""Seconds that players wait for the table before they go on."""


class Talk:
    """What the players read on the page and say to it."""

    def __init__(self, stage: Stage, hands: Hands, matches: Callable[[ActionData, MoveView | None], bool] = matches) -> None:
        """`matches`: whether a move on the page is an action, in the shape of the game's records."""
        self.stage = stage
        self.hands = hands
        self._matches = matches
        self._patience = PATIENCE + stage.slack
        self._answered: set[int] = set()

    @property
    def asked(self) -> bool:
        """A question stands on the page that nobody has answered yet."""
        view = self.stage.view
        return view is not None and view.question is not None and view.question.id not in self._answered

    @property
    def wants_confirmation(self) -> bool:
        """The page waits for the button: no camera sees whether the last action was carried out."""
        view = self.stage.view
        return view is not None and any(placement.kind == "confirm" for placement in view.awaiting)

    @property
    def accused(self) -> bool:
        """The page names a violation."""
        return self.stage.view is not None and self.stage.view.violation is not None

    @property
    def putting_back(self) -> bool:
        """The page lists what has to be put back: a violation, or what people said that the screen is right about."""
        view = self.stage.view
        if view is None or view.violation is not None:
            return view is not None
        # What undo wants laid back is no fault of anybody's.
        return not view.steps and any(line.kind in RESTORES for line in view.awaiting)

    @property
    def may_be_taken_back(self) -> bool:
        """Whether the page still calls the last turn provisional."""
        view = self.stage.view
        return view is not None and view.last is not None and view.last.provisional

    def shows_turn(self, number: int) -> bool:
        """Whether the page has accepted as many turns and wants nothing else."""
        view = self.stage.view
        return view is not None and view.violation is None and view.question is None and view.turn >= number

    def answer(self, action: ActionData | None) -> Act:
        """Tap the choice that says what was really done; "nothing" where none does."""
        yield from self.hands.pause(1.0, 1.5)
        question = self.stage.view.question if self.stage.view is not None else None
        if question is None:
            return
        self._answered.add(question.id)
        choices = list(question.choices)
        true = [i for i, move in enumerate(choices) if action is not None and self._matches(action, move)]
        choice = true[0] if true else choices.index(None) if None in choices else 0
        if question.kind == DIFFERS and action is None:
            # Whoever broke a rule knows that it is the screen that is right: its way out is the last one.
            choice = len(choices) - 1
        seat = question.seat if question.seat is not None else 0
        self.stage.say(seat, Answer(question.id, choice))
        yield 0.2

    def by_hand(self, seat: int) -> bool:
        """Whether the page says that the moves of `seat` are entered by tap because its camera has failed."""
        return self.stage.view is not None and self.stage.view.seats[seat].by_hand

    @property
    def blind_row(self) -> bool:
        """Whether the page says that nothing watches the row."""
        return self.stage.view is not None and "discards" in self.stage.view.blind

    def await_turn(
        self, number: Callable[[], int], seat: int, action: ActionData,
        declare: Callable[[], Claim | Press | None] = lambda: None, called_off: Callable[[], bool] = lambda: False,
    ) -> Act:  # fmt: skip
        """Wait until the page shows `number` turns as done; answer questions truly.  False: it never did.

        `declare` says what the player of `seat` has to tap or press for the page to follow; he does so once.  `called_off`:
        the page has something else in mind by now.
        """
        end = self.stage.now + self._patience
        owed = [declare]

        def noteworthy() -> bool:
            return called_off() or self.asked or self.shows_turn(number()) or any(say() is not None for say in owed)

        while True:
            if not (yield Until(noteworthy, end - self.stage.now)) or called_off():
                return False
            if self.asked:
                yield from self.answer(action)
            elif self.shows_turn(number()):
                return True
            else:
                said = owed.pop()()
                assert said is not None, "nothing else was noteworthy"
                self.stage.say(seat, said)

    def await_accusation(self, patience: float | None = None) -> Act:
        """Wait until the page names a violation, or lists what differs and has to be put back.  False: it never did."""
        end = self.stage.now + (self._patience if patience is None else patience)
        while True:
            seen = yield Until(lambda: self.asked or self.putting_back, end - self.stage.now)
            if not seen or self.putting_back:
                return seen
            yield from self.answer(None)

    def await_peace(self) -> Act:
        """Wait until the page lists nothing any more that has to be put back.  False: it went on."""
        end = self.stage.now + self._patience
        while self.putting_back and self.stage.now < end:
            yield Until(lambda: self.asked or not self.putting_back, end - self.stage.now)
            if self.asked:
                yield from self.answer(None)
        return not self.putting_back

    def insist(self, seat: int) -> Act:
        """Everything lies as it should: if the page soon has another opinion, it is told that the table is right."""
        yield Until(lambda: self.asked or self.putting_back, DOUBTS_S + self.stage.slack)
        question = self.stage.view.question if self.stage.view is not None else None
        if question is not None and self.asked and question.kind == DIFFERS:
            yield from self.hands.pause(1.0, 1.5)
            self._answered.add(question.id)
            self.stage.say(seat, Answer(question.id, 0))
        elif self.putting_back:
            yield from self.take_the_table(seat)
            yield Until(lambda: not self.putting_back, self._patience)

    def take_the_table(self, seat: int) -> Act:
        """`seat` says that the table is right, and everybody agrees."""
        self.stage.say(seat, Call("table_right"))
        yield Until(lambda: bool(self._waiting), self._patience)
        for voter in self._waiting:
            yield from self.hands.pause(0.3, 0.8)
            assert self.stage.view is not None
            if self.stage.view.proposal is not None:
                self.stage.say(voter, Agree(self.stage.view.proposal.id, True))

    @property
    def _waiting(self) -> tuple[int, ...]:
        """The seats that have to agree with what is proposed."""
        proposal = self.stage.view.proposal if self.stage.view is not None else None
        return () if proposal is None else proposal.waiting
