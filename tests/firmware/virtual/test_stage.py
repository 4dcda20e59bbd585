"""Virtual time: several people act at once."""

from dataclasses import replace

from companion.observation import Press
from firmware.virtual.stage import Stage, Until
from tests.companion.tables import playing


def test_waiting_takes_virtual_time_only():
    stage, seen = Stage(), []

    def act():
        seen.append(stage.now)
        yield 0.25
        seen.append(stage.now)
        yield 1.0
        seen.append(stage.now)

    stage.enter(act())
    stage.advance(0.1)
    assert seen == [0.0]
    stage.advance(0.5)
    assert seen == [0.0, 0.25]
    stage.advance(5.0)
    assert seen == [0.0, 0.25, 1.25]
    assert stage.idle
    assert stage.now == 5.0


def test_two_people_act_in_the_order_of_time():
    stage, order = Stage(), []

    def walk(name, pauses):
        for pause in pauses:
            yield pause
            order.append((name, stage.now))

    stage.enter(walk("slow", [0.3, 0.3]))
    stage.enter(walk("quick", [0.2, 0.2]))
    stage.advance(1.0)
    assert order == [("quick", 0.2), ("slow", 0.3), ("quick", 0.4), ("slow", 0.6)]


def test_a_wait_ends_when_its_test_holds_and_says_so():
    stage, answers, door = Stage(), [], []

    def act():
        answers.append((yield Until(lambda: bool(door), 10.0)))

    stage.enter(act())
    stage.advance(1.0)
    assert answers == []
    door.append("open")
    stage.advance(1.1)
    assert answers == [True]


def test_a_wait_that_runs_out_answers_false():
    stage, answers = Stage(), []

    def act():
        answers.append((yield Until(lambda: False, 2.0)))

    stage.enter(act())
    stage.advance(1.9)
    assert answers == []
    stage.advance(2.1)
    assert answers == [False]


def test_presses_carry_the_moment_at_which_they_were_made():
    stage = Stage()

    def act():
        yield 0.25
        stage.say(2, Press())

    stage.enter(act())
    said = stage.advance(1.0)
    assert [(one.time, one.seat, one.what) for one in said] == [(0.25, 2, Press())]
    assert stage.advance(2.0) == ()


def test_nobody_moves_while_play_is_stopped_and_everybody_goes_on_afterwards() -> None:
    done: list[float] = []

    def act():
        for _ in range(3):
            yield 1.0
            done.append(round(stage.now, 3))

    stage = Stage()
    stage.enter(act())
    stage.advance(1.5)
    stage.view = replace(playing(), stopped=True)
    stage.advance(21.5)
    assert done == [1.0]
    stage.view = playing()
    stage.advance(30.0)
    assert done == [1.0, 22.0, 23.0]
