"""House rules of draw and stud at a table, and what a session carries from hand to hand: plain options of the game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, TypeVar

from companion.errors import OptionError
from companion.games.poker_terms import MOST

SESSION = ("stacks", "bought", "dealer", "dead_small", "carry_pot", "claims", "hand", "log")
"""Options that say where a session stands and are no house rules."""
SHARED_CHOICES: Mapping[str, tuple[str | bool, ...]] = {
    "odd_chip": ("closest", "one_each"),
    "short_allin_counts": (False, True),
    "button": ("moving", "dead"),
}
DRAW_CHOICES: Mapping[str, tuple[str | bool, ...]] = {
    "limit": ("none", "fixed", "pot"),
    "draw_four_with_ace": ("off", "keep", "keep_and_show"),
    "openers": (False, True),
    "must_open": (False, True),
    "redeal_dealer": ("same", "next"),
    "eval": ("high", "27", "a5"),
    "starts_after_draw": ("left", "blind"),
    "reshuffle_folds": ("last", "with_discards"),
    **SHARED_CHOICES,
}
STUD_CHOICES: Mapping[str, tuple[str | bool, ...]] = {
    "open_pair": (True, False),
    "suit_ties": (False, True),
    "last_down": (False, True),
    "eval": ("high", "27", "a5", "hilo", "soko"),
    "low_eval": ("a5", "27"),
    "declare": ("simultaneous", "clockwise_from_last_bettor", "off"),
    "burn": (False, True),
    **SHARED_CHOICES,
}
"""The values that an option takes; the usual one is that of the class."""
NUMBERS: Mapping[str, tuple[int, int]] = {
    "ante": (0, MOST), "small_blind": (0, MOST), "big_blind": (0, MOST), "small_bet": (1, MOST), "big_bet": (1, MOST),
    "bring_in": (0, MOST), "cap": (1, 99), "draws": (1, 2), "draw_max": (0, 5), "stack": (1, MOST), "carry_pot": (0, MOST),
    "hand": (1, MOST),
}  # fmt: skip
"""The least and the greatest value of options that take whole numbers."""
MOST_SEATS = 10


@dataclass(frozen=True, slots=True)
class PokerOptions:
    """What every game with chips has."""

    ante: int = 1
    """Chips that everybody puts in before the deal."""
    small_bet: int = 2
    big_bet: int = 4
    """Bets and raises of fixed limit, in the earlier and in the later rounds."""
    cap: int = 4
    """Wagers in a round of fixed limit: one bet and three raises."""
    odd_chip: str = "closest"
    short_allin_counts: bool = False
    """Whether an all-in for less than a full raise uses one of the raises up."""
    button: str = "moving"
    """When somebody is out: the deal goes to the next one who has chips, or each place of deal and blinds to the next seat,
    which may be empty then (``dead``)."""
    stack: int = 200
    """Chips that everybody begins a session with."""
    stacks: str = ""
    """Chips per seat before this hand, as in ``200 180 0``; empty: everybody has `stack`."""
    bought: str = ""
    """Chips per seat that the session began with, written likewise; empty: as many as now."""
    dealer: int | None = None
    """Seat that deals; None: the last one, so that seat 0 sits at the dealer's left.  With a dead button nobody may sit there."""
    carry_pot: int = 0
    """Chips in the middle that nobody has won."""
    hand: int = 1
    """Which hand of the session it is."""
    log: str = ""
    """Chips after every fifth hand, as in ``5: 210 190 200; 10: 250 150 200``."""


@dataclass(frozen=True, slots=True)
class DrawOptions(PokerOptions):
    """House rules of Five-Card Draw."""

    limit: str = "none"
    small_blind: int = 0
    big_blind: int = 0
    """With a big blind both replace the antes."""
    draws: int = 1
    """How often cards are exchanged."""
    draw_max: int = 3
    draw_four_with_ace: str = "off"
    """Whether who keeps an ace may exchange four, and whether he has to show it."""
    openers: bool = False
    """Jacks or better to open."""
    must_open: bool = False
    redeal_dealer: str = "same"
    """Who deals again when nobody has opened."""
    eval: str = "high"
    """What wins: the ``high`` hand, or the low one by deuce to seven (``27``) or ace to five (``a5``)."""
    dead_small: int | None = None
    """With a dead button: the empty seat that the small blind has come to, which nobody pays; None: somebody does."""
    claims: str = ""
    """Chips per seat of the pot that nobody has won, written as `stacks`: what each has put in counts for what it may win."""
    starts_after_draw: str = "left"
    """Who acts first after the draw where there are blinds: the dealer's left, or the left of the big blind."""
    reshuffle_folds: str = "last"


