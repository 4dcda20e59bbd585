"""The last lines of the log: bounded, on one line each, and without what an error said."""

from __future__ import annotations

import logging
import re

from firmware.logtail import LONGEST, LogTail

LOG = logging.getLogger("firmware.test")


def test_the_last_lines_are_kept() -> None:
    tail = LogTail(3)
    with tail.listening():
        for number in range(5):
            LOG.warning("line %d", number)
    LOG.warning("afterwards")
    assert [line.rpartition(": ")[2] for line in tail.lines()] == ["line 2", "line 3", "line 4"]
    assert [line.rpartition(": ")[2] for line in tail.lines(1)] == ["line 4"]
    assert tail.lines(0) == ()
    assert re.match(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d WARNING firmware\.test: line 2$", tail.lines()[0])


def test_of_an_error_only_kind_and_place_are_kept() -> None:
    tail = LogTail()
    with tail.listening():
        try:
            raise ValueError("the ace of spades lies there")
        except ValueError:
            LOG.exception("reading failed")
    (line,) = tail.lines()
    assert "ace" not in line
    assert re.search(r"reading failed \(ValueError at test_logtail\.py:\d+\)$", line)


def test_a_line_is_one_line_and_not_too_long() -> None:
    tail = LogTail()
    with tail.listening():
        LOG.warning("a\nb\x1b[31m\r%s", "é" * 2 * LONGEST)
    (line,) = tail.lines()
    assert line.isprintable() and len(line) == LONGEST and line.endswith("é…")
    assert "a b [31m é" in line


def test_what_cannot_be_said_is_no_fault_of_the_log(capsys: object) -> None:
    tail = LogTail()
    before, logging.raiseExceptions = logging.raiseExceptions, False
    try:
        with tail.listening():
            LOG.warning("%d", "no number")
            LOG.warning("next")
    finally:
        logging.raiseExceptions = before
    assert [line.rpartition(": ")[2] for line in tail.lines()] == ["next"]


def test_idle_talk_is_not_kept() -> None:
    tail, root = LogTail(), logging.getLogger()
    level = root.level
    root.setLevel(logging.DEBUG)
    try:
        with tail.listening():
            LOG.debug("details")
            LOG.info("news")
    finally:
        root.setLevel(level)
    assert [line.rpartition(": ")[2] for line in tail.lines()] == ["news"]
