"""The wheel: everything that the program needs is in it, and it works away from the checkout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("companion", "vision", "firmware", "models")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from a copy of what git tracks."""
    folder = tmp_path_factory.mktemp("wheel")
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in tracked.split("\0"):
        if name and (ROOT / name).is_file():
            (folder / "tree" / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / "tree" / name).write_bytes((ROOT / name).read_bytes())
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--disable-pip-version-check"]
    build = [*pip, "--wheel-dir", str(folder), str(folder / "tree")]
    done = subprocess.run(build, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    assert done.returncode == 0, done.stdout + done.stderr
    (found,) = folder.glob("*.whl")
    return found


def test_the_wheel_holds_code_model_pages_and_licence(wheel: Path) -> None:
    tracked = subprocess.run(["git", "ls-files", *PACKAGES], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    kinds = (".py", ".onnx", ".toml", ".html", ".css", ".js", ".svg", ".po", ".mp4")
    expected = {name for name in tracked if name.endswith(kinds) and (ROOT / name).is_file()}
    held = set(zipfile.ZipFile(wheel).namelist())
    assert {"models/cards.onnx", "models/cards.toml"} < expected
    assert any(name.endswith(".html") for name in expected)
    assert expected - held == set()
    assert {"companion/web/static/awake.mp4", "companion/web/static/icon-512-maskable.png"} < held
    assert [name for name in held if name.endswith("licenses/LICENSE")]
    assert [name for name in held if name.split("/")[0] not in PACKAGES and ".dist-info/" not in name] == []


def test_the_wheel_works_outside_the_checkout(wheel: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "venv", with_pip=False)
    python = tmp_path / "venv" / "bin" / "python"
    (site,) = (tmp_path / "venv" / "lib").glob("python*/site-packages")
    zipfile.ZipFile(wheel).extractall(site)
    # What the project depends on is taken from this environment; the project itself is not, as the last line shows.
    needed = [path for path in sys.path if path.endswith("site-packages")]
    surroundings = {**os.environ, "PYTHONPATH": os.pathsep.join([str(site), *needed])}

    def run(*arguments: str) -> str:
        return subprocess.run(
            [python, *arguments], cwd=tmp_path, env=surroundings, capture_output=True, text=True, check=True, timeout=120
        ).stdout

    ranked = json.loads(run("-m", "firmware", "rank", "AS KS QS JS TS", "9h 9d 2c 4s 5d", "--json"))
    assert ranked["winner"] == 0
    black = "from vision.onnx_classifier import OnnxClassifier; import numpy; black = numpy.zeros((2, 96, 48, 3), numpy.uint8); "
    assert run("-c", black + "print(OnnxClassifier.load().classify(black).shape)") == "(2, 57)\n"
    assert run("-c", "import firmware; print(firmware.__file__)").startswith(str(site))
