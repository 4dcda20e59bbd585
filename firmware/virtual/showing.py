"""The end: every card is turned over, slot by slot; seats without cameras enter theirs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from companion.cards import Card
from companion.observation import Entry
from companion.table import Place, slot
from companion.views import ResultView
from firmware.virtual.moves import Hands
from firmware.virtual.stage import Act, Stage, Until
from firmware.virtual.talking import PATIENCE
from firmware.virtual.truth import Truth


@dataclass(frozen=True, slots=True)
class Showing:
    """How hands are shown."""

    truth: Truth
    stage: Stage
    hands: Hands
    unwatched: Callable[[int], bool]
    """Whether no camera follows the cards of a seat."""
    called_off: Callable[[], bool]
    """Somebody has taken the end back."""

    def show(self, busy: set[int]) -> Act:
        """Turn all hands over and wait for the result; the answer is whether the page shows it."""
        yield Until(lambda: self.stage.view is not None and self.stage.view.revealing, PATIENCE)
        yield Until(lambda: not busy, 30.0)
        yield from self.hands.pause(0.5, 1.0)
        for place in self.truth.game.to_show(self.truth.state):
            if self.called_off():
                return False
            # After an end that was taken back and brought back some lie open already.
            if self.hands.world.lying(place)[-1].face_down:
                yield from self.hands.turn_over(place)
            if self.unwatched(place.seat):
                yield from self._enter(place, 0.3, 0.6)
        for place in self.truth.owed:
            if self.result is not None or self.called_off():
                break
            yield from self.hands.turn_over(place)
            yield from self._enter(place, 0.8, 1.2)
        yield Until(lambda: self.result is not None or bool(self.wanted_cards()) or self.called_off(), PATIENCE)
        for place in self.wanted_cards():
            yield from self._enter(place, 0.5, 1.0)
        yield Until(lambda: self.result is not None or self.called_off(), PATIENCE)
        return self.result is not None

    def _enter(self, place: Place, least: float, most: float) -> Act:
        card = self.truth.state.table.hands[place.seat][place.number - 1]
        assert isinstance(card, Card), "what is shown lies there"
        self.stage.say(place.seat, Entry(place, card))
        yield from self.hands.pause(least, most)

    def wanted_cards(self) -> tuple[Place, ...]:
        """Open cards that no camera could read and that the page asks for."""
        view = self.stage.view
        if view is None or view.question is None or view.question.kind != "enter_card":
            return ()
        return tuple(slot(seat, number) for seat, number in view.question.places)

    @property
    def result(self) -> ResultView | None:
        """The result on the page."""
        return self.stage.view.result if self.stage.view is not None else None
