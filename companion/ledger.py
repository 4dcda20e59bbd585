"""The record of one sitting and the pictures beside it: what could not be written down does not count."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from companion.chronicle import Chronicle, Noted, Shown
from companion.errors import JournalError
from companion.evidence import Evidence, Sealed
from companion.exhibition import Opened, Proof, hard_cases, opened_now, picture, proofs
from companion.games.base import Result
from companion.observation import Declaration, Observation
from companion.particulars import Heard, Particular
from companion.referee import AnyReferee
from companion.reveal import Reveal
from companion.rulings import Change
from companion.views import HardCase
from companion.watch import Watch

RETRY_S = 2.0
"""How often it is tried whether the record can be written again."""


class Ledger:
    """Writes down what is agreed, and keeps the evidence for it.  Used by the table's own thread."""

    def __init__(self, chronicle: Chronicle | None, evidence: Evidence | None) -> None:
        self._chronicle, self._evidence = chronicle, evidence
        self._heard = Heard()
        self._next_try = 0.0
        self._looked_back: Result | None = None
        """The result for which the hard cases were looked up."""
        self.trouble = ""
        """Why the record cannot be written; empty while it can."""
        self.hard_cases: tuple[HardCase, ...] = ()
        """Cards that were hard to read, once there is a result."""

    @property
    def pictureless(self) -> bool:
        """Pictures should be kept, and cannot."""
        return self._evidence is not None and bool(self._evidence.trouble)

    @property
    def clock_unset(self) -> bool:
        """Whether the wall clock was not set when the newest entry was written."""
        return self._chronicle is not None and not self._chronicle.clock_set

    def noted(self) -> Noted | None:
        """How far the record has come; None where nothing is recorded.  From any thread."""
        return None if self._chronicle is None else self._chronicle.noted()

    def declared(self, declaration: Declaration, refusal: str) -> None:
        """Something was declared, and taken where `refusal` is empty; it is written with what comes of it."""
        self._heard = self._heard.declared(declaration, refusal)

    def watched(self, watch: Watch) -> None:
        """Which cameras can be believed now; what is new of that is written with the rest."""
        self._heard = self._heard.cameras(watch)

    def resume(self, fresh: AnyReferee) -> tuple[AnyReferee, Reveal, float]:
        """What the record holds on top of a `fresh` referee, how far the reveal had come, and when that was."""
        chronicle = self._chronicle
        if chronicle is None:
            return fresh, Reveal(), 0.0
        referee = chronicle.resume(fresh)
        if self._evidence is not None:
            self._evidence.resume(chronicle.exhibits, referee)
        kept = chronicle.shown
        result = referee.game.result(referee.state) if kept.finished else None
        return referee, Reveal(kept.places, kept.named, result), chronicle.time

    def hear(self, observation: Observation) -> None:
        """One look of a camera, perhaps with pictures."""
        if self._evidence is not None:
            self._evidence.hear(observation)

    def keep(
        self, referee: AnyReferee, reveal: Reveal, time: float, change: Change,
        look: Callable[[], Particular | None] = lambda: None,
    ) -> tuple[AnyReferee, Reveal]:  # fmt: skip
        """Write down what is new; what counts then: all of it, or, where nothing can be written, what is written.

        `change`: what lay on the table when something was ruled last.  `look` tells what is seen, where no pictures do.
        """
        evidence = self._evidence
        gathered = () if evidence is None else evidence.gather(referee, change)
        counts = self._write((referee, reveal), time, gathered, look)
        self._heard = self._heard.written()
        if evidence is not None and not self.trouble:
            evidence.file(gathered, referee)
            self._look_back(referee, reveal, evidence)
        return counts

    def _write(
        self, news: tuple[AnyReferee, Reveal], time: float, gathered: tuple[Sealed, ...], look: Callable[[], Particular | None]
    ) -> tuple[AnyReferee, Reveal]:
        chronicle = self._chronicle
        referee, reveal = news
        if chronicle is None:
            return referee, reveal
        told = reveal.result if reveal.result is not None and not referee.game.told else None
        shown = Shown(reveal.places, reveal.named, reveal.result is not None, told)
        try:
            if self.trouble and referee is chronicle.agreement:
                # Nothing to write proves nothing: now and then it is tried whether anything could be.
                if time < self._next_try:
                    return referee, reveal
                self._next_try = time + RETRY_S
                chronicle.try_again(time)
            chronicle.keep(referee, shown, time, self._heard.waiting, look, gathered)
            self.trouble = ""
        except JournalError as error:
            # What nobody could restore must not be announced: the table waits where the record ends.
            self.trouble = str(error)
            kept = chronicle.shown
            written = Reveal(kept.places, kept.named, reveal.result if kept.finished else None)
            return cast(AnyReferee, chronicle.agreement), written
        return referee, reveal

    def _look_back(self, referee: AnyReferee, reveal: Reveal, evidence: Evidence) -> None:
        """When there is a result: which cards were hard; and pictures of hands that were never shown are deleted."""
        if reveal.result is self._looked_back:
            return
        self._looked_back = reveal.result
        self.hard_cases = ()
        if reveal.result is not None:
            self.hard_cases = hard_cases(referee, evidence, reveal.places)
            evidence.forget(reveal.places)

    def proofs(self, referee: AnyReferee, reveal: Reveal, number: int) -> tuple[Proof, ...]:
        """What stands behind action `number` and the rulings after it."""
        return proofs(referee, self._evidence, number, _opened(referee, reveal))

    def picture(self, referee: AnyReferee, reveal: Reveal, number: int) -> bytes | None:
        """The picture of this number as a PNG; None where it may not be seen, or is not there."""
        return picture(self._evidence, number, _opened(referee, reveal))


def _opened(referee: AnyReferee, reveal: Reveal) -> Opened:
    return opened_now(referee, reveal.places, reveal.result is not None)
