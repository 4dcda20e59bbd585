"""Sentences for evidence: what the cameras saw, by which rule it was judged, and what judging again would change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from companion.cards import Card
from companion.exhibition import Proof, Shot
from companion.rulings import Ruling, Verdict
from companion.views import HardCase, LockView, MoveView, View
from companion.words.cards import card_words, category_words
from companion.words.disputes import differs_words
from companion.words.moves import done_words, names_of, slot_words
from companion.words.rules import error_words, rule_words, ruling_words, seat_name
from companion.words.translator import ENGLISH, Translator, mark

WORTH_SAYING = 0.0005
"""A reading that is less likely would be said to be 0.0 %."""


@dataclass(frozen=True, slots=True)
class ShotTold:
    """One picture with its words."""

    number: int
    title: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ProofTold:
    """What stands behind one ruling, in words."""

    title: str
    lines: tuple[str, ...]
    shots: tuple[ShotTold, ...]
    rule: str = ""
    """Id of the rule by which it was judged; empty where none is named."""


def proof_words(proof: Proof, view: View, say: Translator = ENGLISH) -> ProofTold:
    """What stands behind a ruling; no hidden card is named."""
    lines = []
    if proof.rule:
        sentence = rule_words(proof.rule, say)
        told = mark("%(sentence)s (rule %(rule)s)") if sentence else mark("Rule %(rule)s")
        lines.append(say(told, sentence=sentence, rule=proof.rule))
    if proof.by_hand:
        lines.append(say("It was tapped; no camera had to see it."))
    elif proof.frames:
        lines.append(say.counted("%(count)d picture agreed on it.", "%(count)d pictures in a row agreed on it.", proof.frames))
    else:
        lines.append(say("No pictures were kept of it."))
    lines += [_lock_words(lock, left, view, say) for lock, left in proof.locks]
    shots = tuple(_shot_words(shot, view, say) for shot in _telling(proof))
    return ProofTold(_title(proof, say), tuple(lines), shots, proof.rule)


def _telling(proof: Proof) -> tuple[Shot, ...]:
    """The pictures without those of the row's cards that lie as they lay."""
    same = {
        after.place
        for before, after in pairwise(proof.shots)
        if before.place == after.place and before.place[0] < 0 and (before.when, before.seen) == ("before", after.seen)
    }
    return tuple(shot for shot in proof.shots if shot.place not in same)


def _title(proof: Proof, say: Translator) -> str:
    if proof.what == "action":
        return say("The move was allowed.")
    if proof.what == "question":
        return say("The table had to ask.")
    return differs_words(say) if proof.error == "differs" else error_words(proof.error, say)


def _lock_words(lock: LockView, left: int, view: View, say: Translator) -> str:
    where = say("a card that has moved on") if lock.slot is None else slot_words((lock.thief, lock.slot), view, say)
    who = seat_name(lock.victim, names_of(view), say)
    then = say.counted(
        "Locked then for %(who)s: %(where)s, for 1 more turn.",
        "Locked then for %(who)s: %(where)s, for %(count)d more turns.",
        lock.turns_left,
        who=who,
        where=where,
    )
    now = say.counted("It still runs 1 turn.", "It still runs %(count)d turns.", left) if left else say("It runs no more.")
    return say("%(then)s %(now)s", then=then, now=now)


_WHEN: dict[str, str] = {"before": mark("%(place)s, before"), "after": mark("%(place)s, after"), "read": mark("%(place)s")}
_SEEN: dict[str, str] = {
    "--": mark("Nothing lies there."),
    "[]": mark("A card shows its back."),
    "//": mark("Something covers it."),
    "??": mark("It could not be read."),
    "!!": mark("No card of this deck."),
}


