"""The virtual table as the wizard meets it."""

from __future__ import annotations

import threading

import cv2
import numpy as np
import pytest

from companion.choices import PRESETS, Chair, Choices
from companion.games import find_game
from companion.played import Shelf
from firmware.panel import Panel
from firmware.preview import LINE
from firmware.virtual import outfit as outfits
from firmware.virtual.outfit import EmptyMats, ShowOutfit
from firmware.virtual.play import Settings
from firmware.virtual.rendered import open_deck
from firmware.virtual.show import Show, Showcase, settings_with
from tests.firmware.virtual.test_show import SeesNothing
from vision.errors import ProfileError

CHAIRS = (Chair("Eve", "mat", 3), Chair("Flo", "tap"), Chair("Gil", "bot"), Chair("Hal", "mat"))
CHOICES = Choices("hu", "club", CHAIRS, (*PRESETS["club"].items(),), "")
SETTINGS = Settings(seats=3, seed=1)


@pytest.fixture
def mats() -> EmptyMats:
    return EmptyMats(lambda: open_deck(None, None), "normal", 1)


@pytest.fixture
def outfit(mats: EmptyMats) -> ShowOutfit:
    showcase = Showcase(SETTINGS, SeesNothing())
    return ShowOutfit(showcase, SETTINGS, "de", Shelf, Panel(showcase.post), 5, mats)


def test_the_preview_is_that_of_an_empty_mat_with_its_windows_drawn_in(mats: EmptyMats) -> None:
    data = mats.preview(2)
    assert data is not None
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    assert picture.shape == (288, 1536, 3)
    drawn = np.abs(picture.astype(int) - np.array(LINE)).max(axis=2) < 12
    columns = np.flatnonzero(drawn.any(axis=0))
    assert 1 + np.count_nonzero(np.diff(columns) > 60) == 5, "five windows, with bare board between them"
    assert mats.preview(2) != data, "it is taken anew each time"


def test_sharpness_and_markers_are_those_that_the_check_measures(mats: EmptyMats, outfit: ShowOutfit) -> None:
    figures = outfit.figures(1)
    assert figures is not None
    assert figures.blur_px is not None and 0.3 < figures.blur_px < 1.4
    assert figures.marker_mm is not None and figures.marker_mm < 0.3 and figures.markers_missing == 0
    assert outfit.figures(5) is None and outfit.preview(5) is None and outfit.preview(-1) is None


def test_how_the_table_is_set_up_is_what_was_begun_last(outfit: ShowOutfit) -> None:
    found = outfit.present()
    assert [(chair.name, chair.source) for chair in found.chairs] == [("Anna", "mat"), ("Ben", "mat"), ("Cleo", "mat")]
    assert (found.language, found.preset, found.rules, found.deck) == ("de", "home", PRESETS["home"], "")
    kit = outfit.equipment()
    assert (kit.sources, kit.places, kit.presses, kit.kept_in) == (("mat", "tap", "bot"), 5, True, "")
    assert outfit.roster()[:2] == ("Anna", "Ben") and not outfit.fresh()


def test_a_deck_that_cannot_be_read_ends_no_game(outfit: ShowOutfit, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(name: str | None) -> None:
        raise ProfileError(f"{name} is damaged")

    monkeypatch.setattr(outfits, "packaged_classifier", broken)
    receipt = outfit.begin(Choices(deck="blue", chairs=CHAIRS))
    assert (receipt.settled, receipt.refusal) == (True, "deck_broken")
    assert not outfit._showcase.ordered


def test_choices_become_the_settings_of_games() -> None:
    found = settings_with(SETTINGS, CHOICES)
    assert (found.seats, found.all_sources, found.names) == (4, ("mat", "tap", "bot", "mat"), ("Eve", "Flo", "Gil", "Hal"))
    assert (found.persons, found.club, found.profile, found.hard_mode) == ((1,), True, None, False)
    assert found.places[0] == 3 and sorted({*found.places}) == sorted(found.places)
    options = find_game("steal").options(found.options)
    assert options.penalty == "lose_turn" and options.first_seat == 0
    assert settings_with(found, CHOICES.like("home").ruled("hard_mode", True, outfits.Equipment())).hard_mode


def test_a_game_that_was_chosen_begins_in_the_middle_of_another(outfit: ShowOutfit) -> None:
    """Its seats, names and places are the chosen ones, and its cameras go by their mats; a rematch moves the first seat on."""
    showcase, stop, arranged = outfit._showcase, threading.Event(), []
    show = Show(SETTINGS, showcase, stop, speed=50.0, pause=0.0, arrange=arranged.append)
    thread = threading.Thread(target=show.run)
    thread.start()
    try:
        first = showcase.view()
        assert showcase.wait(first.version, 30.0).version > first.version
        receipt = showcase.order(CHOICES)
        assert receipt.wait(60.0) and receipt.refusal == ""
        view = showcase.view()
        assert [(seat.name, seat.source) for seat in view.seats] == [(chair.name, chair.source) for chair in CHAIRS]
        assert arranged == [CHOICES] and outfit.present() == CHOICES
        assert [camera.name for camera in showcase.gauges.cameras(False)] == ["mat3", "mat0", "tray"]
        assert showcase.sitting.agreement.state.options.penalty == "lose_turn"
    finally:
        stop.set()
        thread.join(60.0)
    assert not thread.is_alive()
