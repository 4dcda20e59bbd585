"""`./run hardware`: what stands in the folder is what the numbers give."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from hardware import make, parts
from hardware.make import HERE, LADDER_BEGINS, LADDER_ENDS, VIEWS, files, main, with_ladder
from hardware.parts import ModelError
from vision.enclosure import Enclosure
from vision.optics import OPTICS
from vision.raytrace import share_seen, trace

GUIDE = (HERE / "README.md").read_text()
WRITTEN = files()


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: path.name)
def test_what_is_kept_is_what_the_numbers_give(path: Path) -> None:
    assert path.read_text() == WRITTEN[path], "run `./run hardware`"


def test_nothing_is_kept_that_nothing_writes() -> None:
    kept = {path for folder in ("wiring", "cutting") for path in (HERE / folder).iterdir()}
    assert kept == {path for path in WRITTEN if path.parent != HERE}
    assert {path.name for path in (HERE / "pictures").iterdir()} == {f"{name}.png" for name in VIEWS}


def test_the_ladder_is_put_between_its_marks() -> None:
    assert with_ladder(f"a\n{LADDER_BEGINS}\nold\n{LADDER_ENDS}\nb\n", "new") == f"a\n{LADDER_BEGINS}\nnew\n{LADDER_ENDS}\nb\n"


def test_every_file_that_the_guide_names_is_there() -> None:
    linked = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", GUIDE)
    assert len(linked) > 10
    assert [name for name in linked if not (HERE / name).exists()] == []


def test_the_guides_table_of_cameras_is_what_the_light_says() -> None:
    rows = re.findall(r"\| (\d+) mm \((\d+)[^)]*\) \| (\d+) mm \((\d+)\) \| ([\d.]+) \(([\d.]+)\) \|", GUIDE)
    found = []
    for camera in OPTICS.camera:
        small, large = (trace(Enclosure(camera, window)) for window in ("standard", "large"))
        depths = [round(sight.enclosure.outside_mm[1]) for sight in (small, large)]
        paths = [round(sight.enclosure.path_mm) for sight in (small, large)]
        found.append(tuple(map(str, (*depths, *paths, round(small.px_per_mm, 1), round(large.px_per_mm, 1)))))
    assert rows == found


def test_the_guides_other_sizes_are_those_of_the_optics_file() -> None:
    small, large = Enclosure(), Enclosure(window_name="large")
    assert f"{small.outside_mm[0]:g} mm wide and {small.outside_mm[2]:.0f} mm high ({large.outside_mm[2]:.0f} with" in GUIDE
    for mat, words in ((small, "29 to 40 cm above"), (large, "(30 to 40 with")):
        eyes = trace(mat).eyes_mm
        assert eyes is not None
        assert words.startswith((f"{eyes[0] / 10:g} to {eyes[1] / 10:g} cm", f"({eyes[0] / 10:g} to {eyes[1] / 10:g} with"))
        assert words in GUIDE
    assert f"{OPTICS.eye.front_mm / 10:g} cm in front of" in GUIDE
    assert f"{len(parts.parts(small))} parts".replace("16", "sixteen") in GUIDE


def test_what_the_guide_says_of_neighbours_is_what_the_light_says() -> None:
    assert "80 cm to the side the\n  drawings say that it sees 2 % of" in GUIDE
    assert "of one 50 cm to the side 27 %" in GUIDE
    eye = OPTICS.eye
    places = [(sign * aside, front) for sign in (-1, 1) for aside in (800, 1000) for front in (260, 400, eye.front_mm)]
    assert max(share_seen(Enclosure(), *place, eye.height_mm) for place in places) <= 0.025
    assert round(max(share_seen(Enclosure(), sign * 500, eye.front_mm, eye.height_mm) for sign in (-1, 1)), 2) == 0.27


def test_a_cutting_plan_is_written_for_another_mat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: object, **__: object) -> None:
        raise FileNotFoundError

    monkeypatch.setattr(make.subprocess, "run", missing)
    done = CliRunner().invoke(main, ["plan", str(tmp_path), "--camera", "cm3-wide"])
    assert done.exit_code == 0
    assert "rsvg-convert is missing, so there is no PDF" in done.stderr
    assert "Raspberry Pi Camera Module 3 Wide" in (tmp_path / "foam-1.svg").read_text()


def test_without_openscad_it_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts.shutil, "which", lambda _: None)
    with pytest.raises(ModelError) as caught:
        parts.render("node_tray", Enclosure(), tmp_path / "tray.stl")
    assert str(caught.value) == "openscad is missing; on Debian: apt install openscad"


@pytest.mark.skipif(parts.shutil.which("openscad") is None, reason="openscad is missing (apt install openscad)")
def test_what_openscad_refuses_is_said(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"(?s)openscad cannot render node_tray: .*there is no mat for cm4"):
        parts.render("node_tray", Enclosure("cm4"), tmp_path / "tray.stl")
