"""Card designs that packages install: which there are and how they are cut.

Every design of the packages was looked at.  Left out are those that do not show the usual ranks and suits with the suit
under the rank: Swiss and German suits (``swiss-xvii``, ``svg-xskat-german``), rank and suit in different corners
(``tango_nuevo``, ``svg-oxygen``, ``-air``, ``-white``), programmers' jokes (``svg-future``), sheets without a size that
the rasteriser could use (``svg-konqi-modern``, ``svg-xskat-french``), faces without letters (``deck-of-cards``), and
second copies of a drawing (``svg-dondorf``, ``svg-gm-paris``, ``svg-nicu-ornamental``).
"""

from __future__ import annotations

import gzip
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from companion.cards import Card
from models.training.tiles import CARD_HEIGHT_PX, Picture, Tile, card_of, corner, index_boxes, inside, whole_card

GNOME = Path("/usr/share/aisleriot/cards")
KDE = Path("/usr/share/carddecks")
DEFAULT_CACHE = Path.home() / ".cache" / "viewmat" / "training"
"""Where rasterised designs and npm packages are kept."""


@dataclass(frozen=True, slots=True)
class Design:
    """One deck of a package."""

    name: str
    source: str
    """``gnome``, ``kde``, or the npm package with its version."""
    path: str
    """File or folder below the source."""
    family: str = ""
    """Designs with the same letters or pips; they are held out together."""
    language: str = "English"
    reach_mm: float = 8.5
    """The index stands in this much of the card's width."""
    traits: str = ""
    skip_courts: bool = False
    """The court cards have no index."""

    @property
    def licence(self) -> str:
        return LICENCES.get(self.name, LICENCES[self.source.split("@")[0]])


LICENCES = {
    "gnome": "GPL-3+ (Debian gnome-cards-data)",
    "kde": "GPL-2+ (Debian kdegames-card-data-kf5)",
    "penguins": "GPL-3+ (Debian kdegames-card-data-kf5)",
    "tigullio-international": "LGPL-2+ (Debian kdegames-card-data-kf5)",
    "heruka": "CC0 drawings by Adrian Kennard, MIT package",
    "cardsJS": "MIT",
    "svg-cards": "LGPL-2.1",
}


def _gnome(name: str, family: str = "", language: str = "English", **more: object) -> Design:
    return Design(name, "gnome", f"{name}.svgz", family or name, language, **more)  # type: ignore[arg-type]


DESIGNS: tuple[Design, ...] = (
    _gnome("ancient_french", language="French"),
    _gnome("anglo"),
    _gnome("anglo_bitmap", "anglo"),
    _gnome("gnomangelo", "anglo"),
    _gnome("gnomangelo_bitmap", "anglo"),
    _gnome("anglo_modern"),
    _gnome("anglo_modern_4_color", "anglo_modern", traits="4-colour"),
    _gnome("anglo_poker"),
    _gnome("atlasnye"),
    _gnome("atlasnye_skat", "atlasnye", "German", traits="4-colour"),
    _gnome("Атласные", "atlasnye", "Russian"),
    _gnome("bellot"),
    _gnome("berlin", language="German"),
    _gnome("dondorf", traits="4-corner"),
    _gnome("guyenne-classic", "paris", skip_courts=True),
    _gnome("paris"),
    _gnome("lattmann", language="German"),
    _gnome("neoclassical"),
    _gnome("neoclassical_4_color", "neoclassical", traits="4-colour"),
    _gnome("orell"),
    _gnome("ornamental", traits="large", reach_mm=13.0),
    _gnome("plastic"),
    _gnome("rheinland", language="German"),
    _gnome("simplistic"),
    _gnome("slavic_costumes", language="Russian"),
    _gnome("tango", traits="large", reach_mm=13.0),
    _gnome("tarocco", language="Italian"),
    _gnome("tigullio"),
    Design("ancient-egyptians", "kde", "svg-ancient-egyptians/Ancient_Egyptians.svgz", "egyptians", reach_mm=14.0),
    Design("jolly-royal", "kde", "svg-jolly-royal/jolly-royal.svgz", "jolly-royal"),
    Design("nicu-white", "kde", "svg-nicu-white/white.svgz", "ornamental", traits="large", reach_mm=13.0),
    Design("penguins", "kde", "svg-penguins/penguins.svgz", "penguins", reach_mm=13.0),
    Design("standard", "kde", "svg-standard/standard.svgz", "standard"),
    Design("tigullio-international", "kde", "svg-tigullio-international/tigullio-international.svgz", "tigullio"),
    Design("kennard", "heruka@0.5.0", "src/images/2color", "kennard"),
    Design("kennard-4", "heruka@0.5.0", "src/images/4color", "kennard", traits="4-colour"),
    Design("kennard-large", "heruka@0.5.0", "src/images/2color-bf", "kennard", traits="large", reach_mm=17.0),
    Design("kennard-large-4", "heruka@0.5.0", "src/images/4color-bf", "kennard", traits="large 4-colour", reach_mm=17.0),
    Design("cardsJS", "cardsJS@1.1.1", "dist/cards", "cardsJS", reach_mm=7.5),
    Design("svg-cards", "svg-cards@4.0.2", "png/2x", "svg-cards"),
)

