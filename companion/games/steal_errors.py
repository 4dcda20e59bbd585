"""The error kinds of Five Card Steal and the paragraph of the rules that each stands in.

No sentences: those are in the announcements.
"""

from __future__ import annotations

RULES: dict[str, tuple[str, ...]] = {
    "STEAL-1.2": (),
    "STEAL-1.3": ("current",),
    "STEAL-1.3-draw": (),
    "STEAL-1.3-take": (),
    "STEAL-1.3-steal": (),
    "STEAL-1.3-pass": (),
    "STEAL-1.3-end": ("ender",),
    "STEAL-1.3-leave": (),
    "STEAL-1.4": (),
    "STEAL-1.5": ("victim", "thief", "turns"),
    "STEAL-1.7": (),
    "STEAL-1.10": (),
    "STEAL-1.10-deck": (),
    "STEAL-1.10-positions": (),
    "STEAL-1.10-row": (),
    "STEAL-1.10-one": (),
}
"""Rule id -> names of the parameters that its sentence may use.

``turns`` is how many more turns a lock lasts, the current one included; the others are seats.
"""

RULE_OF: dict[str, str] = {
    "bad_action": "STEAL-1.4",
    "bad_seat": "STEAL-1.4",
    "bad_slot": "STEAL-1.4",
    "bad_target": "STEAL-1.4",
    "bad_permutation": "STEAL-1.4",
    "game_over": "STEAL-1.3-end",
    "not_started": "STEAL-1.2",
    "already_started": "STEAL-1.2",
    "already_arranged": "STEAL-1.2",
    "positions_locked": "STEAL-1.2",
    "ender_acted": "STEAL-1.3-end",
    "already_had_final_turn": "STEAL-1.3-end",
    "acted_twice": "STEAL-1.3",
    "not_your_turn": "STEAL-1.3",
    "pile_empty": "STEAL-1.3-draw",
    "row_full": "STEAL-1.3-draw",
    "take_before_second_turn": "STEAL-1.3-take",
    "row_empty": "STEAL-1.3-take",
    "not_top_of_row": "STEAL-1.3-take",
    "removed_card_returned": "STEAL-1.3-take",
    "steal_from_self": "STEAL-1.3-steal",
    "steal_not_allowed_in_final": "STEAL-1.3-steal",
    "ender_protected": "STEAL-1.3-steal",
    "steal_back_locked": "STEAL-1.5",
    "pass_not_allowed": "STEAL-1.3-pass",
    "duplicate_card": "STEAL-1.10-deck",
    "foreign_card": "STEAL-1.10-deck",
    "wrong_slot": "STEAL-1.10-positions",
    "positions_changed": "STEAL-1.10-positions",
    "slot_empty": "STEAL-1.10-positions",
    "unexplained_change": "STEAL-1.10-positions",
    "two_actions": "STEAL-1.10-one",
    "replaced_card_not_in_row": "STEAL-1.10-row",
    "row_changed": "STEAL-1.10-row",
    "peek": "STEAL-1.7",
}
"""Error kind -> rule id: every kind that this game can name."""
