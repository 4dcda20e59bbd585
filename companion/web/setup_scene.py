"""What a step of the setup wizard shows.  Pure functions of the draft and of what the table has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from companion.announcements import Translator
from companion.choices import HARD, MOST_MATS, Chair, ChoiceError, Choices, Equipment, lacking
from companion.health import CameraFigures, Fact, Grade, judge_camera
from companion.views import SlotShows, View
from companion.web.drafts import Draft
from companion.words.health import advice_words, fact_label, grade_words, health_label, limit_words, value_words
from companion.words.rulebook import game_label, game_lead
from companion.words.setup import rule_label, rule_words, setup_label, setup_refusal_words

STEPS = ("language", "game", "preset", "seats", "sources", "places", "lamps", "cameras", "deck", "rules", "hard", "ready")
MEASURED = ("sharpness", "markers", "missing")
"""What is told of a camera, as `Fact.kind`."""


def steps(choices: Choices, kit: Equipment) -> tuple[str, ...]:
    """The steps that there are for this table and these seats; what it has not got is left out."""
    out = set() if kit.places else {"places", "lamps"}
    if not any(chair.source == "mat" for chair in choices.chairs):
        out |= {"cameras", "deck"}
    out |= set() if len(kit.games) > 1 else {"game"}
    out |= set() if kit.hard else {"hard"}
    return tuple(step for step in STEPS if step not in out)


def in_play(view: View) -> bool:
    """Whether something would be lost if another game began: moves, hands that are being shown, or a dispute."""
    return view.phase not in ("setup", "over") or view.revealing or view.stopped or view.proposal is not None


def bare(view: View) -> bool:
    """Whether no hidden card of a game can lie before a camera: what lies there was shown, or nothing has been dealt yet."""
    if view.stopped or view.proposal is not None:
        return False
    slots = [slot.shows for seat in view.seats for slot in seat.slots if slot.shows not in (SlotShows.OUT, SlotShows.UNWATCHED)]
    if view.result is not None:
        return all(shows is SlotShows.REVEALED for shows in slots)
    lies = bool(slots)
    return view.phase == "setup" and view.turn == 0 and not lies


@dataclass(frozen=True, slots=True)
class Camera:
    """One camera as the page tells of it."""

    place: int
    name: str
    facts: tuple[tuple[str, str, str, str], ...]
    """Name, value, grade in words and its kind (``ok``, ``warn`` ...) of each figure; empty where it sees nothing."""
    advice: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Asked:
    """A step, and what is needed to draw it."""

    draft: Draft
    kit: Equipment
    step: str
    view: View
    fresh: bool
    others: bool
    overtaken: bool
    club: bool
    """A referee decides at this table now."""
    referee: bool
    """It is the referee who asks."""
    problem: ChoiceError | None = None
    typed: str = ""
    """What was entered and not taken."""
    asks: str = ""
    """What the last step wants to be sure of: ``game_runs`` or ``setup_overtaken``."""
    roster: tuple[str, ...] = ()
    cameras: tuple[tuple[int, CameraFigures | None], ...] = ()


def shown(asked: Asked, say: Translator) -> dict[str, Any]:
    """What the template needs, under the names that it uses."""
    choices, kit, step = asked.draft.choices, asked.kit, asked.step
    there = steps(choices, kit)
    at = there.index(step) if step in there else None
    missing = lacking(choices, kit)
    problem = asked.problem
    return {
        "most_mats": MOST_MATS, "number": asked.draft.number, "step": step, "choices": choices, "kit": kit, "draft": asked.draft,
        "fresh": asked.fresh, "others": asked.others, "in_play": in_play(asked.view), "bare": asked.fresh or bare(asked.view),
        "left_out": at is None, "at": 0 if at is None else at + 1, "count": len(there),
        "before": _beside(step, there, -1), "after": _beside(step, there, 1),
        "missing": None if missing is None else (missing.field, _sentence(missing, say)),
        "problem": None if problem is None else (problem.field, _sentence(problem, say)),
        "typed": asked.typed, "asks": asked.asks,
        "asks_words": setup_refusal_words(asked.asks, say) if asked.asks else "", "overtaken": asked.overtaken,
        "people": tuple(name for name in asked.roster if name.casefold() not in map(str.casefold, choices.names)),
        "rules": tuple(_rule(name, values, choices, say) for name, values in kit.rules.items()),
        "hard": bool(choices.rules.get(HARD)),
        "games": tuple((game, game_label(game, say), game_lead(game, say)) for game in kit.games),
        "waits_for": _waits_for(choices, kit),
        "limits": () if kit.rig is None else limit_words(kit.rig, say), "limits_title": health_label("limits", say),
        "cameras": tuple(_camera(place, figures, choices, say) for place, figures in asked.cameras),
        "becomes_referee": choices.preset == "club" and not (asked.club and asked.referee),
        "summary": tuple(_summary(asked, there, say)),
        "label": lambda name, /, **values: setup_label(name, say, **values),
    }  # fmt: skip


def _beside(step: str, there: Sequence[str], by: int) -> str | None:
    """The step before or after; beside one that is left out, the nearest that there is."""
    order = STEPS.index(step) + by
    while 0 <= order < len(STEPS):
        if STEPS[order] in there:
            return STEPS[order]
        order += by
    return None


def _waits_for(choices: Choices, kit: Equipment) -> Chair | None:
    """Who presses a button next; nobody where every place is somebody's."""
    taken = {chair.place for chair in choices.chairs} & set(range(kit.places))
    return next((chair for chair in choices.chairs if chair.place is None), None) if len(taken) < kit.places else None


