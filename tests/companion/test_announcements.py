"""Sentences for players: one for every situation, none that names a hidden card."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from babel.messages.extract import extract_from_dir

import companion.words
from companion.announcements import (
    ENGLISH,
    ERROR_KINDS,
    Translator,
    announce,
    blind_words,
    deck_words,
    ending_words,
    error_words,
    headline,
    hint_words,
    lock_words,
    missing_words,
    move_words,
    offer_words,
    placement_words,
    question_words,
    refusal_words,
    seat_state_words,
    trouble_words,
    violation_words,
)
from companion.cards import Card
from companion.games import find_game
from companion.games.steal_state import Start, StealCard
from companion.observation import TroubleKind
from companion.rulings import Verdict
from companion.views import LockView, MoveView, PlacementView, QuestionView, TroubleView, ViolationView
from tests.companion import tables


def cards(text: str) -> list[Card]:
    return [Card.parse(each) for each in text.split()]


# ---- moves and questions -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("move", "words"),
    [
        (MoveView("draw", 0, slot=3), "Anna drew into slot 3; the old card went to the row."),
        (MoveView("discard", 1), "Ben drew a card and laid it on the row."),
        (MoveView("take", 2, slot=1), "Cleo took the newest card of the row into slot 1."),
        (MoveView("steal", 3, slot=4, victim=0, victim_slot=2), "Dan stole from slot 2 of Anna and gave slot 4."),
        (MoveView("pass", 0), "Anna passed."),
        (MoveView("arrange", 0), "Anna arranged the five cards."),
        (MoveView("start", None), "The game has started."),
        (MoveView("juggle", 0), "Anna has moved."),
    ],
)
def test_moves(move: MoveView, words: str) -> None:
    assert move_words(move, tables.playing()) == words


def test_offers_are_steps() -> None:
    view = tables.playing()
    assert offer_words(MoveView("steal", 0, 4, 1, 2), view) == ("Steal", "From Ben", "Take slot 2", "Give slot 4")
    assert offer_words(MoveView("draw", 0, 5), view) == ("Draw from the pile", "Use it in slot 5")
    assert offer_words(MoveView("discard", 0), view) == ("Draw from the pile", "Lay it on the row")
    assert offer_words(MoveView("pass", 0), view) == ("Pass",)


def test_a_question_has_a_text_and_a_text_for_each_choice() -> None:
    view = tables.asked()
    assert view.question is not None
    assert question_words(view.question, view) == (
        "The table could not see this move for sure. What did Ben do?",
        (
            "Ben took the newest card of the row into slot 2.",
            "Ben drew into slot 2; the old card went to the row.",
            "Nothing happened",
        ),
    )


@pytest.mark.parametrize("kind", ["which_action", "whose_card", "reseat", "second_look", "enter_card", "something_new"])
def test_every_kind_of_question_is_asked(kind: str) -> None:
    text, choices = question_words(QuestionView(1, kind, None, (None,), ((0, 2), (1, 3))), tables.playing())
    assert text.endswith("?")
    assert len(choices) == 1
    if kind in ("whose_card", "reseat", "second_look", "enter_card"):
        assert "slot 2 of Anna and slot 3 of Ben" in text


@pytest.mark.parametrize(
    ("current", "turns", "words"),
    [
        (1, 2, "locked on this turn of Ben, who may steal it back on the next one."),
        (0, 2, "locked on the next turn of Ben, who may steal it back on the one after it."),
        (2, 2, "Ben may steal it back on the next turn of Ben."),
        (2, 3, "Ben may steal it back on the next turn of Ben."),
        (2, 4, "locked on the next turn of Ben, who may steal it back on the one after it."),
        (1, 7, "Ben may steal it back in 7 turns of the table."),
        (None, 1, "Ben may steal it back in 1 turn of the table."),
    ],
)
def test_locks_count_the_turns_of_who_was_robbed(current: int | None, turns: int, words: str) -> None:
    view = replace(tables.playing(), current=current)
    assert lock_words(LockView(1, 0, 4, turns), view) == f"Slot 4 of Anna: {words}"


def test_a_lock_that_outlasts_the_game_is_called_so() -> None:
    lock, final = LockView(1, 0, 4, 2), replace(tables.playing(), phase="final", current=3, final_left=(3, 0, 1))
    never = "Slot 4 of Anna: Ben has no turn left on which to steal it back."
    assert lock_words(lock, final) == "Slot 4 of Anna: Ben may steal it back on the next turn of Ben."
    assert lock_words(replace(lock, turns_left=3), final) == never
    assert lock_words(lock, replace(final, final_left=(3, 0))) == never


def test_the_lock_of_a_card_that_has_moved_on() -> None:
    view = tables.playing()
    assert "has moved on; its lock runs for 1 more turn." in lock_words(LockView(1, 0, None, 1), view)
    assert "has moved on; its lock runs for 3 more turns of the table." in lock_words(LockView(1, 0, None, 3), view)


def test_lock_words_are_what_the_rules_allow() -> None:
    """Of every lock that a game makes, the turn on which it is said to end is the first on which the steal is allowed."""
    game = find_game("steal")
    for seats in (3, 4, 5):
        state = game.after(game.start(seats, game.options({})), Start())
        theft = StealCard(0, 1, 2, 3)
        back = StealCard(1, 0, 3, 1)
        state = game.after(state, theft)
        said = []
        for turn in range(1, seats + 2):
            locks = game.public(state).locks
            view = replace(tables.playing(seats), turn=turn, current=state.current)
            words = next((lock_words(lock, view) for lock in locks if lock.slot == 3), "")
            if state.current == 1:
                said.append((words, game.judge(state, back).verdict))
            elif turn < seats:
                assert words.endswith("Ben may steal it back on the next turn of Ben.")
            state = game.after(state, StealCard(state.current, (state.current + 1) % seats, 5, 5))
        assert [verdict for _, verdict in said] == [Verdict.ILLEGAL, Verdict.LEGAL]
        assert "locked on this turn of Ben" in said[0][0] and said[1][0] == ""


# ---- the state ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("situation", "line", "hint"),
    [
        ("dealing", "Setting up", "Five cards each, face down in the slots. The first move starts the game."),
        ("playing", "Ben to play", "Draw, take from the row or steal."),
        ("broken", "One moment, please", ""),
        ("asked", "A question", ""),
        ("final", "Final turn: Ben", "Then: Cleo and Dan."),
        ("revealing", "Turn your cards over", "12 cards are still hidden."),
        ("won", "Anna wins!", ""),
        ("troubled", "Paused", "Nothing is judged until the game goes on."),
        ("by_hand", "Ben to play", "Draw, take from the row or steal."),
        ("differing", "A question", ""),
        ("restoring", "Put the cards back", "The game goes on when they lie there."),
        ("awaiting", "Move the cards for Cleo", "The game goes on when they lie there."),
        ("confirming", "Move the cards for Cleo", "No camera sees them: press Done there when they lie."),
    ],
)
def test_the_headline(situation: str, line: str, hint: str) -> None:
    view = tables.SITUATIONS[situation]
    assert (headline(view), hint_words(view)) == (line, hint)


def test_the_hint_offers_only_what_can_be_done() -> None:
    view = tables.playing()
    assert hint_words(replace(view, row=())) == "Draw or steal."
    assert hint_words(replace(view, pile=0)) == "Take from the row or steal."
    assert hint_words(replace(view, phase="final", final_left=(1,))) == "This is the last turn of the game."
    assert hint_words(tables.revealing((5, 5, 5, 4))) == "1 card is still hidden."
    assert hint_words(tables.revealing((5, 5, 5, 5))) == "All hands are known."


def test_the_end_comes_closer() -> None:
    view = tables.playing()
    assert ending_words(view) == ""
    assert missing_words(view) == "3 more cards to the end"
    four = replace(view, row=("Td", "4c", "As", "7h"), to_end=1)
    assert ending_words(four) == "Four cards in the row: the next one brings on the end."
    assert missing_words(four) == "", "it is said already"
    # By this house rule the fifth discard ever made brings on the end, and two of them were taken.
    assert ending_words(replace(view, to_end=1)) == "The next card on the row brings on the end."
    assert missing_words(replace(view, to_end=2, row=())) == "2 more cards to the end"
    assert missing_words(replace(view, to_end=None)) == ending_words(replace(view, to_end=None)) == ""
    assert missing_words(tables.final()) == ""
    assert ending_words(replace(view, pile=1)) == "Only 1 card is left in the pile."
    assert ending_words(replace(view, pile=3)) == "Only 3 cards are left in the pile."
    assert ending_words(tables.final()) == "Eve triggered the final turns and has no further turn."


@pytest.mark.parametrize(
    ("placement", "words"),
    [
        (PlacementView("return_card", (0, 3), False), "Put the card back into slot 3 of Anna."),
        (PlacementView("clear_slot", (1, 1), False), "Take the card out of slot 1 of Ben."),
        (PlacementView("lay_card", (2, 5), False), "Lay the card into slot 5 of Cleo."),
        (PlacementView("row", None, False), "Lay the row as it is shown here."),
        (PlacementView("lay_card", None, False), "Lay the card that was replaced face up on the row."),
        (PlacementView("return_card", None, False), "Put the card back on the row."),
        (PlacementView("clear_slot", None, False), "Take the newest card off the row."),
    ],
)
def test_placements_name_the_place(placement: PlacementView, words: str) -> None:
    assert placement_words(placement, tables.playing()) == words


def test_a_violation_names_who_where_it_can() -> None:
    view = tables.playing()
    assert violation_words(ViolationView("peek", "", 0, (), (), ()), view).startswith("Anna: In hard mode")
    assert violation_words(ViolationView("two_actions", "", None, (1, 2, 3), (), ()), view).startswith("Ben, Cleo and Dan: More")
    assert violation_words(ViolationView("foreign_card", "", None, (), (), ()), view).startswith("A card from outside")


def test_who_acts_out_of_turn_and_leaves_something_out_is_told_whose_turn_it_is() -> None:
    half, view = ViolationView("replaced_card_not_in_row", "", 3, (), (), ()), tables.playing()
    broken = "Dan: The card that made room for the new one goes face up on the row."
    assert violation_words(half, view) == f"It is Ben's turn. {broken}"
    assert violation_words(half, replace(view, current=3)) == broken
    assert violation_words(half, replace(view, current=None)) == broken
    assert violation_words(replace(half, error="peek"), view).startswith("Dan: In hard mode")


def test_what_the_table_cannot_see() -> None:
    view = replace(tables.playing(), blind=("discards", "quick_moves", "something_new"))
    assert len(blind_words(view)) == 2
    assert trouble_words(view) == ""


@pytest.mark.parametrize("kind", TroubleKind)
def test_every_trouble_names_the_board_and_what_to_do(kind: TroubleKind) -> None:
    view = replace(tables.playing(), troubled=(TroubleView(kind.value, 0), TroubleView(kind.value, None)))
    first, second = trouble_words(view).split(". ")
    assert "the mat of Anna" in first
    assert "the tray" in second
    assert ": " in first, "what is wrong, then what to do"
    other = {trouble_words(replace(view, troubled=(TroubleView(each.value, 0),))) for each in TroubleKind if each is not kind}
    assert trouble_words(replace(view, troubled=(TroubleView(kind.value, 0),))) not in other


def test_a_trouble_that_lasts_says_how_the_game_goes_on() -> None:
    words = trouble_words(tables.by_hand())
    assert "Until then the moves of Ben are entered by tap." in words
    assert words.endswith("Until then the row is not watched.")
    assert seat_state_words(tables.by_hand().seats[1], tables.by_hand()) == ("by hand",)


def test_exchanged_cameras_name_both_boards() -> None:
    view = replace(tables.playing(), troubled=(TroubleView("other_board", 0, 1), TroubleView("other_board", 1)))
    words = trouble_words(view)
    assert "The camera of the mat of Anna shows the mat of Ben: " in words
    assert "The camera of the mat of Ben shows another board: " in words


def test_what_differs_is_named_by_its_place_and_has_two_ways_out() -> None:
    view = tables.differing()
    assert view.question is not None
    text, choices = question_words(view.question, view)
    assert text == (
        "The screen has something else at slot 2 of Ben, slot 5 of Ben and the row. Was something moved while no camera looked?"
    )
    assert choices == ("The table is right: go on with what lies there", "The screen is right: we put the cards back")
    only = replace(view.question, choices=(None,))
    assert question_words(only, view)[1] == ("The screen is right: we put the cards back",)


def test_a_deck_that_is_not_read_well_may_be_taught() -> None:
    view = tables.playing()
    assert deck_words(view) == ""
    assert "can be taught" in deck_words(replace(view, deck="weak"))
    assert "not the deck that was taught" in deck_words(replace(view, deck="other"))


# ---- everything at once ------------------------------------------------------------------------------------------

NAMED_CARD = re.compile(r"\b(10|[2-9TJQKA])[cdhs]\b|\b(clubs|diamonds|hearts|spades)\b")


def texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | tuple):
        for each in value:
            yield from texts(each)


@pytest.mark.parametrize("situation", tables.SITUATIONS)
def test_no_words_name_a_card_and_all_are_filled_in(situation: str) -> None:
    words = [text for value in asdict(announce(tables.SITUATIONS[situation])).values() for text in texts(value)]
    assert any(words)
    for text in words:
        assert not NAMED_CARD.search(text), text
        assert "%(" not in text
        assert " ?" not in text, "a number or a name is missing"


@pytest.mark.parametrize("situation", ["playing", "stolen", "broken", "asked", "final"])
def test_hands_are_not_ranked_before_they_are_open(situation: str) -> None:
    assert set(announce(tables.SITUATIONS[situation]).hands) == {""}


def test_hands_are_ranked_as_they_turn() -> None:
    assert announce(tables.revealing((5, 4, 0, 5))).hands == ("two pair, kings and nines", "", "", "ten high")


def test_a_situation_is_announced_whole() -> None:
    words = announce(tables.broken())
    assert words.violation == "Dan: It is another player's turn."
    assert words.remedy == (
        "Put the card back into slot 2 of Dan.",
        "Put the card back into slot 4 of Anna.",
        "Lay the row as it is shown here.",
    )
    assert announce(tables.awaiting()).awaiting[0] == "Lay the card into slot 3 of Cleo."
    assert announce(tables.asked()).choices[-1] == "Nothing happened"


# ---- other languages ---------------------------------------------------------------------------------------------


def test_every_sentence_goes_through_the_translator() -> None:
    """A translator that writes nothing but stars leaves no English word of ours behind."""
    asked_for: list[str] = []

    def stars(message: str) -> str:
        asked_for.append(message)
        return "*" + "".join(re.findall(r"%\(\w+\)[ds]", message))

    silent = Translator(stars, lambda one, many, count: stars(one if count == 1 else many))
    names = re.compile("|".join((*tables.NAMES, "kings", "nines")))
    for view in tables.SITUATIONS.values():
        for value in asdict(announce(view, silent)).values():
            for text in texts(value):
                assert not re.search("[a-z]{2}", names.sub("", text)), text
    assert "%(who)s to play" in asked_for


def test_a_catalogue_finds_every_sentence() -> None:
    """Babel's own extraction, told the names of our three ways to say something, misses nothing that is said."""
    keywords = {"say": None, "mark": None, "gettext": None, "counted": (1, 2)}
    folder = Path(companion.words.__file__).parent
    found: set[str] = set()
    for _, _, message, _, _ in extract_from_dir(folder, keywords=keywords):
        found |= {message} if isinstance(message, str) else set(message)
    said: set[str] = set()

    def note(message: str) -> str:
        said.add(message)
        return message

    listening = Translator(note, lambda one, many, count: note(one if count == 1 else many))
    for view in tables.SITUATIONS.values():
        announce(view, listening)
    for kind in ERROR_KINDS:
        error_words(kind, listening)
    assert len(said) > 80
    assert said <= found


