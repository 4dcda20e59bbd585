"""Which paragraphs the rules of Five Card Steal have, and which of their sentences hold under the options of a table.

A sentence about a house rule has the key ``option=value``; what is off is not told.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from companion.games.rulebook import Paragraph, Rulebook, Section, Telling
from companion.games.steal_errors import RULE_OF
from companion.games.steal_options import StealOptions
from companion.games.steal_rules import HAND, LEAST_SEATS

USUAL = StealOptions()
ONLY_UNDER: Mapping[str, tuple[str, str | bool]] = {
    "already_arranged": ("arrange", "once"),
    "row_full": ("final_overflow", "no_draw"),
    "steal_not_allowed_in_final": ("final_steal", "none"),
    "ender_protected": ("final_steal", "not_ender"),
    "pass_not_allowed": ("allow_pass", False),
    "peek": ("hard_mode", True),
}
"""Kinds of violation that only one value of an option makes possible."""


def steal_rulebook(seats: int, options: StealOptions) -> Rulebook:
    """The rules for so many seats under these options."""
    return Rulebook(
        "steal",
        (
            Section("before", (_table(seats, options), _setting_up(options))),
            Section("turn", tuple(_turn(options))),
            Section("end", (_end(options), _final_turns(options), _winner(options), _leaving(seats, options))),
            Section("wrong", tuple(_wrong(options))),
        ),
    )


def _paragraph(rule: str, options: StealOptions, *tellings: Telling) -> Paragraph:
    broken_by = tuple(kind for kind, broken in RULE_OF.items() if broken == rule and _possible(kind, options))
    return Paragraph(rule, tellings, broken_by)


def _possible(kind: str, options: StealOptions) -> bool:
    if kind not in ONLY_UNDER:
        return True
    option, value = ONLY_UNDER[kind]
    return bool(getattr(options, option) == value)


def _changed(options: StealOptions, name: str) -> bool:
    """Whether the table has changed the house rule called `name`."""
    return bool(getattr(options, name) != getattr(USUAL, name))


def _house(options: StealOptions, name: str, seat: int | None = None) -> Telling:
    """What the house rule called `name` says."""
    return Telling(f"{name}={getattr(options, name)}", seat=seat, changed=_changed(options, name))


def _unseen(options: StealOptions, *names: str) -> Iterator[Telling]:
    """A remark where one of these house rules was changed, which no camera can check."""
    if any(_changed(options, name) for name in names):
        yield Telling("unchecked", changed=True)


def _table(seats: int, options: StealOptions) -> Paragraph:
    pile = 52 - HAND * seats
    return _paragraph("STEAL-1.1", options, Telling("goal"), Telling("pile", (("seats", seats), ("pile", pile))))


def _setting_up(options: StealOptions) -> Paragraph:
    first = Telling("first", seat=options.first_seat)
    return _paragraph(
        "STEAL-1.2", options, Telling("deal"), first, _house(options, "arrange"), Telling("start"), Telling("misdeal")
    )


def _turn(options: StealOptions) -> Iterator[Paragraph]:
    choice = Telling("action_or_pass", changed=True) if options.allow_pass else Telling("action")
    yield _paragraph("STEAL-1.3", options, choice)
    yield _paragraph("STEAL-1.3-draw", options, Telling("draw"))
    told = _unseen(options, "slot_view", "give_choice")
    yield _paragraph("STEAL-1.3-steal", options, Telling("steal"), _giving(options), _house(options, "slot_view"), *told)
    yield _stealing_back(options)
    yield _paragraph(
        "STEAL-1.3-take", options, Telling("take"), _house(options, "removed_face"), Telling("take_what"),
        *_unseen(options, "removed_face"),
    )  # fmt: skip
    yield _paragraph("STEAL-1.3-pass", options, _house(options, "allow_pass"), Telling("passed_over"))
    yield _paragraph("STEAL-1.3-touch", options, _house(options, "touch_move"), *_unseen(options, "touch_move"))
    yield _paragraph("STEAL-1.7", options, *_looking(options))


def _giving(options: StealOptions) -> Telling:
    """When the thief chooses what to give.  Looking first is nothing to tell of where nobody may look."""
    if options.give_choice == "after_take" and options.hard_mode and not options.hard_see_stolen:
        return Telling("give_choice=after_take, unseen", changed=True)
    return _house(options, "give_choice")


def _stealing_back(options: StealOptions) -> Paragraph:
    whole = options.steal_back_wait == "complete_round"
    tellings = [
        _house(options, "steal_back_scope"),
        _house(options, "steal_back_wait", options.first_seat if whole else None),
        Telling(f"free, {options.steal_back_scope}", changed=_changed(options, "steal_back_scope")),
        Telling("take_is_free"),
    ]
    if options.lock_given_card:
        tellings.append(_house(options, "lock_given_card"))
    return _paragraph("STEAL-1.5", options, *tellings)


def _looking(options: StealOptions) -> Iterator[Telling]:
    yield _house(options, "hard_mode")
    if options.hard_mode:
        yield Telling(f"hard_see_drawn={options.hard_see_drawn}", changed=True)
        yield Telling(f"hard_see_stolen={options.hard_see_stolen}", changed=True)
        yield from _unseen(options, "hard_see_drawn")


def _end(options: StealOptions) -> Paragraph:
    part = options.final_turns == "rest_of_round"
    tellings = [
        _house(options, "end_count"),
        _house(options, "pile_empty"),
        _house(options, "final_turns", options.first_seat if part else None),
    ]
    if options.max_turns is not None:
        tellings.append(Telling("max_turns", (("turns", options.max_turns),), changed=True))
    return _paragraph("STEAL-1.3-end", options, *tellings, Telling("shown"))


def _final_turns(options: StealOptions) -> Paragraph:
    told = (_house(options, name) for name in ("final_steal", "final_overflow", "end_latch"))
    return _paragraph("STEAL-1.3-final", options, *told)


def _winner(options: StealOptions) -> Paragraph:
    return _paragraph("STEAL-1.6", options, Telling("kinds"), Telling("ace"), _house(options, "tie_break"))


def _leaving(seats: int, options: StealOptions) -> Paragraph:
    # With the least number of players it makes no difference what the house rule says.
    told = Telling("leaver, too few") if seats == LEAST_SEATS else _house(options, "leaver")
    return _paragraph("STEAL-1.3-leave", options, told)


def _wrong(options: StealOptions) -> Iterator[Paragraph]:
    yield _paragraph("STEAL-1.10", options, _house(options, "penalty"), Telling("stop"))
    yield _paragraph("STEAL-1.10-positions", options, Telling("positions"))
    yield _paragraph("STEAL-1.10-row", options, Telling("row"))
    yield _paragraph("STEAL-1.10-one", options, Telling("one"))
    yield _paragraph("STEAL-1.10-deck", options, Telling("deck"))
    yield _paragraph("STEAL-1.4", options, Telling("form"))
