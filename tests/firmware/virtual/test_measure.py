"""Figures that can fall: each is broken once on purpose."""

import dataclasses

from companion.cards import Card, Mark
from companion.views import QuestionView, View, ViolationView
from firmware.virtual.measure import KINDS, Figures, Turn, Witness, accepted, count_reads, percentile, right_turns

DRAW = {"type": "draw", "seat": 0, "use": 2}
STEAL = {"type": "steal", "seat": 1, "from": 0, "slot": 2, "give": 4}
TAKE = {"type": "take", "seat": 2, "slot": 1}


def a_view(question=None, error=None, time=1.0):
    violation = None if error is None else ViolationView(error, "STEAL-1.10", 0, (), (), ())
    asked = None if question is None else QuestionView(question, "which_action", None, ())
    return View(
        version=1, time=time, game="steal", phase="play", turn=0, current=0, seats=(), row=(), pile=32, removed=0, ender=None,
        final_left=(), locks=(), last=None, question=asked, violation=violation, awaiting=(), revealing=False, result=None,
        paused=False,
    )


def test_turns_that_stand_in_the_log_are_right():
    log = [("action", {"type": "start"}), ("action", DRAW), ("action", STEAL), ("action", TAKE)]
    assert right_turns([Turn(DRAW), Turn(STEAL), Turn(TAKE)], log) == 3


def test_the_order_of_keys_in_a_record_does_not_matter():
    assert right_turns([Turn(DRAW)], [("action", dict(reversed(DRAW.items())))]) == 1


def test_a_turn_that_the_table_named_otherwise_is_wrong_and_the_following_ones_still_count():
    log = [("action", DRAW), ("action", {**STEAL, "give": 5}), ("action", TAKE)]
    assert right_turns([Turn(DRAW), Turn(STEAL), Turn(TAKE)], log) == 2


def test_a_turn_that_was_taken_back_does_not_stand():
    log = [("action", {**DRAW, "use": None}), ("undone", {**DRAW, "use": None}), ("action", DRAW)]
    assert len(accepted(log)) == 1
    assert right_turns([Turn(DRAW)], log) == 1


def test_only_the_latest_of_two_equal_turns_is_undone():
    assert accepted([("action", DRAW), ("action", STEAL), ("action", DRAW), ("undone", DRAW)]) == accepted(
        [("action", DRAW), ("action", STEAL)]
    )


def test_a_turn_that_needed_a_question_is_right_only_where_nobody_could_see_it():
    log = [("action", DRAW), ("action", STEAL)]
    assert right_turns([Turn(DRAW, asked=True), Turn(STEAL)], log) == 1
    assert right_turns([Turn(DRAW, asked=True, excused=True), Turn(STEAL)], log) == 2


def test_turns_that_nobody_made_are_not_counted():
    assert right_turns([Turn(DRAW)], [("action", DRAW), ("action", STEAL)]) == 1


def test_a_question_is_counted_once_however_long_it_is_shown():
    witness = Witness(Figures())
    witness.turn = Turn(DRAW)
    for question in (None, 1, 1, None, 2):
        witness.see(a_view(question))
    assert witness.figures.questions == 2
    assert witness.turn.asked


def test_an_accusation_without_a_violation_is_false():
    witness = Witness(Figures())
    for error in (None, "two_actions", "two_actions", None, "peek"):
        witness.see(a_view(error=error))
    assert witness.figures.false_accusations == 2
    assert "two_actions" in witness.figures.notes[0]


def test_a_violation_is_caught_misnamed_or_missed():
    witness = Witness(Figures())
    for shown in ("slot_empty", "two_actions", None):
        witness.begin("slot_empty")
        witness.see(a_view(error=shown))
        witness.see(a_view())
        witness.end()
    tally = witness.figures.violations["slot_empty"]
    assert (tally.made, tally.caught, tally.misnamed) == (3, 1, 1)
    assert witness.figures.false_accusations == 0


def test_the_first_name_counts():
    witness = Witness(Figures())
    witness.begin("peek")
    witness.see(a_view(error="slot_empty"))
    witness.see(a_view())
    witness.see(a_view(error="peek"))
    witness.end()
    assert witness.figures.violations["peek"].misnamed == 1


def test_readings_are_right_wrong_or_unknown():
    figures = Figures()
    ace, king = Card.parse("As"), Card.parse("Kd")
    pairs = [(ace, ace), (ace, king), (ace, Mark.UNREADABLE), (Mark.EMPTY, Mark.EMPTY), (ace, Mark.EMPTY), (ace, Mark.COVERED)]
    wrong = count_reads(figures, pairs)
    assert wrong == [(ace, king), (ace, Mark.EMPTY)]
    assert (figures.slot_reads, figures.wrong_reads, figures.unknown_reads) == (6, 2, 2)


def test_figures_of_two_games_add_up():
    first, second = Figures(games=1, turns=3, delays=[0.5]), Figures(games=1, turns=4, delays=[0.1])
    second.violations["peek"].made = 2
    first.add(second)
    assert (first.games, first.turns, first.delays) == (2, 7, [0.5, 0.1])
    assert first.violations["peek"].made == 2


def test_the_json_has_the_published_form():
    figures = Figures(games=1, delays=[0.3, 0.1, 0.2])
    figures.violations["peek"].made = 1
    data = figures.to_json()
    assert data["violations"] == {"peek": {"made": 1, "caught": 0, "misnamed": 0}}
    assert data["settle_to_ruling_ms"] == {"p50": 200.0, "p95": 300.0}
    expected = {
        "games", "turns", "turns_right", "violations", "invisible", "false_accusations", "questions", "put_backs",
        "put_backs_recognised", "slot_reads", "wrong_reads", "unknown_reads", "reveals", "reveals_right", "payouts_right",
        "frames", "cpu_seconds", "settle_to_ruling_ms",
    }  # fmt: skip
    assert expected <= set(data)


def test_percentiles_of_nothing_are_unknown():
    assert percentile([], 0.5) is None
    assert percentile([0.25], 0.95) == 250.0


def test_every_kind_has_a_tally_of_its_own():
    figures = Figures()
    assert set(figures.violations) == set(KINDS) == {*KINDS}
    assert len({id(tally) for tally in figures.violations.values()}) == len(KINDS)
    assert dataclasses.asdict(figures.violations["peek"]) == {"made": 0, "caught": 0, "misnamed": 0}
