"""A settings file that is not right, in memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from companion.web.mending import Copy, Fault, Saved

BROKEN = """\
language = "en"
rig = "taps"

[[seat]]
name = "Anna"
source = "mats"

[[seat]]
name = "Ben"

[[seat]]
name = "Cleo"

[page]
potr = 8080
port = 70000
"""
FAULTS = (
    Fault("seat 1.source", 6, "one_of", {"limit": "'mat', 'tap' or 'bot'"}),
    Fault("page.potr", 15, "unknown_key", {"allowed": "host, names, port, https_port, shutdown"}),
    Fault("page.port", 16, "at_most", {"limit": "65535"}),
)


@dataclass
class FakeFile:
    """What a test says that the file is; a text that is empty or says "good" has no faults."""

    text: str | None = BROKEN
    name: str = "table.toml"
    answer: Saved = field(default_factory=lambda: Saved(old="table.toml.old1"))
    saved: list[tuple[str, str]] = field(default_factory=list)

    def read(self) -> Copy:
        return Copy(self.text, "0123abcd")

    def faults(self, text: str, /) -> Sequence[Fault]:
        return () if "good" in text else FAULTS

    def save(self, text: str, mark: str, /) -> Saved:
        if not self.answer.refusal:
            self.saved.append((text, mark))
        return self.answer
