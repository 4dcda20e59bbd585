"""Gauges of cameras: from frames of a rendered mat, and from observations alone."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest

from companion.cards import DECK, Card, Mark, Seen
from companion.health import CameraFigures
from companion.observation import Observation, Sighting, TroubleKind
from companion.picture import RowSight
from companion.table import Place
from firmware.gauges import BREAK_S, SHARP_EVERY_S, Gauges, Look
from firmware.rig import stations
from vision.calibrate import Registration, register
from vision.deckwatch import RESTING_S
from vision.frame import Frame, Image
from vision.synthetic.condition import Condition, condition
from vision.synthetic.decks import STYLES, draw_deck
from vision.synthetic.optics import BoardCamera
from vision.synthetic.scene import LyingCard, empty_scene

STATIONS = stations(("mat", "tap", "mat"), RowSight.OVERHEAD)


class Clocked:
    """Gauges on a clock that a test sets."""

    def __init__(self) -> None:
        self.time = 100.0
        self.gauges = Gauges(lambda: self.time)
        self.gauges.begin(STATIONS)

    def frame(
        self, camera: str = "mat0", seen: dict[Place, Seen] | None = None, look: Look | None = None, late: float = 0.0
    ) -> None:
        sightings = tuple(Sighting(place, what, 1.0) for place, what in (seen or {}).items())
        observation = Observation(self.time, tuple(seen or {}), sightings)
        self.gauges.hear(camera, observation, look if look is not None else Look(), late)

    def frames(self, count: int, every: float, **what: object) -> None:
        for _ in range(count):
            self.time += every
            self.frame(**what)  # type: ignore[arg-type]

    def of(self, camera: str = "mat0", shown: bool = False) -> CameraFigures:
        return next(each for each in self.gauges.cameras(shown) if each.name == camera)


@pytest.fixture
def table() -> Clocked:
    return Clocked()


def test_every_camera_is_there_before_its_first_frame(table: Clocked) -> None:
    assert [(each.name, each.seat) for each in table.gauges.cameras(False)] == [("mat0", 0), ("mat2", 2), ("tray", None)]
    assert {(each.rate_hz, each.age_s, each.unread) for each in table.gauges.cameras(False)} == {(None, None, None)}


def test_rate_and_age(table: Clocked) -> None:
    table.frame()
    assert table.of().rate_hz is None
    table.frames(30, 0.1)
    assert table.of().rate_hz == pytest.approx(10.0)
    assert table.of().age_s == pytest.approx(0.0)
    table.time += 2.5
    assert (table.of().rate_hz, table.of().age_s) == (pytest.approx(10.0), pytest.approx(2.5))
    assert table.of("mat2").age_s is None


def test_a_rate_follows_the_last_frames(table: Clocked) -> None:
    table.frames(60, 0.1)
    table.frames(60, 0.5)
    assert table.of().rate_hz == pytest.approx(2.0)


def test_after_a_break_the_rate_begins_anew(table: Clocked) -> None:
    table.frames(20, 0.1)
    table.time += BREAK_S
    table.frames(5, 0.25)
    assert table.of().rate_hz == pytest.approx(4.0)


def test_the_way_from_the_camera_counts_as_age(table: Clocked) -> None:
    table.frame(late=0.7)
    table.time += 0.2
    assert table.of().age_s == pytest.approx(0.9)
    table.frame(late=-3.0)
    assert table.of().age_s == pytest.approx(0.0)


def test_what_was_measured_stands_while_the_board_is_out_of_sight(table: Clocked) -> None:
    table.frame(look=Look(None, 0.05, 1, 0.8))
    table.frame(look=Look(TroubleKind.LOST))
    found = table.of()
    assert (found.marker_mm, found.markers_missing, found.blur_px, found.trouble) == (0.05, 1, 0.8, "lost")
    table.frame(look=Look(None, 0.07, 0))
    found = table.of()
    assert (found.marker_mm, found.markers_missing, found.blur_px, found.trouble) == (0.07, 0, 0.8, None)


def lay(table: Clocked, cards: int, unread: int, first: int = 0) -> None:
    """So many cards come to rest on one mat, one after another."""
    place = STATIONS[0].places[0]
    for number in range(cards):
        seen = Mark.UNREADABLE if number < unread else DECK[(first + number) % 52]
        table.frames(3, RESTING_S, seen={place: seen})
        table.frames(1, 0.1, seen={place: Mark.EMPTY})


def test_unread_cards_are_not_told_of_before_the_cards_are_shown(table: Clocked) -> None:
    lay(table, 30, 1)
    assert table.of().unread is None
    assert table.of(shown=True).unread == "up_to_5"
    table.gauges.begin(STATIONS)
    assert table.of().unread == "up_to_5"
    assert table.of("mat2").unread is None


def test_unread_cards_are_counted_over_the_whole_evening(table: Clocked) -> None:
    for _ in range(2):
        lay(table, 15, 0)
        assert table.of(shown=True).unread in (None, "none")
        table.gauges.begin(STATIONS)
    assert table.of().unread == "none"
    lay(table, 20, 20)
    assert table.of().unread == "none", "the game that is played tells nothing"
    assert table.of(shown=True).unread == "more"


def test_two_games_that_differ_in_hidden_cards_alone_measure_the_same() -> None:
    told = []
    for first in (0, 26):
        table = Clocked()
        lay(table, 25, 2, first)
        told.append((table.gauges.cameras(False), table.gauges.cameras(True)))
    assert told[0] == told[1]


def test_another_game_keeps_what_was_measured_and_forgets_the_rest(table: Clocked) -> None:
    table.frame(look=Look(TroubleKind.DARK, 0.05, 1, 0.8))
    table.gauges.begin(stations(("mat", "mat", "mat"), RowSight.NONE))
    assert [each.name for each in table.gauges.cameras(False)] == ["mat0", "mat1", "mat2"]
    found = table.of()
    assert (found.marker_mm, found.blur_px, found.trouble, found.age_s) == (0.05, 0.8, None, None)


def test_a_strange_camera_is_an_error(table: Clocked) -> None:
    with pytest.raises(KeyError):
        table.frame("attic")


# ---- real frames -------------------------------------------------------------------------------------------------------

LAYOUT = STATIONS[0].layout
GOOD = condition("easy", np.random.default_rng(1))


@dataclass
class FakeObserver:
    """An observer as far as the gauges look at it."""

    registration: Registration | None
    trouble_kind: TroubleKind | None = None


def picture(state: Condition = GOOD, cards: tuple[Card, ...] = ()) -> Image:
    scene = empty_scene(LAYOUT)
    for window, card in enumerate(cards):
        scene = scene.with_stack(window, (LyingCard(card),))
    return BoardCamera(LAYOUT, draw_deck(STYLES[0]), 4, state).render(scene, 0.0)


def look(table: Clocked, image: Image, kind: TroubleKind | None = None) -> CameraFigures:
    observer = FakeObserver(register(image, LAYOUT), kind)
    table.gauges.look(Frame("mat0", table.time, 1, image), observer, Observation(table.time, (), ()))  # type: ignore[arg-type]
    return table.of()


def test_sharpness_is_measured_now_and_then(table: Clocked) -> None:
    sharp = look(table, picture()).blur_px
    assert sharp is not None and sharp < 0.8
    blurred = picture(replace(GOOD, blur_px=1.6))
    table.time += SHARP_EVERY_S / 2
    assert look(table, blurred).blur_px == sharp
    table.time += SHARP_EVERY_S
    assert look(table, blurred, TroubleKind.DARK).blur_px == sharp, "not in trouble"
    assert look(table, blurred).blur_px == pytest.approx(np.hypot(1.6, 0.45), abs=0.2)


def test_markers_are_measured_with_every_frame(table: Clocked) -> None:
    found = look(table, picture())
    assert found.marker_mm is not None and found.marker_mm < 0.15
    assert found.markers_missing == 0
    covered = picture()
    covered[:, : covered.shape[1] // 8] = 90
    assert look(table, covered).markers_missing > 0


def test_a_board_that_is_not_found_tells_only_its_trouble(table: Clocked) -> None:
    frame = Frame("mat0", table.time, 1, picture())
    table.gauges.look(frame, FakeObserver(None, TroubleKind.LOST), Observation(table.time, (), ()))  # type: ignore[arg-type]
    found = table.of()
    assert (found.trouble, found.marker_mm, found.blur_px) == ("lost", None, None)
    assert found.age_s == pytest.approx(0.0)


def test_what_lies_on_a_mat_bears_on_neither_figure(table: Clocked) -> None:
    """As they are told: to a tenth of a pixel and a hundredth of a millimetre."""
    told = set()
    for first in (0, 10, 30, 47):
        table.time += SHARP_EVERY_S
        found = look(table, picture(cards=DECK[first : first + 5]))
        told.add((found.blur_px, found.marker_mm))
    assert len(told) == 1
