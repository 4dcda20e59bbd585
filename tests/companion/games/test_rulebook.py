"""The rulebook of every game: a paragraph for whatever a ruling cites, and nothing that does not hold at the table."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import chain
from typing import Any

import pytest

from companion.cards import DECK
from companion.games import GAMES
from companion.games.base import Game
from companion.games.rulebook import Rulebook
from companion.games.steal import RULE_OF_ACTION, Steal
from companion.games.steal_errors import RULE_OF, RULES
from companion.games.steal_options import CHOICES, StealOptions
from companion.games.steal_rules import fault, turn_actions
from companion.games.steal_state import Arrange, Draw, Pass, StealCard, StealState
from companion.rulings import Action, Change, Ruling
from companion.table import SLOTS, TableState

AnyGame = Game[Any]
GAME = Steal()
USUAL = StealOptions()


def variants() -> Iterator[dict[str, Any]]:
    """The usual options, every single change of them, and the changes that need hard mode."""
    yield {}
    yield {"max_turns": 12}
    yield {"first_seat": 2}
    for name, values in CHOICES.items():
        for value in values[1:]:
            yield {name: value}
            if name.startswith("hard_see"):
                yield {"hard_mode": True, name: value}


VARIANTS = tuple(variants())


def book(seats: int = 4, **options: Any) -> Rulebook:
    return GAME.rulebook(seats, GAME.options(options))


def of(rules: Rulebook, rule: str) -> Any:
    return next(each for each in rules.paragraphs() if each.id == rule)


# ---- every game ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_rule_that_a_game_names_has_one_paragraph_with_something_in_it(game: AnyGame) -> None:
    for seats in game.seats:
        rules = game.rulebook(seats, game.options({}))
        ids = [each.id for each in rules.paragraphs()]
        assert rules.game == game.name
        assert len(ids) == len(set(ids))
        assert {*getattr(game, "rules")} <= set(ids)  # noqa: B009
        assert all(each.tellings for each in rules.paragraphs())
        assert not any(telling.changed for each in rules.paragraphs() for telling in each.tellings), "these are the usual rules"


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_rulebook_depends_on_seats_and_options_alone(game: AnyGame) -> None:
    options = game.options({})
    for deck in (DECK, DECK[::-1]):
        state = game.opened(game.start(min(game.seats), options, deck))
        after = game.after(state, next(iter(game.legal_actions(state))))
        assert game.rulebook(min(game.seats), after.options) == game.rulebook(min(game.seats), options)


# ---- what rulings cite ---------------------------------------------------------------------------------------------


@cache
def cited(number: int) -> frozenset[tuple[str, str]]:
    """Kinds and rules of everything that is ruled in some games under a variant; legal actions have no kind."""
    rng = random.Random(number)
    options = GAME.options(VARIANTS[number])
    found = set()
    for ruling in chain(rulings(options, rng, moves=34, whole=True), rulings(options, rng, moves=70, whole=False)):
        if ruling.error is not None:
            found.add((ruling.error, "" if ruling.rule is None else ruling.rule.id))
        elif ruling.action is not None:
            found.add(("", GAME.rule_of(ruling.action)))
    return frozenset(found)


def rulings(options: StealOptions, rng: random.Random, moves: int, whole: bool) -> Iterator[Ruling]:
    """A game in which everybody tries everything; with `whole` cameras see all kinds of disorder as well."""
    state = GAME.start(3, options, tuple(rng.sample(DECK, len(DECK))))
    yield GAME.judge(state, Arrange(0, (2, 1, 3, 4, 5), closes=True))
    state = GAME.opened(state)
    for turn in range(moves):
        if turn == 1:
            yield GAME.judge(state, Arrange(0, (2, 1, 3, 4, 5), closes=True))
            bare = replace(state, table=replace(state.table, pile=(), row=(), removed=(*state.table.pile, *state.table.row)))
            yield from (GAME.judge(bare, action) for action in everything(bare, bare.current))
        if state.phase == "final" or turn % 5 == 0:
            yield from (GAME.judge(state, action) for seat in range(3) for action in everything(state, seat))
            yield from (GAME.explain(state, change) for change in disorder(state.table, rng) if whole)
        draws = [Draw(seat, use) for seat in range(3) for use in (None, 1)]
        legal = [action for action in (draws if turn % 3 else everything(state, state.current)) if not fault(state, action)]
        if not legal:
            legal = list(GAME.legal_actions(state))
        if not legal:
            return
        state = GAME.after(state, rng.choice(legal))


def everything(state: StealState, seat: int | None) -> Iterator[Action]:
    return iter(()) if seat is None else chain(turn_actions(state, seat), (Pass(seat), StealCard(seat, seat, 1, 2)))


def disorder(table: TableState, rng: random.Random) -> Iterator[Change]:
    """Pictures of tables at which somebody has moved some cards, and one at which a card was lifted and laid back."""
    cards = list(table.cards())
    for count in (2, 2, 3, 4):
        chosen = rng.sample(cards, count)
        moved = dict(zip(chosen, chosen[1:] + chosen[:1], strict=True))
        mats = tuple(tuple(moved.get(card, card) for card in hand) for hand in table.hands)
        yield Change(mats, tuple(moved.get(card, card) for card in table.row))
    places = [place for place in GAME.places(len(table.hands)) if place.number in SLOTS and place.seat >= 0]
    yield Change(table.hands, table.row, (rng.choice(places),))
    yield Change(table.hands, (*table.row, *table.pile[:2]))
    (a, b, *more), (c, *rest) = table.hands[:2]
    yield Change(((b, c, *more), (a, *rest), *table.hands[2:]), table.row)


@pytest.mark.parametrize("number", range(len(VARIANTS)), ids=lambda number: str(VARIANTS[number]))
def test_no_ruling_cites_what_is_not_told(number: int) -> None:
    told = {each.id: each.kinds for each in book(3, **VARIANTS[number]).paragraphs()}
    assert len(cited(number)) > 10
    for kind, rule in cited(number):
        assert rule in told
        assert not kind or kind in told[rule], (kind, rule)


def test_those_games_break_nearly_every_rule() -> None:
    """The test before this one would prove little if nothing went wrong in its games."""
    found = {kind for number in range(len(VARIANTS)) for kind, _ in cited(number)}
    formless = {"bad_action", "bad_seat", "bad_slot", "bad_target", "bad_permutation"}
    not_on_the_table = {"slot_empty", "duplicate_card", "foreign_card", "not_started", "already_started", "already_arranged"}
    assert set(RULE_OF) - found == formless | not_on_the_table


def test_every_kind_is_told_in_its_paragraph_under_some_options() -> None:
    told: dict[str, set[str]] = {}
    for options in VARIANTS:
        for each in book(**options).paragraphs():
            for kind in each.kinds:
                told.setdefault(kind, set()).add(each.id)
    assert told == {kind: {rule} for kind, rule in RULE_OF.items()}


def test_every_paragraph_is_cited_or_tells_of_an_option_or_of_the_number_of_seats() -> None:
    named = {*RULE_OF.values(), *RULE_OF_ACTION.values()}
    assert named == set(RULES)
    books = [book(seats, **options) for seats in (3, 4, 5) for options in VARIANTS]
    for each in book().paragraphs():
        depends = len({of(rules, each.id).tellings for rules in books}) > 1
        assert each.id in named or depends, f"{each.id} explains nothing"


def test_the_paragraphs_of_actions() -> None:
    assert RULE_OF_ACTION[Pass] == "STEAL-1.3-pass"
    assert {"STEAL-1.2", "STEAL-1.3-leave", "STEAL-1.10"} <= set(RULE_OF_ACTION.values())
    assert GAME.rule_against("peek").id == "STEAL-1.7"
    assert GAME.rule_against("differs") is None, "no rule is broken where table and screen do not agree"


# ---- house rules ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [each for each in VARIANTS if each], ids=str)
def test_a_changed_house_rule_is_told_and_marked(options: dict[str, Any]) -> None:
    usual, other = book(5), book(5, **options)
    fresh = [
        telling
        for before, after in zip(usual.paragraphs(), other.paragraphs(), strict=True)
        for telling in after.tellings
        if telling not in before.tellings
    ]
    only_with_hard_mode = [name for name in options if name.startswith("hard_see")] and not options.get("hard_mode")
    if only_with_hard_mode:
        assert fresh == [], "what is off is not told"
    else:
        assert fresh
    # Who begins moves on from game to game, and is no house rule.
    assert all(telling.changed for telling in fresh) is (options != {"first_seat": 2})


def test_every_value_of_every_option_is_told_differently() -> None:
    for name, values in CHOICES.items():
        hard = {"hard_mode": True} if name.startswith("hard_see") else {}
        assert len({book(5, **{**hard, name: value}) for value in values}) == len(values), name


def test_with_three_players_leaving_ends_the_game_whatever_the_house_rule() -> None:
    assert book(3) == book(3, leaver="abort")
    assert of(book(3), "STEAL-1.3-leave").tellings != of(book(4), "STEAL-1.3-leave").tellings


def test_looking_at_a_stolen_card_is_not_offered_where_nobody_may_look() -> None:
    def giving(**options: Any) -> str:
        return of(book(**options), "STEAL-1.3-steal").tellings[1].key

    assert giving() == "give_choice=after_take"
    assert giving(hard_mode=True) == "give_choice=after_take, unseen"
    assert giving(hard_mode=True, hard_see_stolen=True) == "give_choice=after_take"
    assert giving(hard_mode=True, give_choice="before_take") == "give_choice=before_take"


def test_what_no_camera_can_check_says_so_once_it_is_changed() -> None:
    def unchecked(**options: Any) -> list[str]:
        return [each.id for each in book(**options).paragraphs() if any(one.key == "unchecked" for one in each.tellings)]

    assert unchecked() == []
    assert unchecked(touch_move="on") == ["STEAL-1.3-touch"]
    assert unchecked(removed_face="up", give_choice="before_take") == ["STEAL-1.3-steal", "STEAL-1.3-take"]
    assert unchecked(hard_see_drawn=False) == []
    assert unchecked(hard_mode=True, hard_see_drawn=False) == ["STEAL-1.7"]


def test_rounds_are_counted_from_the_seat_that_begins() -> None:
    options = {"first_seat": 1, "steal_back_wait": "complete_round", "final_turns": "rest_of_round"}
    rules = book(**options)
    seats = {each.id: [one.seat for one in each.tellings if one.seat is not None] for each in rules.paragraphs()}
    assert {rule: found for rule, found in seats.items() if found} == {"STEAL-1.2": [1], "STEAL-1.5": [1], "STEAL-1.3-end": [1]}


def test_numbers() -> None:
    for seats, pile in ((3, 37), (4, 32), (5, 27)):
        assert ("pile", pile) in of(book(seats), "STEAL-1.1").tellings[1].values
        assert len(GAME.start(seats, USUAL).table.pile) == pile
    limit = next(one for one in of(book(max_turns=40), "STEAL-1.3-end").tellings if one.key == "max_turns")
    assert limit.values == (("turns", 40),)
    assert replace(limit, values=()) not in of(book(), "STEAL-1.3-end").tellings
