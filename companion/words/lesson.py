"""What is said while a deck is taught or counted.  Nobody plays then: every card may be named."""

from __future__ import annotations

from companion.cards import Card
from companion.words.cards import card_words
from companion.words.translator import ENGLISH, Translator, mark

_TOLD: dict[str, str] = {
    "lay": mark("Lay the %(card)s face down over the window and push it to the rail."),
    "turn": mark("Turn the %(card)s round, head to foot, and lay it again."),
    "hold": mark("Hold still …"),
    "other": mark("This is read as the %(found)s; asked for is the %(card)s. Lay that one, or say that it lies there."),
    "again": mark("This is the %(found)s, which was shown before; asked for is the %(card)s."),
    "joker": mark("This looks like a joker, or a card of another game; asked for is the %(card)s."),
    "back": mark("This card shows its back to the window; lay it face down."),
    "doubt": mark("Something lies over the window that does not look like a card; asked for is the %(card)s."),
    "blind": mark("The camera cannot see the window: %(trouble)s"),
    "done": mark("Done: every card was shown."),
}


def lesson_words(
    told: str, card: Card | None, turned: bool = False, found: Card | None = None, trouble: str | None = None,
    say: Translator = ENGLISH,
) -> str:
    """What a person who teaches a deck has to do now; raises `KeyError` for a kind that there is not.

    After a card was ``taken`` the next one is asked for.
    """
    if told in ("lay", "taken"):
        told = "turn" if turned else "lay"
    return say(
        _TOLD[told], card=card_words(card, say) if card else "", found=card_words(found, say) if found else "",
        trouble=trouble or "",
    )