def _shot_words(shot: Shot, view: View, say: Translator) -> ShotTold:
    place = at_words(shot.place, names_of(view), say)
    seen = (say(_SEEN[shot.seen]),) if shot.seen in _SEEN else ()
    lines = (*seen, *reading_lines(shot.likely, say), looks_words(shot.looks, shot.agreed, say))
    return ShotTold(shot.number, say(_WHEN.get(shot.when, _WHEN["read"]), place=place), tuple(filter(None, lines)))


def reading_lines(likely: Sequence[tuple[str, float]], say: Translator = ENGLISH) -> tuple[str, ...]:
    """What the reader took a card for, best first."""
    named = [(card_words(Card.parse(text), say), say.decimal(100 * share, 1)) for text, share in likely if share >= WORTH_SAYING]
    return tuple(say("%(card)s: %(share)s\N{NO-BREAK SPACE}%%", card=card, share=share) for card, share in named)


def looks_words(looks: int, agreed: int, say: Translator = ENGLISH) -> str:
    """How many looks at it named the same; empty without any."""
    return say("Looks that agree: %(agreed)d of %(looks)d.", agreed=agreed, looks=looks) if looks else ""


_WHY: dict[str, str] = {
    "corrected": mark("Somebody had to name it: the %(card)s in %(place)s."),
    "disputed": mark("It was doubted and read anew: the %(card)s in %(place)s."),
    "unread": mark("It could not be read at first: the %(card)s in %(place)s."),
    "doubtful": mark("It was hard to read: the %(card)s in %(place)s."),
}


def hard_words(case: HardCase, view: View, say: Translator = ENGLISH) -> tuple[str, ...]:
    """What is said beside the big picture of a card at the showdown: which card, why, and what the reader made of it."""
    card, place = card_words(Card.parse(case.card), say), slot_words(case.home, view, say)
    first = say(_WHY[case.why], card=card, place=place)
    readings = reading_lines(case.likely, say) or (say("Nothing could be read."),)
    return tuple(filter(None, (first, *readings, looks_words(case.looks, case.agreed, say))))


_LABELS: dict[str, str] = {
    "saw": mark("This is what the camera saw"),
    "evidence": mark("What stands behind it"),
    "sealed": mark("Pictures of slots stay sealed until the result."),
    "no_room": mark("Pictures cannot be kept as evidence; the game goes on without them."),
}


def evidence_label(name: str, say: Translator = ENGLISH) -> str:
    """The text called `name`; raises `KeyError` for one that there is not."""
    return say(_LABELS[name])


def checked_words(kept: int, found: int, changed: Sequence[int], say: Translator = ENGLISH) -> str:
    """How the pictures of a game stand against its record; empty for a game without any."""
    if changed:
        return say.counted(
            "A picture was changed since it was sealed: number %(numbers)s.",
            "Pictures were changed since they were sealed: numbers %(numbers)s.",
            len(changed),
            numbers=say.listed([str(number) for number in changed]),
        )
    if not kept:
        return ""
    if not found:
        return say("The pictures are gone: their days are over, or they were lost. Their hashes still stand in the record.")
    if found == kept:
        return say.counted(
            "The picture is there, as it was sealed.", "All %(count)d pictures are there, as they were sealed.", kept
        )
    return say(
        "Pictures that are there, as they were sealed: %(found)d of %(kept)d; the others are gone.", found=found, kept=kept
    )


# ---- judging again ------------------------------------------------------------------------------------------------


def said_words(ruling: Ruling, move: MoveView | None, names: Sequence[str], say: Translator = ENGLISH) -> str:
    """A ruling of a finished game, with the move where it is one."""
    words = ruling_words(ruling, names, say) if ruling.error != "differs" else differs_words(say)
    if move is None or ruling.verdict not in (Verdict.LEGAL, Verdict.ILLEGAL):
        return words
    return say("%(move)s %(words)s", move=done_words(move, names, say), words=words)


def changed_words(number: int, then: str, now: str, say: Translator = ENGLISH) -> str:
    """One ruling that would be another one."""
    return say("Move %(number)d: %(then)s Now: %(now)s", number=number, then=then, now=now)