@dataclass(frozen=True, slots=True)
class StudOptions(PokerOptions):
    """House rules of Five-Card Stud."""

    ante: int = 2
    small_bet: int = 5
    big_bet: int = 10
    bring_in: int = 0
    """Chips that the lowest open card has to put in; 0: the highest one acts first, and may check."""
    open_pair: bool = True
    """With an open pair a bet of the second round may be a big one."""
    suit_ties: bool = False
    """Suits decide who acts first among equal boards."""
    last_down: bool = False
    """The fifth card is dealt face down."""
    eval: str = "high"
    low_eval: str = "a5"
    declare: str = "simultaneous"
    """How it is said who goes for which half; ``off``: the cards speak."""
    burn: bool = False


O = TypeVar("O", bound=PokerOptions)  # noqa: E741


def parse_poker_options(usual: O, choices: Mapping[str, tuple[str | bool, ...]], title: str, given: Mapping[str, Any]) -> O:
    """Check the values; raise `OptionError` naming the option, the value and what is allowed."""
    known = {field.name for field in fields(usual)}
    for name, value in given.items():
        if name not in known:
            raise OptionError(f"unknown option {name!r} of {title}: expected one of {', '.join(sorted(known))}")
        if name in choices:
            if not any(value is choice or (isinstance(value, str) and value == choice) for choice in choices[name]):
                raise OptionError(f"option {name!r} of {title} takes {', '.join(map(repr, choices[name]))}; found {value!r}")
        elif name in NUMBERS:
            _check_number(name, value, *NUMBERS[name], title)
        elif name in ("dealer", "dead_small"):
            if value is not None:
                _check_number(name, value, 0, MOST_SEATS - 1, title)
        else:
            _check_text(name, value, title)
    values = {field.name: getattr(usual, field.name) for field in fields(usual)} | dict(given)
    return _sensible(type(usual)(**values), title)


def _check_number(name: str, value: Any, least: int, most: int, title: str) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise OptionError(f"option {name!r} of {title} takes a whole number from {least} to {most}; found {value!r}")


def _check_text(name: str, value: Any, title: str) -> None:
    if not isinstance(value, str):
        raise OptionError(f"option {name!r} of {title} takes a text; found {value!r}")
    if name == "log":
        log_of(value)
    else:
        chips_of(value)


def _sensible(options: O, title: str) -> O:
    """Refuse what no hand could be played by."""
    if options.big_bet < options.small_bet:
        raise OptionError(f"option 'big_bet' of {title} is at least the small bet, {options.small_bet}; found {options.big_bet}")
    if isinstance(options, DrawOptions):
        if options.small_blind > options.big_blind:
            raise OptionError(f"option 'small_blind' of {title} is at most the big one; found {options.small_blind}")
        if options.openers and options.big_blind:
            raise OptionError(f"option 'openers' of {title} is for antes; found blinds as well")
        if options.must_open and not options.openers:
            raise OptionError(f"option 'must_open' of {title} needs 'openers'")
        if options.dead_small is not None and not (options.big_blind and options.button == "dead"):
            raise OptionError(f"option 'dead_small' of {title} needs blinds and a dead button")
        if sum(chips_of(options.claims)) > options.carry_pot:
            raise OptionError(f"option 'claims' of {title} is part of 'carry_pot', {options.carry_pot}; found {options.claims!r}")
        if not (options.ante or options.big_blind or options.carry_pot):
            raise OptionError(f"{title} needs antes or blinds: there would be nothing to play for")
    if isinstance(options, StudOptions):
        if options.bring_in > options.small_bet:
            raise OptionError(f"option 'bring_in' of {title} is at most the small bet; found {options.bring_in}")
        if not (options.ante or options.bring_in or options.carry_pot):
            raise OptionError(f"{title} needs antes or a bring-in: there would be nothing to play for")
    return options


def chips_of(text: str) -> tuple[int, ...]:
    """``200 180 0`` as numbers; raise `OptionError` where it is something else."""
    parts = text.split()
    if len(parts) > MOST_SEATS or not all(part.isascii() and part.isdigit() and len(part) < 11 for part in parts):
        raise OptionError(f"chips of the seats are whole numbers such as '200 180 0'; found {text[:60]!r}")
    return tuple(map(int, parts))


def chips_text(chips: tuple[int, ...]) -> str:
    """The same, written."""
    return " ".join(map(str, chips))


def log_of(text: str) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """``5: 210 190; 10: 250 150`` as numbers of hands with everybody's chips; raise `OptionError` for something else."""
    found = []
    for line in filter(None, (part.strip() for part in text.split(";"))):
        number, sign, chips = line.partition(":")
        if not (sign and number.isascii() and number.isdigit() and len(number) < 11):
            raise OptionError(f"a log of chips is written like '5: 210 190; 10: 250 150'; found {line[:60]!r}")
        found.append((int(number), chips_of(chips)))
    return tuple(found)


def log_text(log: tuple[tuple[int, tuple[int, ...]], ...]) -> str:
    """The same, written."""
    return "; ".join(f"{number}: {chips_text(chips)}" for number, chips in log)
