"""The setup wizard's steps at the table itself: lamps, buttons and cameras, and a table that has none."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.choices import Chair
from companion.views import ProposalView, Role, View
from companion.web import create_app
from companion.web.setup import Setup
from companion.web.setup_scene import bare, steps
from tests.companion import tables
from tests.companion.tables import FakeSitting
from tests.companion.web.outfitted import SEATED, TAPS, VIRTUAL, FakeOutfit
from tests.companion.web.test_setup import IDLE, Wizard, app_of, wizard
from tests.companion.web.visitors import client_of, club, home


def test_whoever_presses_the_button_that_blinks_sits_there() -> None:
    outfit = FakeOutfit(pressed=[4])
    one = wizard(outfit)
    assert "Anna: press the button that blinks in front of you." in one.send("places", "look", of="places")["html"]
    assert outfit.lit[-1] == ((), (0, 1, 2, 3, 4)), "presses from before do not count"
    outfit.pressed.append(2)
    assert "Ben: press" in one.send("places", "look", of="places")["html"]
    assert outfit.lit[-1] == ((2,), (0, 1, 3, 4))
    outfit.pressed += [2, 0]
    assert "Cleo: press" in one.send("places", "look", of="places")["html"], "one place is nobody else's"
    html = one.send("places", "press", place=1)["html"]
    assert "Every seat has its place." in html and "Cleo: place 2" in html
    assert outfit.lit[-1] == ((0, 1, 2), ())
    assert "Anna: press" in one.send("places", "again")["html"]
    outfit.pressed.append(3)
    one.send("places", "look", of="places")
    one.send("places", "press", place=3)
    assert "Anna: place 4" in one.page("places")


def test_a_board_with_fewer_places_than_seats_asks_as_long_as_there_are_any() -> None:
    outfit = FakeOutfit(kit=replace(VIRTUAL, places=1))
    one = wizard(outfit)
    one.send("places", "look", of="places")
    outfit.pressed.append(0)
    html = one.send("places", "look", of="places")["html"]
    assert "Every seat has its place." in html and "Anna: place 1" in html and "Ben: not yet" in html
    assert outfit.lit[-1] == ((0,), ())


def test_every_lamp_is_lit_in_turn() -> None:
    outfit = FakeOutfit(kit=replace(VIRTUAL, places=3))
    one = wizard(outfit)
    assert "Lamp 1 of 3 is lit." in one.send("lamps", "lamp")["html"]
    assert outfit.lit[-1] == ((0,), ())
    one.send("lamps", "lamp", lit=True)
    assert outfit.lit[-1] == ((1,), ())
    one.send("lamps", "lamp", lit=False)
    assert "Dark lamps: 2." in one.send("lamps", "lamp", lit=True)["html"]
    assert "Lamp 1 of 3" in one.send("lamps", "lamp")["html"]
    for _ in range(2):
        one.send("lamps", "lamp", lit=True)
    assert "All of them were lit." in one.send("lamps", "lamp", lit=True)["html"]
    lit = len(outfit.lit)
    one.send("lamps", "look", of="lamps")
    assert len(outfit.lit) == lit, "the lamps are the game's again"


def test_nobody_says_of_a_lamp_that_he_has_not_seen_that_it_burns() -> None:
    outfit = FakeOutfit(kit=replace(VIRTUAL, places=2))
    one = wizard(outfit)
    one.send("lamps", "lamp")
    for lit in (True, False):
        assert "Lamp 2 of 2 is lit." in one.send("lamps", "lamp", lit=lit, lamp=0)["html"]
    assert '"lamp": 1' in one.page("lamps"), "the page says of which lamp"
    for _ in range(2):
        assert "All of them were lit." in one.send("lamps", "lamp", lit=True, lamp=1)["html"], "and the last one ends it"


def test_during_a_game_lamps_and_buttons_are_the_games() -> None:
    outfit = FakeOutfit()
    one = wizard(outfit, tables.playing())
    for step in ("places", "lamps"):
        assert "Lamps and buttons belong to the game" in one.page(step)
        one.send(step, "look", of=step)
    one.send("lamps", "lamp")
    one.send("places", "press", place=1)
    assert (outfit.lit, outfit.pressed) == ([], [])


def test_what_a_table_has_not_got_is_left_out_and_said() -> None:
    outfit = FakeOutfit(kit=TAPS, now=replace(SEATED, chairs=(Chair("A"), Chair("B"), Chair("C"))))
    one = wizard(outfit)
    assert steps(outfit.now, TAPS) == ("language", "preset", "seats", "sources", "rules", "hard", "ready")
    assert f'href="{one.at}/rules"' in one.page("sources") and f'href="{one.at}/sources"' in one.page("rules")
    assert "This table has no cameras, so no seat has a mat." in one.page("sources")
    assert "This table has no lamps and no buttons" in one.page("ready")
    for step in ("places", "lamps"):
        page = one.page(step)
        assert "This table has no lamps and no buttons" in page and f'href="{one.at}/rules"' in page
    assert "there is no camera to look through" in one.page("cameras")
    one.send("places", "look", of="places")
    assert outfit.lit == []
    assert "the settings file table.toml" in one.page("ready")


# ---- cameras -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("view", "shown"),
    [
        (IDLE, True), (tables.won(), True), (tables.dealing(), False), (tables.playing(), False), (tables.final(), False),
        (tables.revealing(), False), (tables.revealing((5, 5, 5, 4)), False), (tables.left(), False), (tables.stopped(), False),
        (replace(tables.won(), stopped=True), False), (replace(IDLE, turn=1), False),
        (replace(tables.won(), proposal=ProposalView(9, "undo", (1, 2), None, 1)), False),
    ],
)  # fmt: skip
@pytest.mark.parametrize("role", [Role.TABLE, Role.REFEREE])
def test_no_picture_of_a_mat_is_shown_while_hidden_cards_may_lie_there(view: View, shown: bool, role: Role) -> None:
    assert bare(view) is shown
    outfit = FakeOutfit()
    app = app_of(outfit, view, club() if role is Role.REFEREE else home())
    browser = client_of(app, role)
    answer = browser.get("/setup/camera/0.png")
    assert answer.status_code == (200 if shown else 409)
    page = Wizard(browser).page("cameras")
    assert ("Blur of the marks" in page) is shown
    assert ("/setup/camera/0.png" in page) is shown
    assert bool(outfit.looked) is shown, "the camera is not even asked"
    if shown:
        assert (answer.mimetype, answer.headers["Cache-Control"]) == ("image/png", "no-store")


def test_a_picture_that_was_taken_while_a_game_began_is_thrown_away() -> None:
    sitting, access = FakeSitting(IDLE), home()

    class Slow(FakeOutfit):
        def preview(self, place: int, /) -> bytes | None:
            sitting.show(tables.dealing())
            return super().preview(place)

    app = create_app(sitting, [Setup(sitting, Slow(), access).routes()], access=access)
    assert app.test_client().get("/setup/camera/0.png").status_code == 404


def test_a_camera_that_sees_badly_says_what_to_do() -> None:
    outfit = FakeOutfit()
    one = wizard(outfit)
    assert "This camera sees well." in one.page("cameras")
    outfit.seen = replace(outfit.seen, blur_px=2.5, markers_missing=2)  # type: ignore[type-var]
    page = one.page("cameras")
    assert "Blur of the marks: 2.5 pixels – bad" in page and "wipe lens and mirror" in page
    assert "Marks not found: 2" in page
    outfit.seen = None
    assert "No picture: something lies on this mat" in one.page("cameras")


def test_a_game_with_open_cards_tells_what_each_way_of_reading_them_sees() -> None:
    stud, seated = replace(VIRTUAL, game="stud", fewest=2), replace(SEATED, game="stud", options=())
    mats = wizard(FakeOutfit(kit=stud, now=seated)).page("sources")
    for words in ("Camera above", "Shown to the mat", "Tapped in", "No camera looks at the mats of this table from above."):
        assert words in mats, words
    above = wizard(FakeOutfit(kit=replace(stud, overhead=True), now=seated)).page("sources")
    assert "It sees nothing while a hand or a head is over them" in above
    assert "No camera looks at the mats" not in above
    taps = wizard(FakeOutfit(kit=replace(stud, sources=("tap", "bot")), now=seated)).page("sources")
    assert "Tapped in" in taps and "Camera above" not in taps and "Shown to the mat" not in taps
    assert "How open cards are read" not in wizard(FakeOutfit()).page("sources"), "in Steal no card lies open in a hand"
