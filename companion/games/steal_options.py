"""House rules of Five Card Steal: every open question of the written rules, as an option with a default."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from companion.errors import OptionError

CHOICES: dict[str, tuple[str | bool, ...]] = {
    "arrange": ("once", "until_start"),
    "allow_pass": (False, True),
    "touch_move": ("off", "on"),
    "slot_view": ("owner", "thief"),
    "give_choice": ("after_take", "before_take"),
    "steal_back_scope": ("card_from_thief", "card_any_holder", "player", "card_frozen"),
    "steal_back_wait": ("rotation", "complete_round"),
    "lock_given_card": (False, True),
    "removed_face": ("down", "up"),
    "end_count": ("in_row", "cumulative"),
    "pile_empty": ("end_final", "no_draw", "end_now", "recycle_removed"),
    "hard_mode": (False, True),
    "hard_see_drawn": (True, False),
    "hard_see_stolen": (False, True),
    "final_turns": ("all_others", "rest_of_round"),
    "final_steal": ("any", "not_ender", "none"),
    "final_overflow": ("row", "removed", "no_draw"),
    "end_latch": (True, False),
    "tie_break": ("suit_significant", "suit_highest_card", "share"),
    "penalty": ("undo", "lose_turn"),
    "leaver": ("skip", "abort"),
}
"""The values that an option takes, the default first.  `first_seat` and `max_turns` take numbers."""

TOLD_ONLY = ("touch_move", "slot_view", "give_choice", "removed_face", "hard_see_drawn")
"""Options that no camera can check and that lead to the same table: they change what the players are told and shown."""
UNSHOWN: Mapping[str, str] = {
    **dict.fromkeys(TOLD_ONLY, "told"), "arrange": "setup", "first_seat": "deal", "hard_mode": "looks",
    "hard_see_stolen": "looks", "penalty": "penalty", "max_turns": "limit",
}  # fmt: skip
"""As `Game.unshown` says it."""


@dataclass(frozen=True, slots=True)
class StealOptions:
    """One value for every option of the game; build it with `parse_options`."""

    first_seat: int = 0
    """Seat that is dealt to and acts first; 0 is the dealer's left."""
    arrange: str = "once"
    """How often one may change the order of one's cards: in one go, or freely until the start."""
    allow_pass: bool = False
    touch_move: str = "off"
    """Whether touching the pile or lifting a card binds."""
    slot_view: str = "owner"
    """From whose left slots are counted when they are spoken of."""
    give_choice: str = "after_take"
    """Whether a thief may see the stolen card before he chooses what to give."""
    steal_back_scope: str = "card_from_thief"
    steal_back_wait: str = "rotation"
    lock_given_card: bool = False
    removed_face: str = "down"
    """How a card that a take replaced is laid aside."""
    end_count: str = "in_row"
    """Whether the fifth card lying in the row or the fifth discard ever made brings the end."""
    pile_empty: str = "end_final"
    max_turns: int | None = None
    """The game is over after so many completed turns; None: no limit.  Final turns that have begun are played out."""
    hard_mode: bool = False
    """Nobody may look at his cards after the start."""
    hard_see_drawn: bool = True
    hard_see_stolen: bool = False
    final_turns: str = "all_others"
    final_steal: str = "any"
    final_overflow: str = "row"
    """Where a discard goes that finds five cards in the row during the final turns."""
    end_latch: bool = True
    """The end stays although the fifth card is taken in a final turn."""
    tie_break: str = "suit_significant"
    penalty: str = "undo"
    leaver: str = "skip"


def parse_options(given: Mapping[str, Any]) -> StealOptions:
    """Check the values; raise `OptionError` naming the option, the value and what is allowed."""
    known = {field.name for field in fields(StealOptions)}
    for name, value in given.items():
        if name not in known:
            raise OptionError(f"unknown option {name!r} of Five Card Steal: expected one of {', '.join(sorted(known))}")
        if name == "first_seat":
            _check_number(name, value, 0, 4)
        elif name == "max_turns":
            if value is not None:
                _check_number(name, value, 1, 10_000)
        elif not any(value is choice or (isinstance(value, str) and value == choice) for choice in CHOICES[name]):
            allowed = ", ".join(repr(choice) for choice in CHOICES[name])
            raise OptionError(f"option {name!r} of Five Card Steal takes {allowed}; found {value!r}")
    return StealOptions(**given)


def _check_number(name: str, value: Any, least: int, most: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise OptionError(f"option {name!r} of Five Card Steal takes a whole number from {least} to {most}; found {value!r}")
