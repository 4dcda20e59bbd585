"""Words of the health page: what is measured, what came out, and what to do about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from companion.health import Fact, Grade, Report, Room, judge_camera, judge_machine, judge_program, worst
from companion.limits import Limit, Rig, limits
from companion.words.state import board_words, camera_trouble_words
from companion.words.translator import ENGLISH, Translator, mark

_LABELS: dict[str, str] = {
    "title": mark("Health of the table"),
    "machine": mark("The machine"),
    "cameras": mark("The cameras"),
    "program": mark("The program"),
    "messages": mark("Its last messages"),
    "no_messages": mark("It had nothing to complain about."),
    "no_cameras": mark("This table has no cameras."),
    "limits": mark("What the cameras cannot see"),
    "measured": mark("Measured at %(time)s"),
    "age": mark("Age of these figures"),
    "stale": mark("No connection to the table: these figures are old."),
    "bundle": mark("For support"),
    "bundle_lead": mark(
        "One file with versions, settings, figures, messages and the outline of the last records. No card, no picture, no key and"
        " no secret is in it. Look at it before you pass it on."
    ),
    "bundle_get": mark("Download the file for support"),
    "bundle_names": mark("With the players' names"),
    "off": mark("Switch off"),
    "off_ask": mark("Switch the table off …"),
    "off_sure": mark("Yes, switch it off"),
    "off_not": mark("No"),
    "off_done": mark("The table is switching off. Wait until its light has stopped flickering before you pull the plug."),
    "to_table": mark("To the table"),
    "no_script": mark("Without JavaScript this page stays as it is; load it again for new figures. It can switch nothing off."),
}

_KINDS: dict[str, str] = {
    "heat": mark("Heat of the processor"),
    "throttled_now": mark("Slowed down now"),
    "throttled_since": mark("Since it was switched on"),
    "memory": mark("Memory left"),
    "disk": mark("Room left for records"),
    "load": mark("Work for each core"),
    "clock": mark("Clock"),
    "uptime": mark("Switched on for"),
    "board": mark("Machine"),
    "system": mark("Operating system"),
    "version": mark("Version"),
    "reader": mark("Reads cards with"),
    "python": mark("Python"),
    "age": mark("Last picture"),
    "rate": mark("Pictures a second"),
    "sharpness": mark("Blur of the marks"),
    "markers": mark("Marks are off by"),
    "missing": mark("Marks not found"),
    "drift": mark("Moved since it was set up"),
    "unread": mark("Cards not readable"),
    "device": mark("The device"),
}

_GRADES: dict[Grade, str] = {
    Grade.OK: mark("good"),
    Grade.UNKNOWN: mark("not known"),
    Grade.WARN: mark("could be better"),
    Grade.BAD: mark("bad"),
}

_FLAGS: dict[str, str] = {
    "undervoltage": mark("too little voltage"),
    "capped": mark("its clock held down"),
    "throttled": mark("throttled"),
    "soft_limit": mark("limited by heat"),
}

_STEPS: dict[str, str] = {
    "none": mark("none so far"),
    "up_to_2": mark("up to 2 %%"),
    "up_to_5": mark("up to 5 %%"),
    "up_to_15": mark("up to 15 %%"),
    "more": mark("more than 15 %%"),
}

_DEVICES: dict[str, str] = {
    "starting": mark("is being started"),
    "stalled": mark("hung and was ended"),
    "gone": mark("is not there"),
    "refused": mark("does not take its settings"),
    "failed": mark("failed"),
}

_LIMITS: dict[Limit, str] = {
    Limit.SHORT_LIFT: mark("A card that is lifted and laid back within %(lift)s seconds may go unseen."),
    Limit.BETWEEN: mark("What happens between two looks is not seen, nor which of two moves came first: then the table asks."),
    Limit.KEPT: mark("A card that is not laid back before the button is pressed may be missed only after %(kept)s seconds."),
    Limit.LATE: mark("Rulings come up to %(late)s seconds later than at a quick table: wait for the lamp before the next move."),
    Limit.ROW: mark("Nobody looks at the row: the cards that are laid there have to be tapped."),
}

_ADVICE: dict[str, str] = {
    "device_stalled": mark("It is started anew by itself. If that happens often: a shorter cable, or a stronger power supply."),
    "device_gone": mark("See that its cable is plugged in at both ends; then it comes back by itself."),
    "device_refused": mark("Look at its [[camera]] in the settings file; the messages below say what it does not take."),
    "device_failed": mark("It is started anew by itself; the messages below say what happened."),
    "hot": mark("The processor is hot: give it air, or a cooler."),
    "undervoltage": mark("The power supply or its cable is too weak: use the one made for this machine, with a short cable."),
    "slowed": mark("The processor was slowed down, most often by heat: give it air, or a cooler."),
    "memory": mark("Memory runs out: end other programs on this machine."),
    "disk": mark("Little room is left for records: delete old games, or take a larger card."),
    "read_only": mark("Nothing can be written: the memory card may be worn out. Save the records, and put in a new one."),
    "busy": mark("The processor has more work than it gets done: end other programs on this machine."),
    "clock_lost": mark("This machine's clock is not set: dates and times of day in the record mean nothing."),
    "clock_alone": mark("No other clock has set this one: without a network the times of day in the record may be wrong."),
    "slow": mark("Few pictures come: moves are noticed late. Check cable and network of this camera."),
    "blurred": mark("The picture is not sharp: wipe lens and mirror, and focus anew with `viewmat check`."),
    "markers": mark("The marks do not lie where they should: see that board and camera are fixed, then use `viewmat check`."),
    "missing": mark("Something covers marks, or they are worn."),
    "drift_moved": mark("The camera or the plate has moved since it was set up: set it up again with `viewmat calibrate`."),
    "drift_size": mark("Its pictures have another size than when it was set up: set it up again with `viewmat calibrate`."),
    "drift_mirrored": mark("Its pictures are mirrored, unlike when it was set up: look at `mirror` in the settings file."),
    "drift_damaged": mark("What was kept when it was set up is damaged: set it up again with `viewmat calibrate`."),
    "unread": mark("Too many cards cannot be read: look at lamp and focus, or teach the deck with `viewmat teach`."),
    "resting": mark("No game is on, so it rests."),
}
_CAMERA_TROUBLES = ("silent", "frozen", "dark", "bright", "lost", "aside", "moved", "other_board")


def health_label(name: str, say: Translator = ENGLISH, /, **values: str | int) -> str:
    """The text called `name`; raises `KeyError` for one that there is not."""
    return say(_LABELS[name], **values)


def grade_words(grade: Grade, say: Translator = ENGLISH) -> str:
    """A grade in words, for those who do not see its sign; nothing for a plain fact."""
    return say(_GRADES[grade]) if grade in _GRADES else ""


def fact_label(fact: Fact, say: Translator = ENGLISH) -> str:
    """What was measured."""
    return say(_KINDS[fact.kind])


def value_words(fact: Fact, say: Translator = ENGLISH) -> str:
    """What came out, with its unit."""
    if fact.value is None:
        return say("no picture yet") if fact.kind in ("age", "rate") else _not_known(fact, say)
    return _VALUES.get(fact.kind, _plainly)(fact.value, say)


def advice_words(fact: Fact, board: str = "", say: Translator = ENGLISH) -> str:
    """What to do about a fact that is not well; empty where it is.  `board` names what the camera looks at."""
    if fact.problem in _CAMERA_TROUBLES:
        return camera_trouble_words(fact.problem, board, say)
    return say(_ADVICE[fact.problem]) if fact.problem else ""


def limit_words(rig: Rig, say: Translator = ENGLISH) -> tuple[str, ...]:
    """How often a rig's cameras look, and each thing that they cannot see."""
    often = say("Each camera looks every %(seconds)s seconds.", seconds=say.decimal(rig.period_s, 1))
    values = {"lift": say.decimal(rig.seen_lift_s, 1), "late": say.decimal(rig.late_s, 1), "kept": say.decimal(rig.kept_s, 0)}
    found = [say(_LIMITS[limit], **values) for limit in limits(rig)]
    return (often, *(found or [say("Nothing that a rule is about stays unseen for long.")]))


