"""What every game keeps: legal actions are judged legal, cards are conserved, every rule is cited by a test."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from companion.cards import DECK, Mark
from companion.errors import OptionError
from companion.games import GAMES, find_game
from companion.games.base import Game
from companion.games.steal_state import Arrange
from companion.rulings import Change, Verdict
from companion.scoring import RANKINGS
from companion.table import SLOTS, Area

AnyGame = Game[Any]


def picture(state: Any) -> Change:
    """What cameras see when they see everything."""
    mats = tuple(tuple(Mark.EMPTY if card is None else card for card in hand) for hand in state.table.hands)
    return Change(mats, state.table.row)


def sound(game: AnyGame, state: Any) -> None:
    """Cards are conserved, and the state knows who is to act."""
    lying = list(state.table.cards())
    assert len(lying) == len(set(lying)) == len(DECK)
    assert all(len(hand) == len(SLOTS) for hand in state.table.hands)
    waits = bool(game.public(state).waits)
    assert (state.current is None) is (state.phase in ("setup", "over") or waits)
    assert (next(game.legal_actions(state), None) is None) is (state.phase == "over")
    assert (not game.actors(state)) is (state.phase in ("setup", "over"))


def walk(game: AnyGame, state: Any, depth: int) -> list[int]:
    """How many ways there are to act so many times, by number of actions; everything on the way is checked."""
    sound(game, state)
    counts = [0] * depth
    for action in game.legal_actions(state):
        assert game.judge(state, action).verdict is Verdict.LEGAL
        counts[0] += 1
        after = game.after(state, action)
        if depth > 1:
            assert game.action_from_json(game.action_to_json(action)) == action
            below = walk(game, after, depth - 1)
            counts = [counts[0], *(one + more for one, more in zip(counts[1:], below, strict=True))]
        else:
            # The very cards of DECK: cheaper to compare by identity, and this runs 160,000 times.
            assert sum(map(id, after.table.cards())) == ALL_CARDS
    return counts


ALL_CARDS = sum(map(id, DECK))

SECOND = 6 * 61 + 25 * 51 + 25 * 56
ROWS = 6 * 56 + 50 * 6
STOLEN_FIRST, STOLEN_SECOND = 25 * 51, 56 * 25

WAYS = {
    # Three seats.  First turn: six draws and 2 x 25 steals.  Second: after a draw also five takes; after a steal from the
    # seat that is next five steals fewer, those of the stolen card.  Third: five takes where a card lies in the row (336
    # ways after a draw, unless it was taken, and 300 after a steal and a draw); five steals fewer for a card that seat 2
    # has lost to seat 0 (unless seat 1 has it now), and for one that it has lost to seat 1.
    "steal": [56, SECOND, SECOND * 56 + ROWS * 5 - STOLEN_FIRST * 5 - STOLEN_SECOND * 5],
    # Two seats, no limit: check, a bet of 1 or of everything, fold.  Second: as many after a check; call, raise to 2 or to
    # everything and fold after the 1; call or fold after everything.  Third: after a check and a bet those of the answers;
    # after two checks, or a call, the draw: 26 ways to throw up to three cards away, and three to announce it.
    "draw": [4, 4 + 4 + 2, (29 + 4 + 2) + (29 + 4 + 2) + 29],
    # Two seats, a fixed bet of 5: check, bet, fold.  Then as many, or call, raise and fold.  Then three ways in the next round
    # after two checks or a call, and answers to a bet or a raise otherwise.
    "stud": [3, 3 + 3, (3 + 3) + (3 + 3)],
    # The lowest card brings in 2 or bets 5: then call, complete or fold, and call, raise or fold.  A bring-in that is called
    # and a bet that is called lead to the next round.
    "casino-stud": [2, 3 + 3, (3 + 3) + (3 + 3)],
}


@pytest.mark.parametrize(
    ("game", "depth"),
    # A thousand ways and more to steal twice: the third turn takes a quarter of a minute.
    [pytest.param(game, depth, marks=pytest.mark.long if (game.name, depth) == ("steal", 3) else ())
     for game in GAMES for depth in (2, 3)],
    ids=lambda value: str(getattr(value, "name", value)),
)  # fmt: skip
def test_every_legal_action_of_the_first_turns(game: AnyGame, depth: int) -> None:
    start = game.opened(game.start(min(game.seats), game.options({}), DECK))
    assert walk(game, start, depth) == WAYS[game.name][:depth]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_every_first_turn_is_named_from_its_picture(game: AnyGame, seats: int) -> None:
    state = game.opened(game.start(seats, game.options({}), DECK))
    assert game.explain(state, picture(state)).verdict is Verdict.NOTHING
    for action in game.legal_actions(state):
        after = game.after(state, action)
        ruling = game.explain(state, picture(after))
        if game.taps and after.table == state.table:
            assert ruling.verdict is Verdict.NOTHING, "a bet moves no card"
        else:
            assert (ruling.verdict, ruling.action) == (Verdict.LEGAL, action)


def test_every_way_to_arrange_is_legal_before_the_start() -> None:
    game: AnyGame = find_game("steal")
    state = game.start(min(game.seats), game.options({}), DECK)
    arranging = [action for action in game.legal_actions(state) if isinstance(action, Arrange)]
    assert len(arranging) == 120 * min(game.seats)
    assert all(game.judge(state, action).verdict is Verdict.LEGAL for action in arranging)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_an_unread_deal(game: AnyGame) -> None:
    state = game.start(max(game.seats), game.options({}))
    assert len(set(state.table.cards())) == 52
    assert Area.SLOT in {place.area for place in game.places(max(game.seats))}
    assert set(game.to_show(state)) <= set(game.places(max(game.seats)))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_rule_is_cited_by_a_test(game: AnyGame) -> None:
    tests = "".join(path.read_text() for path in Path(__file__).parent.glob("test_*.py"))
    # What the casino plays like the club has its test there.
    tests = tests + tests.replace('"STUD-3.1', '"CASINO-3.2').replace('"STUD-', '"CASINO-')
    rules: dict[str, Any] = getattr(game, "rules")  # noqa: B009
    assert rules
    assert [rule for rule in rules if f'"{rule}"' not in tests] == []


@pytest.mark.parametrize(("name", "found"), [("steal", "steal"), (" Five Card Steal ", "steal"), ("FIVE-CARD STEAL", "steal")])
def test_games_are_found_by_name(name: str, found: str) -> None:
    assert find_game(name).name == found


def test_a_game_that_nobody_knows() -> None:
    with pytest.raises(OptionError) as caught:
        find_game("canasta")
    assert str(caught.value) == "no game is called 'canasta': expected one of steal, draw, stud, casino-stud"


def test_how_each_game_compares_hands_can_be_shown_on_a_photograph() -> None:
    draw, stud = find_game("draw"), find_game("stud")
    given = [(GAMES[0], {}), *((draw, {"eval": each}) for each in ("high", "27", "a5")), *(
        (stud, {"eval": each}) for each in ("high", "27", "a5", "hilo", "soko"))]  # fmt: skip
    found = {game.ranking(game.options(options)) for game, options in given}
    assert found == set(RANKINGS)


COMPARED = re.compile(
    r"""\b(?:game|games|rules|name|variant)\b\s*(?:===?|!==?|\bin\b|\bnot in\b)\s*[(\[{]?\s*["']([a-z-]+)["']"""
)


def asked_by_name(text: str) -> list[str]:
    """The games that a source asks for by their names."""
    return [name for name in COMPARED.findall(text) if name in {game.name for game in GAMES}]


def test_only_games_know_their_names() -> None:
    root = Path(__file__).parents[3]
    sources = [
        file for folder in ("companion", "firmware", "vision") for file in sorted((root / folder).rglob("*"))
        if file.suffix in (".py", ".js", ".html") and root / "companion" / "games" not in file.parents
    ]  # fmt: skip
    assert len(sources) > 300
    assert {str(file.relative_to(root)): found for file in sources if (found := asked_by_name(file.read_text("utf-8")))} == {}
    assert asked_by_name("if view.game == 'draw' or scene.rules in (\"stud\", 'x'):") == ["draw", "stud"]
