"""The recorder of what a process asks of the disk."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

SOURCE = Path(__file__).with_name("diskrecord.c")


@pytest.fixture(scope="session")
def recorder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library to preload; tests that need it are skipped where there is no C compiler."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("recording what a process asks of the disk needs a C compiler (apt install gcc libc6-dev)")
    library = tmp_path_factory.mktemp("recorder") / "diskrecord.so"
    options = ["-Wall", "-Werror", "-shared", "-fPIC", "-O1", "-U_FORTIFY_SOURCE"]
    subprocess.run([compiler, *options, "-o", library, SOURCE, "-ldl"], check=True)
    return library
