"""What the page on which photographs are scored says."""

from __future__ import annotations

import re

import pytest

from companion.announcements import refusal_words
from companion.cards import Card
from companion.photosheet import Sheet, Snap, Spot
from companion.words.photo import REFUSALS, entered_words, not_entered_words, photo_label, progress_words, snap_words, spot_words
from companion.words.translator import Translator


def sheet(*cards: str, waiting: int = 0) -> Sheet:
    spots = tuple(Spot(1000 + n, None if text == "?" else Card.parse(text), 1) for n, text in enumerate(cards))
    snaps = (Snap(1, "read"), *(Snap(2 + n) for n in range(waiting)))
    return Sheet(snaps, spots, (tuple(spot.number for spot in spots),) if spots else ())


@pytest.mark.parametrize(
    ("made", "ahead", "words"),
    [
        (Sheet(), 0, ""),
        (
            sheet(),
            0,
            "No card was found. Take another picture: closer and from straight above, in good light without glare, with a corner"
            " of every card showing.",
        ),
        (Sheet((Snap(1, "refused", "damaged"),)), 0, "No card was found."),
        (sheet("As"), 0, "One card was found."),
        (sheet("As", "Ks"), 0, "2 cards were found."),
        (sheet("As", "?"), 0, "2 cards were found. One of them cannot be read: tap it, and say which card it is."),
        (sheet("?", "?"), 0, "2 cards were found. 2 of them cannot be read: tap each, and say which card it is."),
        (sheet("As", waiting=2), 0, "Picture 2 of 3 is being read …"),
        (sheet("As", waiting=1), 1, "Another picture is read first; yours waits."),
        (sheet("As", waiting=1), 3, "3 other pictures are read first; yours wait."),
    ],
)
def test_how_far_the_reading_has_come(made: Sheet, ahead: int, words: str) -> None:
    assert progress_words(made, ahead) == words


def test_every_kind_of_bad_picture_has_a_sentence() -> None:
    values = (("width", 3), ("height", 4), ("most", 60), ("least", 32))
    kinds = ("empty", "strange", "damaged", "truncated", "too_large", "too_small", "slow", "unreadable")
    said = [snap_words(Snap(2, "refused", kind, values)) for kind in kinds]
    assert len(set(said)) == len(kinds) and all("2" in words for words in said)
    assert said[4] == "Picture 2 is too large: 3 × 4 pixels, at most 60 million can be read."
    assert snap_words(Snap(2, "refused", "something new")) == "Picture 2 cannot be read."
    assert snap_words(Snap(2, "read")) == ""


def test_what_became_of_entered_cards() -> None:
    counts = {"entered": 1, "open": 2, "unknown": 1, "number": 6, "no_room": 1}
    assert entered_words("Ann", counts) == [
        "Ann: one card was entered.", "Ann: 2 cards lie open already.", "Ann: one card of the picture is not known.",
        "Ann: the picture has 6 cards instead of five.",
        "Ann: one card finds no slot. Turn over what lies on the mat, and correct an open card by a tap.",
    ]  # fmt: skip
    assert entered_words("Ann", {}) == []
    assert not_entered_words("Ann", [(Card.parse("Ks"), "No.")]) == ["Ann, king of spades: No."]


def test_every_sentence_goes_through_the_translator() -> None:
    stars = Translator(lambda message: "*" + "".join(re.findall(r"%\(\w+\)[ds]", message)), lambda one, many, count: "*")
    said = [
        progress_words(sheet("As", "?"), 0, stars), progress_words(sheet(waiting=1), 0, stars), spot_words(None, stars),
        snap_words(Snap(2, "refused", "empty"), stars), *entered_words("Q", {"entered": 2}, stars),
        *not_entered_words("Q", [(Card.parse("Ks"), "")], stars), photo_label("title", stars),
        *(refusal_words(kind, stars, most=3) for kind in REFUSALS),
    ]  # fmt: skip
    assert not [words for words in said if re.search("[a-z]{2}", words)]
