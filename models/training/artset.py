"""Card faces of installed designs as pictures for ``viewmat simulate --art``: ``python -m models.training.artset FOLDER``.

Without names the designs of the test are written: decks that the model was neither trained on nor chosen by.  The
pictures are the packages' artwork and stay where you put them; none is part of this project.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import cv2

from companion.cards import DECK
from models.training.artwork import DEFAULT_CACHE, DESIGNS, Design, rasterised
from models.training.glyphs import ToolError, check_tools
from models.training.split import PARTS, part_of
from models.training.tiles import Picture
from vision.layout import CARD_MM
from vision.synthetic.art import CARD_PX


def write(design: Design, folder: Path, cache: Path) -> bool:
    """Write the 52 faces and the back of a design below `folder`; False where its package lacks or it has no 52 faces."""
    faces, others = rasterised(design, cache, CARD_PX[1])
    if len(faces) < len(DECK):
        return False
    place = folder / design.name
    place.mkdir(parents=True, exist_ok=True)
    for card, face in faces.items():
        cv2.imwrite(str(place / f"{card}.png"), _shaped(face))
    for back in others.get("back", [])[:1]:
        cv2.imwrite(str(place / "back.png"), _shaped(back))
    return True


def _shaped(face: Picture) -> Picture:
    """Stretched to the shape of a poker card where it is narrower: the table lays cards of one size."""
    size = round(face.shape[0] * CARD_MM[0] / CARD_MM[1]), face.shape[0]
    return face if face.shape[1::-1] == size else cv2.resize(face, size, interpolation=cv2.INTER_AREA)


def main(arguments: list[str]) -> int:
    """Write the designs; 1 where one of the named ones could not be had."""
    parser = argparse.ArgumentParser(prog="python -m models.training.artset", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--design", action="append", choices=[design.name for design in DESIGNS], metavar="NAME")
    parser.add_argument("--part", choices=PARTS, default="test")
    parser.add_argument("--cache", type=Path, default=DEFAULT_CACHE, help="where npm packages are kept")
    options = parser.parse_args(arguments)
    try:
        check_tools()
    except ToolError as error:
        raise SystemExit(str(error)) from error
    named = options.design or [design.name for design in DESIGNS if part_of(design) == options.part]
    wanted = [design for design in DESIGNS if design.name in named]
    lacking = [design.name for design in wanted if not write(design, options.folder, options.cache)]
    for name in lacking:
        print(f"{name}: not installed, or without 52 faces", file=sys.stderr)
    print(f"{len(wanted) - len(lacking)} designs in {options.folder}")
    return int(bool(lacking and options.design))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