def reread_words(place: str, then: tuple[str, float], now: tuple[str, float], say: Translator = ENGLISH) -> str:
    """One picture that would be read as something else; readings as they are written, with their probabilities."""
    return say(
        "%(place)s was read as %(then)s (%(share)s), and now as %(now)s (%(other)s).",
        place=place, then=then[0], share=say.decimal(then[1], 3), now=now[0], other=say.decimal(now[1], 3),
    )  # fmt: skip


_UNSHOWN: dict[str, str] = {
    "told": mark("%(option)s is only told to the players: no ruling depends on it."),
    "setup": mark("%(option)s: what was done before the first move is not judged again."),
    "deal": mark("%(option)s: the cards stay as they were dealt; only whose turn it would have been is judged."),
    "looks": mark("%(option)s: looks at cards are judged only where they led to a ruling then."),
    "penalty": mark("%(option)s: that a turn would have been lost is not followed."),
    "limit": mark("%(option)s: the end had begun before that, and final turns are played out."),
}


def unshown_words(option: str, kind: str, say: Translator = ENGLISH) -> str:
    """What judging again by another value of an option does not show; the kinds are those of `Game.unshown`."""
    return say(_UNSHOWN[kind], option=option)


def ended_words(then: int | None, now: int | None, say: Translator = ENGLISH) -> str:
    """After which move a game would have been over; None where it would go on.  Empty where that stays the same."""
    if then == now:
        return ""
    if now is None:
        return say("The game would not have been over after move %(then)d.", then=then or 0)
    if then is None:
        return say("The game would have been over after move %(now)d.", now=now)
    return say("The game would have been over after move %(now)d, and not after move %(then)d.", now=now, then=then)


def summary_words(
    rulings: int, changed: int, pictures: int, reread: int, otherwise: bool = False, say: Translator = ENGLISH
) -> str:  # fmt: skip
    """How much was looked at, and how much would change; `otherwise`: the end or the result would."""
    if not changed and not reread and not otherwise:
        return say("Nothing would change (rulings: %(rulings)d, pictures: %(pictures)d).", rulings=rulings, pictures=pictures)
    return say(
        "Rulings that would change: %(changed)d of %(rulings)d; readings: %(reread)d of %(pictures)d. Nothing was written.",
        changed=changed, rulings=rulings, reread=reread, pictures=pictures,
    )  # fmt: skip


def gone_words(kept: int, found: int, say: Translator = ENGLISH) -> str:
    """Said where pictures are missing; empty where all are there."""
    if found >= kept:
        return ""
    if not found:
        return say("The pictures of this game are gone: what was seen is judged again as it was read then.")
    return say(
        "Pictures that are gone: %(missing)d of %(kept)d; those were left as they were read.", missing=kept - found, kept=kept
    )


def at_words(place: tuple[int, int], names: Sequence[str], say: Translator = ENGLISH) -> str:
    """``slot 3 of Anna``, or a card of the row for the seat -1."""
    seat, number = place
    if seat < 0:
        return say("Card %(number)d of the row", number=number)
    return say("Slot %(slot)d of %(who)s", slot=number, who=seat_name(seat, names, say))


def winners_words(winners: Sequence[int], categories: Sequence[str], names: Sequence[str], say: Translator = ENGLISH) -> str:
    """Who wins with what."""
    each = [(seat_name(seat, names, say), category_words(categories[seat], say)) for seat in winners]
    return say.listed([say("%(who)s (%(hand)s)", who=who, hand=hand) for who, hand in each])


def outcome_words(then: str, now: str, say: Translator = ENGLISH) -> str:
    """Who would have won, where that is somebody else; empty where nobody can be said to have."""
    nobody = say("nobody can be named")
    return say("Result: %(then)s. Now: %(now)s.", then=then or nobody, now=now or nobody)
