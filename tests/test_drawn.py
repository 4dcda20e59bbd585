"""The app's icons are those of the drawing, and the film is one that browsers play and count as watched."""

from __future__ import annotations

import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.web import create_app
from companion.web.shell import ICONS
from tests.companion.tables import FakeSitting
from tests.drawn import STATIC, icons, maskable


@pytest.mark.skipif(shutil.which("rsvg-convert") is None, reason="rsvg-convert (librsvg2-bin) is not installed")
def test_the_icons_are_drawn_from_the_drawing(tmp_path: Path) -> None:
    icons(tmp_path)
    drawn = sorted(file.name for file in tmp_path.iterdir())
    assert drawn == sorted(file.name for file in STATIC.glob("icon-*.png"))
    for name in drawn:
        fresh, kept = (cv2.imread(str(folder / name), cv2.IMREAD_UNCHANGED) for folder in (tmp_path, STATIC))
        assert fresh is not None and kept is not None and fresh.shape == kept.shape
        # Another release of the program may soften an edge otherwise.
        assert np.abs(fresh.astype(int) - kept).mean() < 0.5, f"{name}: ./run drawn brings it up to date"


def test_an_icon_that_is_cut_has_ground_up_to_its_edges() -> None:
    picture = cv2.imread(str(STATIC / "icon-512-maskable.png"), cv2.IMREAD_UNCHANGED)
    assert picture is not None
    corners = {tuple(int(value) for value in picture[y, x]) for y in (0, 511) for x in (0, 511)}
    assert len(corners) == 1 and next(iter(corners))[3:] in ((255,), ())
    with pytest.raises(ValueError, match="expected the ground"):
        maskable("<svg></svg>")


def test_the_manifest_names_icons_that_there_are() -> None:
    client = create_app(FakeSitting()).test_client()
    told = client.get("/app.webmanifest", base_url="https://viewmat.local:8443")
    assert told.json is not None
    for icon in told.json["icons"]:
        picture = cv2.imread(str(STATIC / icon["src"].removeprefix("/static/")))
        assert picture is not None and f"{picture.shape[1]}x{picture.shape[0]}" == icon["sizes"]
    assert {icon["sizes"] for icon in told.json["icons"]} == {f"{size}x{size}" for size in ICONS}
    assert {icon["purpose"] for icon in told.json["icons"]} == {"any", "maskable"}
    assert client.get("/app.webmanifest").status_code == 404


def test_the_film_is_small_and_has_a_track_of_sound() -> None:
    film = (STATIC / "awake.mp4").read_bytes()
    assert len(film) < 10_000
    # Each track has a handler: its mark, eight bytes of nothing, and the kind.
    kinds = [film[at + 12 : at + 16] for at in range(len(film)) if film.startswith(b"hdlr", at)]
    assert [kind for kind in kinds if kind in (b"vide", b"soun")] == [b"vide", b"soun"]
    assert film.index(b"moov") < film.index(b"mdat"), "it begins before it has come whole"
