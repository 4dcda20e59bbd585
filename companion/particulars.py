"""What stands in the record beside what is agreed: who declared what, which cameras did not see, what lay there at a ruling."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from companion.cards import Card
from companion.observation import Agree, Answer, Call, Claim, Correct, Declaration, Entry, OwnEntry, Press, Reseat, Rewind
from companion.plain import to_plain
from companion.table import Place
from companion.tracker import Track
from companion.watch import Watch

DECLARED, CAMERAS, SEEN, UNHEARD = "declared", "cameras", "seen", "unheard"
"""Kinds of entries.  ``unheard`` counts refused declarations that were too many to be written down one by one."""
MOST_REFUSED = 20
"""So many refused declarations are written down between two that change something: nobody fills the disk by tapping."""
RULED = frozenset(
    ("action", "violation", "cleared", "question", "undone", "corrected", "as_it_lies", "as_shown", "reread", "result")
)
"""Kinds of the log's entries that what was seen has led to."""
_SHORT = {
    Press: "press", Claim: "claim", Answer: "answer", Entry: "enter", Call: "call", Rewind: "rewind", Correct: "correct",
    Reseat: "reseat", OwnEntry: "own", Agree: "agree",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Particular:
    """One entry to be."""

    kind: str
    body: Mapping[str, Any]
    """Public at once."""
    hidden: bytes | None = field(default=None, repr=False)
    """Sealed until the reveal, and filled up to one size."""


@dataclass(frozen=True, slots=True)
class Heard:
    """What was heard and is not written down yet."""

    waiting: tuple[Particular, ...] = ()
    refused: int = 0
    """Refused declarations since the last that changed something."""
    blind: tuple[Any, ...] = ()
    """What was known of the cameras when that was written down last."""

    def declared(self, declaration: Declaration, refusal: str) -> Heard:
        """After a declaration, which `refusal` says was not taken, or was taken where that is empty."""
        if not refusal:
            return replace(self, waiting=(*self.waiting, _declared(declaration, "")), refused=0)
        if self.refused < MOST_REFUSED:
            return replace(self, waiting=(*self.waiting, _declared(declaration, refusal)), refused=self.refused + 1)
        if self.refused == MOST_REFUSED:
            return replace(self, waiting=(*self.waiting, Particular(UNHEARD, {})), refused=self.refused + 1)
        return self

    def cameras(self, watch: Watch) -> Heard:
        """After a look at which cameras can be believed."""
        by_hand = sorted(watch.by_hand, key=lambda station: (station is None, station))
        blind = tuple((trouble.kind.value, trouble.seat, trouble.since, trouble.other) for trouble in watch.said)
        if (blind, tuple(by_hand)) == (self.blind or ((), ())):
            return self
        troubles = [dict(zip(("kind", "seat", "since", "other"), one, strict=True)) for one in blind]
        body = {"troubles": troubles, "by_hand": by_hand}
        return replace(self, waiting=(*self.waiting, Particular(CAMERAS, body)), blind=(blind, tuple(by_hand)))

    def written(self) -> Heard:
        """After everything was written down, or cannot be."""
        return replace(self, waiting=()) if self.waiting else self


def _declared(declaration: Declaration, refusal: str) -> Particular:
    what = declaration.what
    body: dict[str, Any] = {"what": _SHORT[type(what)], "seat": declaration.seat, "by": declaration.by, "refused": refusal}
    if isinstance(what, Call):
        body["name"] = what.name
    if isinstance(what, Rewind):
        body["turns"] = what.turns
    if isinstance(what, Answer):
        body |= {"question": what.question, "choice": what.choice}
    if isinstance(what, Agree):
        body |= {"proposal": what.proposal, "yes": what.yes}
    if isinstance(what, (Entry, Correct, OwnEntry, Reseat)):
        body["place"] = _place(what.place)
    # Whether there is a sealed part must not tell more than what kind of thing was declared.
    names_cards = isinstance(what, (Claim, Entry, Correct, OwnEntry)) or bool(getattr(what, "reason", ""))
    return Particular(DECLARED, body, json.dumps(to_plain(what)).encode() if names_cards else None)


def seen(tracks: Iterable[Track]) -> Particular | None:
    """What each place that is looked at shows in quiet; None where nobody looks."""
    lying = [(track.place, track.settled) for track in tracks if track.settled is not None]
    if not lying:
        return None
    found = [[*_place(place), str(claim) if isinstance(claim, Card) else claim.value] for place, claim in sorted(lying, key=_at)]
    return Particular(SEEN, {"places": len(found)}, json.dumps(found, separators=(",", ":")).encode())


def _at(one: tuple[Place, Any]) -> Place:
    return one[0]


def _place(place: Place) -> list[Any]:
    return [place.area.value, place.seat, place.number]
