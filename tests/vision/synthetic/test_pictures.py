"""The pictures of the documentation."""

from __future__ import annotations

import cv2

from vision.synthetic.pictures import main
from vision.synthetic.styles import STYLES


def test_writes_the_three_pictures(tmp_path):
    assert main([str(tmp_path / "new")]) == 0
    sizes = {path.name: cv2.imread(str(path)).shape for path in (tmp_path / "new").iterdir()}
    assert sizes["mat-frame.jpg"] == (3 * 288, 1536, 3)
    assert sizes["tray-frame.jpg"] == (928, 1536, 3)
    assert sizes["deck-sheet.jpg"][0] == len(STYLES) * 196
    assert len(sizes) == 3


def test_says_how_it_is_used(capsys):
    assert main([]) == 2
    assert "usage: python -m vision.synthetic.pictures OUTDIR" in capsys.readouterr().err
