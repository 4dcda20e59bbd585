"""What the script knows for certain: the true state of the game, and how the table has to look for it."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from companion.cards import DECK, Card
from companion.games.base import Game
from companion.table import PILE, REMOVED, SLOTS, Area, Place, TableState, slot
from companion.views import MoveView, View
from firmware.virtual.moves import Goal
from firmware.virtual.world import TRAY_WINDOWS, HandOf, Laid, Piece, Spot, World, pushed_aside, row_place

ActionData = Mapping[str, Any]
"""An action in the shape of the game's records."""


class Truth:
    """One game as it is really played."""

    def __init__(self, game: Game[Any], seats: int, options: Mapping[str, Any], rng: random.Random) -> None:
        self.game = game
        deck = list(DECK)
        rng.shuffle(deck)
        self.state = game.start(seats, game.options(options), tuple(deck))
        # The world deals from one pile, so its order is the dealt cards, then the pile that is left.
        dealt = [self.state.table.hands[seat][number - 1] for number in SLOTS for seat in range(seats)]
        self.deck: tuple[Card, ...] = (*dealt, *self.state.table.pile)
        self.known: set[Card] = set()
        """Faces that a camera has seen lying still."""
        self.peak = 0
        """The most cards that have lain on the row."""

    def do(self, data: ActionData) -> None:
        """Play a legal action; raise ValueError for any other."""
        action = self.game.action_from_json(data)
        ruling = self.game.judge(self.state, action)
        if ruling.error is not None and not self.passes(ruling.error):
            raise ValueError(f"the script wanted {dict(data)}, which the rules call {ruling.error}")
        self.state = self.game.after(self.state, action)
        self.peak = max(self.peak, len(self.state.table.row))

    def passes(self, error: str) -> bool:
        """Whether nobody at the table could have seen that this is against the rules."""
        return False

    def legal(self) -> list[dict[str, Any]]:
        """Every legal action now."""
        return [self.game.action_to_json(action) for action in self.game.legal_actions(self.state)]

    @property
    def owed(self) -> tuple[Place, ...]:
        """Slots whose cards somebody shows for a proof, until it is seen."""
        return ()

    def expected(self, tray: str) -> dict[Place, list[tuple[Card, bool]]]:
        """Per slot and row position the faces that must lie there, lowest first, and whether face down."""
        table = self.state.table
        lying: dict[Place, list[tuple[Card, bool]]] = {
            slot(seat, number): [(hand[number - 1], True)] for seat, hand in enumerate(table.hands) for number in SLOTS
        }
        for number, card in enumerate(table.row, 1):
            place = row_place(tray, number)
            aside = number <= self.peak - TRAY_WINDOWS[tray]
            lying.setdefault(pushed_aside(place) if aside else place, []).append((card, False))
        return lying

    def note_seen(self, world: World) -> None:
        """Remember the faces that the cameras can see now."""
        table = self.state.table
        self.known.update(card for seat, hand in enumerate(table.hands) if world.watched[seat] for card in hand)
        if world.tray != "none":
            self.known.update(table.row)


def layout(world: World, table: TableState) -> TableState:
    """The table as its own cards really lie, where `table` is what it should be; what lies nowhere has left the game."""
    spots = {piece.face: world.where(piece) for piece in world.pieces if piece.deck == 0 and piece.face is not None}
    places = {spot: card for card, spot in spots.items() if isinstance(spot, Place)}
    hands = tuple(
        tuple(places.get(slot(seat, number), held) for number, held in zip(SLOTS, hand, strict=True))
        for seat, hand in enumerate(table.hands)
    )
    on_row = [places[spot] for spot in sorted(spot for spot in places if spot.area is Area.ROW)]
    line = [*(card for card in table.row if card in on_row), *(card for card in on_row if card not in table.row)]
    in_pile = [card for card, spot in spots.items() if spot == PILE]
    pile = [card for card in in_pile if card not in table.pile] + [card for card in table.pile if card in in_pile]
    lying = {*(card for hand in hands for card in hand), *line, *pile}
    return TableState(hands, tuple(pile), tuple(line), tuple(card for card in table.cards() if card not in lying))


def differences(truth: Truth, world: World) -> list[tuple[Piece, Spot, bool]]:
    """Every card that lies elsewhere than it has to, where it belongs, and whether face down there."""
    goals: list[tuple[Piece, Spot, bool]] = []
    placed: set[Piece] = set()
    for place, cards in truth.expected(world.tray).items():
        lying = world.lying(place)
        for level, (face, face_down) in enumerate(cards):
            piece = world.piece(face)
            placed.add(piece)
            right = level < len(lying) and lying[level].piece == piece and lying[level].face_down is face_down
            if not right:
                goals.append((piece, place, face_down))
    goals += [(laid.piece, REMOVED, True) for laid in _strays(world, placed)]
    return goals + _pile_order(truth, world, placed)


def _strays(world: World, placed: set[Piece]) -> list[Laid]:
    """Cards that lie on the table or in a hand and belong to no place of it."""
    spots: list[Spot] = [place for board in world.boards for place in board.places]
    spots += [HandOf(seat) for seat in range(world.seats)]
    return [laid for spot in spots for laid in world.lying(spot) if laid.piece not in placed]


def _pile_order(truth: Truth, world: World, placed: set[Piece]) -> list[tuple[Piece, Spot, bool]]:
    """Drawn cards that have to go back on the pile, deepest first."""
    pile = [world.piece(card) for card in truth.state.table.pile]
    return [(piece, PILE, True) for piece in reversed(pile) if world.where(piece) != PILE and piece not in placed]


def split(goals: list[tuple[Piece, Spot, bool]]) -> tuple[list[Goal], list[tuple[Piece, Spot, bool]]]:
    """The cards to lay where cameras may look, and those that go to pile or heap."""
    on_boards: list[Goal] = []
    off: list[tuple[Piece, Spot, bool]] = []
    for piece, spot, face_down in goals:
        if isinstance(spot, Place) and spot.area in (Area.SLOT, Area.ROW):
            on_boards.append((piece, spot, face_down))
        else:
            off.append((piece, spot, face_down))
    return on_boards, off


def matches(data: ActionData, move: MoveView | None) -> bool:
    """Whether a move on the page is this action."""
    if move is None or move.seat != data.get("seat"):
        return False
    kind = data["type"]
    if kind == "draw":
        use = data.get("use")
        return bool(move.kind == ("discard" if use is None else "draw") and move.slot == use)
    if kind == "steal":
        same = (move.victim, move.victim_slot, move.slot) == (data["from"], data["slot"], data["give"])
        return bool(move.kind == "steal" and same)
    return bool(move.kind == kind and (kind != "take" or move.slot == data["slot"]))


def discards(action: ActionData) -> bool:
    """Whether a drawn card goes straight to the row."""
    return bool(action.get("type") == "draw" and action.get("use") is None)


def right_result(truth: Truth, view: View | None) -> bool:
    """Whether the page shows the true order, winners and hands."""
    result = truth.game.result(truth.state)
    if result is None or view is None or view.result is None:
        return False
    hands = tuple(tuple(str(card) for card in hand) for hand in truth.state.table.hands)
    shown = view.result
    return (shown.order, shown.winners, shown.hands) == (result.order, result.winners, hands)
