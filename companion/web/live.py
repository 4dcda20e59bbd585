"""The live state as bytes: rendered once per version, sent to every page that follows the table."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import asdict
from enum import Enum
from typing import Any

from jinja2 import Environment

from companion.announcements import Translator
from companion.views import Role, View
from companion.voice import Speech, sounding, speech
from companion.web.audience import arranged_for
from companion.web.faults import note_fault
from companion.web.gate import Visitor
from companion.web.scene import SLOT_SIGNS, Scene
from companion.web.table import LiveTable

BEAT_SECONDS = 10.0
"""A stream that has nothing to tell says so this often, so that both ends notice when the other is gone."""
STEP_SECONDS = 1.0
"""How long a stream may sleep before it looks whether the server is closing."""
RETRY_MS = 1000
"""How soon a browser comes back after a stream broke."""

KEPT_STATES = 4
"""So many of the newest renderings are kept: pages are told the same, but not in the same instant."""

PARTS = ("spoken", "words", "talk", "row", "ending", "notes", "calls", "halt")
"""Ids of the elements that the page fills, beside one for each seat; each has a macro of its name in ``parts.html``."""


class Renderer:
    """Views -> the page's state.  Keeps the newest renderings for each kind of visitor, so that ten pages cost as much as one."""

    def __init__(
        self, templates: Environment, build: str, buttons: bool, next_game: bool = False, lamps: bool = True,
        club: Callable[[], bool] = lambda: False,
    ) -> None:  # fmt: skip
        """`lamps`: the table has lamps, which the page shows as they burn.  `club`: a referee decides now."""
        self._club = club
        self._templates = templates
        self._build = build
        self._given = {"signs": SLOT_SIGNS, "buttons": buttons, "next_game": next_game, "lamps": lamps}
        self._lock = threading.Lock()
        self._newest: dict[tuple[str, Visitor], dict[int, str]] = {}

    def parts(self, arranged: Scene, say: Translator) -> dict[str, str]:
        """The pieces of the page by the id of the element that holds each."""
        values = {"say": say, "club": self._club(), **self._given}
        macros = vars(self._templates.get_template("parts.html").make_module(values))
        made = {name: str(macros[name](arranged)).strip() for name in PARTS}
        made.update({f"seat-{seat.seat}": str(macros["seat"](seat)).strip() for seat in arranged.seats})
        return made

    def state(self, view: View, say: Translator, language: str, visitor: Visitor) -> str:
        """The state as one line of JSON: the view, its words, and the rendered pieces of the page as `visitor` gets it."""
        key = (language, visitor)
        with self._lock:
            kept = self._newest.setdefault(key, {})
            if view.version not in kept:
                arranged = arranged_for(visitor, view, say)
                while len(kept) >= KEPT_STATES:
                    del kept[next(iter(kept))]
                kept[view.version] = json.dumps(
                    {
                        "version": view.version,
                        "build": self._build,
                        "role": visitor.key,
                        "language": language,
                        "mood": arranged.mood,
                        "view": asdict(view),
                        "words": asdict(arranged.words),
                        "parts": self.parts(arranged, say),
                        "trail": asdict(arranged.trail),
                        "speech": _speech(speech(view, say)),
                        "sounds": sounding(view),
                    },
                    default=_plain,
                )
            return kept[view.version]


def _speech(now: Speech) -> dict[str, Any]:
    """The speech as the page takes it."""
    lines = [{"topic": line.topic.value, "text": line.text, "more": line.more, "needed": line.needed} for line in now.lines]
    return {"moves": now.moves, "lines": lines}


def _plain(value: Any) -> Any:
    if isinstance(value, Enum):
        return value.value
    raise TypeError(f"a view holds {type(value).__name__}, which has no form on the page")


class Streams:
    """Counts the open streams, so that they never take all threads of the server."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._open = 0
        self._lock = threading.Lock()
        self.closing = threading.Event()

    def enter(self) -> bool:
        """Take a place; False when all are taken or the server is closing."""
        with self._lock:
            if self._open >= self.limit or self.closing.is_set():
                return False
            self._open += 1
            return True

    def leave(self) -> None:
        with self._lock:
            self._open -= 1

    @property
    def open(self) -> int:
        return self._open


class Stream:
    """Server-sent events of one page: the current state at once, then the newest one whenever there is a newer.

    A page that is a moment behind is told everything in its order; one that reads slowly skips what happened in between.  An
    object and not a generator: a generator that was never started does not notice that it is closed, and its place would stay
    taken.
    """

    def __init__(
        self, table: LiveTable, streams: Streams, render: Callable[[View], str], role: Role = Role.SPECTATOR,
        seat: int | None = None, still: Callable[[], bool] = lambda: True,
    ) -> None:  # fmt: skip
        """Tells what `role` may see, as long as `still` says that the page is there and bears it."""
        self._table = table
        self._streams = streams
        self._render = render
        self._role, self._seat, self._still = role, seat, still
        self._sent: int | None = None
        self._left = False

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        try:
            return self._news()
        except StopIteration:
            raise
        except Exception as error:
            # The server would log it with its text; the page only has to come again.
            note_fault(error, "events")
            raise StopIteration from None

    def _news(self) -> str:
        if self._sent is None:
            return self._event(self._table.view(self._role, self._seat), f"retry: {RETRY_MS}\n")
        quiet = 0.0
        while quiet < BEAT_SECONDS:
            if self._streams.closing.is_set():
                raise StopIteration
            view = self._table.wait(self._sent, STEP_SECONDS, self._role, self._seat)
            if not self._still():
                # Gone, or signed off meanwhile: then the page comes back at once, and is told who it is now.
                raise StopIteration
            if view.version != self._sent:
                return self._event(view)
            quiet += STEP_SECONDS
        return ": nothing new\nevent: beat\ndata: 0\n\n"

    def _event(self, view: View, before: str = "") -> str:
        self._sent = view.version
        return f"{before}id: {view.version}\ndata: {self._render(view)}\n\n"

    def close(self) -> None:
        """Give the place back; the server calls it when the page has gone."""
        if not self._left:
            self._left = True
            self._streams.leave()
