"""Commitments: what lies in a slot is fixed for everybody at the time, and shown to nobody before it is opened.

A commitment is the hash of the card and of 128 random bits that are drawn anew for every slot and every turn.  Whoever knows it
learns nothing of the card, nor whether it is the one of the turn before; and nobody can open it as another card.
"""

from __future__ import annotations

import json
import secrets
import struct
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from hashlib import sha256
from hmac import compare_digest
from typing import Any

from companion.cards import Card, Mark, Unknown
from companion.errors import SealError
from companion.table import Area, Place, slot

COMMITTED = "committed"
"""Kind of the journal entries whose body is `Commitments.public`, with `Commitments.hidden` in their sealed part."""
OPENED = "opened"
"""Kind of the journal entries whose body is `Commitments.opened`."""
SALT = 16
"""Bytes."""
Lying = Card | Unknown | Mark | None
"""What can be committed to; None is an empty slot."""

_DOMAIN = b"viewmat commitment 1"
_CODES = {Mark.EMPTY: "--", Mark.BACK: "[]", Mark.COVERED: "//", Mark.UNREADABLE: "??", Mark.FOREIGN: "!!"}


def card_code(lying: Lying) -> str:
    """Two characters for whatever lies in a slot: ``Td``, ``--`` nothing, ``??`` a card that nobody has read."""
    if isinstance(lying, Card):
        return str(lying)
    if isinstance(lying, Unknown):
        return _CODES[Mark.UNREADABLE]
    return _CODES[Mark.EMPTY if lying is None else lying]


def seen_of(code: str) -> Card | Mark:
    """What `card_code` wrote, as a camera would see it; raise `CardTextError` for anything else."""
    marks = {written: mark for mark, written in _CODES.items()}
    return marks[code] if code in marks else Card.parse(code)


@dataclass(frozen=True, slots=True)
class Opening:
    """What opens one commitment."""

    place: Place
    """A slot."""
    salt: bytes = field(repr=False)
    card: str = field(repr=False)
    """As `card_code` says it.  Neither is in the representation, which may end up in a log."""

    def commitment(self, game: str, turn: int) -> str:
        """The commitment that it opens: 64 hexadecimal digits."""
        name, card = game.encode(), self.card.encode()
        start = struct.pack(">B", len(_DOMAIN)) + _DOMAIN + struct.pack(">H", len(name)) + name
        where = struct.pack(">qhh", turn, self.place.seat, self.place.number)
        return sha256(start + where + self.salt + card).hexdigest()


@dataclass(frozen=True, slots=True)
class Commitments:
    """The commitments to every slot of one turn, with what opens them."""

    game: str
    turn: int
    openings: tuple[Opening, ...]
    """In the order of the places."""

    def public(self) -> dict[str, Any]:
        """What everybody may see at once."""
        slots = [
            {"seat": one.place.seat, "slot": one.place.number, "commitment": one.commitment(self.game, self.turn)}
            for one in self.openings
        ]
        return {"turn": self.turn, "slots": slots}

    def hidden(self) -> bytes:
        """What has to be sealed until the reveal; its length depends on the number of slots alone."""
        slots = [[one.place.seat, one.place.number, one.salt.hex(), one.card] for one in self.openings]
        return json.dumps({"game": self.game, "turn": self.turn, "slots": slots}, separators=(",", ":")).encode()

    @classmethod
    def from_hidden(cls, data: bytes) -> Commitments:
        """What `hidden` gave; raise `SealError` for anything else."""
        try:
            found = json.loads(data)
            openings = tuple(
                Opening(slot(seat, number), bytes.fromhex(salt), card) for seat, number, salt, card in found["slots"]
            )
            return cls(str(found["game"]), int(found["turn"]), openings)
        except (ValueError, TypeError, KeyError):
            # Neither the data nor an error that carries them is shown: they are hidden cards.
            raise SealError("the sealed part holds no commitments") from None

    def opened(self, entry: int, places: Collection[Place] | None = None) -> dict[str, Any]:
        """What the reveal says of the commitments in the journal entry of this number.

        With `places` only these are opened: hands that were never shown stay closed for good.
        """
        shown = [one for one in self.openings if places is None or one.place in places]
        slots = [
            {"seat": one.place.seat, "slot": one.place.number, "salt": one.salt.hex(), "card": one.card} for one in shown
        ]
        return {"entry": entry, "turn": self.turn, "slots": slots}


def commit(
    game: str, turn: int, lying: Iterable[tuple[Place, Lying]], random: Callable[[int], bytes] = secrets.token_bytes
) -> Commitments:
    """Commit to what lies in each slot, changed or not; raise `SealError` for a place that is no slot, or is named twice."""
    cards = dict(sorted(found := list(lying), key=lambda one: one[0]))
    if len(cards) != len(found) or any(place.area is not Area.SLOT for place in cards):
        raise SealError("commitments are to the slots of the mats, each once")
    return Commitments(game, turn, tuple(Opening(place, random(SALT), card_code(card)) for place, card in cards.items()))


def fits(game: str, turn: int, opening: Opening, commitment: str) -> bool:
    """Whether the opening opens the commitment."""
    return len(opening.salt) == SALT and compare_digest(opening.commitment(game, turn).encode(), commitment.encode())
