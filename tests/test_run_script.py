"""The script `run`: what it says when it cannot do its work."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def run(tmp_path: Path, *arguments: str, python: str | None = None) -> subprocess.CompletedProcess[str]:
    """Run a copy of the script in a folder of its own; `python` is what its python3 does before it obeys."""
    shutil.copy(ROOT / "run", tmp_path / "run")
    shutil.copy(ROOT / "pyproject.toml", tmp_path / "pyproject.toml")
    (tmp_path / "bin").mkdir(exist_ok=True)
    if python is not None:
        fake = tmp_path / "bin" / "python3"
        fake.write_text(f'#!/bin/sh\nexec {sys.executable} -c "{python}; import sys; exec(sys.stdin.read())"\n')
        fake.chmod(0o755)
    path = os.pathsep.join([str(tmp_path / "bin"), os.environ["PATH"]])
    return subprocess.run(
        [tmp_path / "run", *arguments], capture_output=True, text=True, check=False, env={**os.environ, "PATH": path}, timeout=60
    )


@pytest.mark.parametrize("arguments", [(), ("fly",)])
def test_it_says_how_it_is_used(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    ran = run(tmp_path, *arguments)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert [line.split()[:2] for line in ran.stderr.splitlines() if line.startswith("./run")] == [
        ["./run", "demo"],
        ["./run", "photo"],
        ["./run", "test"],
        ["./run", "pictures"],
        ["./run", "drawn"],
        ["./run", "hardware"],
        ["./run", "words"],
    ]
    assert ran.stderr.splitlines()[0].endswith("expected demo, photo, test, pictures, drawn, hardware or words")


@pytest.mark.parametrize("arguments", [("--help",), ("-h",), ("test", "--help"), ("test", "-x", "-h")])
def test_help_needs_no_environment(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    ran = run(tmp_path, *arguments)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "./run demo [option]..." in ran.stdout and "--all " in ran.stdout
    assert not (tmp_path / ".venv").exists()


def installed(tmp_path: Path) -> None:
    """An environment as the script makes it: this one, by its programs."""
    programs = tmp_path / ".venv" / "bin"
    programs.mkdir(parents=True)
    (programs / "python").write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    (programs / "viewmat").write_text(f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -m firmware "$@"\n')
    for name in ("ruff", "mypy", "lint-imports"):
        (programs / name).write_text("#!/bin/sh\necho must not be run >&2\nexit 1\n")
    for program in programs.iterdir():
        program.chmod(0o755)
    shutil.copy(ROOT / "pyproject.toml", tmp_path / ".venv" / "installed-dev")


def test_options_that_there_are_not_are_refused_with_those_that_there_are(tmp_path: Path) -> None:
    installed(tmp_path)
    ran = run(tmp_path, "test", "--all", "--fast")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith("run: unrecognized arguments: --fast\n\n./run demo") and "must not be run" not in ran.stderr
    ran = run(tmp_path, "test", "-k", "words", "tests/nosuch.py::test_it")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith("run: there is no tests/nosuch.py\n\n./run demo")
    ran = run(tmp_path, "demo", "--seats", "4", "--no-autoplay", "--colour=red")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith("run: demo has no option --colour\n\nUsage: ") and "--speed" in ran.stderr
    ran = run(tmp_path, "demo", "--help")
    assert ran.returncode == 0
    named = next(line for line in (ROOT / "run").read_text().splitlines() if "--port N" in line)
    for option in re.findall(r"--[a-z-]+", named):
        assert option in ran.stdout


@pytest.mark.parametrize(
    ("python", "sentence"),
    [
        ("import sys; sys.version_info = (3, 9, 2, 'final', 0)", "Python 3.11 or newer is needed, python3 is 3.9"),
        ("import sys; sys.maxsize = 2**31 - 1", "a 64-bit system is needed: onnxruntime has no 32-bit wheels"),
        (
            "import importlib.util as u; find = u.find_spec; u.find_spec = lambda name: name != 'ensurepip' and find(name)",
            "this Python has no venv; on Debian: apt install python3-venv",
        ),
    ],
)
@pytest.mark.parametrize("command", ["demo", "photo"])
def test_a_python_that_will_not_do(tmp_path: Path, command: str, python: str, sentence: str) -> None:
    ran = run(tmp_path, command, python=python)
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr.startswith(f"run: {sentence}")
    assert not (tmp_path / ".venv").exists()


@pytest.mark.parametrize(
    ("mypy", "imports", "tests", "status", "told"),
    [(0, 0, 0, 0, False), (1, 0, 0, 1, True), (0, 1, 0, 1, True), (0, 0, 3, 3, False), (1, 0, 3, 1, True)],
)
def test_whatever_does_not_hold_fails_the_run(
    tmp_path: Path, mypy: int, imports: int, tests: int, status: int, told: bool
) -> None:
    installed(tmp_path)
    programs = tmp_path / ".venv" / "bin"
    for name, code in (("ruff", 0), ("mypy", mypy), ("lint-imports", imports)):
        (programs / name).write_text(f"#!/bin/sh\necho {name} found something\nexit {code}\n")
    (programs / "python").write_text(f'#!/bin/sh\ncase "$*" in *numprocesses\\ 3*) echo tests; exit {tests};; esac\n')
    commands = tmp_path / "bin"
    commands.mkdir()
    for name in ("chromium", "certutil", "openssl", "git", "rsvg-convert", "fc-list", "cc", "apt-get"):
        (commands / name).write_text("#!/bin/sh\n")
        (commands / name).chmod(0o755)
    ran = run(tmp_path, "test")
    assert (ran.returncode, "tests" in ran.stdout) == (status, True), ran.stderr
    assert (f"{'mypy' if mypy else 'lint-imports'} found something" in ran.stdout) == told
    assert ("the types or the imports do not hold" in ran.stderr) == told