def camera_words(seat: int | None, names: Sequence[str], say: Translator = ENGLISH) -> str:
    """Whose camera it is."""
    return say("Camera of %(board)s", board=board_words(seat, names, say))


def summary_words(report: Report, say: Translator = ENGLISH) -> str:
    """One sentence about everything."""
    cameras = [fact for camera in report.cameras for fact in judge_camera(camera, report.playing)]
    facts = [*judge_machine(report.machine), *judge_program(report.program), *cameras]
    if worst(facts) < Grade.WARN:
        return say("All is well.")
    count = sum(fact.grade >= Grade.WARN for fact in facts)
    if worst(facts) is Grade.BAD:
        return say.counted("One thing needs to be looked after.", "%(count)d things need to be looked after.", count)
    return say.counted("One thing could be better.", "%(count)d things could be better.", count)


def off_words(recorded: bool, say: Translator = ENGLISH) -> str:
    """What becomes of the game when the table is switched off."""
    if recorded:
        return say("The game is recorded: it goes on at the next start.")
    return say("This game is not recorded: it will be lost.")


# ---- values ------------------------------------------------------------------------------------------------------------


def _not_known(fact: Fact, say: Translator) -> str:
    if fact.kind == "unread":
        return say("told after the game")
    if fact.kind in ("sharpness", "markers"):
        return say("not measured yet")
    return say("not known here")


