"""Window pictures as evidence: what a camera showed at a place, and what the reader made of it.

The companion never looks at a pixel.  It keeps the pictures for people, and for another reader to read them again.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections import deque
from dataclasses import dataclass
from typing import Any, Protocol

from companion.cards import Card, Held, Mark, Seen
from companion.commitments import card_code, seen_of
from companion.errors import MALFORMED, RecordError
from companion.observation import EvidenceRef, Observation, Sighting
from companion.table import Area, Place

PICTURE_ROOM = 72 * 1024
"""Bytes of one packed showing, whatever it shows: neither its size nor its absence may tell anything."""
REMEMBERED = 6
"""So many showings of one place are remembered, the newest last."""
_LENGTH = struct.Struct(">I")


@dataclass(frozen=True, slots=True)
class Crop:
    """The looks at one window while nothing moved there: upright pictures of one size, blue green red, one after the other."""

    width: int
    height: int
    looks: int
    agreed: int
    """So many of the looks name the same by themselves."""
    pixels: bytes

    @property
    def first(self) -> bytes:
        """The pixels of the first look, which is not cut aside."""
        return self.pixels[: 3 * self.width * self.height]


class Album(Protocol):
    """Where the last pictures of every window are."""

    def crop(self, ref: EvidenceRef, /) -> Crop | None:
        """The looks at the scene to which `ref` belongs; None where they are not kept any more."""
        ...


@dataclass(frozen=True, slots=True)
class Showing:
    """What one place showed for a while."""

    seen: Seen
    confidence: float
    likely: tuple[tuple[Card, float], ...]
    """The reader's most likely faces, best first."""
    evidence: EvidenceRef | None
    frames: int = 1
    """In so many looks in a row the reader has claimed the same."""


class Recent:
    """The last few things that every place has shown.  Used by the table's own thread."""

    def __init__(self) -> None:
        self._shown: dict[Place, deque[Showing]] = {}
        self._moved: set[Place] = set()
        """Places where something has moved since the newest showing."""

    def hear(self, observation: Observation) -> None:
        """Take in one look of a camera; next to nothing where nothing changes."""
        for sighting in observation.sightings:
            if sighting.seen is Mark.COVERED:
                self._moved.add(sighting.place)
            else:
                self._add(sighting)

    def _add(self, sighting: Sighting) -> None:
        place = sighting.place
        kept = self._shown.setdefault(place, deque(maxlen=REMEMBERED))
        frames = 1
        if kept and kept[-1].seen == sighting.seen and place not in self._moved:
            frames = kept.pop().frames + 1
        self._moved.discard(place)
        kept.append(Showing(sighting.seen, sighting.confidence, sighting.likely, sighting.evidence, frames))

    def newest(self, place: Place) -> Showing | None:
        """What `place` showed last."""
        kept = self._shown.get(place)
        return kept[-1] if kept else None

    def of(self, place: Place, held: Held | None) -> Showing | None:
        """The newest showing of `held` at `place` (None: of nothing); where there is none, of a face, or whatever was there last.

        A card of the row is looked for over all windows of the tray: cards are pushed together, and a sixth mat counts anew.
        """
        places = [place]
        if place.area is Area.ROW and isinstance(held, Card):
            places += sorted(one for one in self._shown if one.area is Area.ROW and one != place)
        for one in places:
            for showing in reversed(self._shown.get(one, ())):
                if _is_of(showing.seen, held):
                    return showing
        here = reversed(self._shown.get(place, ()))
        # Somebody may have named the card: what it looked like says more than the back that it shows by now.
        face = next((showing for showing in here if is_face(showing.seen)), None) if held is not None else None
        return face or self.newest(place)


def is_face(seen: Seen) -> bool:
    """Whether a card's face was seen, readable or not."""
    return isinstance(seen, Card) or seen in (Mark.UNREADABLE, Mark.FOREIGN)


def _is_of(seen: Seen, held: Held | None) -> bool:
    if held is None:
        return seen is Mark.EMPTY
    if not isinstance(held, Card):
        return seen is Mark.UNREADABLE
    # By the faces: a card whose face people have given to another one is equal to none that is seen.
    return isinstance(seen, Card) and (seen.rank, seen.suit) == (held.rank, held.suit)


@dataclass(frozen=True, slots=True)
class Kept:
    """A showing as it is kept: the reading, and the looks it was made from where there are any."""

    seen: Seen
    confidence: float
    likely: tuple[tuple[Card, float], ...]
    frames: int
    crop: Crop | None


NOTHING = Kept(Mark.COVERED, 0.0, (), 0, None)
"""What is kept of a place that showed nothing: it takes as much room as any other."""


def kept_of(showing: Showing | None, album: Album) -> Kept:
    """What is to be kept of a showing."""
    if showing is None:
        return NOTHING
    crop = None if showing.evidence is None else album.crop(showing.evidence)
    return Kept(showing.seen, showing.confidence, showing.likely, showing.frames, crop)


def packed(kept: Kept) -> bytes:
    """As bytes, at most `PICTURE_ROOM`; the last looks are left out where all of them would not fit."""
    head = {
        "seen": card_code(kept.seen), "confidence": round(kept.confidence, 6), "frames": kept.frames,
        "likely": [[str(card), round(share, 6)] for card, share in kept.likely],
    }  # fmt: skip
    crop, pixels = kept.crop, b""
    if crop is not None:
        one = max(1, 3 * crop.width * crop.height)
        fitting = min(crop.looks, (PICTURE_ROOM - 1024) // one)
        pixels = crop.pixels[: fitting * one]
        head |= {"width": crop.width, "height": crop.height, "looks": fitting, "agreed": min(crop.agreed, fitting)}
    told = json.dumps(head, separators=(",", ":")).encode()
    return _LENGTH.pack(len(told)) + told + pixels


def unpacked(data: bytes) -> Kept:
    """What `packed` gave; raise `RecordError` for anything else."""
    try:
        (length,) = _LENGTH.unpack_from(data)
        head: dict[str, Any] = json.loads(data[_LENGTH.size : _LENGTH.size + length])
        pixels = data[_LENGTH.size + length :]
        likely = tuple((Card.parse(text), float(share)) for text, share in head["likely"])
        crop = None
        if "looks" in head:
            crop = Crop(int(head["width"]), int(head["height"]), int(head["looks"]), int(head["agreed"]), pixels)
            if min(crop.width, crop.height) < 1 or len(pixels) != 3 * crop.width * crop.height * crop.looks:
                raise ValueError("size")
        return Kept(seen_of(head["seen"]), float(head["confidence"]), likely, int(head["frames"]), crop)
    except MALFORMED:
        # Not what it holds: that may be a hidden card.
        raise RecordError("what was kept of a window is no picture of one") from None


def png_of(crop: Crop) -> bytes:
    """The first look as a PNG file."""
    width, height, blue_first = crop.width, crop.height, crop.first
    pixels = bytearray(blue_first)
    pixels[0::3], pixels[2::3] = blue_first[2::3], blue_first[0::3]
    lines = b"".join(b"\0" + pixels[3 * width * y : 3 * width * (y + 1)] for y in range(height))
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", head) + _chunk(b"IDAT", zlib.compress(lines)) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
