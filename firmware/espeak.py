"""The table's own voice: a speaker at the Pi, driven by espeak-ng.

One line at a time, as a process of its own; a line that is no longer true is cut.  Nothing here waits: `show` is called at every
beat of the table and looks how far the speaking has come.
"""

from __future__ import annotations

import subprocess
from collections import deque
from collections.abc import Callable
from typing import Literal, Protocol

from companion.announcements import Translator
from companion.views import View
from companion.voice import Line, Speech, news, speech
from companion.words.translator import ENGLISH
from firmware.errors import RigError

PROGRAM = "espeak-ng"
LOUDEST = 200
"""espeak-ng's amplitude goes from 0 to 200."""

Level = Literal["needed", "all"]


class Speaking(Protocol):
    """A process that speaks."""

    def poll(self) -> int | None: ...

    def kill(self) -> None: ...

    def wait(self) -> int: ...


class Voice(Protocol):
    """What says aloud what a table shows."""

    def show(self, view: View) -> None:
        """Say what is new in `view`, and stop saying what is no longer true."""
        ...

    def close(self) -> None: ...


class Silence:
    """A table without a speaker."""

    def show(self, view: View) -> None:
        """Nothing to say it with."""

    def close(self) -> None:
        """Nothing to end."""


def start_espeak(language: str, volume: int, text: str) -> Speaking:
    """Begin to say `text`; raises `RigError` where the program cannot be started.

    The text goes in by standard input: a name may begin with a dash.
    """
    command = [PROGRAM, "-v", language, "-a", str(round(volume / 100 * LOUDEST)), "--stdin"]
    try:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    except OSError as error:
        raise RigError(
            f"voice: {PROGRAM} cannot be started: {error.strerror}; install it, or set voice.speaker = 'none'"
        ) from error
    assert process.stdin is not None
    try:
        with process.stdin as pipe:
            pipe.write(text.encode())
    except BrokenPipeError:
        pass  # It has ended already: there is nothing to hear, and `poll` will tell.
    return process


class Espeak:
    """Says lines through espeak-ng, one after another."""

    def __init__(
        self, language: str = "en", volume: int = 80, level: Level = "needed", say: Translator = ENGLISH,
        start: Callable[[str, int, str], Speaking] = start_espeak,
    ) -> None:  # fmt: skip
        """`volume` in per cent.  Speaks once at the start, so that a missing program is found now: raises `RigError`."""
        self._language, self._volume, self._level, self._say, self._start = language, volume, level, say, start
        self._before: Speech | None = None
        self._version: int | None = None
        self._waiting: deque[Line] = deque()
        self._process: Speaking | None = start(language, volume, "")
        self._line: Line | None = None

    def show(self, view: View) -> None:
        """Say what is new in `view`, and cut what is no longer true."""
        if view.version != self._version:
            self._version = view.version
            self._take(speech(view, self._say))
        if self._process is not None and self._process.poll() is not None:
            self._process = self._line = None
        if self._process is None and self._waiting:
            self._line = self._waiting.popleft()
            try:
                self._process = self._start(self._language, self._volume, _text(self._line))
            except RigError:
                # It could be started at the beginning.  A table without a voice still plays: the page says the same.
                self._line = None

    def _take(self, now: Speech) -> None:
        fresh = [line for line in news(self._before, now) if line.needed or self._level == "all"]
        self._before = now
        held = {(line.topic, line.text) for line in now.lines}
        self._waiting = deque(line for line in (*self._waiting, *fresh) if (line.topic, line.text) in held)
        if self._line is not None and (self._line.topic, self._line.text) not in held:
            self._cut()

    def _cut(self) -> None:
        if self._process is not None:
            end(self._process)
        self._process = self._line = None

    def close(self) -> None:
        """Fall silent."""
        self._waiting.clear()
        self._cut()


def end(process: Speaking) -> None:
    """End a process in the middle of a word; the table does not wait until it has finished its sentence."""
    process.kill()
    process.wait()


def _text(line: Line) -> str:
    return f"{line.text} {line.more}".strip()
