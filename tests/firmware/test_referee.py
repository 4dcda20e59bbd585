"""``viewmat referee``, and a club's table that it guards."""

from __future__ import annotations

import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.games import find_game
from companion.keyring import Keyring
from companion.sitting import Sitting
from companion.views import Role
from companion.web import create_app
from companion.web.gate import Preset
from firmware.access import keys_file, lacks_referee, open_access
from firmware.cli import main
from firmware.settings import Settings

PIN = "846210"
SEATS = [{"name": "Ann"}, {"name": "Bob"}, {"name": "Cid"}]


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """This test's own data folder."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path


def ran(*arguments: str, said: str = "") -> Result:
    return CliRunner().invoke(main, ["referee", *arguments], input=said)


def link_in(output: str) -> str:
    found = re.search(r"http://\S+:(\d+)/join#([\w-]{22})$", output, re.MULTILINE)
    assert found, output
    return found[2]


def test_a_phone_is_paired_by_the_link_of_the_command(data: Path) -> None:
    (data / "table.toml").write_text("[page]\nport = 8123\n" + '[[seat]]\nname = "Ann"\n')
    done = ran("pair", "--config", str(data / "table.toml"))
    assert done.exit_code == 0
    assert ":8123/join#" in done.output
    assert "once and within 10 minutes" in done.output
    assert "█" in done.output or "▀" in done.output, "the code to scan"
    access = open_access(Settings.model_validate({"seat": SEATS, "access": {"preset": "club"}}))
    assert not lacks_referee(access)
    assert access.keyring.join(link_in(done.output))[1].role is Role.REFEREE


def test_without_a_settings_file_the_usual_port_is_meant(data: Path) -> None:
    assert ":8080/join#" in ran("pair", "--config", str(data / "none.toml")).output


def test_a_pin_is_asked_for_twice_and_not_shown() -> None:
    done = ran("pin", said=f"{PIN}\n{PIN}\n")
    assert (done.exit_code, PIN in done.output) == (0, False)
    Keyring(keys_file()).check_pin(PIN)
    assert stat.S_IMODE(keys_file().stat().st_mode) == 0o600
    assert PIN not in keys_file().read_text()


def test_at_a_home_table_the_commands_say_that_they_have_no_effect(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    seats = "".join(f'[[seat]]\nname = "{name}"\n' for name in ("Ann", "Ben", "Cat"))
    for preset, told in (("home", True), ("club", False)):
        file.write_text(f'[access]\npreset = "{preset}"\n{seats}')
        for done in (ran("pair", "--config", str(file)), ran("pin", "--config", str(file), said=f"{PIN}\n{PIN}\n")):
            assert done.exit_code == 0
            assert ("This has no effect at a home table" in done.output) is told


def test_without_a_terminal_a_pin_is_asked_for_without_a_warning_of_the_language(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "firmware", "referee", "pin"], stdin=subprocess.DEVNULL, capture_output=True, text=True,
        env={**os.environ, "XDG_DATA_HOME": str(tmp_path)}, start_new_session=True,
    )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr == "Error: no PIN: expected it at a terminal, or twice, a line each, on the standard input\n"


def test_a_poor_pin_is_an_error_in_one_sentence() -> None:
    done = ran("pin", said="123456\n123456\n")
    assert done.exit_code == 1
    assert "Error: this PIN is a single digit or a plain sequence" in done.output
    assert "123456" not in done.output
    assert not keys_file().exists()


def test_there_is_no_argument_for_a_pin() -> None:
    assert ran("pin", PIN).exit_code == 2
    assert ran("pin", "--pin", PIN).exit_code == 2


def test_recovery(data: Path) -> None:
    """The referee's phone is lost and the PIN forgotten, while the table runs on."""
    ring = Keyring(keys_file())
    ring.set_pin(PIN)
    lost, _ = ring.admit(Role.REFEREE)
    phone, _ = ring.join(ring.invite(Role.SEAT, 1, "Bob"))
    done = ran("reset", "--config", str(data / "none.toml"))
    assert done.exit_code == 0
    assert ring.bearer(lost) is None
    assert ring.keys.pin is None
    assert ring.bearer(phone) is not None, "players play on"
    assert ring.join(link_in(done.output))[1].role is Role.REFEREE


def test_recovery_from_a_damaged_file(data: Path) -> None:
    keys_file().parent.mkdir(parents=True)
    keys_file().write_text("{")
    assert "is no file of keys; `viewmat referee reset` makes a new one" in ran("pair").output
    done = ran("reset", "--config", str(data / "none.toml"))
    assert done.exit_code == 0
    assert len(Keyring(keys_file()).keys.links) == 1


def test_the_settings_choose_the_preset_and_the_names() -> None:
    plain = open_access(Settings.model_validate({"seat": SEATS}))
    assert (plain.preset, plain.names) == (Preset.HOME, ())
    chosen = {"seat": SEATS, "access": {"preset": "club"}, "page": {"names": ["pi.fritz.box"]}}
    access = open_access(Settings.model_validate(chosen))
    assert (access.preset, access.names) == (Preset.CLUB, ("pi.fritz.box",))
    assert lacks_referee(access)


def test_phones_stay_joined_from_game_to_game_while_the_same_people_sit_there() -> None:
    ring = Keyring(keys_file())
    secret, _ = ring.join(ring.invite(Role.SEAT, 1, "Bob"))

    def role(names: tuple[str, ...]) -> str:
        settings = Settings.model_validate({"seat": [{"name": name} for name in names]})
        app = create_app(Sitting(find_game("steal"), settings.seats()), access=open_access(settings))
        client = app.test_client()
        client.set_cookie("viewmat", secret)
        found: str = client.get("/state.json").json["role"]
        return found

    assert role(("Ann", "Bob", "Cid")) == "seat-1"
    assert role(("Ann", "Bob", "Dan")) == "seat-1"
    assert role(("Bob", "Ann", "Dan")) == "spectator-stale"
    assert role(("Ann", "Bob", "Cid")) == "spectator-stale", "it was signed off for good"
