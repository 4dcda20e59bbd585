"""The command line as a whole; each command has its own tests."""

from __future__ import annotations

import logging
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import click
import pytest
from click.testing import CliRunner

from companion.errors import CardTextError, OptionError
from firmware import commands
from firmware.cli import main
from firmware.errors import FirmwareError, PinError, RigError, SettingsError
from vision.errors import VisionError

ROOT = Path(__file__).parent.parent.parent
COMMANDS = sorted(file.stem for file in Path(commands.__path__[0]).glob("[a-z]*.py"))


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """A command that fails with what the test says; it takes the place of the first command there is."""
    module = ModuleType(COMMANDS[0])

    @click.command()
    def command() -> None:
        raise module.error

    module.command = command  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, f"{commands.__name__}.{COMMANDS[0]}", module)
    yield module


def test_every_module_is_a_command_that_explains_itself() -> None:
    listed = CliRunner().invoke(main, ["--help"])
    assert listed.exit_code == 0
    assert COMMANDS
    for name in COMMANDS:
        assert f"  {name.replace('_', '-')}  " in listed.stdout
        helped = CliRunner().invoke(main, [name.replace("_", "-"), "--help"])
        assert (helped.exit_code, helped.stdout.startswith(f"Usage: main {name.replace('_', '-')} ")) == (0, True)


def test_a_command_that_is_not_there() -> None:
    ran = CliRunner().invoke(main, ["juggle"])
    assert ran.exit_code == 2
    assert "No such command 'juggle'." in ran.stderr
    assert ran.stdout == ""


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (CardTextError("'Xx' is no card"), 1),
        (VisionError("the model has no labels"), 1),
        (RigError("no rig of that name"), 1),
        (PinError("GPIO 4 is used twice"), 1),
        (OptionError("row must be 2 to 5, not 9"), 2),
        (SettingsError("table.toml: unknown key"), 2),
    ],
)
def test_our_errors_are_one_sentence(broken: ModuleType, error: Exception, status: int) -> None:
    broken.error = error  # type: ignore[attr-defined]
    ran = CliRunner().invoke(main, [COMMANDS[0].replace("_", "-")])
    assert (ran.exit_code, ran.stdout, ran.stderr) == (status, "", f"Error: {error}\n")


def test_debug_shows_the_trace(broken: ModuleType) -> None:
    broken.error = FirmwareError("no")  # type: ignore[attr-defined]
    ran = CliRunner().invoke(main, ["--debug", COMMANDS[0].replace("_", "-")])
    assert ran.exception is broken.error


def test_a_fault_of_ours_is_not_hidden(broken: ModuleType) -> None:
    broken.error = KeyError("slot")  # type: ignore[attr-defined]
    ran = CliRunner().invoke(main, [COMMANDS[0].replace("_", "-")])
    assert ran.exception is broken.error


def test_the_module_is_the_command() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "firmware", "--version"], cwd=ROOT, capture_output=True, text=True, check=False, timeout=60
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith("viewmat, version ")


def test_the_command_line_loads_no_command_before_it_is_asked_for() -> None:
    heavy = ("cv2", "numpy", "flask", "onnxruntime", "gpiozero", "pydantic")
    code = f"import sys, firmware.cli; print([name for name in {heavy} if name in sys.modules])"
    ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60)
    assert ran.stdout == "[]\n"


def test_nothing_in_a_log_line_steers_the_terminal() -> None:
    logging.getLogger().handlers.clear()
    CliRunner().invoke(main, ["rank", "As Ks Qs Js Ts"])
    (lines,) = logging.getLogger().handlers
    told = lines.format(logging.LogRecord("table", logging.WARNING, "", 1, "seat %s is \u202enekat", ("\x1b[2JAnn",), None))
    assert told.endswith(r"WARNING table: seat \x1b[2JAnn is \u202enekat")


@pytest.mark.parametrize("command", ["read", "score"])
def test_nothing_in_the_name_of_a_file_steers_the_terminal(tmp_path: Path, command: str) -> None:
    bad = tmp_path / "\x1b[2Jbad.png"
    bad.write_bytes(b"no picture")
    result = CliRunner().invoke(main, [command, str(bad)])
    assert result.exit_code == 1 and r"\x1b[2Jbad.png" in result.output and "\x1b" not in result.output


@pytest.fixture(autouse=True)
def quiet_log() -> Iterator[None]:
    """The command line sets the log up for the whole process; put it back."""
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    yield
    root.handlers[:], root.level = before, level
