"""What people have to do with the cards, line by line, each to be ticked off; nothing is listed twice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from companion.announcements import Announced
from companion.views import PlacementView, StepView, View
from companion.web.trails import ROW, Way, slot_name, ways_of


@dataclass(frozen=True, slots=True)
class Item:
    """One line of a list."""

    text: str
    done: bool | None
    """None where nobody sees whether it is done."""
    kind: str
    """The kind of a placement, or ``step``."""
    place: str = ""
    """The page's name of the place that a placement is about."""
    ways: tuple[Way, ...] = ()
    """How the cards of a step go."""


@dataclass(frozen=True, slots=True)
class Todo:
    """The lists of one view."""

    steps: tuple[Item, ...] = ()
    """After undo and redo, in this order."""
    remedy: tuple[Item, ...] = ()
    awaiting: tuple[Item, ...] = ()
    """What no step says already."""
    homes: tuple[str, ...] = ()
    """Where loose cards belong, as far as no line says it."""


def todo(view: View, words: Announced) -> Todo:
    """The lists of `view`, whose words are `words`."""
    remedy = () if view.violation is None else view.violation.remedy
    # A line that brings a card home says where that card lies now, where it is known.
    led = {home.home: text for home, text in zip(view.homes, words.homes, strict=True) if home.home is not None}
    stepped = {place for step in view.steps for place in _slots(step)}
    # The row is ticked off with its step, where that one can be.
    row = any(_touches_row(step) and _listed(step, view) for step in view.steps)
    left = [
        (line, text)
        for line, text in zip(view.awaiting, words.awaiting, strict=True)
        if line.kind == "turn_down" or not (line.place in stepped or (row and line.place is None and line.kind == "row"))
    ]
    put_back = tuple(_item(line, text, led) for line, text in zip(remedy, words.remedy, strict=True))
    awaiting = tuple(_item(line, text, led) for line, text in left)
    said = {item.text for item in (*put_back, *awaiting)}
    homes = tuple(text for text in words.homes if text not in said)
    return Todo(tuple(_steps(view, words)), put_back, awaiting, homes)


def _item(line: PlacementView, text: str, led: Mapping[tuple[int, int], str]) -> Item:
    if line.kind == "return_card" and line.place is not None and not line.done:
        text = led.get(line.place, text)
    return Item(text, line.done, line.kind, ROW if line.place is None else slot_name(*line.place))


def _steps(view: View, words: Announced) -> Iterator[Item]:
    texts = list(words.steps)
    if view.turn_down:
        yield Item(texts.pop(0), None, "turn_down")
    for step, text in zip(view.steps, texts, strict=True):
        ways = ways_of(step.move)
        back = tuple((goal, start) for start, goal in reversed(ways))
        yield Item(text, _is_done(step, view), "step", ways=back if step.back else ways)


def _is_done(step: StepView, view: View) -> bool | None:
    """A step is done when everything that it moves lies right; of slots that nobody watches that is not known."""
    listed = _listed(step, view)
    if not listed:
        return None
    row_open = _touches_row(step) and any(line.kind == "row" and not line.done for line in view.awaiting)
    return all(line.done for line in listed) and not row_open


def _listed(step: StepView, view: View) -> tuple[PlacementView, ...]:
    slots = _slots(step)
    return tuple(line for line in view.awaiting if line.place in slots and line.kind != "turn_down")


def _slots(step: StepView) -> tuple[tuple[int, int], ...]:
    move = step.move
    named = ((move.seat, move.slot), (move.victim, move.victim_slot))
    return tuple((seat, slot) for seat, slot in named if seat is not None and slot is not None)


def _touches_row(step: StepView) -> bool:
    return any(ROW in way for way in ways_of(step.move))