NPM = {
    "heruka": "@heruka_urgyen/react-playing-cards@0.5.0",
    "cardsJS": "cardsJS@1.1.1",
    "svg-cards": "svg-cards@4.0.2",
}

def collect(design: Design, cache: Path) -> tuple[Tile, ...]:
    """The tiles of a design, from `cache` or rasterised into it; none where its package is not installed."""
    kept = cache / f"{design.name}.npz"
    if not kept.exists():
        faces, others = rasterised(design, cache)
        if not faces:
            return ()
        cache.mkdir(parents=True, exist_ok=True)
        _store(kept, design, faces, others)
    return tuple(_load(kept, design))


def _store(kept: Path, design: Design, faces: dict[Card, Picture], others: dict[str, list[Picture]]) -> None:
    np.savez_compressed(
        kept,
        names=np.array([str(card) for card in faces]),
        faces=np.array([_padded(face) for face in faces.values()]),
        backs=np.array([_padded(face) for face in others.get("back", [])]),
        jokers=np.array([_padded(face) for face in others.get("joker", [])]),
    )


def _padded(face: Picture) -> Picture:
    """Every face on one canvas: as wide as a poker card, the rest filled with the last column."""
    width = round(63.5 * 4)
    if face.shape[1] >= width:
        return face[:, :width]
    return cv2.copyMakeBorder(face, 0, 0, 0, width - face.shape[1], cv2.BORDER_REPLICATE)


def _load(kept: Path, design: Design) -> Iterator[Tile]:
    with np.load(kept) as stored:
        faces = {Card.parse(str(name)): face for name, face in zip(stored["names"], stored["faces"], strict=True)}
        boxes = index_boxes(faces, design.reach_mm)
        for card, face in faces.items():
            if card in boxes and not (design.skip_courts and 11 <= card.rank <= 13):
                yield Tile(corner(face), "card", card, *boxes[card])
            yield Tile(inside(face), "unreadable", edge=False)
        for face in stored["backs"]:
            yield Tile(corner(face), "back")
        for face in stored["jokers"]:
            yield Tile(corner(face), "foreign")


def rasterised(
    design: Design, cache: Path, height: int = CARD_HEIGHT_PX
) -> tuple[dict[Card, Picture], dict[str, list[Picture]]]:
    """The faces of a design, `height` pixels high, and its backs and jokers; nothing where its package is not installed."""
    if design.source == "gnome":
        return cut_sheet(GNOME / design.path, height)
    if design.source == "kde":
        return _cut_elements(KDE / design.path, height)
    return _read_files(_unpacked(design, cache) / design.path, height)


def cut_sheet(path: Path, height: int = CARD_HEIGHT_PX) -> tuple[dict[Card, Picture], dict[str, list[Picture]]]:
    """A GNOME sheet: thirteen columns from the ace, rows for clubs, diamonds, hearts, spades, then jokers and backs."""
    if not path.exists():
        return {}, {}
    sheet = _render(path.read_bytes(), ["-h", str(5 * height)])
    cells = [np.array_split(row, 13, axis=1) for row in np.array_split(sheet, 5, axis=0)]
    ranks = "A23456789TJQK"
    faces = {card_of(ranks[c], "cdhs"[r]): whole_card(cells[r][c], height) for r in range(4) for c in range(13)}
    return faces, {"joker": [whole_card(cells[4][c], height) for c in (0, 1)], "back": [whole_card(cells[4][2], height)]}


def _cut_elements(path: Path, height: int) -> tuple[dict[Card, Picture], dict[str, list[Picture]]]:
    """A KDE deck: one drawing with a named element for each card."""
    if not path.exists():
        return {}, {}
    drawing = gzip.decompress(path.read_bytes())
    names = {"1": "A", "jack": "J", "queen": "Q", "king": "K"}
    faces = {
        card_of(names.get(rank, rank), suit[0]): _element(drawing, f"{rank}_{suit}", height)
        for suit in ("club", "diamond", "heart", "spade")
        for rank in ("1", *map(str, range(2, 11)), "jack", "queen", "king")
    }
    return faces, {"back": [_element(drawing, "back", height)]}


