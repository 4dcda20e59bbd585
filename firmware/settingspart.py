"""What every table of the settings file is, and how its problems are told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field
from pydantic_core import ErrorDetails

Where = tuple[int | str, ...]
"""A key by the way to it: ``("seat", 1, "source")``; lists are counted from 0."""


class Part(BaseModel):
    """A table of the file; frozen, and without unknown keys."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is not right in a settings file."""

    place: Where
    """Its key; nothing where it concerns the file as a whole."""
    sentence: str
    """Key, value and what is allowed, in English."""
    kind: str = "other"
    """Names the sentence in other languages (`companion/words/mending.py`)."""
    values: Mapping[str, str | int] = field(default_factory=dict, hash=False)
    """What that sentence is filled with."""
    line: int | None = None
    """Counted from 1."""


def key_words(place: Sequence[int | str]) -> str:
    """``("seat", 1, "source")`` as people count: ``seat 2.source``."""
    words = ""
    for part in place:
        words += f" {part + 1}" if isinstance(part, int) else f".{part}"
    return words.removeprefix(".")


LONGEST_QUOTE = 120


def quoted(value: object, place: Sequence[int | str] = ()) -> str:
    """A value as a message repeats it: what is a password, or may hold one, is not.

    An address may hold one, and so may every key of ``[broker]`` that is not known: it may be a slip of the pen.
    """
    if secret(value, place):
        return "(an address)" if isinstance(value, str) and "://" in value else "(not repeated)"
    text = repr(value)
    return text if len(text) <= LONGEST_QUOTE else f"{text[:LONGEST_QUOTE]}..."


def secret(value: object, place: Sequence[int | str] = ()) -> bool:
    """Whether a value, by itself or by the key that it has, is not to be told."""
    if isinstance(value, Mapping):
        return any(secret(inner, (*place, str(key))) for key, inner in value.items())
    if isinstance(value, list | tuple):
        return any(secret(inner, place) for inner in value)
    named = [part for part in place if isinstance(part, str)]
    hidden = bool(named) and (("broker" in named[:-1] and named[-1] not in PLAIN) or named[-1] == "password")
    return hidden or (isinstance(value, str) and "://" in value)


HOST = r"[A-Za-z0-9:%_-]{1,63}(\.[A-Za-z0-9:%_-]{1,63})*"
"""The name or the number of a machine."""
Host = Annotated[str, Field(pattern=f"^{HOST}$", max_length=253)]
PLAIN = ("host", "port", "user", "password_file", "ca")
"""Keys of ``[broker]`` that hold no secret."""


def broken(place: Where, why: str) -> Problem:
    """Something about a key that is wrong whatever its value is, or whose value is told nowhere."""
    return Problem(place, f"{key_words(place)}: {why}", "other", {"why": why})


def wrong(place: Where, value: object, why: str, **values: str | int) -> Problem:
    """A value that its key does not take; `why` says what is wrong and what is allowed."""
    return Problem(place, f"{key_words(place)} = {quoted(value, place)}: {why}", "other", {"why": why, **values})


def not_among(place: Where, value: object, thing: str, allowed: Sequence[str]) -> Problem:
    """A name of a `thing` (``pin map``) that there is not."""
    listed = ", ".join(allowed)
    sentence = f"{key_words(place)} = {quoted(value, place)}: there is no such {thing}; allowed: {listed}"
    return Problem(place, sentence, "not_among", {"allowed": listed})


def unknown_key(place: Where, value: object, allowed: Sequence[str]) -> Problem:
    listed = ", ".join(allowed)
    sentence = f"{key_words(place)} = {quoted(value, place)}: there is no such key; allowed: {listed}"
    return Problem(place, sentence, "unknown_key", {"allowed": listed})


def model_problem(detail: ErrorDetails, allowed: Sequence[str]) -> Problem:
    """What pydantic found; `allowed` are the keys of the table that it was found in."""
    place: Where = detail["loc"]
    if detail["type"] == "extra_forbidden":
        return unknown_key(place, detail["input"], allowed)
    if detail["type"] == "missing":
        return Problem(place, f"{key_words(place)} is missing", "missing")
    why = f"{detail['msg'][0].lower()}{detail['msg'][1:]}"
    context: Mapping[str, Any] = detail.get("ctx", {})
    kind, name = KINDS.get(detail["type"], ("other", ""))
    values: dict[str, str | int] = {"why": why}
    if name:
        values["limit"] = str(context[name])
    return Problem(place, f"{key_words(place)} = {quoted(detail['input'], place)}: {why}", kind, values)


KINDS: Mapping[str, tuple[str, str]] = {
    "greater_than_equal": ("at_least", "ge"), "less_than_equal": ("at_most", "le"), "greater_than": ("more_than", "gt"),
    "less_than": ("less_than", "lt"), "literal_error": ("one_of", "expected"), "int_type": ("whole_number", ""),
    "int_parsing": ("whole_number", ""), "int_from_float": ("whole_number", ""), "float_type": ("number", ""),
    "finite_number": ("number", ""), "bool_type": ("yes_or_no", ""), "string_type": ("text", ""), "list_type": ("list", ""),
    "dict_type": ("table", ""), "model_type": ("table", ""), "string_too_short": ("longer", "min_length"),
    "string_too_long": ("shorter", "max_length"),
    "too_short": ("more_items", "min_length"), "too_long": ("fewer_items", "max_length"),
}  # fmt: skip
"""pydantic's kinds that have a sentence of their own in every language, and which of their values that sentence needs."""
