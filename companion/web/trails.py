"""The ways of cards between places, for the arrows over the felt and for pictures of moves.  Places, never cards."""

from __future__ import annotations

from dataclasses import dataclass

from companion.views import MoveView, View

PILE, ROW, ASIDE = "pile", "row", "aside"
"""The places in the middle by the names that the page gives them; a slot is called ``slot-1-4`` by seat and number."""

Way = tuple[str, str]
"""Where a card comes from and where it goes."""


@dataclass(frozen=True, slots=True)
class Trail:
    """What the page draws arrows for."""

    ways: tuple[Way, ...] = ()
    state: str = "done"
    """``done`` (the last move, which may still be taken back), ``past`` (play has gone on since) or ``due`` (people have to
    move these cards yet)."""


def slot_name(seat: int | None, number: int | None) -> str:
    """The page's name of a slot; empty where it is not known."""
    return "" if seat is None or number is None else f"slot-{seat}-{number}"


def ways_of(move: MoveView) -> tuple[Way, ...]:
    """The ways that cards take in a move; what leaves the hands first stands first."""
    own, other = slot_name(move.seat, move.slot), slot_name(move.victim, move.victim_slot)
    ways = {
        "draw": ((PILE, own), (own, ROW)),
        "discard": ((PILE, ROW),),
        "take": ((ROW, own), (own, ASIDE)),
        "steal": ((other, own), (own, other)),
    }
    return tuple(way for way in ways.get(move.kind, ()) if all(way))


def trail(view: View) -> Trail:
    """The arrows of `view`: what people have to do with the cards, or else the last move; none where another matter is open."""
    if view.phase == "over" or view.paused or view.stopped or view.question is not None:
        return Trail()
    if view.steps:
        step = view.steps[0]
        ways = ways_of(step.move)
        return Trail(tuple((goal, start) for start, goal in reversed(ways)) if step.back else ways, "due")
    led = [(slot_name(*home.place), slot_name(*home.home)) for home in view.homes if home.home is not None]
    if led:
        return Trail((led[0],), "due")
    if view.violation is not None or view.last is None:
        return Trail()
    if any(line.kind.startswith("return") for line in view.awaiting):
        return Trail()
    if any(not line.done for line in view.awaiting):
        return Trail(ways_of(view.last), "due")
    return Trail(ways_of(view.last), "done" if view.last.provisional else "past")


def picked(move: MoveView) -> tuple[str, ...]:
    """A move as the pictures by which it is picked, one for each step that `offer_words` names."""
    own, other = slot_name(move.seat, move.slot), slot_name(move.victim, move.victim_slot)
    steps = {
        "draw": (PILE, own),
        "discard": (PILE, ROW),
        "take": (ROW, own),
        "steal": ("steal", f"seat-{move.victim}", other, own),
    }
    return steps.get(move.kind, (move.kind,) * (2 if move.slots else 1))
