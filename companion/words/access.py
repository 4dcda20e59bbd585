"""Words about who may do what: roles, links, the referee's page, and why a request was turned away."""

from __future__ import annotations

from collections.abc import Iterable

from companion.views import Role
from companion.words.translator import ENGLISH, Translator, mark

_ROLES: dict[Role, str] = {
    Role.TABLE: mark("the screen on the table"),
    Role.SEAT: mark("a player's phone"),
    Role.REFEREE: mark("the referee"),
    Role.PUPPETEER: mark("the puppeteer"),
    Role.SPECTATOR: mark("a spectator"),
}

_LABELS: dict[str, str] = {
    "join": mark("Join the table"),
    "joining": mark("Joining the table …"),
    "no_link": mark("This page is opened by a link. Ask at the table for yours."),
    "no_link_alone": mark(
        "This page is opened by a link. Open the table at the address that the terminal shows; its menu leads to one."
    ),
    "link": mark("Link for %(who)s's phone"),
    "link_lead": mark("%(who)s scans this with the phone's camera. It works once and for %(minutes)d minutes."),
    "link_note": mark("Whoever had %(who)s's link before is signed off."),
    "whose_seat": mark("This phone is %(who)s's."),
    "whose_referee": mark("This screen is the referee's."),
    "whose_puppeteer": mark("This screen moves the cards."),
    "whose_watching": mark("This screen only watches."),
    "whose_stale": mark("This screen was signed off. For a seat, ask at the table for a new link."),
    "whose_stale_alone": mark("This screen was signed off. “Sign this screen off” in the menu makes it the table's own again."),
    "sign_off": mark("Sign this screen off"),
    "hold_to_look": mark("hold to look"),
    "referee": mark("The referee"),
    "referee_home": mark("This table has no referee: everybody at it agrees with a tap."),
    "referee_none": mark("No referee has been named yet. At the machine, `viewmat referee pair` names one."),
    "referee_enter": mark("Enter the PIN to use this screen as the referee's."),
    "referee_here": mark("This screen is the referee's. It decides disputes and corrections."),
    "pin": mark("PIN"),
    "new_pin": mark("New PIN, 6 to 12 digits"),
    "enter_pin": mark("Enter"),
    "set_pin": mark("Set the PIN"),
    "pin_set": mark("The PIN is set."),
    "make_table": mark("Make this the table's screen"),
    "strings": mark("The strings"),
    "strings_lead": mark("Move cards of the virtual table as a hand would, as soon as nobody else holds cards there."),
    "slot": mark("Slot"),
    "look": mark("Lift and look"),
    "bump": mark("Knock against the mat"),
    "rest": mark("Rest a hand on it"),
    "exchange": mark("Exchange two cards"),
    "to_table": mark("To the table"),
    "sorry": mark("This did not work"),
    "lost": mark("No connection to the table. Please try again."),
    "no_script": mark("This page needs JavaScript."),
}


def access_label(name: str, say: Translator = ENGLISH, /, **values: str | int) -> str:
    """The text called `name`; raises `KeyError` for one that there is not."""
    return say(_LABELS[name], **values)


def roles_words(roles: Iterable[Role], say: Translator = ENGLISH) -> str:
    """Some roles as a list, in a fixed order."""
    chosen = set(roles)
    return say.listed([say(words) for role, words in _ROLES.items() if role in chosen])


REFUSALS: dict[str, str] = {
    "other_host": mark("The table does not go by this name. Open it by its number, such as http://192.168.1.20:8080/."),
    "not_yours": mark("Only %(who)s may do this."),
    "not_kept": mark("That cannot be kept: look whether there is room left where keys and records are kept."),
    "other_seat": mark("This phone can act for its own seat only."),
    "bad_link": mark("This link is no longer good. Ask at the table for a new one."),
    "bad_link_alone": mark(
        "This link is no longer good: each works once, and for ten minutes. Open the table at the address that the terminal"
        " shows; its menu leads to a new one."
    ),
    "not_joined": mark("This screen has not joined anything."),
    "no_referee": mark("This table has no referee: everybody at it agrees with a tap."),
    "no_pin": mark("No PIN has been made yet."),
    "wrong_pin": mark("This is not the PIN."),
    "poor_pin": mark("A PIN has 6 to 12 digits, which are neither all alike nor a plain sequence."),
    "too_many": mark("Too many wrong PINs. The next try is possible in %(seconds)d seconds."),
    "bad_request": mark("The table could not read this request."),
    "not_off": mark("The machine does not let this page switch it off; its messages say why."),
    "no_method": mark("This address cannot be used in this way."),
    "fault": mark("Something went wrong inside the table. The game goes on; please try again."),
    "by_itself": mark("%(who)s plays by itself."),
    "no_press": mark("Nothing waits for %(who)s's button now."),
    "is_paused": mark("The table pauses already."),
    "not_paused": mark("The table does not pause."),
    "no_undo": mark("There is no move to undo."),
    "begun": mark("The game has begun: a misdeal can be called before the first move only."),
    "is_away": mark("%(who)s has left already."),
    "not_away": mark("%(who)s is at the table."),
}
