"""History at a real table of taps: `viewmat run`, by what a browser can send."""

from __future__ import annotations

import io
import json
import zipfile
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from firmware.archive import Archive
from tests.firmware.test_run import HANDS, TAPS, Page, table


def fetched(page: Page, path: str) -> bytes:
    with closing(urlopen(page.address + path, timeout=30)) as answer:
        found: bytes = answer.read()
        return found


def play(page: Page) -> dict[str, Any]:
    """A game of discards to its result."""
    view, turns = page.view(), 0
    opener = next(seat for seat in range(3) if page.get(f"offers/{seat}")["offers"])
    while view["phase"] != "over":
        seat = opener if view["current"] is None else view["current"]
        discard = next(offer for offer in page.get(f"offers/{seat}")["offers"] if "Lay it on the row" in offer["steps"])
        page.post("act", seat=seat, offer=discard["id"])
        turns += 1
        view = page.until(lambda view, turns=turns: view["turn"] == turns)  # type: ignore[misc]
    before = page.get("history.json")
    assert before["games"] == [], "it is over, and no hand was shown yet"
    for seat, hand in enumerate(HANDS):
        for slot, card in enumerate(hand, 1):
            page.post("enter", seat=seat, slot=slot, card=card)
    return page.until(lambda view: view["result"] is not None)


def test_a_game_is_history_as_soon_as_it_has_a_result(tmp_path: Path) -> None:
    with table(tmp_path, TAPS) as page:
        play(page)
        (game,) = page.get("history.json")["games"]
        assert [seat["hand"] for seat in game["seats"]] == [list(hand) for hand in HANDS]
        assert [(seat["name"], seat["violations"]) for seat in game["seats"]] == [("Ann", 0), ("Bob", 0), ("Cid", 0)]
        assert (game["order"], game["winners"]) == ([1, 0, 2], [1])
        assert [move["kind"] for move in game["moves"]] == ["discard"] * 7
        assert b"Bob wins" in fetched(page, f"history/{game['game']}")
        with zipfile.ZipFile(io.BytesIO(fetched(page, "history/backup.zip"))) as archive:
            assert archive.namelist() == [f"games/{game['game']}.sqlite", "settings/table.toml", "viewmat-backup.json"]
        # It lies on the table still, and is written when somebody takes the end back.
        archive_here = Archive(tmp_path / "data" / "viewmat")
        assert archive_here.deletion("Ann").busy == (game["game"],)
        assert b"There is nothing to delete now." in fetched(page, "history/player/Ann")
        page.post("next")
        page.until(lambda view: view["phase"] == "setup")
        plan = archive_here.deletion("Ann")
        assert plan.games == (game["game"],) and len(plan.busy) == 1
        asked = Request(
            page.address + "history/delete", json.dumps({"name": "Ann", "mark": "old", "keep": True}).encode(),
            {"Content-Type": "application/json"},
        )  # fmt: skip
        with pytest.raises(HTTPError) as refused:
            urlopen(asked, timeout=20)
        with refused.value:
            assert refused.value.code == 409
        assert page.post("history/delete", name="Ann", mark=plan.mark, keep=True)["message"] == "1 game was deleted."
        (left,) = page.get("history.json")["games"]
        assert [seat["name"] for seat in left["seats"]] == ["", "Bob", "Cid"] and left["head"] == ""
        page.post("stop", seat=0)
        assert page.until(lambda view: view["stopped"])["phase"] == "setup", "and the game on the table goes on"
