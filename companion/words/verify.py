"""What is said of a record that was checked: whether anything in it was changed, and how far that is proved."""

from __future__ import annotations

from companion.chronicle import Noted
from companion.verification import Alteration, Verification
from companion.words.translator import ENGLISH, Translator, mark

SHORT = 16
"""Digits of a hash that are worth noting down by hand: half of them are enough against chance."""
_PROBLEMS: dict[str, str] = {
    "content": mark("%(entry)s was changed: its hash does not fit what it says."),
    "rewritten": mark("%(entry)s was changed, perhaps with some before it: the next entry follows from another one."),
    "link": mark("%(entry)s was changed: no record begins like that."),
    "shape": mark("%(entry)s was changed: a field of it has another type than was written."),
    "missing": mark("%(entry)s is missing."),
    "number": mark("%(entry)s does not belong there: entries are numbered from 1."),
    "body": mark("%(entry)s was changed: it does not say what an entry of its kind says."),
    "header": mark("%(entry)s was changed: a record begins with the name of its game."),
    "name": mark("%(entry)s names another game: this is not the record that was asked for."),
    "opening": mark(
        "%(entry)s was changed: what it shows of slot %(slot)d of seat %(seat)d is not what entry %(committed)d committed to."
    ),
}


def noted_words(noted: Noted | None, say: Translator = ENGLISH) -> str:
    """What the table's page says of the record: the hash to note down."""
    if noted is None:
        return say("This game is not recorded.")
    digits = " ".join(noted.head[start : start + 4] for start in range(0, SHORT, 4))
    return say("To note down: game %(game)s, entry %(entry)d, %(digits)s", game=noted.game, entry=noted.entry, digits=digits)


def restarts_words(restarts: int, say: Translator = ENGLISH) -> tuple[str, ...]:
    """How often the program began anew; nothing where it did not."""
    if not restarts:
        return ()
    return (say.counted("The program began anew once.", "The program began anew %(count)d times.", restarts),)


def rescued_words(file: str, kept: str | None, saved: int, say: Translator = ENGLISH) -> str:
    """What a rescue came to; `kept` is None where nothing had to be rescued."""
    if kept is None:
        return say.counted(
            "The record %(file)s is whole: %(count)d entry, and nothing had to be rescued.",
            "The record %(file)s is whole: %(count)d entries, and nothing had to be rescued.",
            saved,
            file=file,
        )
    told = say.counted("%(count)d entry was saved in %(file)s.", "%(count)d entries were saved in %(file)s.", saved, file=file)
    lost = say("Whatever was written after the last of them is lost: compare the table with the page before you play on.")
    return "\n".join((told, lost, say("The damaged record is kept as %(kept)s.", kept=kept)))


def verified_words(found: Verification, say: Translator = ENGLISH) -> str:
    """The outcome for people, one sentence a line."""
    lines = []
    if found.altered is not None:
        lines.append(altered_words(found.altered, say))
        before = found.altered.number - 1
        if before > 0 and found.altered.problem not in ("number", "rewritten"):
            lines.append(
                say.counted(
                    "%(count)d entry before it is as it was written.",
                    "%(count)d entries before it are as they were written.",
                    before,
                )
            )
    elif found.missed:
        lines.append(say("No entry has the hash that was noted: entries were rewritten, or taken away at the end."))
    else:
        lines.append(
            say.counted(
                "Nothing was changed: %(count)d entry.",
                "Nothing was changed: %(count)d entries, each follows from the one before.",
                found.entries,
            )
        )
    if found.noted is not None:
        lines.append(
            say("The hash that was noted is that of entry %(number)d: up to there nothing was rewritten.", number=found.noted)
        )
    if found.intact:
        lines.append(_seal_words(found, say))
        lines.append(say("The last hash is %(head)s: compare it with one that was noted during the game.", head=found.head))
    if not found.clock_set:
        lines.append(say("The clock was not set: dates and times of day in this record mean nothing."))
    return "\n".join(lines)


def altered_words(found: Alteration, say: Translator = ENGLISH) -> str:
    """Which entry was changed, and how that shows."""
    place = found.place or (-1, 0)
    return say(
        _PROBLEMS[found.problem],
        entry=_name(found, say), seat=place[0] + 1, slot=place[1], committed=found.committed or 0,
    )  # fmt: skip


def _name(found: Alteration, say: Translator) -> str:
    if not found.kind:
        return say("Entry %(number)d", number=found.number)
    if not found.wall:
        return say("Entry %(number)d (%(kind)s)", number=found.number, kind=found.kind)
    return say("Entry %(number)d (%(kind)s, %(wall)s)", number=found.number, kind=found.kind, wall=found.wall)


def _seal_words(found: Verification, say: Translator) -> str:
    if found.seal == "none":
        return say("No hidden card was committed to.")
    if found.seal == "sealed":
        return say.counted(
            "The seal was not opened yet: the chain holds; the commitment in it can be checked only after the reveal.",
            "The seal was not opened yet: the chain holds; the %(count)d commitments in it can be checked only after the reveal.",
            found.committed,
        )
    if found.seal == "partly":
        return say(
            "Commitments that were opened: %(opened)d of %(count)d; each shows what was committed to, the others stay closed.",
            opened=found.opened, count=found.committed,
        )  # fmt: skip
    return say.counted(
        "The commitment was opened, and it shows what was committed to.",
        "All %(count)d commitments were opened, and each shows what was committed to.",
        found.committed,
    )
