"""Printing text of which parts may come from a file that anybody has written."""

from __future__ import annotations

import logging

import click

from companion.plain import printable


def echo(text: str, err: bool = False) -> None:
    """Print lines on standard output, or on standard error; nothing in them can steer the terminal."""
    click.echo(printable(text, "\n"), err=err)


class PlainFormatter(logging.Formatter):
    """Log lines of which parts may come from such a file."""

    def format(self, record: logging.LogRecord) -> str:
        return printable(super().format(record), "\n")
