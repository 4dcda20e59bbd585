"""``viewmat photo``, and the page in ``viewmat run``: from the command to a scored hand."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.cookiejar import CookieJar
from pathlib import Path
from threading import Event
from typing import Any
from urllib.request import HTTPCookieProcessor, Request, build_opener

import cv2

from tests.photographs import Laid, cloth, lay

ROOT = Path(__file__).parents[2]
TAPS = "".join(f'[[seat]]\nname = "{name}"\n' for name in ("Ann", "Bob", "Cid"))


class Browser:
    """Keeps its cookies."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._opener = build_opener(HTTPCookieProcessor(CookieJar()))

    def ask(self, path: str, data: bytes | None = None, kind: str = "application/octet-stream") -> Any:
        asked = Request(self._address + path, data, {"Content-Type": kind})
        with closing(self._opener.open(asked, timeout=60)) as answer:
            said = answer.read()
        return json.loads(said) if said[:1] == b"{" else said.decode()

    def read(self, data: bytes) -> dict[str, Any]:
        """Send a picture, and wait until it is read."""
        told = self.ask("photo/pictures", data)["state"]
        pause = Event()
        for _ in range(1200):
            if not told["waiting"]:
                break
            pause.wait(0.1)
            told = self.ask("photo/state.json")
        assert not told["waiting"]
        found: dict[str, Any] = told
        return found


@contextmanager
def ran(folder: Path, *arguments: str) -> Iterator[Browser]:
    command = [sys.executable, "-m", "firmware", *arguments, "--port", "0"]
    surroundings = {**os.environ, "PYTHONUNBUFFERED": "1", "XDG_DATA_HOME": str(folder)}
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, env=surroundings) as program:
        try:
            assert program.stdout is not None
            said = program.stdout.readline()
            while said and "localhost" not in said:
                said = program.stdout.readline()
            found = re.search(r"http://localhost:\d+/", said)
            assert found, f"no address in {said!r}"
            yield Browser(found[0])
        finally:
            program.terminate()
            assert program.wait(timeout=30) == 0


def hand() -> bytes:
    cards = [Laid(card, (130 + 200 * n, 170), 3.0 * n - 6, 2.6) for n, card in enumerate(["Kd", "Kc", "9s", "9h", "2c"])]
    done, data = cv2.imencode(".jpg", lay(cloth(1060, 340), cards))
    assert done
    return data.tobytes()


def test_a_hand_is_scored_by_somebody_who_owns_nothing_but_a_telephone(tmp_path: Path) -> None:
    with ran(tmp_path, "photo") as browser:
        assert "Take a picture" in browser.ask("")
        told = browser.read(hand())
        assert "Hand 1 wins with two pair, kings and nines." in told["parts"]["result"]
        assert "no picture" in browser.read(b"Dear Sir")["parts"]["progress"]


def test_a_table_has_the_page_as_well(tmp_path: Path) -> None:
    (tmp_path / "table.toml").write_text(TAPS)
    with ran(tmp_path, "run", "--config", str(tmp_path / "table.toml")) as browser:
        assert '<a href="/photo">' in browser.ask("")
        assert "Picture 1 is empty." in browser.read(b"")["parts"]["progress"]


def test_a_port_that_is_taken_is_said() -> None:
    with socket.create_server(("0.0.0.0", 0)) as taken:
        port = taken.getsockname()[1]
        command = [sys.executable, "-m", "firmware", "photo", "--port", str(port)]
        ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert ended.returncode == 1
    assert f"port {port} of 0.0.0.0 cannot be had" in ended.stderr
