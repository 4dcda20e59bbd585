"""The health page: how machine and cameras do, a file for support, and the switch.  Nothing of it tells of a hidden card."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from flask import Blueprint, Response, jsonify, render_template, request

from companion.announcements import Translator
from companion.health import Fact, Report, judge_camera, judge_machine, judge_program
from companion.web.door import RefusedError, body_of, brief
from companion.web.gate import RULERS, open_to
from companion.web.languages import speaker
from companion.web.table import LiveTable
from companion.words.health import (
    advice_words,
    camera_words,
    fact_label,
    grade_words,
    health_label,
    limit_words,
    off_words,
    summary_words,
    value_words,
)
from companion.words.state import board_words

BUNDLE_NAME = "viewmat-support.zip"
"""The same every time: a name tells nothing then."""


class HealthSource(Protocol):
    """What measures; every method may be called from any thread."""

    @property
    def recorded(self) -> bool:
        """Whether the game goes on at the next start."""
        ...

    def report(self) -> Report: ...

    def bundle(self, names: bool, /) -> bytes:
        """The file for support, a zip; with the players' names only where they are wanted."""
        ...


@dataclass(frozen=True, slots=True)
class Line:
    """A fact as it is shown."""

    label: str
    value: str
    grade: str
    """``plain``, ``ok``, ``unknown``, ``warn`` or ``bad``."""
    words: str
    advice: str


@dataclass(frozen=True, slots=True)
class Section:
    """Lines that belong together."""

    title: str
    lines: tuple[Line, ...]


def health_pages(table: LiveTable, source: HealthSource, switch_off: Callable[[], bool] | None = None) -> Blueprint:
    """The page ``/health`` and what belongs to it.

    `switch_off` switches the machine off and tells whether it began to; without it there is no such route.
    """
    pages = Blueprint("health", __name__)

    def figures(report: Report, say: Translator) -> str:
        return render_template(
            "health_figures.html", sections=_sections(report, table, say), report=report, label=_label(say),
            limits=() if report.rig is None else limit_words(report.rig, say),
        )  # fmt: skip

    @open_to(RULERS)
    def page() -> str:
        say, language = speaker()
        report = source.report()
        return render_template(
            "health.html", figures=figures(report, say), summary=summary_words(report, say), age=round(report.age_s, 1),
            language=language, label=_label(say), off=None if switch_off is None else off_words(source.recorded, say),
        )  # fmt: skip

    @open_to(RULERS)
    def state() -> Response:
        """The figures as they are now, for the page that is open."""
        say, _ = speaker()
        report = source.report()
        return jsonify(figures=figures(report, say), summary=summary_words(report, say), age=round(report.age_s, 1))

    @open_to(RULERS)
    def bundle() -> Response:
        """``?names=1`` puts the players' names in."""
        made = Response(source.bundle(request.args.get("names") == "1"), mimetype="application/zip")
        made.headers["Content-Disposition"] = f"attachment; filename={BUNDLE_NAME}"
        return made

    @open_to(RULERS)
    def off() -> Response:
        """``{"sure": true}``: switch the machine off."""
        sure = body_of(request).get("sure")
        if sure is not True:
            raise RefusedError("bad_form", found=f"sure={brief(sure)}")
        if switch_off is None or not switch_off():
            raise RefusedError("not_off", 409)
        return jsonify(ok=True, message=health_label("off_done", speaker()[0]))

    pages.add_url_rule("/health", view_func=page)
    pages.add_url_rule("/health/state.json", view_func=state)
    pages.add_url_rule("/health/bundle.zip", view_func=bundle)
    if switch_off is not None:
        pages.add_url_rule("/health/off", view_func=off, methods=["POST"])
    return pages


def _label(say: Translator) -> Callable[..., str]:
    return lambda name, **values: health_label(name, say, **values)


def _sections(report: Report, table: LiveTable, say: Translator) -> tuple[Section, ...]:
    names = [seat.name for seat in table.view().seats]
    cameras = []
    for camera in report.cameras:
        title = camera_words(camera.seat, names, say)
        facts = judge_camera(camera, report.playing)
        cameras.append(Section(title, _lines(facts, board_words(camera.seat, names, say), say)))
    machine, program = judge_machine(report.machine), judge_program(report.program)
    return (
        *cameras,
        Section(health_label("machine", say), _lines(machine, "", say)),
        Section(health_label("program", say), _lines(program, "", say)),
    )


def _lines(facts: tuple[Fact, ...], board: str, say: Translator) -> tuple[Line, ...]:
    return tuple(
        Line(
            fact_label(fact, say), value_words(fact, say), fact.grade.name.lower(), grade_words(fact.grade, say),
            advice_words(fact, board, say),
        )
        for fact in facts
    )  # fmt: skip
