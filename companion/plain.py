"""Frozen values as JSON values, and back: what a record is written in.

A value of a class is an object with its class's name under ``_``; a card is its text, a shadow the same with a large letter
for the suit, an unknown card its number; a tuple is a list.  Only classes that were named beforehand are read, so that a record
can make nothing else.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from types import UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints
from unicodedata import category

from companion.cards import Card, Shadow, Unknown
from companion.errors import CardTextError, RecordError

KIND = "_"
UNKNOWN = "?"
LONGEST_NAME = 40
"""Characters of a player's name; settings allow as many."""
_UNSAFE = ("Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp")
"""Categories of Unicode: controls, directions and joiners, what is unassigned or private, halves of characters, line ends."""
MOST_QUOTED = 60
"""Characters of a record that an error repeats."""


def to_plain(value: object) -> Any:
    """`value` as a JSON value; raise `RecordError` for anything that is no frozen value."""
    if isinstance(value, Card):
        # Equally long, so that the size of a record does not tell which of the two it is.
        return value.rank.letter + value.suit.letter.upper() if isinstance(value, Shadow) else str(value)
    if isinstance(value, Unknown):
        return {UNKNOWN: value.number}
    if isinstance(value, Enum):
        return {KIND: type(value).__name__, "value": value.value}
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, str):
        return {"text": value}
    if isinstance(value, tuple):
        return [to_plain(each) for each in value]
    if is_dataclass(value) and not isinstance(value, type):
        return {KIND: type(value).__name__} | {field.name: to_plain(getattr(value, field.name)) for field in fields(value)}
    raise RecordError(f"{type(value).__name__} cannot be recorded: expected a frozen value")


class Reader:
    """Makes values of certain classes out of JSON values."""

    def __init__(self, kinds: Iterable[type]) -> None:
        self._kinds: Mapping[str, type] = {kind.__name__: kind for kind in kinds}

    def read(self, plain: object) -> Any:
        """The value; raise `RecordError` where it is of another kind or malformed."""
        if isinstance(plain, list):
            return tuple(self.read(each) for each in plain)
        if isinstance(plain, str):
            return _card(plain)
        if plain is None or isinstance(plain, bool | int):
            return plain
        if isinstance(plain, float) and math.isfinite(plain):
            return plain
        if not isinstance(plain, Mapping):
            raise RecordError(f"{type(plain).__name__} in a record: expected a JSON value")
        return self._object(plain)

    def _object(self, plain: Mapping[str, Any]) -> Any:
        if plain.keys() == {UNKNOWN} and isinstance(plain[UNKNOWN], int):
            return Unknown(plain[UNKNOWN])
        if plain.keys() == {"text"} and isinstance(plain["text"], str):
            return plain["text"]
        name = plain.get(KIND)
        kind = self._kinds.get(name) if isinstance(name, str) else None
        if kind is None:
            raise RecordError(f"{name!r} in a record: expected one of {', '.join(sorted(self._kinds))}")
        given = {key: value for key, value in plain.items() if key != KIND}
        try:
            if issubclass(kind, Enum):
                return kind(given["value"])
            found = kind(**{key: self.read(value) for key, value in given.items()})
        except (TypeError, ValueError, KeyError) as error:
            raise RecordError(f"a {name} in a record is malformed: {error}") from error
        hints = hints_of(kind)
        for key, hint in hints.items():
            if not is_of(getattr(found, key), hint):
                # Not what it holds: that may be a hidden card.
                raise RecordError(f"a {name} in a record is malformed: its {key} is of another type than was written")
        return found


def hints_of(kind: type) -> Mapping[str, Any]:
    """The types of a class's fields by their names."""
    return _hints(kind)


@cache
def _hints(kind: Hashable) -> Mapping[str, Any]:
    return get_type_hints(kind)


def is_of(value: object, hint: Any) -> bool:
    """Whether a value that was read is of the type that its field has; of a type that is left open anything is."""
    origin, arguments = get_origin(hint), get_args(hint)
    if hint is Any or isinstance(hint, TypeVar):
        return True
    if origin in (Union, UnionType):
        return any(is_of(value, each) for each in arguments)
    if origin is tuple:
        return isinstance(value, tuple) and _are_of(value, arguments)
    if hint is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    if hint is int:
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, origin or hint)


def _are_of(values: tuple[object, ...], hints: tuple[Any, ...]) -> bool:
    if len(hints) == 2 and hints[1] is Ellipsis:
        return all(is_of(value, hints[0]) for value in values)
    return len(values) == len(hints) and all(is_of(value, hint) for value, hint in zip(values, hints, strict=True))


def printable(text: str, kept: str = "") -> str:
    """The text as a terminal may show it: what moves its cursor, turns its line around or is no character is written as a code.

    `kept`: such characters that stay, as the line ends of a text of ours.
    """
    return "".join(char if char in kept or category(char) not in _UNSAFE else _code(char) for char in text)


def _code(char: str) -> str:
    return char.encode("unicode_escape").decode("ascii")


def name_in(value: object) -> str:
    """The name of a player as a record gives it, fit to be shown; whatever is no text is no name."""
    name = printable(value) if isinstance(value, str) else ""
    return name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 3] + "..."


def quoted(value: object) -> str:
    """A value of a record as an error may repeat it: on one line, and not too long."""
    words = repr(value)
    return words if len(words) <= MOST_QUOTED else words[:MOST_QUOTED] + "..."


def _card(text: str) -> Card:
    try:
        return (Shadow if text[1:].isupper() else Card).parse(text)
    except CardTextError as error:
        raise RecordError(f"{text!r} in a record: expected a card") from error
