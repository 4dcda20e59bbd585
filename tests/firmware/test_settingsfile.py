"""Writing choices into a settings file that people edit, too."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.choices import PRESETS, Chair, Choices, preset_rules
from firmware.errors import SettingsError
from firmware.settings import load_settings
from firmware.settingsfile import with_choices, write_settings

CHOICES = Choices(
    "hu", "club", (Chair("Dan"), Chair("Bob", "bot", 2), Chair('Ann "x"', "tap", 0)), tuple(PRESETS["club"].items())
)
WRITTEN = """\
# my table
game = "steal"   # what else

[[seat]]  # the boss
name = "Ann"
source = "tap" # by phone
[[seat]]
name = "Bob"
[[seat]]
name = "Cid"

[options]
# until the children have learnt it
hard_mode = true # yes
max_turns = 30

[page]
port = 8099 # the other one is taken
[timing]
accuse = 3.5
"""


def test_a_new_file_can_be_read_by_people_and_by_the_program(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    settings = write_settings(path, with_choices(path, CHOICES))
    assert settings == load_settings(path)
    assert [(seat.name, seat.source, seat.place) for seat in settings.seat] == [
        ("Dan", "tap", None), ("Bob", "bot", 3), ('Ann "x"', "tap", 1),
    ]  # fmt: skip
    assert (settings.language, settings.access.preset, settings.options) == ("hu", "club", PRESETS["club"])
    text = path.read_text()
    assert text.startswith("# The table, as it was set up on its page") and '[[seat]]\nname = "Dan"\nsource = "tap"\n' in text
    assert [file.name for file in tmp_path.iterdir()] == ["table.toml"]


def test_what_people_have_written_stays(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text(WRITTEN)
    path.chmod(0o640)
    chairs = (Chair("Dan"), Chair("Ann"), Chair("Bob", "bot"))
    settings = write_settings(path, with_choices(path, Choices("en", "home", chairs, tuple(PRESETS["home"].items()))))
    text = path.read_text()
    for line in (
        "# my table", 'game = "steal"   # what else', "[[seat]]  # the boss", 'source = "tap" # by phone',
        "# until the children have learnt it", "hard_mode = false # yes", "max_turns = 30",
        "port = 8099 # the other one is taken",
    ):  # fmt: skip
        assert line in text
    assert "Cid" not in text
    assert [seat.name for seat in settings.seat] == ["Dan", "Ann", "Bob"]
    assert (settings.page.port, settings.timing, settings.options["max_turns"]) == (8099, {"accuse": 3.5}, 30)
    assert path.stat().st_mode & 0o777 == 0o640
    again = with_choices(path, Choices("en", "home", chairs, tuple(PRESETS["home"].items())))
    assert again == text, "nothing chosen anew, nothing written anew"


def test_another_game_leaves_nothing_of_the_house_rules_of_the_one_before(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text('[[seat]]\nname = "A"\n[[seat]]\nname = "B"\n[[seat]]\nname = "C"\n[options]\nhard_mode = true\n')
    draw = Choices("en", "home", (Chair("A"), Chair("B")), tuple(preset_rules("home", "draw").items()), game="draw")
    after = write_settings(path, with_choices(path, draw))
    assert (after.game, len(after.seat), after.options) == ("draw", 2, preset_rules("home", "draw"))
    path.write_text(path.read_text().replace("[options]", "[options]\nstack = 77"))
    assert write_settings(path, with_choices(path, draw)).options["stack"] == 77, "what is not asked for stays"
    back = Choices("en", "home", (Chair("A"), Chair("B"), Chair("C")), tuple(PRESETS["home"].items()))
    assert write_settings(path, with_choices(path, back)).options == PRESETS["home"]


@pytest.mark.parametrize(
    "written",
    [
        'seat = [{name = "A"}, {name = "B"}, {name = "C"}]\noptions.hard_mode = true\n[page]\nport = 80\n',
        'language = "de"\n[[seat]]\nname = "A"\nplace = 2\n[[seat]]\nname = "B"\n[[seat]]\nname = "C"\n[options]\n[access]\n',
        "[[seat]]\r\nname = 'A'\r\n[[seat]]\r\nname = 'B'\r\n[[seat]]\r\nname = 'C'\r\n",
    ],
)
def test_other_ways_to_write_a_file_are_understood(tmp_path: Path, written: str) -> None:
    path = tmp_path / "table.toml"
    path.write_text(written)
    before = load_settings(path)
    chairs = (Chair("C"), Chair("A"), Chair("D"))
    after = write_settings(path, with_choices(path, Choices("en", "club", chairs, tuple(PRESETS["club"].items()))))
    assert [(seat.name, seat.place) for seat in after.seat] == [("C", None), ("A", None), ("D", None)]
    assert after.options["hard_mode"] is False and after.access.preset == "club"
    assert after.page == before.page


@pytest.mark.parametrize("written", ["[[seat", "seats = 3", '[[seat]]\nname = "Ann"\nsauce = "tap"\n'])
def test_a_file_that_is_not_right_is_not_written_over(tmp_path: Path, written: str) -> None:
    path = tmp_path / "table.toml"
    path.write_text(written)
    with pytest.raises(SettingsError, match=r"table\.toml"):
        with_choices(path, CHOICES)
    assert path.read_text() == written


def test_a_file_behind_a_link_is_written_where_it_is(tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    kept, path = tmp_path / "kept" / "mine.toml", tmp_path / "table.toml"
    kept.write_text(WRITTEN)
    path.symlink_to(kept)
    write_settings(path, with_choices(path, CHOICES))
    assert path.is_symlink() and "Dan" in kept.read_text()


def test_a_place_where_nothing_can_be_written_is_named(tmp_path: Path) -> None:
    path = tmp_path / "nowhere" / "table.toml"
    with pytest.raises(SettingsError, match=r"nowhere/table\.toml: cannot be written: No such file"):
        write_settings(path, with_choices(path, CHOICES))
