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
