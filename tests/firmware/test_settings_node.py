"""The settings file of a mat's own computer."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware.camera import CameraPlan, Locks
from firmware.errors import SettingsError
from firmware.settings import Settings, checked_settings
from firmware.settings_bus import node_plans
from firmware.settings_node import load_node
from firmware.settingsfile import with_node

SEATS = '[[seat]]\nname = "A"\n[[seat]]\nname = "B"\n[[seat]]\nname = "C"\n'


def test_a_camera_is_opened_as_the_file_says(tmp_path: Path) -> None:
    file = tmp_path / "node.toml"
    file.write_text('name = "left"\n[camera]\nat = "/x"\nwidth = 2304\nheight = 1296\nlens = 4.3\n')
    expected = CameraPlan("mat0", "picamera2", "/x", (2304, 1296), None, True, 0, 0.1, Locks(lens=4.3))
    assert load_node(file).camera.plan() == expected


@pytest.mark.parametrize(("text", "said"), [
    ("", "name is missing"),
    ("name = 'left'\n[camera]\nwidth = 4608\nheight = 2592",
     "camera.width and camera.height: at most 5000000 pixels are expected, found 11943936"),
    ("name = 'left'\nplace = 1", "place = 1: there is no such key; allowed: name, table, broker, camera, pins"),
    ("name = 'Left'", "name = 'Left': string should match pattern '^[a-z0-9][a-z0-9-]{0,31}$'"),
    ("name = 'left'\n[camera]\nkind = 'mqtt'",
     "camera.kind = 'mqtt': there is no such kind; allowed: picamera2, uvc, url, replay, virtual, feed"),
    ("name = 'left'\n[broker]\nport = 0", "broker.port = 0: input should be greater than or equal to 1"),
    ("name = 'left'\n[broker]\npassword = 3", "broker.password = (not repeated): input should be a valid string"),
])  # fmt: skip
def test_what_cannot_be_is_named(text: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "node.toml"
    file.write_text(text)
    with pytest.raises(SettingsError) as caught:
        load_node(file)
    assert str(caught.value) == f"{file}: {said}"


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"node\.toml: cannot be read: No such file or directory"):
        load_node(tmp_path / "node.toml")


def test_a_password_may_stand_in_a_file_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "password").write_text("s3cret\n")
    (tmp_path / "node.toml").write_text(f'name = "left"\n[broker]\npassword_file = "{tmp_path / "password"}"\n')
    assert load_node(tmp_path / "node.toml").broker.broker().password == "s3cret"


def table(text: str) -> Settings:
    return checked_settings(SEATS + text, Path("table.toml"))


@pytest.mark.parametrize(("text", "said"), [
    ("[bus.nodes]\nleft = 1\nright = 1\n", "table.toml: bus.nodes: 2 nodes are at place 1"),
    ("[bus.nodes]\nleft = 2\n[[camera]]\nplace = 2\nkind = 'virtual'\n",
     "table.toml: bus.nodes.left = 2: camera 1 looks at this place already"),
])  # fmt: skip
def test_one_place_has_one_camera(text: str, said: str) -> None:
    with pytest.raises(SettingsError) as caught:
        table(text)
    assert str(caught.value) == said


def test_every_place_without_a_camera_may_get_a_node() -> None:
    found = table("[bus]\n[[camera]]\nplace = 2\nkind = 'virtual'\n")
    assert [plan.name for plan in node_plans(found.bus, found.camera)] == ["mat0", "mat2", "mat3", "mat4", "mat5"]
    assert node_plans(None, ()) == ()


def test_where_a_mat_lies_is_written_into_the_file_and_comments_stay(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text(f'# ours\n{SEATS}[bus]\ntable = "red"  # the red one\n')
    file.write_text(with_node(file, "left", 2))
    file.write_text(with_node(file, "right", 4))
    assert checked_settings(file.read_text(), file).bus.places() == {"left": 2, "right": 4}  # type: ignore[union-attr]
    file.write_text(with_node(file, "right", 2))
    assert checked_settings(file.read_text(), file).bus.places() == {"right": 2}  # type: ignore[union-attr]
    file.write_text(with_node(file, "right", None))
    assert checked_settings(file.read_text(), file).bus.places() == {}  # type: ignore[union-attr]
    assert "# ours" in file.read_text() and "# the red one" in file.read_text()
