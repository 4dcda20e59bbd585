"""Safe mode: a broken settings file gives a page, a mended one a table; nothing is lost."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest
from click.testing import CliRunner

from companion.keyring import Keyring
from companion.views import Role
from companion.web.gate import Preset
from companion.web.mending import Saved
from firmware.access import keys_file
from firmware.cli import main
from firmware.mending import Mender, salvaged_access
from firmware.tomllines import values_of

ROOT = Path(__file__).parents[2]
SEATS = "".join(f'[[seat]]\nname = "{name}"\n' for name in ("Ann", "Bob", "Cid"))
BROKEN = "# ours\n" + SEATS + "[page]\nport = 70000\n"
MENDED = BROKEN.replace("70000", "8080")


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "table.toml"
    path.write_text(BROKEN)
    path.chmod(0o600)
    return path


class Running:
    """A table's program, and what it says on its standard output."""

    def __init__(self, ran: subprocess.Popen[str]) -> None:
        self.ran = ran
        self.said: list[str] = []

    def address(self) -> str:
        assert self.ran.stdout is not None
        while line := self.ran.stdout.readline():
            self.said.append(line)
            if found := re.search(r"http://localhost:\d+/", line):
                return found[0]
        raise AssertionError(f"no address in {self.said}")


@pytest.fixture
def running(config: Path) -> Iterator[Running]:
    command = [sys.executable, "-m", "firmware", "run", "--config", str(config), "--port", "0"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as ran:
        try:
            yield Running(ran)
        finally:
            ran.terminate()
            assert ran.wait(timeout=30) == 0
            assert ran.stderr is not None
            said = ran.stderr.read()
            assert said.splitlines() == [f"{config}: page.port = 70000: input should be less than or equal to 65535"]


def get(address: str) -> str:
    with closing(urlopen(address, timeout=20)) as answer:
        return str(answer.read().decode())


def test_from_a_broken_file_to_a_table(running: Running, config: Path) -> None:
    address = running.address()
    page = get(address)
    assert "page.port" in page and "# ours" in page
    found = re.search(r'data-mark="(\w+)"', page)
    assert found is not None
    asked = Request(
        f"{address}settings?mark={found[1]}&save=1", MENDED.replace("\n", "\r\n").encode(), {"Content-Type": "text/plain"}
    )  # fmt: skip
    with closing(urlopen(asked, timeout=20)) as answer:
        assert b"kept as table.toml.old1" in answer.read()
    assert (config.read_text(), config.with_name("table.toml.old1").read_text()) == (MENDED, BROKEN)
    assert "Ann" in get(running.address() + "state.json")
    assert running.said[0] == "The table cannot start with these settings. Only the page is served on which they can be mended:\n"


@pytest.mark.long
def test_a_broken_file_can_be_left_as_it_is(running: Running, config: Path) -> None:
    running.address()
    running.ran.terminate()
    assert running.ran.wait(timeout=30) == 0
    assert config.read_text() == BROKEN


def test_what_was_there_is_kept_each_time_and_is_as_secret(config: Path) -> None:
    mender = Mender(config)
    for number in (1, 2):
        assert mender.save(f"# {number}", mender.read().mark) == Saved(old=f"table.toml.old{number}")
    kept = {path.name: (path.read_text(), path.stat().st_mode & 0o777) for path in config.parent.iterdir() if path.is_file()}
    assert kept == {
        "table.toml": ("# 2", 0o600), "table.toml.old1": (BROKEN, 0o600), "table.toml.old2": ("# 1", 0o600),
    }  # fmt: skip
    assert mender.saved.is_set()


def test_a_file_that_somebody_else_has_changed_is_not_written_over(config: Path) -> None:
    mender = Mender(config)
    mark = mender.read().mark
    config.write_text("# by hand")
    assert mender.save(MENDED, mark) == Saved(refusal="changed")
    assert (config.read_text(), mender.saved.is_set()) == ("# by hand", False)


def test_a_file_that_cannot_be_written_says_why(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mender = Mender(config)
    mark = mender.read().mark

    def refuse(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("firmware.settingsfile.tempfile.mkstemp", refuse)
    assert mender.save(MENDED, mark) == Saved(refusal="not_written", why="No space left on device")
    assert (config.read_text(), mender.saved.is_set()) == (BROKEN, False)


def test_a_file_that_is_no_text(config: Path) -> None:
    config.write_bytes(b"\xff\xfe")
    assert Mender(config).read().text is None


@pytest.mark.parametrize(
    ("text", "refereed", "preset"),
    [
        (BROKEN, False, Preset.HOME),
        (BROKEN, True, Preset.CLUB),
        ('[access]\npreset = "home"\nport', True, Preset.HOME),
        ('[access]\npreset = "club"\n[page', False, Preset.CLUB),
        ('[access]\npreset = "pub"\n', True, Preset.CLUB),
        ("\0", True, Preset.CLUB),
    ],
)
def test_whose_word_counts_where_the_file_hardly_tells(text: str, refereed: bool, preset: Preset) -> None:
    if refereed:
        Keyring(keys_file()).admit(Role.REFEREE)
    access = salvaged_access(values_of(text + '\n[page]\nnames = ["pi.lan"]\n'))
    assert (access.preset, access.names) == (preset, ("pi.lan",))


def test_a_file_that_may_not_be_read_is_an_error(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read_text = Path.read_text

    def refuse(path: Path, *told: Any, **more: Any) -> str:
        if path == config:
            raise PermissionError(13, "Permission denied")
        return read_text(path, *told, **more)

    monkeypatch.setattr(Path, "read_text", refuse)
    ran = CliRunner().invoke(main, ["run", "--config", str(config), "--port", "0"])
    assert (ran.exit_code, ran.stdout, ran.stderr) == (2, "", f"Error: {config}: cannot be read: Permission denied\n")
