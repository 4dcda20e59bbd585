"""`viewmat teach`: a deck that the reader finds hard is shown to it once, card by card."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import click
import cv2

from firmware.printing import echo
from firmware.profiles import profiles_folder
from firmware.rig import mat_station
from firmware.teaching import Taught, from_answers, from_photographs, from_recording
from firmware.virtual.rendered import open_deck
from firmware.virtual.teacher import MISTAKES, Teacher, as_difficulty
from vision.deckprofile import check_place, checked_name, make_profile, profile_names, save_profile
from vision.errors import ProfileError
from vision.features import FeatureModel
from vision.lesson import Answer, Lesson
from vision.synthetic.scene import DIFFICULTIES
from vision.synthetic.styles import STYLES


@click.command()
@click.argument("name")
@click.argument("pictures", nargs=-1, type=click.Path(path_type=Path), metavar="[PICTURE]...")
@click.option("--frames", type=click.Path(path_type=Path), help="Folder of recorded frames: the cards in the order 2c ... As.")
@click.option("--seat", type=click.IntRange(1, 6), default=1, show_default=True, help="Whose mat the frames show.")
@click.option("--window", type=click.IntRange(1, 5), default=3, show_default=True, help="Its window for the cards.")
@click.option("--once", is_flag=True, help="Show each card one way round only; enough where both ends look the same.")
@click.option("--deck", type=click.Choice([style.name for style in STYLES]), help="On the virtual table: one of our decks.")
@click.option("--art", type=click.Path(exists=True, file_okay=False, path_type=Path), help="There: folder with the card faces.")
@click.option("--difficulty", type=click.Choice(DIFFICULTIES), default="normal", show_default=True)
@click.option("--seed", type=int, default=0, show_default=True)
@click.option("--mistake", type=click.Choice(MISTAKES), default="none", help="A mistake made there and put right.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object on standard output.")
def command(
    name: str, pictures: tuple[Path, ...], frames: Path | None, deck: str | None, art: Path | None, as_json: bool, **given: Any
) -> None:
    """Teach a deck and keep it under NAME, for --profile NAME.

    The cards come from PICTUREs named after them (As.jpg, 10h.png), from recorded frames, or from the virtual table, where
    somebody lays every card over one window.
    """
    _check(name, pictures, frames, deck, art)
    root = profiles_folder()
    check_place(root)
    replaced = name in profile_names(root)
    cv2.setNumThreads(1)
    model = FeatureModel.load()

    def say(words: str) -> None:
        echo(words, err=True)

    if pictures:
        taught = from_photographs(pictures, model, say)
    else:
        station = mat_station(given["seat"] - 1)
        # Windows are numbered as the owner sees them, which is how the layout lists them.
        lesson = Lesson(station.layout, given["window"] - 1, model, both_ways=not given["once"])
        if frames is not None:
            taught = from_recording(frames, lesson, say)
        else:
            teacher = Teacher(
                open_deck(deck, None if art is None else str(art)), as_difficulty(given["difficulty"]), given["seed"],
                station, given["window"] - 1, given["mistake"],
            )
            taught = from_answers(lesson, _answers(teacher, lesson), say)
    folder = save_profile(make_profile(name, taught.cards, taught.windows, date.today().isoformat(), model), root)
    if replaced:
        say(f"The deck that was taught as {name} before is replaced.")
    echo(json.dumps(as_object(name, folder, taught)) if as_json else in_words(name, folder, taught))
    sys.exit(0)


def _answers(teacher: Teacher, lesson: Lesson) -> Iterator[Answer]:
    return (event.answer for event in teacher.teach(lesson))


def _check(name: str, pictures: tuple[Path, ...], frames: Path | None, deck: str | None, art: Path | None) -> None:
    try:
        checked_name(name)
    except ProfileError as error:
        raise click.BadParameter(str(error), param_hint="NAME") from error
    given = [what for what, there in (("PICTURE", pictures), ("--frames", frames), ("--deck", deck), ("--art", art)) if there]
    if len(given) > 1:
        raise click.UsageError(f"{' and '.join(given)} name different sources of cards; expected one of them")


def as_object(name: str, folder: Path, taught: Taught) -> dict[str, Any]:
    """What ``--json`` prints."""
    return {
        "name": name, "folder": str(folder), "windows": len(taught.windows), "weak": [str(card) for card in taught.weak],
        "remarks": list(taught.remarks),
    }  # fmt: skip


def in_words(name: str, folder: Path, taught: Taught) -> str:
    """The same for people."""
    if taught.weak:
        listed = ", ".join(map(str, taught.weak))
        worth = f"{len(taught.weak)} of its cards are read badly without it: {listed}."
    else:
        worth = "The reader knows this deck well without it; it need not be used."
    return f"{name}: taught from {len(taught.windows)} windows, kept in {folder}.\n{worth}\nUse it with --profile {name}."
