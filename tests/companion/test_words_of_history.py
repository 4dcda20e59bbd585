"""Sentences about games that are over."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from companion.cards import Card
from companion.played import Deletion, PlayedMove
from companion.words.history import (
    beaten_words,
    deleted_words,
    deletion_words,
    draws_words,
    parts_words,
    played_words,
    restore_words,
    violations_words,
    winner_words,
    won_words,
)
from tests.companion.web.shelved import played

GAME = replace(played(1), winners=(0,))
ONE, OTHER = Card.parse("8d"), Card.parse("2c")


@pytest.mark.parametrize(
    ("value", "said"),
    [("0", "0"), ("3", "3"), ("7/2", "3.5"), ("1/3", "0.3"), ("5/3", "1.7"), ("29/10", "2.9"), ("299/100", "3.0")],
)
def test_parts_of_games(value: str, said: str) -> None:
    assert parts_words(Fraction(value)) == said


def test_figures_in_words() -> None:
    assert won_words(Fraction(1, 2), 1) == "0.5 of 1 game"
    assert won_words(Fraction(2), 7) == "2 of 7 games"
    assert beaten_words(Fraction(1, 3)) == "better than 33 % of all hands"
    assert (draws_words(3, 0), draws_words(3, 2)) == ("3", "3 (2 laid on the row at once)")
    assert violations_words(4, 3, 3) == "4"
    assert violations_words(4, 1, 3) == "4 in 1 game; of the others it is not known here"
    assert violations_words(4, 2, 3) == "4 in 2 games; of the others it is not known here"
    assert violations_words(0, 0, 3) == "not known here: the key of the records is missing"
    assert (deleted_words(1), deleted_words(2)) == ("1 game was deleted.", "2 games were deleted.")


def test_who_has_won() -> None:
    assert winner_words(GAME) == "Ann wins"
    assert winner_words(replace(GAME, winners=(0, 1))) == "Ann and Ben share the game"
    assert winner_words(GAME.without("Ann")) == "somebody wins"


MOVES = (
    (PlayedMove("steal", 1, 0.0, 4, 0, 2, ONE, OTHER),
     "Ben stole from slot 2 of Ann and gave slot 4. In came the eight of diamonds for the two of clubs."),
    (PlayedMove("draw", 0, 0.0, 4, got=ONE),
     "Ann drew into slot 4; the old card went to the row. In came the eight of diamonds."),
    (PlayedMove("draw", 0, 0.0, 4, gave=ONE),
     "Ann drew into slot 4; the old card went to the row. Out went the eight of diamonds."),
    (PlayedMove("discard", 0, 0.0, gave=OTHER), "Ann drew a card and laid it on the row. It was the two of clubs."),
    (PlayedMove("take", 0, 0.0, 1), "Ann took the newest card of the row into slot 1."),
    (PlayedMove("pass", 0, 0.0), "Ann passed."),
)  # fmt: skip


@pytest.mark.parametrize(("move", "said"), MOVES)
def test_moves_with_their_cards(move: PlayedMove, said: str) -> None:
    assert played_words(move, GAME) == said


def test_what_is_deleted_is_said_sentence_by_sentence() -> None:
    plan = Deletion("Ann", ("a",), (), (), 0, "")
    assert deletion_words(plan) == (
        "The record of 1 game in which Ann sat is deleted, with its pictures.",
        "Not reached by this: backups and exports that were made before, the settings file, and the chips of a memory card.",
    )
    told = deletion_words(replace(plan, games=("a", "b"), others=("Ben", "Cat"), busy=("c",), unknown=1))
    assert told[:2] == (
        "The records of 2 games in which Ann sat are deleted, with their pictures.",
        "Ben and Cat sat there as well: the whole record goes, and nobody can prove or judge these games again.",
    )
    assert told[2:4] == (
        "The game on the table now stays: begin the next one first, and come back.",
        "1 record cannot be read; nobody knows who is named in it, and it stays.",
    )


def test_a_restore_of_nothing_new() -> None:
    assert restore_words(True, 0, 0, 2, (), (), False, ()) == (
        "Restored: 0 games; files in all: 0.", "2 files are here already, the same.",
    )  # fmt: skip
    told = restore_words(False, 1, 1, 0, tuple("abcdefgh"), (), False, ("x", "y"))
    assert told == (
        "The backup is sound. New here: 1 game; files in all: 1.",
        "8 files here are different, and stay as they are here: a, b, c, d, e, f ….",
        "When the backup was made, 2 files were left out of it.",
    )
