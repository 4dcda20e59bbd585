"""The door through which every sentence goes, so that it can be said in another language."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass


def _as_it_is(message: str) -> str:
    return message


def _by_count(one: str, many: str, count: int) -> str:
    return one if count == 1 else many


def mark(message: str) -> str:
    """Mark a sentence that stands in a table and is translated only when it is said."""
    return message


@dataclass(frozen=True, slots=True)
class Translator:
    """Says a message in one language; the default says it in English as it is written.

    `gettext` and `ngettext` have the shape of the functions of the same names in the standard library.
    Messages hold named placeholders, ``%(name)s``, so that a translation may put them in another order.
    """

    gettext: Callable[[str], str] = _as_it_is
    ngettext: Callable[[str, str, int], str] = _by_count
    point: str = "."
    """What stands before the decimals of a number."""

    def __call__(self, message: str, /, **values: str | int) -> str:
        """`message` in this language with its placeholders filled."""
        return self.gettext(message) % values

    def counted(self, one: str, many: str, count: int, /, **values: str | int) -> str:
        """The form of the message that fits `count`; ``%(count)d`` stands for the number itself."""
        return self.ngettext(one, many, count) % {"count": count, **values}

    def decimal(self, value: float, places: int) -> str:
        """A number with so many decimals: ``97.3``."""
        return f"{value:.{places}f}".replace(".", self.point)

    def listed(self, items: Sequence[str]) -> str:
        """Join names to a list: ``Anna, Ben and Cleo``."""
        if len(items) < 2:
            return "".join(items)
        return self.gettext("%(first)s and %(last)s") % {"first": ", ".join(items[:-1]), "last": items[-1]}


ENGLISH = Translator()
