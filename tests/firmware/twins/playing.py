"""Playing two twin games side by side, and comparing all that they tell, moment by moment."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.firmware.twins.outlets import OUTLETS, Doors, Told
from tests.firmware.twins.pairs import Pair, Token, make_pair
from tests.firmware.twins.played import Setting
from tests.firmware.twins.table import Story, Twin

Outlets = Mapping[str, Callable[[Twin], Told]]


class LeakError(AssertionError):
    """The twins can be told apart."""

    def __init__(self, outlet: str, message: str) -> None:
        super().__init__(f"{outlet}: {message}")
        self.outlet = outlet


@dataclass
class Game:
    """A story at a kind of table."""

    setting: Setting
    story: Story
    follows: tuple[str, ...] = ("nobody",)
    """Who keeps an event stream open."""

    opened: frozenset[Token] = frozenset()
    """The cards whose faces everybody sees until the last moment: those that lie open on the row."""

    def pair(self, kind: str, seed: int) -> Pair:
        """Twins of this game that differ in one of the `KINDS`."""
        return make_pair(kind, self.opened, self.setting.seats, seed)


@dataclass
class Played:
    """What was compared."""

    moments: list[str] = field(default_factory=list)
    twins: tuple[Twin, ...] = ()
    commitments: tuple[tuple[str, ...], ...] = ()


def play(
    game: Game, pair: Pair, folder: Path, doors: Doors | None = None, outlets: Outlets = OUTLETS,
    moments: Iterable[str] | None = None,
) -> Played:  # fmt: skip
    """Play both games and compare them at every moment, or at those in `moments`; raise `LeakError` at the first difference."""
    played = Played()
    wanted = None if moments is None else set(moments)
    with ExitStack() as stack:
        twins = [stack.enter_context(closing(Twin(folder / str(n), game.setting, pair, n))) for n in (0, 1)]
        played.twins = tuple(twins)
        for twin in twins:
            with twin.listening():
                for who in game.follows:
                    twin.follow(who)
        stories = [game.story(twin) for twin in twins]
        while True:
            names = [_next(twin, story) for twin, story in zip(twins, stories, strict=True)]
            if names[0] is None:
                assert names[1] is None
                _check_open(game, twins, pair)
                return played
            assert names[0] == names[1]
            played.moments.append(names[0])
            if wanted is None or names[0] in wanted:
                _compare(names[0], twins, outlets, doors)


def _next(twin: Twin, story: Any) -> str | None:
    with twin.listening():
        name: str | None = next(story, None)
    return name


def _check_open(game: Game, twins: list[Twin], pair: Pair) -> None:
    """Twins may differ in no card that lay open: then they would prove nothing."""
    opened = set().union(*(twin.opened for twin in twins))
    assert not opened & pair.moved, f"the game opens the cards {sorted(opened)}; expected {sorted(game.opened)}"


def _compare(moment: str, twins: list[Twin], outlets: Outlets, doors: Doors | None) -> None:
    asked: Outlets = {**({} if doors is None else {"doors": doors.told}), **outlets}
    for outlet, ask in asked.items():
        told = []
        for twin in twins:
            with twin.listening():
                told.append(ask(twin))
        _same(moment, outlet, *told)
    for twin in twins:
        twin.moment += 1


def _same(moment: str, outlet: str, one: Told, other: Told) -> None:
    if one == other:
        return
    for name in dict.fromkeys((*one, *other)):
        if name not in one or name not in other:
            raise LeakError(outlet, f"at {moment!r} only one twin tells {name!r}: {str(one.get(name, other.get(name)))[:300]}")
        if one[name] != other[name]:
            raise LeakError(outlet, f"at {moment!r} the twins differ in {name!r}:\n{_difference(one[name], other[name])}")


def _difference(one: Any, other: Any) -> str:
    a, b = str(one), str(other)
    start = next((n for n, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    return "\n".join(f"  ...{text[max(0, start - 80) : start + 120]}..." for text in (a, b))
