"""`viewmat check`: is the table fit to be played at?  Focus, light, reflections, markers, and all 52 cards."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click
import cv2

from companion.words.check import verdict_words
from firmware.checking import Finding, Grade, judge
from firmware.checkreport import passed, report_json, write_report
from firmware.outfolder import made_folder
from firmware.profiles import open_classifier, profile_option
from firmware.recorded import recorded_frames
from firmware.rig import mat_station
from firmware.virtual.dealer import FAULTS, Dealer, Injected
from firmware.virtual.rendered import open_deck
from firmware.virtual.teacher import as_difficulty
from vision.checkup import Checkup, cards_of
from vision.classifier import Classifier
from vision.synthetic.scene import DIFFICULTIES
from vision.synthetic.styles import STYLES


def parse_faults(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> tuple[Injected, ...]:
    """``blur@2`` -> the fault, and the seat counted from 0."""
    found = []
    for value in values:
        name, _, seat = value.partition("@")
        if name not in FAULTS:
            raise click.BadParameter(f"{name!r} is no fault: expected one of {', '.join(FAULTS)}, such as blur@2 for mat 2")
        if seat and not (seat.isdigit() and 1 <= int(seat) <= 6):
            raise click.BadParameter(f"{value!r}: mat {seat!r} is not in the range 1 to 6")
        found.append(Injected(next(fault for fault in FAULTS if fault == name), int(seat or 1) - 1))
    return tuple(found)


@click.command()
@click.option("--frames", type=click.Path(path_type=Path), help="Check recorded frames of one mat instead of the virtual table.")
@click.option("--seat", type=click.IntRange(1, 6), default=1, show_default=True, help="Whose mat the frames show.")
@click.option("--seats", type=click.IntRange(1, 5), default=4, show_default=True, help="Mats of the virtual table.")
@click.option("--deck", type=click.Choice([style.name for style in STYLES]), help="One of the decks that we draw.")
@click.option("--art", type=click.Path(exists=True, file_okay=False, path_type=Path), help="Folder with As.png ... 2c.png.")
@click.option("--difficulty", type=click.Choice(DIFFICULTIES), default="normal", show_default=True)
@click.option("--seed", type=int, default=0, show_default=True)
@click.option(
    "--fault", "faults", multiple=True, callback=parse_faults, help=f"Put a fault in, such as blur@2: {', '.join(FAULTS)}."
)
@profile_option
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="Folder for the report with its pictures.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object on standard output.")
def command(
    frames: Path | None, seat: int, seats: int, deck: str | None, art: Path | None, difficulty: str, seed: int,
    faults: tuple[Injected, ...], profile: str | None, out: Path | None, as_json: bool,
) -> None:  # fmt: skip
    """Walk through the table: what is weak about its windows, cameras, lamps, markers and cards, and what to change.

    First the mats lie empty, then every card of the deck is laid once over any window.  Exit status 1 where the table fails.
    """
    cv2.setNumThreads(1)
    if out is not None:
        made_folder(out, "--out")
    classifier = open_classifier(profile)
    if frames is not None:
        numbers: tuple[int, ...] = (seat - 1,)
        checkups = [_replayed(frames, seat - 1, classifier)]
    else:
        numbers = tuple(range(seats))
        _check_seats(faults, seats)
        dealer = Dealer(open_deck(deck, None if art is None else str(art)), as_difficulty(difficulty), seed, seats, faults)
        checkups = dealt(dealer, classifier)
    findings = judge(checkups, numbers, classifier)
    if out is not None:
        click.echo(f"The report is {write_report(out, checkups, numbers, findings)}", err=True)
    told = report_json(checkups, numbers, findings)
    click.echo(json.dumps(told) if as_json else in_words(findings, told["cards_counted"]))
    sys.exit(0 if passed(findings) else 1)


def _check_seats(faults: tuple[Injected, ...], seats: int) -> None:
    for one in faults:
        if one.seat >= seats:
            raise click.BadParameter(f"{one.fault}@{one.seat + 1}: there are {seats} mats", param_hint="--fault")


def dealt(dealer: Dealer, classifier: Classifier) -> list[Checkup]:
    """The virtual table's walk; cards that were not read are laid once more."""
    checkups = [Checkup(station.layout, station.places, classifier) for station in dealer.stations]
    for seat, frame in dealer.walk(lambda: dealer.unread(cards_of([one for each in checkups for one in each.shown]))):
        checkups[seat].look(frame)
    return checkups


def _replayed(frames: Path, seat: int, classifier: Classifier) -> Checkup:
    station = mat_station(seat)
    checkup = Checkup(station.layout, station.places, classifier)
    for frame in recorded_frames(frames, station.camera):
        checkup.look(frame)
    return checkup


def in_words(findings: tuple[Finding, ...], counted: int) -> str:
    """The outcome for people."""
    weak = sum(finding.grade is Grade.WEAK for finding in findings)
    lines = [verdict_words(passed(findings), weak), f"{counted} of 52 cards counted."]
    lines += [f"{finding.where()}: {finding.problem()}. {finding.advice()}" for finding in findings]
    return "\n".join(lines)
