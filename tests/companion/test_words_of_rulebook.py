"""The rules in words: a sentence for everything that is told, in whatever language, and what to put back."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from companion.announcements import ERROR_KINDS, Translator, rule_anchor, rulebook_label, rulebook_words
from companion.cards import Mark
from companion.games import GAMES, find_game
from companion.games.steal_errors import RULES
from companion.games.steal_options import CHOICES
from companion.table import row, slot
from companion.words.remedies import remedy_words
from companion.words.rulebook import WORDINGS, ParagraphTold, RulebookTold
from tests.companion.told import Told

NAMES = ("Anna", "Ben", "Cleo", "Dan")
STEAL = find_game("steal")


def told(seats: int = 4, say: Translator | None = None, **options: Any) -> RulebookTold:
    book = STEAL.rulebook(seats, STEAL.options(options))
    return rulebook_words(book, NAMES) if say is None else rulebook_words(book, NAMES, say)


def paragraphs(book: RulebookTold) -> dict[str, ParagraphTold]:
    return {each.id: each for section in book.sections for each in section.paragraphs}


def text(rule: str, seats: int = 4, **options: Any) -> str:
    return " ".join(line.text for line in paragraphs(told(seats, **options))[rule].lines)


def whole(book: RulebookTold) -> Iterator[str]:
    """Everything that there is to read."""
    yield book.title
    for section in book.sections:
        yield section.title
        for each in section.paragraphs:
            yield each.title
            yield from (line.text for line in each.lines)
            for mishap in each.mishaps:
                yield from (mishap.text, mishap.remedy)


def variants() -> Iterator[tuple[int, dict[str, Any]]]:
    for seats in (3, 4, 5):
        yield seats, {}
    yield 4, {"max_turns": 1, "hard_mode": True, "hard_see_drawn": False}
    yield 4, {"hard_mode": True, "hard_see_stolen": True}
    yield from ((4, {name: value}) for name, values in CHOICES.items() for value in values)


# ---- words ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_game_has_words_for_its_rules(game: Any) -> None:
    assert rulebook_words(game.rulebook(min(game.seats), game.options({}))).sections
    assert set(WORDINGS) == {each.name for each in GAMES}


def test_every_sentence_is_said_at_some_table_and_none_is_missing() -> None:
    keys, sections, ids = set(), set(), set()
    for seats, options in variants():
        book = STEAL.rulebook(seats, STEAL.options(options))
        sections |= {section.key for section in book.sections}
        ids |= {each.id for each in book.paragraphs()}
        keys |= {telling.key for each in book.paragraphs() for telling in each.tellings}
    wording = WORDINGS["steal"]
    assert (keys, sections, ids) == (set(wording.sentences), set(wording.sections), set(wording.titles))


def test_sentences_are_whole_short_and_in_the_players_words() -> None:
    for seats, options in variants():
        book = told(seats, **options)
        for each in paragraphs(book).values():
            for line in each.lines:
                assert re.fullmatch(r"[A-Z].{12,}[.]", line.text), line.text
                assert len(line.text) < 260, line.text
            assert len({line.text for line in each.lines}) == len(each.lines)
        for words in whole(book):
            assert not re.search(r"%|_|STEAL|True|False|None|=", words), words
    titles = [each.title for each in paragraphs(told()).values()]
    assert len(set(titles)) == len(titles)


def test_everything_goes_through_the_translator() -> None:
    asked: list[str] = []

    def gettext(message: str) -> str:
        asked.append(message)
        return f"«{message}»"

    for words in whole(told(say=Translator(gettext), hard_mode=True, max_turns=9)):
        assert words.startswith("«")
        assert words.endswith("»")
    assert "The rules of %(game)s" in asked
    assert rulebook_label("why", Translator(gettext)) == "«Why?»"


def test_seats_are_called_by_their_names() -> None:
    assert "Cleo begins this game." in text("STEAL-1.2", first_seat=2)
    assert "A round begins with Ben." in text("STEAL-1.5", first_seat=1, steal_back_wait="complete_round")
    nameless = rulebook_words(STEAL.rulebook(3, STEAL.options({})))
    assert any("Seat 1 begins this game." in words for words in whole(nameless))


@pytest.mark.parametrize(
    ("rule", "options", "on", "off"),
    [
        ("STEAL-1.3", {"allow_pass": True}, "take or pass", "steal or take"),
        ("STEAL-1.3-pass", {"allow_pass": True}, "You may pass", "There is no passing"),
        ("STEAL-1.7", {"hard_mode": True}, "nobody looks at cards", "You may look at your own cards at any time"),
        ("STEAL-1.10", {"penalty": "lose_turn"}, "costs you that turn", "costs nothing"),
        ("STEAL-1.3-final", {"final_steal": "none"}, "Nobody steals", "also steal from the player who brought on the end"),
        ("STEAL-1.3-final", {"end_latch": False}, "calls the end off", "The end stays"),
        ("STEAL-1.6", {"tie_break": "share"}, "the win is shared", "hearts and spades"),
        ("STEAL-1.3-end", {"max_turns": 30}, "limited to 30", "If a card is taken before that"),
        ("STEAL-1.5", {"steal_back_scope": "player"}, "steal nothing at all", "steal a card back from the player who stole it"),
        ("STEAL-1.3-take", {"removed_face": "up"}, "face up, for everybody to see", "nobody is shown it"),
    ],
)
def test_what_is_off_is_not_told_as_if_it_were_on(rule: str, options: dict[str, Any], on: str, off: str) -> None:
    usual, other = text(rule), text(rule, **options)
    assert on in other
    assert on not in usual
    assert off in usual
    assert (off in other) is ("max_turns" in options)


def test_changed_house_rules_are_marked_and_listed() -> None:
    assert told().changed == ()
    book = told(allow_pass=True, penalty="lose_turn")
    assert [each.id for each in book.changed] == ["STEAL-1.3", "STEAL-1.3-pass", "STEAL-1.10"]
    assert [line.changed for line in paragraphs(book)["STEAL-1.10"].lines] == [True, False]


def test_anchors() -> None:
    assert [rule_anchor(rule) for rule in ("STEAL-1.5", "STEAL-1.10-deck", "")] == ["steal-1-5", "steal-1-10-deck", ""]
    every = [each.anchor for each in paragraphs(told()).values()]
    every += [rule_anchor(kind) for kind in ERROR_KINDS]
    assert len(set(every)) == len(every)
    assert {rule_anchor(rule) for rule in RULES} <= set(every)


def test_the_labels() -> None:
    assert rulebook_label("menu") == "Rules"
    with pytest.raises(KeyError):
        rulebook_label("nothing")


# ---- what to put back ----------------------------------------------------------------------------------------------


def test_every_kind_of_violation_has_its_remedy() -> None:
    general = remedy_words("cards_eaten")
    for kind in ERROR_KINDS:
        assert remedy_words(kind) != general
        assert remedy_words(kind).endswith(".")


def begun(**options: Any) -> Told:
    """The first turn is over."""
    table = Told(**options)
    table.draw(0, 1, 6.0)
    return table


def broken(table: Told, kind: str) -> None:
    assert table.view.violation is not None
    assert table.view.violation.error == kind


def settled(table: Told) -> None:
    assert table.view.violation is None


def test_a_replaced_card_may_still_be_laid_onto_the_row() -> None:
    assert "onto the end of the row" in remedy_words("replaced_card_not_in_row")
    table = begun()
    old = table.shown[slot(1, 2)]
    table.lie({slot(1, 2): table.pile.pop(0)}, 12.0)
    broken(table, "replaced_card_not_in_row")
    table.lie({row(2): old}, 4.0)
    settled(table)
    assert table.view.last is not None
    assert table.view.last.kind == "draw"


def test_cards_of_a_steal_may_still_be_laid_where_they_belong() -> None:
    assert "exactly where the other one lay" in remedy_words("wrong_slot")
    table = begun()
    mine, other, stolen = table.shown[slot(1, 1)], table.shown[slot(1, 2)], table.shown[slot(2, 4)]
    table.lie({slot(1, 1): other, slot(1, 2): stolen, slot(2, 4): mine}, 12.0)
    broken(table, "wrong_slot")
    table.lie({slot(1, 1): stolen, slot(1, 2): other}, 4.0)
    settled(table)
    assert table.view.last is not None
    assert table.view.last.kind == "steal"


def test_of_two_actions_one_may_be_left() -> None:
    assert "so that one action is left" in remedy_words("two_actions")
    table = begun()
    table.lie({row(2): table.pile.pop(0), row(3): table.pile.pop(0)}, 12.0)
    broken(table, "two_actions")
    table.lie({row(3): Mark.EMPTY}, 4.0)
    settled(table)
    assert table.view.row == tuple(str(table.shown[row(number)]) for number in (1, 2))


def test_a_peek_leaves_nothing_to_put_back() -> None:
    assert remedy_words("peek").startswith("Nothing has to be put back")
    table = begun(hard_mode=True)
    lifted = table.shown[slot(2, 2)]
    table.lie({slot(2, 2): Mark.EMPTY}, 1.0)
    table.lie({slot(2, 2): lifted}, 2.5)
    broken(table, "peek")
    assert table.view.violation is not None
    assert (table.view.violation.rule, table.view.violation.remedy) == ("STEAL-1.7", ())
    table.wait(8.0)
    settled(table)
