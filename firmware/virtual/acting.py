"""What one player does in his turn: what he chooses, how his hands do it, and what he has to say because no camera sees it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from companion.observation import Claim, Press
from companion.table import SLOTS, Place, slot
from firmware.virtual.stage import Act
from firmware.virtual.talking import Talk
from firmware.virtual.truth import ActionData, Truth, discards
from firmware.virtual.world import HandOf, World, row_place


@dataclass(frozen=True, slots=True)
class Manners:
    """How the people at the table behave."""

    sources: tuple[str, ...]
    """Per seat ``mat``, ``tap`` or ``bot``."""
    lively: tuple[bool, ...]
    """Per seat whether the player holds, fans, changes his mind and forgets."""
    hard: bool = False
    persons: tuple[int, ...] = ()
    """Seats that living people play by tapping; the script moves the cards for them."""
    upcards: str = "scan"
    """How the table learns of open cards: ``scan`` (each is shown to its window before it is turned) or ``tap``."""


class Acting:
    """How the people of one game choose their moves and carry them out."""

    def __init__(self, truth: Truth, world: World, talk: Talk, manners: Manners, rng: random.Random) -> None:
        self.truth, self.world, self.talk, self.manners, self.rng = truth, world, talk, manners, rng
        self.stage, self.hands = talk.stage, talk.hands
        self.claimed: ActionData = {}
        """The move that is being made, if it was tapped before."""
        self._drawish = rng.uniform(0.45, 0.7)

    def perform(self, action: ActionData) -> Act:
        """Do with hands what the action says."""
        seat, row = action["seat"], len(self.truth.state.table.row)
        lively = self.changes_mind(seat)
        self.claimed = {}
        if self.claims(action):
            self.claimed = dict(action)
            self.stage.say(seat, Claim(self.truth.game.action_from_json(action)))
            yield from self.hands.pause(0.2, 0.6)
        style = self.rng.choice(("tidy", "row_first", "under") if lively else ("tidy", "row_first"))
        kind = action["type"]
        if kind == "draw" and action.get("use") is None:
            yield from self.hands.draw_discard(seat, row)
        elif kind == "draw":
            own = slot(seat, action["use"])
            if lively and self.world.tray == "overhead" and self.rng.random() < 0.25:
                yield from self.change_mind(seat, own, row)
            else:
                yield from self.hands.draw_use(seat, own, row, style)
        elif kind == "take":
            yield from self.hands.take(seat, slot(seat, action["slot"]), row, style)
        elif kind == "steal":
            yield from self.steal(action, style)

    def changes_mind(self, seat: int) -> bool:
        """Who moves cards for a bot has nothing to change his mind about."""
        return self.manners.lively[seat] and self.manners.sources[seat] != "bot"

    def claims(self, action: ActionData) -> bool:
        """A move that no camera can follow is tapped by whoever does it."""
        seat = action["seat"]
        if self.manners.sources[seat] == "bot" or seat in self.manners.persons:
            return False
        return self.unwatched(seat) or any(self.unwatched(place.seat) for place in self.touched(action))

    def steal(self, action: ActionData, style: str) -> Act:
        seat, theirs, own = action["seat"], slot(action["from"], action["slot"]), slot(action["seat"], action["give"])
        if self.manners.hard and self.changes_mind(seat) and self.rng.random() < 0.25:
            yield from self.hands.give_up_steal(seat, theirs, own)
        if self.changes_mind(seat) and self.rng.random() < 0.25:
            other = self.rng.choice([number for number in SLOTS if number != own.number])
            first, stolen = slot(seat, other), self.world.top(theirs)
            yield from self.hands.steal(seat, theirs, first, style)
            yield from self.hands.pause(0.3, 1.5)
            # He would rather give another card: the first one comes home.
            goals = [(self.world.top(own), theirs, True), (self.world.top(theirs), first, True), (stolen, own, True)]
            yield from self.hands.rearrange(seat, goals)
            return
        yield from self.hands.steal(seat, theirs, own, style)

    def change_mind(self, seat: int, own: Place, row: int) -> Act:
        """Discard the drawn card, then take it up again and use it."""
        place = row_place(self.world.tray, row + 1)
        yield from self.hands.draw_discard(seat, row)
        yield from self.hands.pause(0.2, 1.2)
        yield from self.hands.lift(seat, place)
        yield from self.hands.use_held(seat, self.world.top(HandOf(seat)), own, "tidy")
        yield from self.hands.lay(self.world.top(HandOf(seat)), place, face_down=False)

    def choose(self, legal: Sequence[dict[str, Any]]) -> dict[str, Any]:
        """A sensible mixture of the kinds, any action of the kind."""
        kinds = sorted({str(action["type"]) for action in legal})
        weights = {"draw": self._drawish, "steal": 0.85 - self._drawish, "take": 0.2, "pass": 0.01}
        kind = self.rng.choices(kinds, [weights[kind] for kind in kinds])[0]
        found = [action for action in legal if action["type"] == kind]
        discards = [action for action in found if action["type"] == "draw" and action.get("use") is None]
        return self.rng.choice(discards if discards and self.rng.random() < 0.35 else found)

    def touched(self, action: ActionData) -> frozenset[Place]:
        """The slots that an action touches."""
        seat = action.get("seat")
        if seat is None or action["type"] == "pass":
            return frozenset()
        if action["type"] == "steal":
            return frozenset((slot(seat, action["give"]), slot(action["from"], action["slot"])))
        number = action.get("use") if action["type"] == "draw" else action["slot"]
        return frozenset((slot(seat, number),)) if number is not None else frozenset()

    def hidden(self, action: ActionData) -> bool:
        """Whether 1.11 calls this turn invisible to this rig."""
        if any(self.unwatched(place.seat) for place in self.touched(action)):
            return True
        row = self.truth.state.table.row
        # Where nothing sees the row, a steal from a seat without a camera would leave the same trace as well.
        untold = (bool(row) and row[-1] not in self.truth.known) or not all(self.world.watched)
        kind = action["type"]
        return self.blind_row and (discards(action) or (untold and kind in ("take", "draw")))

    def unwatched(self, seat: int) -> bool:
        """Whether no camera follows the cards of this seat now."""
        return not self.world.watched[seat] or self.talk.by_hand(seat)

    @property
    def blind_row(self) -> bool:
        """Whether nothing follows the row now."""
        return self.world.tray == "none" or self.talk.blind_row

    def owed(self, seat: int, action: ActionData) -> Claim | Press | None:
        """What a player has to say of a move that the cameras could still follow when he began it."""
        if any(self.talk.by_hand(place.seat) for place in self.touched(action)) or self.talk.by_hand(seat):
            return Claim(self.truth.game.action_from_json(action))
        return Press() if self.talk.blind_row and discards(action) else None
