"""Which paragraphs the rules of draw and stud have, and which of their sentences hold under the options of a table.

A sentence about a house rule has the key ``option=value``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from companion.games.poker_options import DrawOptions, PokerOptions, StudOptions
from companion.games.rulebook import Paragraph, Rulebook, Section, Telling

Kinds = Mapping[str, tuple[str, ...]]
_FORM = ("bad_action", "bad_seat", "check_facing_bet", "call_without_bet")
_DECK = ("foreign_card", "duplicate_card", "unexplained_change")

DRAW_RULES: Kinds = {
    "DRAW-2": ("hand_over",),
    "DRAW-2-deal": (),
    "DRAW-D8": (),
    "DRAW-2-turn": ("not_your_turn",),
    "DRAW-2-actions": _FORM,
    "DRAW-D9": (),
    "DRAW-D1": ("bet_too_small", "bet_too_large"),
    "DRAW-D2": ("raise_cap", "raise_closed"),
    "DRAW-2-openers": ("no_openers", "must_open"),
    "DRAW-2-allin": ("no_chips",),
    "DRAW-2-draw": (
        "too_many_discards", "card_not_held", "draw_not_open", "wrong_count", "drew_out_of_turn", "slot_empty", "card_returned",
        "bad_slot", "bad_permutation",
    ),
    "DRAW-D5": (),
    "DRAW-D6": (),
    "DRAW-D4": (),
    "DRAW-D7": (),
    "DRAW-2-win": (),
    "DRAW-D3": (),
    "DRAW-2-next": (),
    "DRAW-2-leave": (),
    "DRAW-2-wrong": ("folded_hand_changed", "dealt_out_of_turn", *_DECK),
}  # fmt: skip
"""Rule id -> the kinds of violation that break it, in the order of reading."""
STUD_RULES: Kinds = {
    "STUD-3.1": ("hand_over",),
    "STUD-3.1-deal": ("dealt_out_of_turn", "slot_empty"),
    "STUD-T8": (),
    "STUD-T7": (),
    "STUD-3.1-first": ("not_your_turn", "bring_in_due"),
    "STUD-T5": (),
    "STUD-T9": (),
    "STUD-T10": (),
    "STUD-T12": (),
    "STUD-3.1-actions": (*_FORM, "bad_slot", "bad_permutation", "draw_not_open"),
    "STUD-3.1-limit": ("bet_too_small", "bet_too_large", "raise_cap", "raise_closed"),
    "STUD-T1": (),
    "STUD-T2": (),
    "STUD-T3": (),
    "STUD-3.1-allin": ("no_chips",),
    "STUD-T4": (),
    "STUD-3.1-win": (),
    "STUD-T11": (),
    "STUD-T6": (),
    "STUD-3.1-next": (),
    "STUD-3.1-leave": (),
    "STUD-3.1-upcards": ("upcard_moved", "upcard_unclear", "card_returned"),
    "STUD-3.1-wrong": ("folded_hand_changed", *_DECK),
}
CASINO_RULES: Kinds = {
    **{rule.replace("STUD-3.1", "CASINO-3.2").replace("STUD-T", "CASINO-T"): kinds for rule, kinds in STUD_RULES.items()},
    "CASINO-H1": (),
    "CASINO-H2": (),
}
SECTIONS = ("before", "bets", "draw", "end", "wrong")


def kinds_of(rules: Kinds) -> Mapping[str, str]:
    """Kind of violation -> the rule that it breaks."""
    return {kind: rule for rule, kinds in rules.items() for kind in kinds}


def draw_rulebook(seats: int, options: DrawOptions, usual: DrawOptions) -> Rulebook:
    """The rules of draw for so many seats under these options."""
    told = dict(_draw(seats, _House(options, usual)))
    sections = {
        "before": ("DRAW-2", "DRAW-2-deal", "DRAW-D8", "DRAW-2-turn"),
        "bets": ("DRAW-2-actions", "DRAW-D9", "DRAW-D1", "DRAW-D2", "DRAW-2-openers", "DRAW-2-allin"),
        "draw": ("DRAW-2-draw", "DRAW-D5", "DRAW-D6", "DRAW-D4"),
        "end": ("DRAW-D7", "DRAW-2-win", "DRAW-D3", "DRAW-2-next", "DRAW-2-leave"),
        "wrong": ("DRAW-2-wrong",),
    }
    return _book("draw", DRAW_RULES, sections, told)


def stud_rulebook(name: str, rules: Kinds, seats: int, options: StudOptions, usual: StudOptions) -> Rulebook:
    """The rules of one of the two studs for so many seats under these options."""
    told = dict(_stud(seats, _House(options, usual)))
    sections = {
        "before": ("3.1", "3.1-deal", "T8", "T7", "3.1-first", "H1", "T5", "T9", "T10", "T12"),
        "bets": ("3.1-actions", "3.1-limit", "H2", "T1", "T2", "T3", "3.1-allin"),
        "end": ("T4", "3.1-win", "T11", "T6", "3.1-next", "3.1-leave"),
        "wrong": ("3.1-upcards", "3.1-wrong"),
    }
    prefix, part = ("CASINO", "3.2") if name == "casino-stud" else ("STUD", "3.1")
    ids = {short: f"{prefix}-{short.replace('3.1', part)}" for keys in sections.values() for short in keys}
    known = {section: tuple(ids[short] for short in keys if ids[short] in rules) for section, keys in sections.items()}
    return _book(name, rules, known, {ids[short]: tellings for short, tellings in told.items()})


def _book(name: str, rules: Kinds, sections: Mapping[str, tuple[str, ...]], told: Mapping[str, tuple[Telling, ...]]) -> Rulebook:
    return Rulebook(
        name,
        tuple(
            Section(section, tuple(Paragraph(rule, told[rule], rules[rule]) for rule in ids)) for section, ids in sections.items()
        ),
    )


class _House:
    """The house rules of a table, held against the usual ones."""

    def __init__(self, options: PokerOptions, usual: PokerOptions) -> None:
        self.options: Any = options
        self._usual = usual

    def changed(self, *names: str) -> bool:
        return any(getattr(self.options, name) != getattr(self._usual, name) for name in names)

    def rule(self, name: str) -> Telling:
        """What the house rule called `name` says."""
        return Telling(f"{name}={getattr(self.options, name)}", changed=self.changed(name))

    def numbers(self, key: str, **names: str) -> Telling:
        """A sentence with numbers, which are options by their names."""
        values = tuple((word, getattr(self.options, name)) for word, name in names.items())
        return Telling(key, values, changed=self.changed(*names.values()))


def _dealer(seats: int, house: _House) -> Telling:
    dealer = house.options.dealer
    return Telling("dealer", seat=seats - 1 if dealer is None else dealer)


def _draw(seats: int, house: _House) -> Iterator[tuple[str, tuple[Telling, ...]]]:
    options = house.options
    blinds = bool(options.big_blind)
    yield "DRAW-2", (Telling("draw"), house.rule("draws"))
    paid = house.numbers("blinds", small="small_blind", big="big_blind") if blinds else house.numbers("ante", ante="ante")
    carried = (Telling("carried", (("chips", options.carry_pot),)),) if options.carry_pot else ()
    yield "DRAW-2-deal", (paid, Telling("five down"), _dealer(seats, house), *carried)
    yield "DRAW-D8", (Telling("short ante"),)
    yield "DRAW-2-turn", (Telling("turn blinds", changed=True) if blinds else Telling("turn left"),)
    yield "DRAW-2-actions", (Telling("actions"),)
    yield "DRAW-D9", (Telling("fold free"),)
    if options.limit == "fixed":
        sizes = Telling("limit=fixed", (("small", options.small_bet), ("big", options.big_bet)), changed=True)
        raises = Telling("cap", (("raises", options.cap - 1),), changed=True)
    else:
        sizes = Telling(f"limit={options.limit}", (("least", max(1, options.big_blind or options.ante)),),
                        changed=house.changed("limit", "ante", "big_blind"))  # fmt: skip
        raises = Telling("no cap")
    yield "DRAW-D1", (sizes,)
    yield "DRAW-D2", (raises, Telling("closed"), house.rule("short_allin_counts"))
    openers = [house.rule("openers")]
    if options.openers:
        openers += [house.rule("must_open"), Telling("openers judged", changed=True), house.rule("redeal_dealer")]
        openers += [Telling("openers shown", changed=True), Telling("all-in carried", changed=True)]
    yield "DRAW-2-openers", tuple(openers)
    yield "DRAW-2-allin", (Telling("all-in"), Telling("side pots"))
    yield "DRAW-2-draw", (house.numbers("exchange", most="draw_max"), Telling("announced"), Telling("sorted"))
    yield "DRAW-D5", (house.rule("draw_four_with_ace"),)
    yield "DRAW-D6", (house.rule("reshuffle_folds"),)
    yield "DRAW-D4", (house.rule("starts_after_draw") if blinds else Telling("starts_after_draw=left"),)
    yield "DRAW-D7", (Telling("shows"), Telling("folded stay"))
    yield "DRAW-2-win", (house.rule("eval"), Telling("share"))
    yield "DRAW-D3", (house.rule("odd_chip"),)
    yield "DRAW-2-next", tuple(_next(house))
    yield "DRAW-2-leave", (Telling("leaver"),)
    yield "DRAW-2-wrong", (Telling("wrong"), Telling("folded hands"))


def _next(house: _House) -> Iterator[Telling]:
    yield Telling("next")
    dead = house.options.button == "dead" and getattr(house.options, "big_blind", 0)
    yield Telling("dead blinds", changed=True) if dead else house.rule("button")
    yield Telling("out")
    yield Telling("chips", (("chips", house.options.stack),), changed=house.changed("stack"))


def _stud(seats: int, house: _House) -> Iterator[tuple[str, tuple[Telling, ...]]]:
    options = house.options
    low = options.eval in ("27", "a5")
    yield "3.1", (Telling("stud"), Telling("last_down=True", changed=True) if options.last_down else Telling("last_down=False"))
    yield "3.1-deal", (house.numbers("ante", ante="ante"), Telling("one down one up"), _dealer(seats, house))
    yield "T8", (Telling("short ante"),)
    yield "T7", (house.rule("burn"),)
    if options.bring_in:
        first = house.numbers("bring-in", chips="bring_in", bet="small_bet")
    else:
        first = Telling("lowest first" if low else "highest first", changed=house.changed("bring_in", "eval"))
    yield "3.1-first", (first, Telling("boards low", changed=True) if low else Telling("boards"))
    yield "T5", (Telling("boards compared"), house.rule("suit_ties"))
    none = Telling("no bring-in", changed=house.changed("bring_in"))
    yield "T9", (Telling("bring-in without chips") if options.bring_in else none,)
    yield "T10", (Telling("last down starts", changed=True) if options.last_down else Telling("last up starts"),)
    yield "T12", (Telling("boards soko", changed=True) if options.eval == "soko" else Telling("boards only pairs"),)
    yield "3.1-actions", (Telling("actions"),)
    yield (
        "3.1-limit",
        (
            house.numbers("fixed", small="small_bet", big="big_bet"),
            Telling("cap", (("raises", options.cap - 1),), changed=house.changed("cap")),
            Telling("closed"),
        ),
    )
    yield "T1", (Telling("after big bet") if options.open_pair else Telling("no open pair", changed=True),)
    yield "T2", (house.rule("open_pair"),)
    yield "T3", (Telling("short raise"), house.rule("short_allin_counts"))
    yield "3.1-allin", (Telling("all-in"), Telling("side pots"))
    yield "T4", (Telling("shows"), Telling("folded stay"))
    yield "3.1-win", tuple(_winning(house))
    yield "T11", (Telling("soko ties", changed=True) if options.eval == "soko" else Telling("share"),)
    yield "T6", (house.rule("odd_chip"),)
    yield "3.1-next", tuple(_next(house))
    yield "3.1-leave", (Telling("leaver"),)
    yield "3.1-upcards", (Telling("upcards"), Telling("upcards lifted"))
    yield "3.1-wrong", (Telling("wrong"), Telling("folded hands"))
    yield "H1", (Telling("first upcard"),)
    yield "H2", (Telling("two and two"),)


def _winning(house: _House) -> Iterator[Telling]:
    options = house.options
    yield house.rule("eval")
    if options.eval == "hilo":
        yield Telling(f"low_eval={options.low_eval}", changed=True)
        yield Telling(f"declare={options.declare}", changed=True)
