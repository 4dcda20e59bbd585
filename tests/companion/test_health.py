"""What is thought of figures, and what is said."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from companion import health
from companion.health import (
    CameraFigures,
    Fact,
    Grade,
    MachineFigures,
    ProgramFigures,
    Report,
    Room,
    Throttling,
    judge_camera,
    judge_machine,
    judge_program,
    unread_step,
    worst,
)
from companion.observation import TroubleKind
from companion.words import health as words
from companion.words.health import advice_words, camera_words, fact_label, grade_words, off_words, summary_words, value_words

GB = 10**9
NOON = datetime(2027, 3, 1, 12, 5, tzinfo=UTC)
WELL = MachineFigures(
    NOON, "Raspberry Pi 5 Model B Rev 1.0", "Debian GNU/Linux 13 (trixie)", 48.2, Throttling((), ()), Room(2 * GB, 4 * GB),
    Room(20 * GB, 32 * GB), False, 0.4, 7300.0, True,
)  # fmt: skip
CAMERA = CameraFigures("mat1", 1, 10.0, 0.1, 0.7, 0.04, 0, "none")
PROGRAM = ProgramFigures("0.1.0", "3.13.2", "cards.onnx f90c497ec9ad")


def fact(facts: tuple[Fact, ...], kind: str) -> Fact:
    return next(each for each in facts if each.kind == kind)


def machine(kind: str, **changes: object) -> Fact:
    return fact(judge_machine(replace(WELL, **changes)), kind)  # type: ignore[arg-type]


def camera(kind: str, playing: bool = True, **changes: object) -> Fact:
    return fact(judge_camera(replace(CAMERA, **changes), playing), kind)  # type: ignore[arg-type]


def test_a_machine_that_is_well() -> None:
    facts = judge_machine(WELL)
    assert worst(facts) is Grade.OK
    assert [advice_words(each) for each in facts] == [""] * len(facts)
    assert [(fact_label(each), value_words(each)) for each in facts] == [
        ("Heat of the processor", "48 °C"),
        ("Slowed down now", "no"),
        ("Since it was switched on", "no"),
        ("Memory left", "2.0 of 4.0 GB"),
        ("Room left for records", "20.0 of 32.0 GB"),
        ("Work for each core", "0.4"),
        ("Clock", "2027-03-01 12:05"),
        ("Switched on for", "2 hours"),
        ("Machine", "Raspberry Pi 5 Model B Rev 1.0"),
        ("Operating system", "Debian GNU/Linux 13 (trixie)"),
    ]


def test_what_another_machine_does_not_tell_is_said_and_is_no_fault() -> None:
    facts = judge_machine(MachineFigures(NOON))
    assert worst(facts) is Grade.UNKNOWN
    said = {each.kind: value_words(each) for each in facts}
    assert said.pop("clock") == "2027-03-01 12:05"
    assert set(said.values()) == {"not known here"}
    assert all(each.grade is Grade.UNKNOWN and not each.problem for each in facts)


@pytest.mark.parametrize(
    ("kind", "changes", "grade", "problem"),
    [
        ("heat", {"heat_c": 74.9}, Grade.OK, ""),
        ("heat", {"heat_c": 75.0}, Grade.WARN, "hot"),
        ("heat", {"heat_c": 82.0}, Grade.BAD, "hot"),
        ("throttled_now", {"throttling": Throttling((), ("undervoltage",))}, Grade.OK, ""),
        ("throttled_since", {"throttling": Throttling((), ("undervoltage",))}, Grade.WARN, "undervoltage"),
        ("throttled_now", {"throttling": Throttling(("throttled",), ("throttled",))}, Grade.BAD, "slowed"),
        ("throttled_since", {"throttling": Throttling(("throttled",), ("throttled",))}, Grade.WARN, ""),
        ("throttled_since", {"throttling": Throttling(("capped",), ("undervoltage", "capped"))}, Grade.WARN, "undervoltage"),
        ("memory", {"memory": Room(GB // 2, 4 * GB)}, Grade.OK, ""),
        ("memory", {"memory": Room(4 * GB // 11, 4 * GB)}, Grade.WARN, "memory"),
        ("memory", {"memory": Room(4 * GB // 30, 4 * GB)}, Grade.BAD, "memory"),
        ("memory", {"memory": Room(0, 0)}, Grade.UNKNOWN, ""),
        ("disk", {"disk": Room(GB // 2, 32 * GB)}, Grade.WARN, "disk"),
        ("disk", {"disk": Room(GB // 10, 32 * GB)}, Grade.BAD, "disk"),
        ("disk", {"disk": Room(5 * GB, 1000 * GB)}, Grade.OK, ""),
        ("disk", {"disk": Room(GB // 2, GB)}, Grade.OK, ""),
        ("disk", {"read_only": True}, Grade.BAD, "read_only"),
        ("disk", {"read_only": True, "disk": None}, Grade.BAD, "read_only"),
        ("load", {"load": 1.5}, Grade.WARN, "busy"),
        ("load", {"load": 3.0}, Grade.BAD, "busy"),
        ("clock", {"clock_set": False}, Grade.WARN, "clock_alone"),
        ("clock", {"clock_set": None}, Grade.UNKNOWN, ""),
        ("clock", {"wall": datetime(1970, 1, 1, tzinfo=UTC)}, Grade.BAD, "clock_lost"),
    ],
)
def test_a_machine_is_judged(kind: str, changes: dict[str, object], grade: Grade, problem: str) -> None:
    found = machine(kind, **changes)
    assert (found.grade, found.problem) == (grade, problem)
    assert bool(advice_words(found)) == bool(problem)


def test_what_slows_the_processor_is_named() -> None:
    throttling = Throttling(("undervoltage", "throttled"), ("undervoltage", "throttled", "soft_limit"))
    assert value_words(machine("throttled_now", throttling=throttling)) == "too little voltage and throttled"
    assert value_words(machine("throttled_since", throttling=throttling)) == "too little voltage, throttled and limited by heat"
    assert "power supply" in advice_words(machine("throttled_now", throttling=throttling))
    assert set(words._FLAGS) == set(health.LIVE_FLAGS)


@pytest.mark.parametrize(
    ("kind", "changes", "grade", "problem"),
    [
        ("age", {}, Grade.OK, ""),
        ("age", {"age_s": 1.5}, Grade.BAD, "silent"),
        ("age", {"age_s": 1.5, "rate_hz": 1.0}, Grade.OK, ""),
        ("age", {"age_s": 3.5, "rate_hz": 1.0}, Grade.BAD, "silent"),
        ("age", {"age_s": None, "rate_hz": None}, Grade.UNKNOWN, ""),
        ("age", {"trouble": "dark"}, Grade.BAD, "dark"),
        ("age", {"trouble": "dark", "age_s": 9.0}, Grade.BAD, "silent"),
        ("rate", {"rate_hz": 0.9}, Grade.WARN, "slow"),
        ("rate", {"rate_hz": None}, Grade.UNKNOWN, ""),
        ("sharpness", {"blur_px": 1.4}, Grade.WARN, "blurred"),
        ("sharpness", {"blur_px": 1.9}, Grade.BAD, "blurred"),
        ("markers", {"marker_mm": 0.31}, Grade.WARN, "markers"),
        ("missing", {"markers_missing": 1}, Grade.WARN, "missing"),
        ("missing", {"markers_missing": 3}, Grade.BAD, "missing"),
        ("drift", {"drift_mm": 0.3}, Grade.OK, ""),
        ("drift", {"drift_mm": 1.2, "drift": "moved"}, Grade.BAD, "drift_moved"),
        ("drift", {"drift": "size"}, Grade.BAD, "drift_size"),
        ("drift", {"drift": "mirrored"}, Grade.BAD, "drift_mirrored"),
        ("drift", {"drift": "damaged"}, Grade.BAD, "drift_damaged"),
        ("unread", {"unread": "up_to_2"}, Grade.OK, ""),
        ("unread", {"unread": "up_to_5"}, Grade.WARN, "unread"),
        ("unread", {"unread": "up_to_15"}, Grade.WARN, "unread"),
        ("unread", {"unread": "more"}, Grade.BAD, "unread"),
        ("unread", {"unread": None}, Grade.UNKNOWN, ""),
    ],
)
def test_a_camera_is_judged(kind: str, changes: dict[str, object], grade: Grade, problem: str) -> None:
    found = camera(kind, **changes)
    assert (found.grade, found.problem) == (grade, problem)
    assert bool(advice_words(found, "the mat of Ben")) == bool(problem)


def test_a_camera_that_is_well_is_said_in_figures() -> None:
    facts = judge_camera(CAMERA, True)
    assert [(fact_label(each), value_words(each)) for each in facts] == [
        ("Last picture", "0.1 s ago"),
        ("Pictures a second", "10.0"),
        ("Blur of the marks", "0.7 pixels"),
        ("Marks are off by", "0.04 mm"),
        ("Cards not readable", "none so far"),
    ]


def test_a_camera_that_has_sent_nothing_yet() -> None:
    facts = judge_camera(CameraFigures("tray", None), True)
    assert [value_words(each) for each in facts] == [
        "no picture yet", "no picture yet", "not measured yet", "not measured yet", "told after the game"
    ]  # fmt: skip


def test_a_camera_rests_between_games() -> None:
    for age in (None, 60.0):
        found = camera("age", playing=False, age_s=age)
        assert (found.grade, advice_words(found)) == (Grade.OK, "No game is on, so it rests.")
    assert camera("age", playing=False).problem == "", "one that goes on sending does not"


@pytest.mark.parametrize("kind", TroubleKind)
def test_every_trouble_has_the_advice_that_the_table_gives(kind: TroubleKind) -> None:
    age = 30.0 if kind is TroubleKind.SILENT else 0.1
    found = camera("age", trouble=kind.value, age_s=age)
    assert found.problem == kind.value
    assert "the mat of Ben" in advice_words(found, "the mat of Ben")


@pytest.mark.parametrize(
    ("unread", "cards", "step"),
    [(0, 19, None), (19, 19, None), (0, 20, "none"), (1, 200, "up_to_2"), (2, 100, "up_to_2"), (3, 100, "up_to_5"),
     (6, 100, "up_to_15"), (15, 100, "up_to_15"), (16, 100, "more"), (100, 100, "more")],
)  # fmt: skip
def test_the_share_of_unread_cards_is_told_in_coarse_steps(unread: int, cards: int, step: str | None) -> None:
    assert unread_step(unread, cards) == step
    assert step is None or value_words(Fact("unread", Grade.OK, step))


def test_every_step_has_words_and_ends_with_its_sign() -> None:
    said = {step: value_words(Fact("unread", Grade.OK, step)) for step in words._STEPS}
    assert said == {
        "none": "none so far", "up_to_2": "up to 2 %", "up_to_5": "up to 5 %", "up_to_15": "up to 15 %",
        "more": "more than 15 %",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0, "0 minutes"), (61, "1 minute"), (7199, "119 minutes"), (7200, "2 hours"), (172800, "2 days")],
)
def test_how_long_it_has_been_on(seconds: float, said: str) -> None:
    assert value_words(machine("uptime", uptime_s=float(seconds))) == said


def test_small_disks_are_told_in_megabytes() -> None:
    assert value_words(machine("memory", memory=Room(312_000_000, 430_000_000))) == "312.0 of 430.0 MB"


def test_figures_are_rounded_and_not_cut() -> None:
    assert value_words(camera("age", age_s=0.96)) == "1.0 s ago"
    assert value_words(camera("markers", marker_mm=0.099)) == "0.10 mm"
    assert value_words(camera("markers", marker_mm=1.005)) in ("1.00 mm", "1.01 mm")


def test_all_is_said_in_one_sentence() -> None:
    well = Report(WELL, PROGRAM, (CAMERA,), playing=True)
    assert summary_words(well) == "All is well."
    assert summary_words(Report(MachineFigures(NOON), ProgramFigures("0", "3"))) == "All is well."
    warm = replace(well, machine=replace(WELL, heat_c=76.0))
    assert summary_words(warm) == "One thing could be better."
    assert summary_words(replace(warm, cameras=(CAMERA, replace(CAMERA, age_s=9.0)))) == "2 things need to be looked after."


def test_whose_camera_it_is() -> None:
    assert camera_words(1, ("Ann", "Ben")) == "Camera of the mat of Ben"
    assert camera_words(1, ()) == "Camera of the mat of Seat 2"
    assert camera_words(None, ("Ann",)) == "Camera of the tray"


def test_the_program_is_neither_well_nor_ill() -> None:
    assert {each.grade for each in judge_program(PROGRAM)} == {Grade.PLAIN}
    assert grade_words(Grade.PLAIN) == ""
    assert [grade_words(grade) for grade in list(Grade)[1:]] == ["good", "not known", "could be better", "bad"]


def test_what_becomes_of_the_game() -> None:
    assert "goes on at the next start" in off_words(True)
    assert "will be lost" in off_words(False)