def test_placeholders_may_change_their_order() -> None:
    backwards = Translator(lambda message: "%(sentence)s (%(who)s)" if message == "%(who)s: %(sentence)s" else message)
    view = tables.broken()
    assert view.violation is not None
    assert violation_words(view.violation, view, backwards) == "It is another player's turn. (Dan)"


def test_lists() -> None:
    assert [ENGLISH.listed(names) for names in ((), ("A",), ("A", "B"), ("A", "B", "C"))] == ["", "A", "A and B", "A, B and C"]
    german = Translator({"%(first)s and %(last)s": "%(first)s und %(last)s"}.__getitem__, point=",")
    assert german.listed(("A", "B", "C")) == "A, B und C"


def test_decimals() -> None:
    assert (ENGLISH.decimal(97.349, 1), Translator(point=",").decimal(97.349, 1)) == ("97.3", "97,3")


def test_a_name_with_a_percent_sign_stays_as_it_is() -> None:
    view = tables.playing()
    odd = replace(view, seats=(view.seats[0], replace(view.seats[1], name="50%(who)s"), *view.seats[2:]))
    assert headline(odd) == "50%(who)s to play"


def test_the_page_refuses_in_words() -> None:
    assert refusal_words("no_seat", found=9, count=4) == "There is no seat 9; the seats are 1 to 4."
    with pytest.raises(KeyError):
        refusal_words("no_such_kind")
