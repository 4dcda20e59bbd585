"""`viewmat replay`: what another model or another house rule would have made of a game."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
import cv2

from companion.announcements import (
    ENGLISH,
    Translator,
    at_words,
    changed_words,
    ended_words,
    gone_words,
    outcome_words,
    reread_words,
    ruling_words,
    said_words,
    summary_words,
    unshown_words,
    winners_words,
)
from companion.commitments import card_code
from companion.errors import JournalError, OptionError, RecordError, SealError
from companion.games.base import Game, Result
from companion.proceedings import AsItLies, Seating
from companion.rejudging import Rejudged
from companion.rulings import Action, Ruling, Verdict
from companion.table import Area
from companion.viewing import move_view
from firmware.houserules import house_rules_option
from firmware.printing import echo
from firmware.ranges import FiniteRange
from firmware.recordfile import key_folder, of_a_record, record_file
from firmware.replay import Replay, Reread, replay
from firmware.spoken import language_option
from vision.belief import Thresholds
from vision.errors import ModelError
from vision.onnx_classifier import OnnxClassifier


@click.command()
@click.argument("game")
@click.option("--model", type=click.Path(path_type=Path), help="An .onnx file, with the .toml of its name beside it.")
@house_rules_option
@click.option("--min-confidence", type=FiniteRange(0, 1), help="From which probability on a card is named.")
@click.option("--folder", type=click.Path(file_okay=False, path_type=Path), help="Where games are kept, if elsewhere.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object on standard output.")
@language_option
@click.pass_context
def command(
    context: click.Context, game: str, model: Path | None, options: Mapping[str, Any], min_confidence: float | None,
    folder: Path | None, as_json: bool, say: Translator,
) -> None:  # fmt: skip
    """Judge GAME again from its kept pictures, and tell what would change.  Nothing is written.

    GAME is a file, or the name of a game that was played here; it has to be over.  Exit status 1 where it cannot be read.
    """
    cv2.setNumThreads(1)
    file, name = record_file(game, folder)
    thresholds = Thresholds() if min_confidence is None else Thresholds(card=min_confidence)
    try:
        classifier = OnnxClassifier.load(model)
        found = replay(file, key_folder(file), classifier, options, thresholds)
        if name is not None and found.game != name:
            raise RecordError(f"{file} is the record of game {found.game}")
        with of_a_record(file):
            told = [json.dumps(as_object(file, found))] if as_json else lines_of(found, say)
    except OptionError:
        raise
    except (JournalError, SealError, RecordError, ModelError) as error:
        echo(str(error), err=True)
        if as_json:
            echo(json.dumps({"file": str(file), "error": str(error)}))
        context.exit(1)
    gone = gone_words(found.kept, found.found, say)
    if gone:
        echo(gone, err=True)
    for line in told:
        echo(line)


def as_object(file: Path, found: Replay) -> dict[str, Any]:
    """What ``--json`` prints."""
    turns = [_turn(one, found) for one in found.rejudged]
    return {
        "game": found.game, "file": str(file), "pictures": {"kept": found.kept, "found": found.found},
        "rulings": len(turns), "changed": sum(turn["changed"] for turn in turns), "readings_changed": _reread(found),
        "turns": turns, "reveal": [_reading(one) for one in found.shown],
        "aside": [_reading(one) for one in found.aside],
        "ended": dict(zip(("then", "now"), found.ended, strict=True)),
        "unshown": [{"option": name, "reason": kind, "message": unshown_words(name, kind)} for name, kind in found.unshown],
        "result": {"then": _result(found.then), "now": _result(found.now), "changed": found.then != found.now},
    }  # fmt: skip


def _reread(found: Replay) -> int:
    return sum(one.changed for group in (*found.reread.values(), found.shown, found.aside) for one in group)


def _turn(one: Rejudged, found: Replay) -> dict[str, Any]:
    case = one.case
    number = -1 if case.exhibit is None else case.exhibit.log
    readings = found.reread.get(number, ())
    game = case.referee.game
    return {
        "number": case.number, "kind": case.entry.kind, "time": case.entry.time, "seat": _seat(one),
        "by_hand": case.turn is not None and case.turn.by_hand, "pictures": len(readings), "changed": one.changed,
        "ruling": {"then": _ruling(one.then, game), "now": _ruling(one.now, game)},
        "readings": [_reading(each) for each in readings],
    }  # fmt: skip


def _seat(one: Rejudged) -> int | None:
    action = one.then.action
    return one.then.seat if action is None else action.seat


def _ruling(ruling: Ruling, game: Game[Any]) -> dict[str, Any]:
    own = ruling.action is not None and not isinstance(ruling.action, (AsItLies, Seating))
    rule = ruling.rule.id if ruling.rule is not None else game.rule_of(ruling.action) if ruling.action is not None else None
    return {
        "verdict": ruling.verdict.value, "action": game.action_to_json(ruling.action) if own and ruling.action else None,
        "error": ruling.error, "rule": rule, "message": ruling_words(ruling),
    }  # fmt: skip


def _reading(one: Reread) -> dict[str, Any]:
    place = one.piece.place
    return {
        "seat": place.seat if place.area is Area.SLOT else None, "slot" if place.area is Area.SLOT else "row": place.number,
        "when": one.piece.when, "changed": one.changed,
        "then": {"seen": card_code(one.then.seen), "confidence": one.then.confidence, "likely": _likely(one.then.likely)},
        "now": {"seen": card_code(one.seen), "confidence": round(one.confidence, 6), "likely": _likely(one.likely)},
    }  # fmt: skip


def _likely(likely: tuple[tuple[Any, float], ...]) -> list[list[Any]]:
    return [[str(card), round(share, 6)] for card, share in likely]


def _result(result: Result | None) -> dict[str, Any] | None:
    if result is None:
        return None
    return {"winners": list(result.winners), "order": list(result.order), "categories": list(result.categories)}


def lines_of(found: Replay, say: Translator = ENGLISH) -> list[str]:
    """What is printed for people: only what would change, and how much was looked at."""
    lines = []
    for one in found.rejudged:
        if one.changed:
            then, now = (_said(ruling, one, found.names, say) for ruling in (one.then, one.now))
            lines.append(changed_words(one.case.number, then, now, say))
        number = -1 if one.case.exhibit is None else one.case.exhibit.log
        lines += [_reread_words(each, found.names, say) for each in found.reread.get(number, ()) if each.changed]
    lines += [_reread_words(each, found.names, say) for each in (*found.shown, *found.aside) if each.changed]
    ended = ended_words(*found.ended, say)
    lines += [ended] if ended else []
    if found.then != found.now:
        lines.append(outcome_words(_outcome(found.then, found.names, say), _outcome(found.now, found.names, say), say))
    changed = sum(one.changed for one in found.rejudged)
    otherwise = bool(ended) or found.then != found.now
    lines.append(summary_words(len(found.rejudged), changed, found.found, _reread(found), otherwise, say))
    return lines + [unshown_words(*one, say) for one in found.unshown]


def _said(ruling: Ruling, one: Rejudged, names: tuple[str, ...], say: Translator) -> str:
    action: Action | None = ruling.action
    move = None if action is None or ruling.verdict is Verdict.UNSURE else move_view(one.case.referee.game, action)
    return said_words(ruling, move, names, say)


def _reread_words(one: Reread, names: tuple[str, ...], say: Translator) -> str:
    then, now = card_code(one.then.seen), card_code(one.seen)
    place = at_words((one.piece.place.seat, one.piece.place.number), names, say)
    return reread_words(place, (then, one.then.confidence), (now, one.confidence), say)


def _outcome(result: Result | None, names: tuple[str, ...], say: Translator) -> str:
    return "" if result is None else winners_words(result.winners, result.categories, names, say)
