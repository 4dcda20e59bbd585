"""Decks that we draw ourselves, and decks loaded from pictures.

`STYLES` holds the named decks, `random_style` makes any number of others for training.  A face is a picture of
`CARD_PX` pixels (`PX_PER_MM` to the millimetre), blue green red, upright, its rounded corners not yet cut off
(`DeckArt.outline` tells where the card is).
"""

from __future__ import annotations

from vision.synthetic.art import CARD_PX, PX_PER_MM, DeckArt
from vision.synthetic.artfiles import load_art
from vision.synthetic.printing import Printer
from vision.synthetic.styles import STYLES, DeckStyle, find_style, random_style

__all__ = ["CARD_PX", "PX_PER_MM", "STYLES", "DeckArt", "DeckStyle", "draw_deck", "find_style", "load_art", "random_style"]


def draw_deck(style: DeckStyle) -> DeckArt:
    """The pictures of a deck in this style; the same style gives the same pictures."""
    printer = Printer(style)
    return DeckArt(style.name, printer.face, printer.back, printer.joker, style.corner_mm)
