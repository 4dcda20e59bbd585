"""`viewmat run` with games for chips: hand after hand at one table, through restarts of the program."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from companion.games import GAMES
from firmware.commands.run import Games
from firmware.settings import Settings, load_settings


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Settings:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    seats = "".join(f'[[seat]]\nname = "{name}"\n' for name in ("Ann", "Bob", "Cid"))
    (tmp_path / "table.toml").write_text(f'game = "{request.param}"\n{seats}[options]\nstack = 50\n')
    return load_settings(tmp_path / "table.toml")


def fold(games: Games) -> None:
    """Everybody gives up but the last."""
    sitting = games.evening.sitting
    while sitting.view().phase != "over":
        view = sitting.view()
        offers = sitting.offers(view.actors[0])
        sitting.claim(view.actors[0], next(offer.id for offer in offers if offer.move.kind == "fold"))
        sitting.work()


@pytest.mark.parametrize("settings", ["draw"], indirect=True)
def test_hand_after_hand_and_through_a_restart(settings: Settings) -> None:
    games = Games(settings, fresh=True)
    for number in (1, 2):
        chips = games.evening.sitting.view().chips
        assert chips is not None and (chips.hand, chips.dealer) == (number, (2, 0)[number - 1])
        fold(games)
        receipt = games.evening.ask_next()
        games._begin_next()
        assert (receipt.settled, receipt.refusal) == (True, "")
    before = games.evening.sitting.view().chips
    assert before is not None and before.stacks == (50, 47, 50) and before.hand == 3
    games.close(begun=True)
    again = Games(settings, fresh=False)
    assert again.evening.sitting.view().chips == before, "a session goes on where it was"
    again.close(begun=True)


@pytest.mark.parametrize("settings", ["draw"], indirect=True)
@pytest.mark.parametrize("options", [{"hand": 10**9}, {"ante": 0, "carry_pot": 5}])
def test_a_hand_that_no_other_can_follow_stays_and_the_program_with_it(settings: Settings, options: dict[str, Any]) -> None:
    games = Games(settings.model_copy(update={"options": options}), fresh=True)
    fold(games)
    receipt = games.evening.ask_next()
    games._begin_next()
    assert (receipt.settled, receipt.refusal) == (True, "no_next")
    assert games.evening.sitting.view().phase == "over"
    games.close(begun=True)


def test_every_game_says_what_changes_from_one_game_to_the_next() -> None:
    for game in GAMES:
        state: Any = game.start(min(game.seats), game.options({}))
        options, after = asdict(game.options({})), asdict(game.next_options(state))
        assert {name for name in options if options[name] != after[name]} <= set(game.session)
