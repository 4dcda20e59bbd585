"""What comes in: sightings of cameras, declarations of people, and the passing of time.

All times are seconds of one monotonic clock, taken where the data arose.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from companion.cards import Card, Seen
from companion.rulings import Action
from companion.table import Place


@dataclass(frozen=True, slots=True)
class EvidenceRef:
    """Names a stored window picture; the companion never opens it."""

    camera: str
    frame: int
    number: int


@dataclass(frozen=True, slots=True)
class Sighting:
    """What one camera claims of one place."""

    place: Place
    seen: Seen
    confidence: float
    """0..1, after the beliefs were weighed over frames and places."""
    evidence: EvidenceRef | None = None
    likely: tuple[tuple[Card, float], ...] = ()
    """The reader's three most likely faces by this window alone, with their probabilities, best first; none where no face shows.
    Hidden like the reading itself: nobody but a correction of an open card is told of it."""


@dataclass(frozen=True, slots=True)
class Observation:
    """One look of one camera.  A place that is not among `covered` was not looked at, which is not the same as gone."""

    time: float
    covered: tuple[Place, ...]
    """The places that this look took in, whatever was seen there."""
    sightings: tuple[Sighting, ...]


@dataclass(frozen=True, slots=True)
class Press:
    """The seat's big button: "I am done" (or, at a question that offers it, the first answer)."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A tap that says which action the seat does; the whole move for a seat without cameras."""

    action: Action


@dataclass(frozen=True, slots=True)
class Answer:
    """A tap on one of the choices of the open question."""

    question: int
    choice: int


@dataclass(frozen=True, slots=True)
class Entry:
    """A card entered by hand for a place, at the reveal or where a reading is open."""

    place: Place
    card: Card


@dataclass(frozen=True, slots=True)
class Call:
    """A call by name that concerns the whole table: ``misdeal``, ``leave``, ``return``, ``pause``, ``resume``, ``undo``,
    ``redo``; ``stop`` and ``go_on`` around a dispute; ``laid`` (the cards lie as listed, where no camera sees them),
    ``table_right`` and ``screen_right`` where table and screen do not agree."""

    name: str
    reason: str = ""
    """In the words of whoever decided."""


@dataclass(frozen=True, slots=True)
class Rewind:
    """Take actions back, or do them again, until `turns` of them stand."""

    turns: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Correct:
    """The card that lies open at a place was read or typed wrongly, or not at all."""

    place: Place
    card: Card
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Reseat:
    """The hidden card in a slot is to be lifted and laid back, so that it is read anew."""

    place: Place
    reason: str = ""


@dataclass(frozen=True, slots=True)
class OwnEntry:
    """A hidden card as its owner enters it on his own phone; the declaration's seat has to be the slot's."""

    place: Place
    card: Card


@dataclass(frozen=True, slots=True)
class Agree:
    """One seat's answer to what was proposed to everybody."""

    proposal: int
    yes: bool


@dataclass(frozen=True, slots=True)
class Declaration:
    """What a person declared with a button or a tap."""

    time: float
    seat: int
    what: Declared
    by: str = field(default="", compare=False)
    """From where: the value of a `Role`, or ``button``; empty where that is not known.  It is for the record alone."""


@dataclass(frozen=True, slots=True)
class Tick:
    """Time went by and nothing else happened."""

    time: float


class TroubleKind(Enum):
    """What can be wrong with a camera.  Each has a sentence of its own that says what to do."""

    SILENT = "silent"
    """No picture comes."""
    FROZEN = "frozen"
    """The same picture comes again and again."""
    DARK = "dark"
    BRIGHT = "bright"
    LOST = "lost"
    """The board's markers cannot be found."""
    ASIDE = "aside"
    """The board was found so far aside that some of its windows lie outside the picture."""
    MOVED = "moved"
    """The board lies elsewhere than a moment ago; it has been found again and is looked at anew."""
    OTHER_BOARD = "other_board"
    """It looks at the board of another camera."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """What keeps one camera from seeing what it should look at."""

    kind: TroubleKind
    seat: int | None
    """Whose mat it should look at; None: the tray."""
    since: float
    """When it was last known to see."""
    other: int | None = None
    """Of another board: the seat whose mat shows instead; None where that is no seat's."""


@dataclass(frozen=True, slots=True)
class CameraReport:
    """Every camera that is in trouble now; an empty one says that all see.  Posted when it differs from the last one."""

    time: float
    troubles: tuple[Trouble, ...]


Declared = Press | Claim | Answer | Entry | Call | Rewind | Correct | Reseat | OwnEntry | Agree
"""Everything that people can declare."""

Event = Observation | Declaration | Tick | CameraReport
