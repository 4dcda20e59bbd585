"""A shelf of played games, and backups that are only pretended, for tests of the page."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import IO

from companion.cards import DECK
from companion.errors import ArchiveError
from companion.games.hands import order_hands
from companion.played import Deletion, PlayedGame, PlayedMove, PlayedSeat, Shelf, Unfinished, Unreadable
from companion.retelling import Retelling, retold_from
from companion.web.history import RestoreView

NAMES = ("Ann", "Ben", "Cleo <i>&amp;</i>")
GONE, DAMAGED = "00000000000000aa", "00000000000000bb"


def played(number: int, names: tuple[str, ...] = NAMES, began: str = "") -> PlayedGame:
    """Game `number`, with cards of its own."""
    deck = [DECK[(number * 7 + 3 * place) % 52] for place in range(17)]
    hands = [tuple(deck[5 * seat : 5 * seat + 5]) for seat in range(3)]
    standing = order_hands(hands)
    seats = tuple(
        PlayedSeat(name, "bot" if name == "Ben" else "tap", hand, hand, category, 1)
        for name, hand, category in zip(names, hands, standing.categories, strict=True)
    )
    moves = (
        PlayedMove("draw", 0, 3.0, 2, got=hands[0][1], gave=deck[15]),
        PlayedMove("steal", 1, 6.0, 4, 0, 5, hands[0][4], hands[1][3]), PlayedMove("discard", 2, 9.0, gave=deck[16]),
        PlayedMove("take", 0, 12.0, 3), PlayedMove("take", 1, 13.0, 3, gave=deck[16]),
        PlayedMove("take", 2, 14.0, 3, got=deck[16]), PlayedMove("pass", 2, 15.0),
    )  # fmt: skip
    return PlayedGame(
        f"{number:016x}", "steal", began, 30.0, seats, standing.order, standing.winners, standing.decided_by, moves,
        (("allow_pass", True), ("first_seat", 2), ("max_turns", 40)), "ab" * 32,
    )  # fmt: skip


def shelf() -> Shelf:
    games = [played(number, began=f"2027-03-{number + 1:02}T19:00:00+00:00") for number in range(4)]
    games.append(replace(played(5, ("Ann", "", "Dan")), head=""))
    return Shelf(tuple(reversed(games)), (Unfinished(GONE, ("Eve", "Ann"), ""),), (Unreadable(DAMAGED, "changed"),))


class Shelved:
    """An archive and an exchange of nothing but memory."""

    def __init__(self) -> None:
        self.found = shelf()
        self.forgotten: list[tuple[str, bool]] = []
        self.pieces: list[tuple[int, bytes]] = []
        self.restored: list[tuple[bool, bool]] = []

    def shelf(self) -> Shelf:
        return self.found

    def retelling(self, game: str) -> Retelling | None:
        found = next((one for one in self.found.games if one.game == game), None)
        return None if found is None else retold_from(found)

    def deletion(self, name: str) -> Deletion:
        games = tuple(game.game for game in self.found.games if name in game.names)
        return Deletion(name, games, ("Ben",), ("00000000000000cc",), 2, f"mark of {name}")

    def forget(self, name: str, mark: str, keep: bool) -> int:
        if mark != f"mark of {name}":
            raise ArchiveError("the list of games has changed meanwhile")
        self.forgotten.append((name, keep))
        return 3

    def backup(self) -> IO[bytes]:
        return io.BytesIO(b"PK" * 40_000)

    def piece(self, at: int, data: bytes) -> None:
        if at != sum(len(piece) for _, piece in self.pieces):
            raise ArchiveError("the pieces of the backup did not come in their order")
        self.pieces.append((at, data))

    def restore(self, write: bool, keep: bool) -> RestoreView:
        if not self.pieces:
            raise ArchiveError("no backup has come in")
        self.restored.append((write, keep))
        return RestoreView(write, "2027-03-01T00:00:00+00:00", 2, 5, 1, ("keys.json",), ("games/current",), True, ("seal.key",))