def _element(drawing: bytes, name: str, height: int) -> Picture:
    first = _render(drawing, ["-i", name])
    rows, _ = opaque = _opaque(first)
    zoom = height / (first[opaque].shape[0] if rows != slice(None) else first.shape[0])
    if max(first.shape[:2]) * zoom > 20000:
        zoom = 20000 / max(first.shape[:2])
    large = _render(drawing, ["-i", name, "-z", f"{zoom:.3f}"])
    return whole_card(large[_opaque(large)], height)


def _opaque(picture: Picture) -> tuple[slice, slice]:
    solid = picture[..., 3] > 128
    rows, columns = np.flatnonzero(solid.any(axis=1)), np.flatnonzero(solid.any(axis=0))
    if not len(rows):
        return slice(None), slice(None)
    return slice(int(rows[0]), int(rows[-1]) + 1), slice(int(columns[0]), int(columns[-1]) + 1)


def _unpacked(design: Design, cache: Path) -> Path:
    """The folder of an npm package, packed by npm into the cache; a path that does not exist where that is impossible."""
    package = NPM[design.source.split("@")[0]]
    folder = cache / "npm" / design.source
    if not folder.exists():
        with tempfile.TemporaryDirectory() as scratch:
            pack = ["npm", "pack", "--silent", package]
            packed = subprocess.run(pack, cwd=scratch, capture_output=True, check=False)
            archives = list(Path(scratch).glob("*.tgz"))
            if packed.returncode or not archives:
                return folder
            folder.mkdir(parents=True)
            subprocess.run(["tar", "xzf", archives[0], "-C", folder, "--strip-components=1"], check=True)
    return folder


def _read_files(folder: Path, height: int) -> tuple[dict[Card, Picture], dict[str, list[Picture]]]:
    """A folder with one file a card, named ``10S.svg``, ``TS.svg`` or ``spade_10.png``."""
    faces: dict[Card, Picture] = {}
    others: dict[str, list[Picture]] = {"back": [], "joker": []}
    for path in sorted(folder.glob("*.[ps][nv]g")):
        card, kind = _named(path.stem)
        if card is None and kind is None:
            continue
        face = whole_card(_picture(path, height), height)
        if card is not None:
            faces[card] = face
        elif kind is not None:
            others[kind].append(face)
    return faces, others


def _named(stem: str) -> tuple[Card | None, str | None]:
    lower = stem.lower()
    if "back" in lower:
        return None, "back"
    if "joker" in lower or lower in ("1j", "2j"):
        return None, "joker"
    suit, _, rank = lower.partition("_")
    if rank and suit in ("club", "diamond", "heart", "spade"):
        letters = {"1": "A", "jack": "J", "queen": "Q", "king": "K"}
        return card_of(letters.get(rank, rank), suit[0]), None
    if lower[:-1] in ("a", "k", "q", "j", "t", *map(str, range(2, 11))) and lower[-1] in "cdhs":
        return card_of(stem[:-1].upper(), lower[-1]), None
    return None, None


def _picture(path: Path, height: int) -> Picture:
    if path.suffix == ".svg":
        return _render(path.read_bytes(), ["-h", str(height)])
    found = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    if found is None:
        raise ValueError(f"{path} is no picture")
    return np.asarray(found, np.uint8)


def _render(drawing: bytes, options: list[str]) -> Picture:
    """Rasterise an SVG; the result has four channels."""
    plain = gzip.decompress(drawing) if drawing[:2] == b"\x1f\x8b" else drawing
    done = subprocess.run(["rsvg-convert", "--unlimited", *options], input=plain, capture_output=True, check=False)
    if done.returncode:
        raise ValueError(f"rsvg-convert {' '.join(options)} failed: {done.stderr.decode(errors='replace').strip()}")
    picture = cv2.imdecode(np.frombuffer(done.stdout, np.uint8), cv2.IMREAD_UNCHANGED)
    if picture is None or picture.ndim != 3:
        raise ValueError(f"rsvg-convert {' '.join(options)} gave no picture")
    return cv2.cvtColor(picture, cv2.COLOR_BGR2BGRA) if picture.shape[2] == 3 else np.asarray(picture, np.uint8)
