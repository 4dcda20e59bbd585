"""The errors of this package.  Each is also the builtin that a caller would expect."""

from __future__ import annotations

import struct

MALFORMED = (
    ArithmeticError, AssertionError, AttributeError, LookupError, RecursionError, struct.error, TypeError, ValueError,
)  # fmt: skip
"""What comes of taking a record at its word that says what no table writes.  Caught where a record is read, not in play."""


class CompanionError(Exception):
    """Anything that the companion refuses; the message names the thing, what was expected and what was found."""


class CardTextError(CompanionError, ValueError):
    """A text that names no card."""


class HandError(CompanionError, ValueError):
    """Cards that are no hand: not five, or one of them twice."""


class OptionError(CompanionError, ValueError):
    """An option that the game does not know, or a value that the option does not take."""


class RecordError(CompanionError, ValueError):
    """A record that has none of the known shapes, or a part of it that is malformed."""


class DeclarationError(CompanionError, ValueError):
    """A tap, press or answer that makes no sense now; nothing is changed by it.

    `kind` names the sentence that players are told, in `companion.words.declined`.  It never depends on a hidden card.
    """

    def __init__(self, message: str, kind: str = "impossible") -> None:
        super().__init__(message)
        self.kind = kind


class TaskError(CompanionError, ValueError):
    """A task at the workbench that cannot be done now, or not with this name.

    `kind` names the sentence that people are told, in `companion.words.bench`; `found` is what was found.
    """

    def __init__(self, message: str, kind: str, found: str = "") -> None:
        super().__init__(message)
        self.kind = kind
        self.found = found


class JournalError(CompanionError, OSError):
    """A journal that cannot be made, opened, read or written; what was durable before is still there."""


class JournalBusyError(JournalError):
    """A journal that another program is writing."""


class JournalDamagedError(JournalError):
    """A journal of which pages are missing or spoilt; what can still be read of it can be rescued."""


class SealError(CompanionError, ValueError):
    """A key that cannot be used, or a sealed part that does not open with it."""


class ArchiveError(CompanionError, ValueError):
    """A backup that cannot be made or restored, or games that cannot be deleted; nothing was changed."""


class SheetError(CompanionError, ValueError):
    """Something that cannot be done with the cards of photographs; `kind` names the sentence that people are told."""

    def __init__(self, message: str, kind: str) -> None:
        super().__init__(message)
        self.kind = kind
