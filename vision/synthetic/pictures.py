"""Pictures for the documentation: ``python -m vision.synthetic.pictures OUTDIR``."""

from __future__ import annotations

import sys
from pathlib import Path

import cv2
import numpy as np

from companion.cards import Card
from vision.frame import Image
from vision.layout import mat_layout, tray_layout
from vision.synthetic.condition import condition
from vision.synthetic.decks import STYLES, DeckArt, draw_deck
from vision.synthetic.optics import BoardCamera
from vision.synthetic.scene import HandShadow, LooseCard, LyingCard, Scene, slop

_SHOWN = ("As", "Td", "Kh", "Qc", "Jd", "9s", "7h", "4c")
_CARD_PX = (127, 178)
_GAP_PX = 9
_FELT = (58, 92, 30)


def deck_sheet() -> Image:
    """Some cards and the back of every named deck, a deck a line."""
    return np.concatenate([_line(draw_deck(style)) for style in STYLES])


def _line(art: DeckArt) -> Image:
    cells = [_on_felt(picture, art) for picture in (*(art.face(Card.parse(text)) for text in _SHOWN), art.joker(), art.back())]
    return np.concatenate(cells, axis=1)


def _on_felt(picture: Image, art: DeckArt) -> Image:
    width, height = _CARD_PX
    cell = np.full((height + 2 * _GAP_PX, width + 2 * _GAP_PX, 3), _FELT, np.uint8)
    small = cv2.resize(picture, _CARD_PX, interpolation=cv2.INTER_AREA)
    opacity = cv2.resize(art.outline(), _CARD_PX, interpolation=cv2.INTER_AREA)[..., None] / 255.0
    inside = cell[_GAP_PX : _GAP_PX + height, _GAP_PX : _GAP_PX + width]
    inside[:] = (small * opacity + inside * (1.0 - opacity)).astype(np.uint8)
    return cell


def mat_frame() -> Image:
    """A mat in three moments: five cards; a card taken by a hand, one lifted; a back, and two cards on one window."""
    rng = np.random.default_rng(12)
    cards = [Card.parse(text) for text in ("Qs", "7d", "Ac", "Th", "Kd")]
    lying = tuple((slop("normal", rng).lay(card, turned=bool(i % 2)),) for i, card in enumerate(cards))
    full = Scene(lying)
    fingers = (HandShadow(148.0, 8.0, -12.0),)
    lifted = LyingCard(cards[1], lift_mm=14.0, angle_deg=4.0, dx_mm=2.0, dy_mm=2.0)
    taken = Scene((lying[0], (lifted,), (), *lying[3:]), hands=fingers)
    below = LyingCard(cards[3], dx_mm=2.0, dy_mm=2.5, angle_deg=1.5)
    half_out = LyingCard(cards[2], slide_mm=13.0, motion_mm=(0.0, 3.0))
    odd = Scene(((LyingCard(cards[0], "up", dx_mm=0.6),), lying[1], (half_out,), (below, LyingCard(Card.parse("2h"))), ()))
    camera = BoardCamera(mat_layout(0), draw_deck(STYLES[0]), 5, condition("normal", rng))
    return np.concatenate([camera.render(scene, float(second)) for second, scene in enumerate((full, taken, odd))])


def tray_frame() -> Image:
    """The tray with a row of six, the pile, and a hand that draws."""
    rng = np.random.default_rng(4)
    row = [Card.parse(text) for text in ("Jh", "5c", "Qd", "9s", "2h", "Ks")]
    stacks = tuple((slop("normal", rng).lay(card, "up", turned=bool(i % 2)),) for i, card in enumerate(row))
    drawn = LooseCard(LyingCard(Card.parse("3d"), "down", angle_deg=12.0, lift_mm=25.0), 226.0, 112.0)
    scene = Scene((*stacks, (), (), ()), hands=(HandShadow(252.0, 140.0, -24.0),), pile=24, loose=(drawn,))
    return BoardCamera(tray_layout(), draw_deck(STYLES[0]), 8, condition("normal", rng)).render(scene, 0.0)


def main(arguments: list[str]) -> int:
    """Write the pictures; 0 done, 2 bad usage."""
    if len(arguments) != 1:
        print("usage: python -m vision.synthetic.pictures OUTDIR", file=sys.stderr)
        return 2
    directory = Path(arguments[0])
    directory.mkdir(parents=True, exist_ok=True)
    for name, picture in (("deck-sheet", deck_sheet()), ("mat-frame", mat_frame()), ("tray-frame", tray_frame())):
        cv2.imwrite(str(directory / f"{name}.jpg"), picture, (cv2.IMWRITE_JPEG_QUALITY, 88))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
