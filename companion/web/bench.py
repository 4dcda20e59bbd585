"""The workbench: pages on which a deck is taught and a table is checked.  They run before or after games, never during one,
and show words and progress, no pictures."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Protocol

from flask import Blueprint, Response, jsonify, render_template, request

from companion.announcements import Translator
from companion.errors import TaskError
from companion.web.door import RefusedError, body_of, brief, text
from companion.web.gate import KEEPERS, open_to
from companion.web.languages import speaker
from companion.words.bench import bench_label


@dataclass(frozen=True, slots=True)
class Remark:
    """One thing that was noticed."""

    where: str
    problem: str
    advice: str = ""
    grade: str = "weak"
    """``weak`` or ``bad``."""


@dataclass(frozen=True, slots=True)
class TaskView:
    """Where a task stands."""

    running: bool = False
    words: str = ""
    """What to do now, or how it ended."""
    done: int = 0
    total: int = 52
    asks: bool = False
    """A person may confirm what lies there."""
    passed: bool | None = None
    """None until it is over."""
    remarks: tuple[Remark, ...] = ()


class Task(Protocol):
    """Something that is done at the table step by step; every method may be called from any thread.

    Methods raise `TaskError` where they make no sense now, such as during a game.
    """

    def view(self, say: Translator, /) -> TaskView:
        """Where it stands, in this language."""
        ...

    def start(self, name: str, /) -> None:
        """Begin anew; `name` is the deck's, where it is to be kept."""
        ...

    def confirm(self) -> None:
        """What lies there is what was asked for."""
        ...

    def stop(self) -> None: ...


DEEDS = ("start", "confirm", "stop")


def bench_pages(tasks: dict[str, Task]) -> Blueprint:
    """The pages ``/teach`` and ``/check`` for those of the two that `tasks` holds."""
    pages = Blueprint("bench", __name__)

    @open_to(KEEPERS)
    def page(kind: str) -> str:
        say, language = speaker()
        view = _task(tasks, kind).view(say)
        return render_template("bench.html", kind=kind, view=view, language=language, label=lambda name: bench_label(name, say))

    @open_to(KEEPERS)
    def state(kind: str) -> Response:
        return jsonify(asdict(_task(tasks, kind).view(speaker()[0])))

    @open_to(KEEPERS)
    def deed(kind: str, name: str) -> Response:
        body = body_of(request)
        task = _task(tasks, kind)
        if name not in DEEDS:
            raise RefusedError("no_call", found=brief(name))
        try:
            if name == "start":
                task.start(text(body, "name") if kind == "teach" else "")
            elif name == "confirm":
                task.confirm()
            else:
                task.stop()
        except TaskError as error:
            raise RefusedError(error.kind, found=brief(error.found)) from error
        return jsonify(asdict(task.view(speaker()[0])))

    pages.add_url_rule("/<any(teach, check):kind>", view_func=page)
    pages.add_url_rule("/<any(teach, check):kind>/state.json", view_func=state, endpoint="state")
    pages.add_url_rule("/<any(teach, check):kind>/<name>", view_func=deed, methods=["POST"], endpoint="deed")
    return pages


def _task(tasks: dict[str, Task], kind: str) -> Task:
    if kind not in tasks:
        raise RefusedError("no_page", 404)
    return tasks[kind]