def _sentence(error: ChoiceError, say: Translator) -> str:
    return setup_refusal_words(error.kind, say, **error.values)


def _rule(name: str, values: Sequence[Any], choices: Choices, say: Translator) -> tuple[str, str, list[tuple[Any, str, bool]]]:
    now = choices.rules.get(name)
    return name, rule_label(name, say), [(value, rule_words(name, value, say), value == now) for value in values]


def _camera(place: int, figures: CameraFigures | None, choices: Choices, say: Translator) -> Camera:
    name = choices.names[choices.places.index(place)]
    if figures is None:
        return Camera(place, name, ())
    facts = [fact for fact in judge_camera(figures, False) if fact.kind in MEASURED]
    advice = tuple(advice_words(fact, name, say) for fact in facts if fact.grade > Grade.UNKNOWN)
    return Camera(place, name, tuple(_told(fact, say) for fact in facts), advice)


def _told(fact: Fact, say: Translator) -> tuple[str, str, str, str]:
    return fact_label(fact, say), value_words(fact, say), grade_words(fact.grade, say), fact.grade.name.lower()


def _summary(asked: Asked, there: Sequence[str], say: Translator) -> list[tuple[str, str, list[str]]]:
    """Every line of the last step: the step in which it is changed (empty where it is left out), its name, what was chosen."""
    choices, kit = asked.draft.choices, asked.kit
    unusual = [(name, choices.rules.get(name, values[0])) for name, values in kit.rules.items()]
    rules = [rule_words(name, value, say) for name, value in unusual if value != kit.rules[name][0]]
    seats = [f"{number}. {chair.name} – {setup_label(chair.source, say)}" for number, chair in enumerate(choices.chairs, 1)]
    lines = [
        ("preset", "sum_preset", [setup_label(choices.preset, say)]),
        ("seats", "sum_seats", seats),
        ("rules", "sum_rules", rules or [setup_label("as_usual", say)]),
    ]
    if "game" in there:
        lines.insert(0, ("game", "sum_game", [game_label(choices.game, say)]))
    if "hard" in there:
        lines.append(("hard", "sum_hard", [setup_label("hard_on" if choices.rules.get(HARD) else "hard_off", say)]))
    if "places" in there:
        words = [
            setup_label("place_of", say, who=chair.name, number=place + 1)
            for chair, place in zip(choices.chairs, choices.places, strict=True)
        ]
        lines.insert(2, ("places", "sum_places", words))
    else:
        lines.insert(2, ("", "sum_lamps", [setup_label("no_places", say)]))
    if "deck" in there:
        lines.insert(3, ("deck", "sum_deck", [_deck(choices, say)]))
    return [(step, setup_label(name, say), words) for step, name, words in lines]


def _deck(choices: Choices, say: Translator) -> str:
    return setup_label("taught", say, name=choices.deck) if choices.deck else setup_label("any_deck", say)
