"""The arrows of the design, as a test."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("companion", "vision", "firmware")
MAY_USE = {
    "companion.web": {"flask", "flask_babel", "babel", "jinja2", "werkzeug", "markupsafe", "waitress", "segno"},
    "companion.seal": {"cryptography"},
    "companion": set(),
    "firmware.authority": {"cryptography"},
    "vision": {"numpy", "cv2", "onnxruntime", "scipy", "models"},
    "firmware": {
        *("numpy", "cv2", "onnxruntime", "scipy", "flask", "flask_babel", "werkzeug", "waitress", "markupsafe"),
        *("gpiozero", "pydantic", "tomlkit", "pydantic_core", "click"),
    },
}
"""Third-party packages by the part of the tree that may import them; the first name that fits a module counts."""


def part(module: str) -> str:
    return next(name for name in MAY_USE if module == name or module.startswith(name + "."))


@pytest.fixture(scope="module")
def graph() -> grimp.ImportGraph:
    return grimp.build_graph(*PACKAGES, include_external_packages=True, cache_dir=None)


def test_every_module_imports_only_what_its_part_may_use(graph: grimp.ImportGraph) -> None:
    own = {module for module in graph.modules if module.split(".")[0] in PACKAGES}
    assert len(own) > 20
    strange = [
        f"{module} imports {used}"
        for module in sorted(own)
        for used in sorted(graph.find_modules_directly_imported_by(module) - own)
        if used.split(".")[0] not in sys.stdlib_module_names | MAY_USE[part(module)]
    ]
    assert strange == []


def test_the_import_contracts_hold() -> None:
    done = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_package_is_in_the_wheel_list() -> None:
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"]
    found = {
        ".".join(file.parent.relative_to(ROOT).parts)
        for name in (*PACKAGES, "models")
        for file in (ROOT / name).rglob("*.py")
    }
    assert found - set(listed) == set()


def test_the_test_tree_is_no_package() -> None:
    assert list((ROOT / "tests").rglob("__init__.py")) == []
