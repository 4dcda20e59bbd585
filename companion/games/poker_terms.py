"""What a table agrees on before a hand of draw or stud: antes, streets, limits, how hands are valued, how chips are shared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from companion.errors import OptionError

CHOICES: Mapping[str, tuple[str | bool, ...]] = {
    "game": ("stud", "draw"),
    "limit": ("fixed", "none", "pot"),
    "eval": ("high", "27", "a5", "hilo", "soko"),
    "low_eval": ("a5", "27"),
    "odd_chip": ("closest", "one_each"),
    "suit_ties": (False, True),
    "declare": (False, True),
    "draw_four_with_ace": (False, True),
    "openers": (False, True),
    "must_open": (False, True),
    "burn": (False, True),
    "short_allin_counts": (False, True),
    "reshuffle_folds": ("last", "with_discards"),
    "dead_small": (False, True),
}
"""The values that a term takes, the default first."""
OPENINGS = ("left", "blind", "high_up", "low_up", "low_card", "same")
NUMBERS = {"ante": 0, "bring_in": 0, "cap": 1, "draw_max": 0, "carry_pot": 0}
"""Terms that take whole numbers, with the least one."""
MOST = 1_000_000_000
"""No table plays for more chips than that."""


@dataclass(frozen=True, slots=True)
class Street:
    """What is dealt before a round of betting, and how that is played."""

    down: int = 0
    up: int = 0
    draw: bool = False
    """Before the betting everybody may exchange cards."""
    bet: int = 1
    """Chips of a bet or raise, or where there is no fixed limit of the least one."""
    open: str = "left"
    """Who acts first: ``left`` (the dealer's left), ``blind`` (left of the big blind), ``high_up`` and ``low_up`` (the best open
    cards), ``low_card`` (the bring-in), ``same`` (who opened the round before).  If that seat cannot, the next one clockwise."""


@dataclass(frozen=True, slots=True)
class Terms:
    """One value for everything that is agreed; build it with `parse_terms`."""

    game: str = "stud"
    ante: int = 0
    blinds: tuple[int, int] | None = None
    """Small and big blind."""
    bring_in: int = 0
    limit: str = "fixed"
    streets: tuple[Street, ...] = ()
    eval: str = "high"
    """How hands are valued: ``high``, ``27`` and ``a5`` (low), ``hilo`` (half to each), ``soko``."""
    low_eval: str = "a5"
    """What counts as low where the pot is halved."""
    cap: int = 4
    """Wagers in a round of fixed limit."""
    pair_big_bet: int | None = None
    """With an open pair at the beginning of the second round a bet or raise may be as large as this."""
    odd_chip: str = "closest"
    suit_ties: bool = False
    """Suits decide who acts first among equal boards; never who wins."""
    declare: bool = False
    """Who shares a pot of high and low says before which one he goes for; otherwise the cards speak."""
    draw_max: int = 3
    draw_four_with_ace: bool = False
    """Four cards may be exchanged by who keeps an ace."""
    openers: bool = False
    """Nobody may open the first round without a pair of jacks or better."""
    must_open: bool = False
    """Who could open has to."""
    burn: bool = False
    """A card is laid aside before every street but the first."""
    carry_pot: int = 0
    """Chips in the middle from a hand that nobody has won."""
    short_allin_counts: bool = False
    """Whether an all-in for less than a full raise uses one of the raises up."""
    reshuffle_folds: str = "last"
    """When the pile runs out folded hands are shuffled in ``last``, when no discard is left, or ``with_discards``."""
    claims: tuple[int, ...] = ()
    """Per seat how many of the carried chips it has put in, which count for what it may win; empty: nobody's."""
    dead_small: bool = False
    """Nobody sits where the small blind would be paid: seat 0 has the big one."""

    @property
    def ownerless(self) -> int:
        """Chips of the carried pot that no seat has put in."""
        return self.carry_pot - sum(self.claims)


