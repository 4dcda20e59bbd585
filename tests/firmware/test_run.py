"""``viewmat run``: a whole game on a table of taps, by what a browser can send, and what is refused."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from click.testing import CliRunner

from companion.journal import read_entries
from firmware.cli import main
from firmware.serving import addresses

ROOT = Path(__file__).parent.parent.parent
TAPS = "".join(f'[[seat]]\nname = "{name}"\n' for name in ("Ann", "Bob", "Cid"))
HANDS = (("Ah", "Ad", "7c", "8c", "2s"), ("Kh", "Kd", "Ks", "3c", "4d"), ("Qh", "Jd", "9s", "6c", "5d"))


class Page:
    """What a browser does."""

    def __init__(self, address: str) -> None:
        self.address = address

    def get(self, path: str) -> Any:
        with closing(urlopen(self.address + path, timeout=20)) as answer:
            return json.load(answer)

    def post(self, path: str, **body: Any) -> Any:
        asked = Request(self.address + path, json.dumps(body).encode(), {"Content-Type": "application/json"})
        with closing(urlopen(asked, timeout=20)) as answer:
            return json.load(answer)

    def view(self) -> dict[str, Any]:
        found: dict[str, Any] = self.get("state.json")["view"]
        return found

    def until(self, reached: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        for _ in range(400):
            view = self.view()
            if reached(view):
                return view
            time.sleep(0.02)
        raise AssertionError(f"the table stays as it is: {view}")


@contextmanager
def table(folder: Path, text: str) -> Iterator[Page]:
    """A running table."""
    (folder / "table.toml").write_text(text)
    command = [sys.executable, "-m", "firmware", "run", "--config", str(folder / "table.toml"), "--port", "0"]
    surroundings = {**os.environ, "XDG_DATA_HOME": str(folder / "data")}
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, env=surroundings) as ran:
        try:
            assert ran.stdout is not None
            said = ran.stdout.readline()
            while said and "localhost" not in said:
                said = ran.stdout.readline()
            found = re.search(r"http://\S+", said)
            assert found, f"no address in {said!r}"
            yield Page(found[0])
        finally:
            ran.terminate()
            assert ran.wait(timeout=20) == 0


def test_a_table_of_taps_plays_a_whole_game(tmp_path: Path) -> None:
    with table(tmp_path, TAPS) as page:
        view = page.view()
        assert [(seat["name"], seat["source"]) for seat in view["seats"]] == [("Ann", "tap"), ("Bob", "tap"), ("Cid", "tap")]
        assert 'class="lamp' not in page.get("state.json")["parts"]["seat-0"], "it has none"
        opener = next(seat for seat in range(3) if page.get(f"offers/{seat}")["offers"])
        turns: list[int] = []
        while view["phase"] != "over":
            seat = opener if view["current"] is None else view["current"]
            discard = next(offer for offer in page.get(f"offers/{seat}")["offers"] if "Lay it on the row" in offer["steps"])
            page.post("act", seat=seat, offer=discard["id"])
            turns.append(seat)
            view = page.until(lambda view: view["turn"] == len(turns))
        assert turns == [(opener + turn) % 3 for turn in range(len(turns))]
        # The fifth discard ends the game; everybody else has one more turn.
        assert (len(turns), len(view["row"]), view["pile"], view["current"]) == (7, 7, 30, None)
        for seat, hand in enumerate(HANDS):
            for slot, card in enumerate(hand, 1):
                page.post("enter", seat=seat, slot=slot, card=card)
        result = page.until(lambda view: view["result"] is not None)["result"]
        assert (result["order"], result["winners"]) == ([1, 0, 2], [1])
        assert result["hands"] == [list(hand) for hand in HANDS]


def test_the_tables_language_is_spoken_to_browsers_that_ask_for_none_of_ours(tmp_path: Path) -> None:
    with table(tmp_path, 'language = "de"\n' + TAPS) as page:
        assert page.get("state.json")["words"]["headline"] == "Ann ist dran"


def test_bots_play_by_themselves(tmp_path: Path) -> None:
    bots = TAPS.replace("[[seat]]", '[[seat]]\nsource = "bot"')
    with table(tmp_path, "[timing]\naccuse = 0.01\n" + bots) as page:
        assert len(page.until(lambda view: view["phase"] == "over")["row"]) >= 5


def test_a_club_without_a_referee_says_so_and_lets_strangers_watch(tmp_path: Path) -> None:
    with table(tmp_path, '[access]\npreset = "club"\n' + TAPS) as page:
        assert page.view()["phase"] == "setup"
        with pytest.raises(HTTPError) as refused:
            page.post("call", name="pause")
        assert (refused.value.code, json.load(refused.value)["error"]) == (403, "not_yours")
        assert page.view()["paused"] is False
        assert not list((tmp_path / "data" / "viewmat").glob("*keys*")), "nothing was joined, so no key is kept"


def test_pictures_whose_days_are_over_are_deleted_at_the_start(tmp_path: Path) -> None:
    games = tmp_path / "data" / "viewmat" / "games"
    games.mkdir(parents=True)
    old, fresh, journal = games / "abcd.pictures", games / "efgh.pictures", games / "abcd.sqlite"
    for file, days in ((old, 8), (fresh, 6), (journal, 900)):
        file.write_bytes(b"x")
        os.utime(file, (time.time() - 86400 * days,) * 2)
    with table(tmp_path, "evidence_days = 7\n" + TAPS):
        assert (old.exists(), fresh.exists(), journal.exists()) == (False, True, True)


def test_a_home_table_keeps_no_file_until_a_phone_joins(tmp_path: Path) -> None:
    with table(tmp_path, "record = false\n" + TAPS) as page:
        assert not (tmp_path / "data").exists()
        link = page.post("link", seat=1)["link"]
        assert page.post("join", token=link.split("#")[1])["seat"] == 1
        assert [file.name for file in (tmp_path / "data" / "viewmat").iterdir() if file.suffix == ".json"] == ["keys.json"]


@pytest.mark.parametrize(
    ("text", "status", "sentence"),
    [
        ('rig = "pi"\n' + TAPS, 2, "rig = 'pi': there is no such rig; allowed: taps, cameras (the virtual table"),
        ('tray = "mat"\n' + TAPS, 2, "tray = 'mat': rig taps has no cameras; allowed: none"),
        (TAPS + 'source = "mat"', 2, "seat 3.source = 'mat': rig taps has no cameras; allowed: tap, bot"),
        ('game = "snap"\n' + TAPS, 2, "game = 'snap': there is no such game; allowed: "),
        (TAPS + "[options]\nseven = 7", 2, "seven"),
        ('[[seat]]\nname = "Ann"', 2, "3 to 5 players; found 1"),
        ("seats = 3", 2, "seats = 3: there is no such key"),
        ("evidence_days = -1\n" + TAPS, 2, "evidence_days = -1: input should be greater than or equal to 0"),
    ],
)
def test_a_table_that_cannot_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, status: int, sentence: str) -> None:
    (tmp_path / "table.toml").write_text(text)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    ran = CliRunner().invoke(main, ["run", "--no-safe-mode", "--config", str(tmp_path / "table.toml"), "--port", "0"])
    assert (ran.exit_code, ran.stdout) == (status, "")
    assert sentence in ran.stderr
    assert "Traceback" not in ran.stderr
    assert not list(tmp_path.rglob("*.sqlite"))


def test_a_port_that_is_taken(tmp_path: Path) -> None:
    with table(tmp_path, TAPS) as page:
        port = page.address.rstrip("/").rsplit(":", 1)[1]
        command = [sys.executable, "-m", "firmware", "run", "--config", str(tmp_path / "table.toml"), "--port", port]
        surroundings = {**os.environ, "XDG_DATA_HOME": str(tmp_path / "other")}
        ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=60, env=surroundings)
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr == f"Error: port {port} of 0.0.0.0 cannot be had: Address already in use; choose another with --port\n"
    assert not list((tmp_path / "other").rglob("*.sqlite")), "a start that failed leaves no record"


def test_what_to_type_into_a_browser() -> None:
    assert addresses("127.0.0.1", 81) == ("http://127.0.0.1:81/",)
    assert addresses("0.0.0.0", 81)[-1] == "http://localhost:81/"


def offered(page: Page, seat: int) -> bool:
    """Whether the seat may do something now."""
    try:
        return bool(page.get(f"offers/{seat}")["offers"])
    except HTTPError:
        return False


def discard(page: Page, turn: int, seat: int) -> dict[str, Any]:
    """One seat draws and discards; the view after it was accepted."""
    offers = page.get(f"offers/{seat}")["offers"]
    page.post("act", seat=seat, offer=next(offer["id"] for offer in offers if "Lay it on the row" in offer["steps"]))
    return page.until(lambda view: view["turn"] == turn + 1)


@contextmanager
def killed_table(folder: Path, *more: str) -> Iterator[tuple[Page, list[str]]]:
    """A running table that ends without warning; and what it said before its address."""
    command = [sys.executable, "-m", "firmware", "run", "--config", str(folder / "table.toml"), "--port", "0", *more]
    surroundings = {**os.environ, "XDG_DATA_HOME": str(folder / "data")}
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, env=surroundings) as ran:
        try:
            assert ran.stdout is not None
            said = [ran.stdout.readline()]
            while said[-1] and "localhost" not in said[-1]:
                said.append(ran.stdout.readline())
            yield Page(re.search(r"http://\S+", said[-1])[0]), said  # type: ignore[index]
        finally:
            ran.kill()


def test_a_game_that_other_settings_leave_behind_is_named(tmp_path: Path) -> None:
    (tmp_path / "table.toml").write_text(TAPS)
    with killed_table(tmp_path) as (page, said):
        discard(page, 0, 0)
    game = said[0].split()[1]
    assert not any("stays in the records" in line for line in said)
    (tmp_path / "table.toml").write_text(TAPS.replace("Cid", "Dan"))
    with killed_table(tmp_path) as (page, said):
        assert said[0].endswith("begins.\n")
        assert said[1] == f"Game {game} was begun last and stays in the records as it is; this is another game.\n"


def test_a_game_goes_on_after_the_program_was_killed_and_a_finished_one_stays_until_the_next(tmp_path: Path) -> None:
    (tmp_path / "table.toml").write_text(TAPS)
    for turns in ((0,), (1, 2, 3), (4, 5, 6)):
        with killed_table(tmp_path) as (page, said):
            assert said[0].endswith("goes on; --fresh begins a new one.\n" if turns[0] else "begins.\n")
            view = page.view()
            assert (view["turn"], len(view["row"])) == (turns[0], turns[0])
            for turn in turns:
                discard(page, turn, turn % 3)
    with killed_table(tmp_path) as (page, _):
        for seat, hand in enumerate(HANDS):
            for slot, card in enumerate(hand, 1):
                page.post("enter", seat=seat, slot=slot, card=card)
        won = page.until(lambda view: view["result"] is not None)
    assert won["result"]["order"] == [1, 0, 2]
    with killed_table(tmp_path) as (page, said):
        assert said[0].endswith("goes on; --fresh begins a new one.\n"), "a game that is over stays on the page"
        assert page.view()["result"] == won["result"]
        page.post("stop")
        assert page.view()["stopped"]
    with killed_table(tmp_path) as (page, said):
        assert page.view()["stopped"], "what is open in a dispute is not lost either"
        with pytest.raises(HTTPError) as refused:
            page.post("next")
        assert json.load(refused.value)["message"] == "Play is stopped: first it has to go on."
        page.post("go_on")
        proposal = page.view()["proposal"]["id"]
        for seat in range(3):
            page.post("agree", proposal=proposal, seat=seat, yes=True)
        page.post("next")
        view = page.view()
        assert (view["phase"], view["turn"], view["result"]) == ("setup", 0, None)
        assert [seat for seat in range(3) if offered(page, seat)] == [1], "the first seat has moved on"
        with pytest.raises(HTTPError) as refused:
            page.post("next")
        assert json.load(refused.value)["error"] == "not_over"
    with killed_table(tmp_path) as (page, _):
        assert [seat for seat in range(3) if offered(page, seat)] == [1]
    first, second = sorted((tmp_path / "data" / "viewmat" / "games").glob("*.sqlite"), key=lambda path: path.stat().st_ctime)
    record = first if json.loads(read_entries(first)[0].text)["header"]["options"]["first_seat"] == 0 else second
    proved = CliRunner().invoke(main, ["verify", str(record), "--json"])
    assert proved.exit_code == 0
    told = json.loads(proved.stdout)
    assert told["intact"] is True


def test_a_fresh_game_can_be_asked_for(tmp_path: Path) -> None:
    (tmp_path / "table.toml").write_text(TAPS)
    with killed_table(tmp_path) as (page, _):
        discard(page, 0, 0)
    with killed_table(tmp_path, "--fresh") as (page, said):
        assert said[0].endswith("begins.\n")
        assert page.view()["turn"] == 0
