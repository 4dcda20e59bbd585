"""A first game: each step waits for what the table has seen."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.tutorial import LESSONS, Lesson, Tutorial
from companion.views import LockView, MoveView, SlotShows, View, ViolationView
from tests.companion import tables


def at(lesson: Lesson, **changes: object) -> Tutorial:
    return replace(Tutorial(0, lesson), **changes)  # type: ignore[arg-type]


def moved(kind: str, seat: int = 0, turn: int = 5) -> View:
    return replace(tables.playing(), last=MoveView(kind, seat, slot=2), turn=turn)


def holding() -> View:
    return replace(tables.playing(), turn=0, seats=(tables.seat(0, s2=SlotShows.OUT), *(tables.seat(n) for n in (1, 2, 3))))


def barred(seat: int = 0) -> View:
    return replace(tables.playing(), violation=ViolationView("steal_back_locked", "STEAL-1.5", seat, (), (), ()))


def test_dealing_is_over_when_every_card_was_seen():
    some = replace(tables.dealing())
    assert at(Lesson.DEAL).after(some).lesson is Lesson.DEAL
    assert at(Lesson.DEAL).after(tables.playing()).lesson is Lesson.LOOK


def test_looking_takes_a_card_in_the_hand_and_none_any_more():
    tutorial = at(Lesson.LOOK).after(replace(tables.playing(), turn=0))
    assert tutorial.lesson is Lesson.LOOK
    held = tutorial.after(holding())
    assert (held.lesson, held.lifted) == (Lesson.LOOK, True)
    assert held.after(replace(tables.playing(), turn=0)).lesson is Lesson.DRAW


def test_who_plays_before_he_has_looked_has_still_drawn():
    waiting = at(Lesson.LOOK).after(moved("draw", seat=1, turn=1))
    assert (waiting.lesson, waiting.keeps_waiting) == (Lesson.LOOK, True)
    tutorial = at(Lesson.LOOK).after(moved("draw", turn=1))
    assert (tutorial.lesson, tutorial.keeps_waiting) == (Lesson.DRAW, False)
    assert tutorial.after(moved("draw", turn=1)).lesson is Lesson.STEAL


@pytest.mark.parametrize(
    ("lesson", "kind"), [(Lesson.DRAW, "draw"), (Lesson.DRAW, "discard"), (Lesson.STEAL, "steal"), (Lesson.TAKE, "take")]
)
def test_a_move_of_the_person_is_what_counts(lesson, kind):
    tutorial = at(lesson, since=4)
    for idle in (moved("pass"), moved(kind, seat=1), moved(kind, turn=4), replace(moved(kind), violation=barred().violation)):
        assert tutorial.after(idle).lesson is lesson
    after = tutorial.after(moved(kind))
    assert after.lesson is LESSONS[LESSONS.index(lesson) + 1]
    assert after.since == 5


def test_stealing_back_is_learnt_when_it_was_put_right():
    tutorial = at(Lesson.LOCK, since=5).after(barred())
    assert (tutorial.lesson, tutorial.barred) == (Lesson.LOCK, True)
    assert tutorial.after(moved("steal", seat=1)).lesson is Lesson.TAKE


def test_who_does_not_try_it_has_understood_as_well():
    assert at(Lesson.LOCK, since=5).after(barred(seat=2)).barred is False
    assert at(Lesson.LOCK, since=5).after(moved("draw", turn=9)).lesson is Lesson.TAKE


def test_the_end_and_the_reveal():
    assert at(Lesson.END).after(tables.final()).lesson is Lesson.END
    assert at(Lesson.END).after(tables.revealing()).lesson is Lesson.REVEAL
    assert at(Lesson.REVEAL).after(tables.revealing()).lesson is Lesson.REVEAL
    assert at(Lesson.REVEAL).after(tables.won()).lesson is Lesson.DONE
    assert at(Lesson.DONE).after(tables.playing()) == at(Lesson.DONE)


def test_a_game_that_is_over_sooner_leads_to_the_reveal():
    assert at(Lesson.TAKE).after(tables.revealing()).lesson is Lesson.REVEAL


def test_it_tells_where_a_stolen_card_lies():
    locks = (LockView(2, 0, 4, 3), LockView(0, 1, None, 2), LockView(0, 3, 2, 2))
    assert Tutorial(0).robbed_by(replace(tables.playing(), locks=locks)) == (3, 2)
    assert Tutorial(1).robbed_by(replace(tables.playing(), locks=locks)) is None


def test_others_play_along():
    few, many = replace(tables.playing(), row=("Td",)), replace(tables.playing(), row=("Td", "4c", "As"))
    assert [at(Lesson.DRAW).wish(view) for view in (few, many)] == ["draw", "steal"]
    assert at(Lesson.LOCK).wish(many) == "rob"
    assert at(Lesson.LOCK).wish(replace(many, locks=(LockView(0, 3, 2, 2),))) == "steal"
    assert at(Lesson.END).wish(many) == "discard"


def test_the_person_waits_only_while_it_is_not_his_turn():
    view = tables.playing()
    assert at(Lesson.STEAL).waits(view)
    assert not at(Lesson.STEAL).waits(replace(view, current=0))
    assert not at(Lesson.LOOK).waits(view)
    assert not at(Lesson.STEAL).waits(barred())
    assert [at(lesson).number for lesson in Lesson] == list(range(1, 10))