def _tenths(value: float, say: Translator) -> str:
    return say.decimal(value, 1)


def _hundredths(value: float, say: Translator) -> str:
    return say.decimal(value, 2)


def _plainly(value: Any, say: Translator) -> str:
    return str(value)


def _room(room: Room, say: Translator) -> str:
    unit, size = ("GB", 10**9) if room.total >= 10**9 else ("MB", 10**6)
    return say(
        "%(free)s of %(total)s %(unit)s", free=_tenths(room.free / size, say), total=_tenths(room.total / size, say), unit=unit
    )


def _flags(flags: Sequence[str], say: Translator) -> str:
    return say.listed([say(_FLAGS[flag]) for flag in flags]) if flags else say("no")


def _clock(wall: datetime, say: Translator) -> str:
    return wall.strftime("%Y-%m-%d %H:%M")


def _since(seconds: float, say: Translator) -> str:
    minutes = int(seconds // 60)
    if minutes < 120:
        return say.counted("%(count)d minute", "%(count)d minutes", minutes)
    if minutes < 48 * 60:
        return say.counted("%(count)d hour", "%(count)d hours", minutes // 60)
    return say.counted("%(count)d day", "%(count)d days", minutes // (24 * 60))


_VALUES: Mapping[str, Callable[[Any, Translator], str]] = {
    "heat": lambda value, say: say("%(degrees)d °C", degrees=round(value)),
    "throttled_now": _flags,
    "throttled_since": _flags,
    "memory": _room,
    "disk": _room,
    "load": _tenths,
    "clock": _clock,
    "uptime": _since,
    "age": lambda value, say: say("%(seconds)s s ago", seconds=_tenths(value, say)),
    "rate": _tenths,
    "sharpness": lambda value, say: say("%(pixels)s pixels", pixels=_tenths(value, say)),
    "markers": lambda value, say: say("%(mm)s mm", mm=_hundredths(value, say)),
    "missing": lambda value, say: str(round(value)),
    "drift": lambda value, say: say("%(mm)s mm", mm=_hundredths(value, say)),
    "unread": lambda value, say: say(_STEPS[value]),
    "device": lambda value, say: say(_DEVICES[value]),
}
