"""One file of sizes: what it says, and who reads it."""

from __future__ import annotations

from dataclasses import replace
from importlib.resources import files

import pytest

from vision.enclosure import Enclosure
from vision.errors import LayoutError
from vision.layout import CARD_MM, PITCH_MM, WINDOW_MM, Marker, Rect, mat_layout, tray_layout
from vision.optics import OPTICS, CardSize, read_optics
from vision.synthetic.lens import MAT_PATH_MM, TRAY_PATH_MM

TEXT = files("vision").joinpath("optics.toml").read_text()

INDEX_ZONES = {"standard": ((1.5, 3.0), (10.5, 24.0)), "large": ((1.5, 3.0), (16.25, 40.0))}
"""Where the printed index lies, from the corner of the card: the widest of the measured decks."""
PLACED_MM = 3.0


def test_every_size_of_the_layout_and_of_the_renderer_is_that_of_the_file() -> None:
    assert (CARD_MM, WINDOW_MM, PITCH_MM) == ((63.5, 88.9), (16.0, 32.0), 69.0)
    assert (MAT_PATH_MM, TRAY_PATH_MM) == (OPTICS.camera["cm3"].path_mm["standard"], OPTICS.tray.path_mm) == (234.0, 450.0)


def test_a_mat_with_large_windows_keeps_pitch_and_ids() -> None:
    small, large = mat_layout(2), mat_layout(2, "large")
    assert [window.x for window in large.windows] == [window.x for window in small.windows] == [276.0, 207.0, 138.0, 69.0, 0.0]
    assert {(window.width, window.height) for window in large.windows} == {(22.0, 46.0)}
    assert [marker.id for marker in large.markers] == [marker.id for marker in small.markers] == list(range(16, 24))
    assert large.markers[1] == Marker(17, Rect(22.0 + 23.5 + 3.0, 33.0, 12.0, 12.0))
    assert large.extent == Rect(-8.0, -10.0, 314.0, 66.0)


def test_a_size_of_window_that_there_is_not_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(LayoutError) as caught:
        mat_layout(0, "huge")
    assert str(caught.value) == "there is no window size 'huge'; expected standard, large"


@pytest.mark.parametrize("card", OPTICS.card)
@pytest.mark.parametrize("window", OPTICS.window)
def test_an_index_stays_inside_its_window_however_it_is_laid(window: str, card: str) -> None:
    # A sleeve holds the card away from the rails.
    outer = OPTICS.card[card].size_mm
    aside = ((outer[0] - CARD_MM[0]) / 2, (outer[1] - CARD_MM[1]) / 2) if card == "sleeved" else (0.0, 0.0)
    size, (_, end) = OPTICS.window[window].size_mm, INDEX_ZONES[window]
    assert end[0] + aside[0] + PLACED_MM <= size[0]
    assert end[1] + aside[1] + PLACED_MM <= size[1]


@pytest.mark.parametrize("card", OPTICS.card.values(), ids=list(OPTICS.card))
def test_every_kind_of_card_fits_between_the_rails(card: CardSize) -> None:
    assert card.size_mm[0] <= PITCH_MM - OPTICS.plate.rail_mm - 0.5


def test_pixels_to_the_millimetre_are_those_of_the_field_of_view() -> None:
    found = {name: round(camera.px_per_mm(camera.path_mm["standard"]), 2) for name, camera in OPTICS.camera.items()}
    assert found == {"cm3": 7.58, "cm3-wide": 7.58, "uvc": 6.29}


def test_the_tray_camera_sees_all_outlines_and_markers() -> None:
    tray, camera = tray_layout(), OPTICS.find_camera(OPTICS.tray.camera)
    per_mm = camera.px_per_mm(OPTICS.tray.path_mm)
    assert tray.extent.width * per_mm <= camera.sensor_px[0]
    assert tray.extent.height * per_mm <= camera.sensor_px[1]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("slots = 5", "slot = 5", "optics.toml: mat: expected frame_px, margin_mm, patch_px, pitch_mm, slots; "
                                  "missing or unknown: slot, slots"),
        ("[eye]", "[eyes]", "optics.toml: missing or unknown parts: eye, eyes"),
        ("path_mm = { standard = 123.0, large = 126.0 }", "path_mm = { standard = 123.0 }",
         "optics.toml: camera.cm3-wide: path_mm: expected one path for each of standard, large"),
        ("[card.bridge]\nsize_mm = [57.0, 88.9]", "[card]\nbridge = 57",
         "optics.toml: card.bridge: expected a table, found 57"),
    ],
)  # fmt: skip
def test_a_file_with_a_mistake_is_refused(old: str, new: str, said: str) -> None:
    assert old in TEXT
    text = TEXT.replace(old, new)
    if new.startswith("[card]"):
        text = new + "\n" + TEXT.replace(old, "")
    with pytest.raises(LayoutError) as caught:
        read_optics(text)
    assert str(caught.value) == said


def test_a_file_that_is_no_toml_is_refused() -> None:
    with pytest.raises(LayoutError, match=r"optics\.toml: no TOML: "):
        read_optics("slots = = 5")


def test_the_owners_windows_follow_the_kind_of_card() -> None:
    assert Enclosure(card_name="poker").peeks[4] == Rect(47.5, 60.900000000000006, 16.0, 28.0)
    assert Enclosure(card_name="bridge").peeks[4] == Rect(41.0, 60.900000000000006, 16.0, 28.0)


def test_an_enclosure_of_parts_that_there_are_not_is_refused() -> None:
    with pytest.raises(LayoutError, match="there is no camera 'cm4'; expected cm3, cm3-wide, uvc"):
        _ = Enclosure("cm4").camera
    with pytest.raises(LayoutError, match="there is no kind of card 'tarot'; expected poker, bridge, sleeved"):
        _ = Enclosure(card_name="tarot").card_mm


def test_the_camera_stands_where_its_path_ends() -> None:
    mat = Enclosure()
    down = mat.optics.plate.thickness_mm + mat.window.axis_depth_mm
    assert mat.lens == (146.0, 16.0 - (234.0 - down), -25.0)
    longer = replace(mat, camera_name="cm3-wide")
    assert longer.lens[1] - mat.lens[1] == 234.0 - 123.0
