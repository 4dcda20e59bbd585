"""Sentences of games that are played for chips: bets, exchanges, what lies before whom.  They name no card."""

from __future__ import annotations

from companion.views import BetView, ChipsView, MoveView, View
from companion.words.translator import ENGLISH, Translator, mark

DONE: dict[str, str] = {
    "check": mark("%(who)s checks."),
    "bet": mark("%(who)s bets %(amount)d."),
    "raise": mark("%(who)s raises to %(amount)d."),
    "complete": mark("%(who)s completes to %(amount)d."),
    "call": mark("%(who)s calls."),
    "fold": mark("%(who)s folds."),
    "bring_in": mark("%(who)s brings in."),
    "stand_pat": mark("%(who)s keeps all cards."),
    "declare": mark("%(who)s has said what for."),
    "sort": mark("%(who)s has sorted the cards."),
    "split": mark("%(who)s splits the openers and lays them aside until the end."),
}
"""What was done, by the kind of the move."""
_OFFERED: dict[str, str] = {
    "check": mark("Check"),
    "bet": mark("Bet %(amount)d"),
    "raise": mark("Raise to %(amount)d"),
    "complete": mark("Complete to %(amount)d"),
    "call": mark("Call %(amount)d"),
    "fold": mark("Fold"),
    "bring_in": mark("Bring in %(amount)d"),
    "stand_pat": mark("Keep all cards"),
    "declare_high": mark("Go for high"),
    "declare_low": mark("Go for low"),
    "split": mark("I split my openers"),
}
_MARKS: dict[str, str] = {
    "least": mark("Least: %(amount)d"),
    "half": mark("Half the pot: %(amount)d"),
    "pot": mark("The pot: %(amount)d"),
    "all_in": mark("All-in: %(amount)d"),
}
_RANGES: dict[str, str] = {"bet": mark("Bet …"), "raise": mark("Raise to …"), "complete": mark("Complete to …")}
_LABELS: dict[str, str] = {
    "dealer": mark("dealer"),
    "folded": mark("folded"),
    "all_in": mark("all-in"),
    "out": mark("out of chips"),
    "high": mark("high"),
    "low": mark("low"),
    "stack": mark("%(chips)d chips"),
    "bet": mark("bet %(chips)d"),
    "pot": mark("Pot"),
    "side_pot": mark("Side pot %(number)d"),
    "session": mark("Session"),
    "hand": mark("Hand %(number)d"),
    "after_hand": mark("After hand %(number)d"),
    "score": mark("So far"),
    "amount": mark("How many chips?"),
    "less": mark("Less"),
    "more": mark("More"),
}


def chips_label(name: str, say: Translator = ENGLISH, /, **values: int) -> str:
    """The text called `name`; raises `KeyError` for one that there is not."""
    return say(_LABELS[name], **values)


def exchanged_words(move: MoveView, who: str, say: Translator) -> str:
    """How many cards somebody exchanges, or has exchanged; empty for another move."""
    if move.kind == "announce":
        return say.counted("%(who)s will exchange 1 card.", "%(who)s will exchange %(count)d cards.", move.amount, who=who)
    if move.kind == "exchange":
        return say.counted("%(who)s exchanged 1 card.", "%(who)s exchanged %(count)d cards.", move.amount, who=who)
    return ""


def bet_offer_words(move: MoveView, most: int, all_in: bool, say: Translator) -> tuple[str, ...]:
    """A possible move as the steps by which it is picked; nothing for one of another game."""
    if move.kind in ("announce", "exchange"):
        count = say.counted("Exchange 1 card", "Exchange %(count)d cards", move.amount)
        if not move.slots:
            return (count,)
        return count, say("Slots %(slots)s", slots=say.listed([str(number) for number in move.slots]))
    if move.kind not in _OFFERED:
        return ()
    if most:
        return (say(_RANGES.get(move.kind, _RANGES["raise"])),)
    if all_in:
        return (say("All-in: %(amount)d", amount=move.amount),)
    return (say(_OFFERED[move.kind], amount=move.amount),)


def bet_button_words(bet: BetView, say: Translator = ENGLISH) -> str:
    """A bet that may be made now, as its button says it."""
    return " ".join(bet_offer_words(MoveView(bet.kind, None, amount=bet.amount), bet.most, bet.all_in, say))


def mark_words(mark_name: str, amount: int, say: Translator = ENGLISH) -> str:
    """An amount that players call by name, see `BetView.marks`."""
    return say(_MARKS[mark_name], amount=amount)


def round_words(chips: ChipsView, say: Translator = ENGLISH) -> str:
    """Which round of betting it is; empty where there is none."""
    if chips.drawing:
        return say("Exchange of cards")
    if not 0 < chips.street <= chips.streets:
        return ""
    return say("Betting round %(number)d of %(count)d", number=chips.street, count=chips.streets)


def waiting_words(view: View, say: Translator) -> tuple[str, str]:
    """Headline and hint while everybody waits for something that no seat in particular has to do; empty otherwise."""
    if view.waits == "upcards":
        return say("Which cards lie open?"), say("Tap every open card that has no face yet.")
    if view.waits == "declare":
        return say("High or low?"), say("Everybody still in taps what for; it is shown when all have done so.")
    return "", ""


def betting_hint(chips: ChipsView, current: int | None, say: Translator) -> str:
    """What the seat in turn can do now."""
    if current is None:
        return say("Deal the cards. The first bet or check starts the hand.")
    if chips.drawing:
        return say("Exchange cards, or keep all of them.")
    missing = max(chips.bets) - chips.bets[current]
    return say("%(chips)d to call.", chips=min(missing, chips.stacks[current])) if missing > 0 else say("Nothing to call.")


def seat_tags(chips: ChipsView, seat: int, say: Translator) -> tuple[str, ...]:
    """What is written beside a seat's name."""
    names = [
        name for name, so in (
            ("dealer", chips.dealer == seat), ("folded", seat in chips.folded), ("all_in", seat in chips.all_in),
            ("out", seat in chips.out),
        ) if so
    ]  # fmt: skip
    if chips.declared and chips.declared[seat]:
        names.append(chips.declared[seat])
    return tuple(chips_label(name, say) for name in names)
