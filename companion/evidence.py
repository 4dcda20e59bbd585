"""The custody of pictures: sealed when a ruling is made, and given out only when their place may be seen.

The hash of every sealed piece stands in the journal.  The pieces themselves lie beside it, and may be lost, deleted, or
impossible to write: play goes on, and the record still holds.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from companion.agreement import Agreement
from companion.crops import PICTURE_ROOM, Album, Kept, Recent, kept_of, packed, unpacked
from companion.errors import RecordError, SealError
from companion.exhibits import Draft, Exhibit, Piece, drafts, hidden_change
from companion.observation import Observation
from companion.picturefile import PictureStore
from companion.rulings import Change
from companion.seal import About, Seal
from companion.table import Place

LOG = logging.getLogger(__name__)
PICTURE = "picture"
SEALED = PICTURE_ROOM + 32
"""Bytes of a sealed piece: its nonce, its length and its tag are added."""


@dataclass(frozen=True, slots=True)
class Sealed:
    """An exhibit with its sealed pieces, before both are kept."""

    exhibit: Exhibit
    change: bytes
    """What was seen on the whole table, to be sealed in the journal."""
    pieces: tuple[bytes, ...]


class Evidence:
    """Keeps the pictures of one game.  Everything that writes is used by the table's own thread."""

    def __init__(self, album: Album, store: PictureStore, seal: Seal, game: str) -> None:
        self._album, self._store, self._seal, self._game = album, store, seal, game
        self._recent = Recent()
        self._noted = 0
        """Entries of the log that were looked at."""
        self._pieces = 0
        self.exhibits: tuple[Exhibit, ...] = ()
        """Oldest first."""
        self.trouble = ""
        """Why pictures cannot be kept; empty while they can."""

    def hear(self, observation: Observation) -> None:
        """One look of a camera."""
        self._recent.hear(observation)

    def resume(self, exhibits: tuple[Exhibit, ...], agreement: Agreement[Any]) -> None:
        """Go on after what the journal holds."""
        self.exhibits = exhibits
        self._noted = len(agreement.log)
        self._pieces = max((piece.number for exhibit in exhibits for piece in exhibit.pieces), default=0)

    def gather(self, agreement: Agreement[Any], change: Change) -> tuple[Sealed, ...]:
        """The evidence for what was ruled since the last `file` on a table that showed `change`."""
        if len(agreement.log) <= self._noted:
            return ()
        found, number = [], self._pieces
        for draft in drafts(agreement, self._noted, self._recent):
            found.append(self._sealed(draft, number, json.dumps(hidden_change(change), separators=(",", ":")).encode()))
            number += len(draft.shown)
        return tuple(found)

    def file(self, gathered: tuple[Sealed, ...], agreement: Agreement[Any]) -> None:
        """Keep what was gathered, once the journal holds its hashes."""
        self._noted = len(agreement.log)
        for one in gathered:
            self.exhibits = (*self.exhibits, one.exhibit)
            for piece, sealed in zip(one.exhibit.pieces, one.pieces, strict=True):
                self._pieces = piece.number
                self._put(piece.number, sealed)

    def _put(self, number: int, sealed: bytes) -> None:
        try:
            self._store.put(number, sealed)
            self.trouble = ""
        except OSError as error:
            words = error.strerror or str(error)
            if words != self.trouble:
                LOG.warning("pictures of game %s cannot be kept: %s; play goes on without them", self._game, words)
            self.trouble = words

    def _sealed(self, draft: Draft, before: int, change: bytes) -> Sealed:
        pieces, sealed = [], []
        for number, (place, when, showing) in enumerate(draft.shown, before + 1):
            data = packed(kept_of(showing, self._album))
            sealed.append(self._seal.encrypt(data, self._about(number), PICTURE_ROOM))
            pieces.append(Piece(number, place, when, sha256(sealed[-1]).hexdigest()))
        exhibit = Exhibit(draft.log, draft.what, draft.frames, draft.rule, draft.locks, tuple(pieces))
        return Sealed(exhibit, change, tuple(sealed))

    def _about(self, number: int) -> About:
        return About(self._game, number, PICTURE)

    def piece(self, number: int) -> Piece | None:
        """The piece of this number."""
        return next((one for exhibit in self.exhibits for one in exhibit.pieces if one.number == number), None)

    def opened(self, piece: Piece) -> Kept | None:
        """What a piece shows; None where it is deleted, lost or was changed.  Whether that may be told is the caller's care."""
        return opened(self._store, self._seal, self._game, piece)

    def forget(self, shown: frozenset[Place]) -> None:
        """After the reveal: the pictures of slots whose cards were never shown are deleted."""
        for exhibit in self.exhibits:
            for piece in exhibit.pieces:
                if piece.place.seat >= 0 and piece.place not in shown:
                    try:
                        self._store.drop(piece.number)
                    except OSError as error:
                        LOG.warning("pictures of game %s cannot be deleted: %s", self._game, error.strerror or error)
                        return


def opened(store: PictureStore, seal: Seal, game: str, piece: Piece) -> Kept | None:
    """What a piece of a game shows; None where it is deleted, lost, or not the one whose hash was kept."""
    sealed = store.get(piece.number)
    if sealed is None or sha256(sealed).hexdigest() != piece.hash:
        return None
    try:
        return unpacked(seal.decrypt(sealed, About(game, piece.number, PICTURE)))
    except (SealError, RecordError):
        return None


@dataclass(frozen=True, slots=True)
class PictureCheck:
    """How the pictures of a game stand against the hashes in its journal."""

    kept: int
    found: int
    """Those that are still there and unchanged; the others were deleted, lost, or never written."""
    changed: tuple[int, ...]
    """Numbers of pieces that are there and do not fit."""


def check_pictures(exhibits: Iterable[Exhibit], store: PictureStore) -> PictureCheck:
    """Compare what lies in the store with the hashes; no key is needed."""
    pieces = [piece for exhibit in exhibits for piece in exhibit.pieces]
    there = [(piece, sealed) for piece in pieces if (sealed := store.get(piece.number)) is not None]
    changed = tuple(piece.number for piece, sealed in there if sha256(sealed).hexdigest() != piece.hash)
    return PictureCheck(len(pieces), len(there) - len(changed), changed)
