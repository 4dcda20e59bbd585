"""What is said aloud: only what is true now, and nothing twice."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.announcements import announce
from companion.views import MoveView, View
from companion.voice import SOUNDS, Line, Speech, Topic, captions, news, sounding, speech
from tests.companion import tables

MADE = {
    "playing": tables.playing, "stolen": tables.stolen, "broken": tables.broken, "asked": tables.asked, "final": tables.final,
    "revealing": tables.revealing, "won": tables.won, "dealing": tables.dealing, "troubled": tables.troubled,
    "differing": tables.differing, "awaiting": tables.awaiting, "stopped": tables.stopped, "undone": tables.undone,
}  # fmt: skip


def moved(number: int, seat: int = 0, slot: int = 3, kind: str = "draw") -> View:
    """After the `number`-th action, made by `seat`."""
    return replace(tables.playing(), undo=number, turn=number, current=(seat + 1) % 4, last=MoveView(kind, seat, slot))


def said(*views: View) -> list[str]:
    """Everything that somebody hears who has been there from the first view on."""
    before, heard = None, []
    for view in views:
        now = speech(view)
        heard += [line.text for line in news(before, now)]
        before = now
    return heard


@pytest.mark.parametrize("name", MADE)
def test_every_line_stands_on_the_page_too(name: str) -> None:
    view = MADE[name]()
    words = announce(view)
    page = " ".join((words.headline, words.happened, words.ending, words.question, words.violation, *words.remedy, words.result,
                     words.trouble, words.record, *words.steps, words.reseat, words.proposal, *words.hands))  # fmt: skip
    for line in speech(view).lines:
        text = line.text.partition(": ")[2].removesuffix(".") if line.topic is Topic.HAND else line.text
        assert text
        assert text in page
        assert line.more in page


@pytest.mark.parametrize("name", MADE)
def test_nobody_is_told_what_he_has_heard_or_what_was_before_he_came(name: str) -> None:
    now = speech(MADE[name]())
    assert now.lines
    assert news(None, now) == ()
    assert news(now, now) == ()


def test_a_move_and_whose_turn_follows_are_said() -> None:
    assert said(moved(1), moved(2, seat=1, slot=4)) == [
        "Ben drew into slot 4; the old card went to the row.", "Cleo to play",
    ]  # fmt: skip


def test_a_move_that_was_another_one_is_said_as_what_it_is() -> None:
    before, after = moved(2, seat=1), moved(2, seat=1, kind="discard")
    assert said(before, after) == ["Ben drew a card and laid it on the row."]


def test_an_undo_does_not_tell_the_move_before_it_again() -> None:
    first, second = moved(1), moved(2, seat=1, slot=4)
    assert said(first, second, first)[2:] == ["Ben to play"]
    assert said(first, second, first, second)[3:] == ["Ben drew into slot 4; the old card went to the row.", "Cleo to play"]


def test_what_has_to_be_put_back_is_said_once_though_it_is_ticked_off() -> None:
    one, two = tables.broken((False, False, False)), tables.broken((True, True, False))
    line = next(line for line in speech(one).lines if line.topic is Topic.VIOLATION)
    assert line.more == " ".join(announce(one).remedy)
    left = next(line for line in speech(two).lines if line.topic is Topic.VIOLATION)
    assert left.more == announce(two).remedy[2]
    assert said(one, two) == []


def test_play_that_goes_on_after_a_violation_names_who_is_to_play() -> None:
    assert said(tables.playing(), tables.broken(), tables.playing())[-1] == announce(tables.playing()).headline


def test_the_winner_is_said_with_the_reason_and_once() -> None:
    won = tables.won()
    heard = said(tables.revealing(), won, replace(won, version=9))
    assert heard == ["Dan: ten high.", "Cleo: queen high.", "Ben: a pair of aces.", announce(won).result]


def one_by_one(*order: int) -> list[View]:
    """All cards of the seats in this order, one after another."""
    counts, views = [0, 0, 0, 0], [tables.revealing((0, 0, 0, 0))]
    for seat in order:
        for number in range(1, 6):
            counts[seat] = number
            views.append(tables.revealing((counts[0], counts[1], counts[2], counts[3])))
    return [*views[:-1], tables.won()] if len(order) == 4 else views


HANDS = {0: "Anna: two pair, kings and nines.", 1: "Ben: a pair of aces.", 2: "Cleo: queen high.", 3: "Dan: ten high."}


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (3, 2, 1, 0), (1, 3, 0, 2)])
def test_hands_are_said_as_they_are_turned_over_and_the_winner_last(order: tuple[int, ...]) -> None:
    assert said(*one_by_one(*order)) == [*(HANDS[seat] for seat in order), announce(tables.won()).result]


def test_nobody_is_said_to_win_while_a_card_is_hidden() -> None:
    for view in one_by_one(0, 1, 2, 3)[:-1]:
        lines = speech(view).lines
        assert {line.topic for line in lines} <= {Topic.HAND, Topic.TURN}
        assert not any("win" in line.text.lower() for line in lines)
        assert "over" not in sounding(view)


@settings(max_examples=30, deadline=None)
@given(st.permutations(range(4)), st.lists(st.integers(0, 20), max_size=4))
def test_a_reveal_that_is_stopped_and_joined_late_is_said_like_a_plain_one(order: list[int], stops: list[int]) -> None:
    plain = one_by_one(*order)
    views = [replace(view, stopped=True) if step in stops and one else view
             for step, view in enumerate(plain) for one in ((True, False) if step in stops else (False,))]  # fmt: skip
    course = [line for line in said(*views) if line not in ("Stopped", "Turn your cards over")]
    assert course == said(*plain)
    assert said(*plain[12:]) == said(*plain)[len(said(*plain[:13])) :], "whoever comes late hears what is still to come"


def test_a_corrected_hand_is_said_anew_with_what_follows_and_no_other() -> None:
    won = tables.won()
    shown = won.seats[1]
    slots = tuple(replace(slot, card="As") if slot.card == "2h" else slot for slot in shown.slots)
    seats = (won.seats[0], replace(shown, slots=slots, category="three of a kind"), *won.seats[2:])
    result = replace(tables.won().result, order=(1, 0, 2, 3), winners=(1,))  # type: ignore[type-var]
    corrected = replace(won, seats=seats, result=result)
    fresh = said(*one_by_one(0, 1, 2, 3), corrected)[5:]
    assert fresh == ["Ben: three of a kind, aces.", announce(corrected).result]
    undone = tables.playing()
    again = said(won, undone, *one_by_one(0, 1, 2, 3))
    assert again[-5:] == said(*one_by_one(0, 1, 2, 3)), "turned over again, they are said again"


def test_a_stop_silences_the_course_of_the_game() -> None:
    assert {line.topic for line in speech(tables.stopped()).lines} <= {Topic.HALT, Topic.PROPOSAL, Topic.TROUBLE, Topic.CARDS}


def test_sounds_have_captions() -> None:
    assert list(captions()) == [meaning.value for meaning in SOUNDS]
    assert all(captions().values())
    assert len(set(captions().values())) == len(SOUNDS)
    assert sounding(tables.broken()) == ("violation",)
    assert sounding(tables.won()) == ("over",)
    assert sounding(tables.playing()) == ()


Moves = list[tuple[int, int, int, str]]
MOVES = st.lists(
    st.tuples(st.integers(0, 6), st.integers(0, 3), st.integers(1, 5), st.sampled_from(("draw", "discard", "take"))),
    min_size=1, max_size=6,
)  # fmt: skip


@settings(max_examples=30, deadline=None)
@given(MOVES, MOVES)
def test_after_a_detour_the_same_is_said_as_without_it(detour: Moves, plain: Moves) -> None:
    """Whatever was corrected, undone or missed before: from a state on, what is said follows from that state alone."""
    before, after = [moved(*each) for each in detour], [moved(*each) for each in plain]
    assert said(*before, *after)[len(said(*before, after[0])) :] == said(*after)


@settings(max_examples=30, deadline=None)
@given(MOVES)
def test_somebody_who_was_away_hears_what_the_newest_state_makes_true(moves: Moves) -> None:
    now = speech(moved(*moves[-1]))
    away = news(speech(moved(*moves[0])), now)
    assert set(away) <= set(now.lines)


def test_lines_of_one_topic_are_told_apart_by_their_text_alone() -> None:
    before, now = Speech(1, (Line(Topic.VIOLATION, "a", "b"),)), Speech(1, (Line(Topic.VIOLATION, "a", "c"),))
    assert news(before, now) == ()
