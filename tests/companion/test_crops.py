"""Window pictures as evidence: how they are remembered, packed, and drawn."""

from __future__ import annotations

import struct
import zlib

import pytest

from companion.cards import DECK, Mark, Seen, Shadow
from companion.crops import NOTHING, PICTURE_ROOM, REMEMBERED, Crop, Kept, Recent, Showing, kept_of, packed, png_of, unpacked
from companion.errors import RecordError
from companion.observation import EvidenceRef, Observation, Sighting
from companion.table import Place, row, slot

HERE = slot(0, 1)
LIKELY = ((DECK[0], 0.9), (DECK[1], 0.06), (DECK[2], 0.01))


def heard(recent: Recent, *seen: Seen, place: Place = HERE) -> None:
    for number, one in enumerate(seen):
        ref = EvidenceRef("mat0", number, place.number)
        recent.hear(Observation(0.1 * number, (place,), (Sighting(place, one, 0.99, ref),)))


def whole(width: int = 48, height: int = 96, looks: int = 5) -> Crop:
    return Crop(width, height, looks, looks - 1, bytes(range(256)) * (width * height * looks * 3 // 256))


# ---- what is remembered -------------------------------------------------------------------------------------------


def test_looks_that_say_the_same_are_counted() -> None:
    recent = Recent()
    heard(recent, DECK[0], DECK[0], DECK[0])
    assert recent.newest(HERE) == Showing(DECK[0], 0.99, (), EvidenceRef("mat0", 2, 1), 3)


def test_what_was_covered_in_between_is_another_showing() -> None:
    recent = Recent()
    heard(recent, DECK[0], DECK[0], Mark.COVERED, DECK[0])
    newest = recent.newest(HERE)
    assert newest is not None
    assert newest.frames == 1


def test_before_and_after_are_found_by_what_was_agreed() -> None:
    recent = Recent()
    heard(recent, DECK[0], Mark.COVERED, Mark.EMPTY, Mark.COVERED, DECK[7])
    for held, seen in ((DECK[0], DECK[0]), (None, Mark.EMPTY), (DECK[7], DECK[7])):
        found = recent.of(HERE, held)
        assert found is not None
        assert found.seen == seen


def test_a_card_whose_face_people_have_given_to_another_is_found_by_its_face() -> None:
    recent = Recent()
    heard(recent, DECK[0], Mark.COVERED, DECK[7])
    found = recent.of(HERE, Shadow(DECK[0].rank, DECK[0].suit))
    assert found is not None
    assert found.seen == DECK[0]


def test_a_card_that_was_never_seen_there_is_answered_with_what_was_there_last() -> None:
    recent = Recent()
    heard(recent, DECK[0], DECK[1])
    assert recent.of(HERE, DECK[30]) == recent.newest(HERE)
    assert recent.of(slot(1, 1), DECK[30]) is None


def test_a_card_of_the_row_is_found_in_any_window_but_an_empty_place_in_its_own() -> None:
    recent = Recent()
    heard(recent, DECK[3], place=row(4))
    heard(recent, Mark.EMPTY, place=row(2))
    found = recent.of(row(3), DECK[3])
    assert found is not None
    assert found.seen == DECK[3]
    assert recent.of(row(3), None) is None


def test_no_more_than_a_few_showings_are_remembered() -> None:
    recent = Recent()
    for card in DECK:
        heard(recent, card, Mark.COVERED)
    assert recent.of(HERE, DECK[-REMEMBERED]) != recent.newest(HERE)
    assert recent.of(HERE, DECK[-REMEMBERED - 1]) == recent.newest(HERE)


# ---- how they are kept --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seen", [DECK[5], Mark.EMPTY, Mark.BACK, Mark.UNREADABLE, Mark.FOREIGN, Mark.COVERED])
@pytest.mark.parametrize("crop", [None, whole(), Crop(4, 8, 1, 1, bytes(96))])
def test_what_is_packed_comes_back(seen: Seen, crop: Crop | None) -> None:
    kept = Kept(seen, 0.875, LIKELY, 12, crop)
    data = packed(kept)
    assert len(data) <= PICTURE_ROOM
    assert unpacked(data) == kept


def test_of_pictures_that_are_too_large_the_last_looks_are_left_out() -> None:
    kept = unpacked(packed(Kept(DECK[0], 0.9, (), 1, whole(96, 128, 5))))
    assert kept.crop is not None
    assert (kept.crop.width, kept.crop.height, kept.crop.looks) == (96, 128, 1)
    assert kept.crop.pixels == whole(96, 128, 5).pixels[: 96 * 128 * 3]


def test_a_place_without_a_picture_is_packed_all_the_same() -> None:
    class Nothing:
        def crop(self, ref: EvidenceRef, /) -> Crop | None:
            return None

    assert kept_of(None, Nothing()) == NOTHING == unpacked(packed(NOTHING))
    assert kept_of(Showing(DECK[1], 0.9, LIKELY, None, 4), Nothing()) == Kept(DECK[1], 0.9, LIKELY, 4, None)


@pytest.mark.parametrize(
    "spoil", [lambda d: b"", lambda d: d[:40], lambda d: d[:-1], lambda d: d.replace(b'"looks":5', b'"looks":4')]
)
def test_what_is_no_picture_is_refused_without_saying_what_it_is(spoil) -> None:
    with pytest.raises(RecordError) as refused:
        unpacked(spoil(packed(Kept(DECK[5], 0.9, LIKELY, 1, whole()))))
    assert str(DECK[5]) not in str(refused.value)


def test_a_png_shows_the_first_look_red_first() -> None:
    first = bytes([10, 20, 30]) * 6
    data = png_of(Crop(2, 3, 2, 2, first + bytes(18)))
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    chunks, rest = {}, data[8:]
    while rest:
        (length,) = struct.unpack(">I", rest[:4])
        kind, body = rest[4:8], rest[8 : 8 + length]
        assert struct.unpack(">I", rest[8 + length : 12 + length])[0] == zlib.crc32(kind + body)
        chunks[kind] = body
        rest = rest[12 + length :]
    assert struct.unpack(">IIBBBBB", chunks[b"IHDR"]) == (2, 3, 8, 2, 0, 0, 0)
    assert zlib.decompress(chunks[b"IDAT"]) == (b"\0" + bytes([30, 20, 10]) * 2) * 3
