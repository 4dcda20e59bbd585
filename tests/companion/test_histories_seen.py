"""Any interleaving of moves, undo, redo, corrections, stops and restarts under cameras leaves the state of the plain history."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.cards import DECK, Card, Mark, Seen
from companion.chronicle import Chronicle
from companion.games import find_game
from companion.games.steal_state import Draw, StealCard, StealState, Take
from companion.journal import Journal, Stamp, game_file, read_walk
from companion.observation import Call, Correct, Reseat, Rewind
from companion.rulings import Action
from companion.seal import KEY, Seal
from companion.table import SLOTS, Place, row, slot
from companion.verification import verify
from tests.companion.amended import agree, call
from tests.companion.told import Told

GAME: Any = find_game("steal")
SEATS = 3
JOURNAL = "0123456789abcdef"
SEAL = Seal(bytes(range(KEY)))


def stamp(time: float) -> Stamp:
    return Stamp(time, datetime(2027, 3, 1, 18, 30, tzinfo=UTC))


def chronicle(folder: Path) -> Chronicle:
    path = game_file(folder, JOURNAL)
    journal = Journal.open(path) if path.exists() else Journal.create(path, JOURNAL, {}, stamp(0.0))
    return Chronicle(journal, SEAL, stamp)


def lying(state: StealState) -> dict[Place, Seen]:
    """What cameras that read everything see of a state."""
    table: Any = state.table
    seen: dict[Place, Seen] = {slot(seat, k): table.hands[seat][k - 1] for seat in range(SEATS) for k in SLOTS}
    seen.update({row(n): table.row[n - 1] if n <= len(table.row) else Mark.EMPTY for n in range(1, 10)})
    return seen


@dataclass
class World:
    """The cards as they lie in truth, the table that watches them, and the history as a list of actions."""

    folder: Path
    standing: list[Action] = field(default_factory=list)
    undone: list[Action] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.kept = chronicle(self.folder)
        self.table = Told(chronicle=self.kept)

    @property
    def plain(self) -> StealState:
        state: StealState = GAME.start(SEATS, GAME.options({}), DECK)
        hands = tuple(tuple(DECK[5 * seat : 5 * seat + 5]) for seat in range(SEATS))
        state = GAME.laid(state, type(state.table)(hands, DECK[15:], (), ()))
        for action in self.standing:
            state = GAME.after(GAME.opened(state), action)
        return state

    def move(self, seconds: float = 2.0, misread: tuple[Place, Card] | None = None) -> None:
        """Hands carry the cards to where the plain history has them."""
        wanted = lying(self.plain)
        if misread is not None:
            wanted[misread[0]] = misread[1]
        self.table.lie({place: seen for place, seen in wanted.items() if self.table.shown[place] != seen}, seconds)

    # ---- what people do -----------------------------------------------------------------------------------------

    def act(self, number: int) -> None:
        actions = [
            action for action in GAME.legal_actions(GAME.opened(self.plain)) if isinstance(action, (Draw, StealCard, Take))
        ]
        if not actions:
            return
        self.standing.append(actions[number % len(actions)])
        self.undone.clear()
        last = self.standing[-1]
        if isinstance(last, Draw) and last.use is None and number % 3 == 0:
            # The camera takes the new discard for another card, and somebody says which one it is.
            place, true = row(len(self.plain.table.row)), self.plain.table.row[-1]
            assert isinstance(true, Card)
            self.move(misread=(place, self.plain.table.pile[-1]))  # type: ignore[arg-type]
            self.table.say(0, Correct(place, true), 0.5)
        else:
            self.move()

    def rewind(self, number: int) -> None:
        turns = number % (len(self.standing) + len(self.undone) + 1)
        if turns == len(self.standing):
            return
        while len(self.standing) > turns:
            self.undone.append(self.standing.pop())
        while len(self.standing) < turns:
            self.standing.append(self.undone.pop())
        self.table.say(0, Rewind(turns), 0.3)
        self.move()

    def look(self, number: int) -> None:
        place = slot(number % SEATS, number % 5 + 1)
        card = self.table.shown[place]
        self.table.lie({place: Mark.EMPTY}, 0.6).lie({place: card}, 1.0)

    def reseat(self, number: int) -> None:
        place = slot(number % SEATS, number % 5 + 1)
        card = self.table.shown[place]
        agree(self.table.say(0, Reseat(place), 0.3), *range(SEATS))
        self.table.lie({place: Mark.EMPTY}, 1.0).lie({place: card}, 1.5)

    def halt(self, number: int) -> None:
        self.table.say(number % SEATS, Call("stop"), 0.5)
        call(self.table, "go_on", *range(SEATS))
        self.table.wait(1.0)

    def restart(self, number: int) -> None:
        self.kept.close()
        self.kept = chronicle(self.folder)
        self.table.restart(self.kept).wait(3.0)

    def check(self) -> None:
        agreed, plain, view = self.table.sitting.agreement, self.plain, self.table.view
        assert (view.violation, view.question, view.awaiting, view.proposal) == (None, None, (), None)
        state = agreed.state
        assert (len(agreed.turns), len(agreed.undone)) == (len(self.standing), len(self.undone))
        assert (state.table.hands, state.table.row) == (plain.table.hands, plain.table.row)
        assert (state.table.removed, len(state.table.pile)) == (plain.table.removed, len(plain.table.pile))
        cards = list(state.table.cards())
        assert len(cards) == len(set(cards)) == 52
        for name in ("phase", "turn", "ender", "final_left", "last_actor", "discards", "locks"):
            assert getattr(state, name) == getattr(plain, name), name
        assert GAME.opened(state).current == GAME.opened(plain).current


steps = st.lists(
    st.tuples(
        st.sampled_from(("act", "act", "act", "rewind", "rewind", "look", "reseat", "halt", "restart")), st.integers(0, 10_000)
    ),
    max_size=9,
)


@settings(max_examples=15, deadline=None)
@given(steps)
def test_the_state_is_that_of_the_plain_history(walk: list[tuple[str, int]]) -> None:
    with tempfile.TemporaryDirectory(prefix="viewmat-test-") as folder:
        world = World(Path(folder))
        for name, number in walk:
            if world.plain.phase == "over" and name != "rewind":
                continue
            getattr(world, name)(number)
            world.check()
        world.kept.close()
        proved = verify(read_walk(game_file(world.folder, JOURNAL)))
        assert proved.intact and proved.committed % (5 * SEATS) == 0