def parse_terms(given: Mapping[str, Any]) -> Terms:
    """Check the values; raise `OptionError` naming the term, the value and what is allowed."""
    known = {field.name for field in fields(Terms)}
    for name, value in given.items():
        if name not in known:
            raise OptionError(f"unknown term {name!r} of a betting game: expected one of {', '.join(sorted(known))}")
        _check(name, value)
    streets = tuple(_street(street) for street in given.get("streets", ()))
    claims = tuple(given.get("claims", ()))
    if not streets:
        raise OptionError("'streets' of a betting game has to list at least one street")
    blinds = given.get("blinds")
    paid = None if blinds is None else (blinds[0], blinds[1])
    return _sensible(Terms(**{**given, "streets": streets, "claims": claims, "blinds": paid}))


def _sensible(terms: Terms) -> Terms:
    """Refuse terms that no hand could be played by."""
    cards = sum(street.down + street.up for street in terms.streets)
    if cards != 5:
        raise OptionError(f"the streets have to deal five cards to a hand; they deal {cards}")
    if terms.streets[0].down + terms.streets[0].up == 0:
        raise OptionError("the first street has to deal a card")
    shown = 0
    for number, street in enumerate(terms.streets):
        shown += street.up
        if street.open in ("high_up", "low_up", "low_card") and not shown:
            raise OptionError(f"street {number + 1} is opened by open cards ({street.open}), and none are dealt before it")
        if street.open == "blind" and terms.blinds is None:
            raise OptionError(f"street {number + 1} is opened beside the blinds, and there are none")
    if sum(terms.claims) > terms.carry_pot:
        raise OptionError(f"'claims' are part of 'carry_pot', {terms.carry_pot}; found {list(terms.claims)}")
    if terms.declare and terms.eval != "hilo":
        raise OptionError(f"'declare' is for eval 'hilo'; found eval {terms.eval!r}")
    return terms


def _check(name: str, value: Any) -> None:
    if name in CHOICES:
        if not any(value is choice or (isinstance(value, str) and value == choice) for choice in CHOICES[name]):
            raise OptionError(f"term {name!r} takes {', '.join(map(repr, CHOICES[name]))}; found {value!r}")
    elif name in NUMBERS:
        _number(name, value, NUMBERS[name])
    elif name == "pair_big_bet":
        if value is not None:
            _number(name, value, 1)
    elif name == "blinds":
        if value is not None:
            if not isinstance(value, list | tuple) or len(value) != 2:
                raise OptionError(f"'blinds' takes the small and the big blind, like [1, 2], or null; found {value!r}")
            _numbers(name, value)
    elif name == "claims":
        if not isinstance(value, list | tuple):
            raise OptionError(f"'claims' has to be a list of chips; found {value!r}")
        _numbers(name, value)
    elif name == "streets" and not isinstance(value, list | tuple):
        raise OptionError(f"'streets' has to be a list; found {value!r}")


def _street(given: Any) -> Street:
    if not isinstance(given, Mapping):
        raise OptionError(f"a street has to be an object like {{'down': 5, 'bet': 1}}; found {given!r}")
    known = {field.name for field in fields(Street)}
    for name, value in given.items():
        if name not in known:
            raise OptionError(f"unknown part {name!r} of a street: expected one of {', '.join(sorted(known))}")
        if name == "open":
            if value not in OPENINGS:
                raise OptionError(f"'open' of a street takes {', '.join(map(repr, OPENINGS))}; found {value!r}")
        elif name == "draw":
            if not isinstance(value, bool):
                raise OptionError(f"'draw' of a street takes true or false; found {value!r}")
        else:
            _number(name, value, 1 if name == "bet" else 0)
    return Street(**given)


def _numbers(name: str, values: Sequence[Any]) -> None:
    for value in values:
        _number(name, value, 0)


def _number(name: str, value: Any, least: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= MOST:
        raise OptionError(f"{name!r} takes a whole number from {least} to {MOST}; found {value!r}")
