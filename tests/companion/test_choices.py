"""What is decided before a game."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.choices import (
    ASKED,
    HARD,
    PRESETS,
    Chair,
    ChoiceError,
    Choices,
    Equipment,
    checked_name,
    lacking,
    people_of,
    places_of,
)
from companion.games import find_game
from companion.played import PlayedGame, PlayedSeat, Shelf
from companion.words.setup import REFUSALS, RULE_VALUES, RULES

KIT = Equipment(("mat", "tap", "bot"), 5, decks=("blue",))
THREE = Choices(chairs=(Chair("Ann", "mat"), Chair("Bob"), Chair("Cid", "bot")))


def kind(error: pytest.ExceptionInfo[ChoiceError]) -> tuple[str, str]:
    return error.value.kind, error.value.field


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("", "name_empty"), ("   ", "name_empty"), ("\u3000", "name_empty"), ("x" * 41, "name_long"), ("ann", "name_twice"),
        (" ANN ", "name_twice"), ("a\nb", "name_control"), ("a\x00", "name_control"), ("a\u202eb", "name_control"),
        ("\u3164", "name_empty"), ("\u2800", "name_empty"), ("\u0301", "name_empty"), ("\uff21nn", "name_twice"),
        ("Ann\ufe0f", "name_twice"), ("\u200b", "name_control"), ("a\u2028", "name_control"), ("\ud83d", "name_control"),
    ],
)  # fmt: skip
def test_a_bad_name_is_told_at_its_field(written: str, expected: str) -> None:
    with pytest.raises(ChoiceError) as error:
        checked_name(written, ("Ann", "Bob"), "name-2")
    assert kind(error) == (expected, "name-2")
    assert expected in REFUSALS and REFUSALS[expected] % error.value.values


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("Dan", "Dan"),
        ("  Dan  the   Man ", "Dan the Man"),
        ("x" * 40, "x" * 40),
        ("E\u0301va", "\u00c9va"),
        ("李", "李"),
        ("-", "-"),
    ],
)
def test_a_name_is_kept_as_people_see_it(written: str, kept: str) -> None:
    assert checked_name(written, ("Ann",)) == kept


def test_people_sit_down_change_places_and_leave() -> None:
    seated = THREE.seated("Dan", KIT)
    assert seated.names == ("Ann", "Bob", "Cid", "Dan")
    assert seated.chairs[3] == Chair("Dan", "mat"), "the usual source of this table comes first"
    assert seated.moved(3, -1).names == ("Ann", "Bob", "Dan", "Cid")
    assert seated.moved(0, -1).names == ("Bob", "Cid", "Dan", "Ann"), "round the table"
    assert seated.moved(3, 1).names == ("Dan", "Ann", "Bob", "Cid")
    assert seated.unseated(1).names == ("Ann", "Cid", "Dan")
    assert seated.renamed(1, "Bea").names == ("Ann", "Bea", "Cid", "Dan")
    assert seated.renamed(1, "bob").names[1] == "bob", "one's own name is not another's"
    assert THREE.names == ("Ann", "Bob", "Cid"), "choices never change themselves"
    with pytest.raises(ChoiceError) as error:
        seated.seated("Eve", KIT).seated("Flo", KIT)
    assert kind(error) == ("too_many_seats", "name")
    for seat in (-1, 4):
        with pytest.raises(ChoiceError, match="no_chair"):
            seated.moved(seat, 1)


def test_sources_and_places_are_those_of_the_table() -> None:
    assert [chair.source for chair in THREE.sourced(1, "bot", KIT).chairs] == ["mat", "bot", "bot"]
    with pytest.raises(ChoiceError, match="no_source"):
        THREE.sourced(0, "mat", Equipment())
    assert THREE.places == (0, 1, 2)
    placed = THREE.placed(0, 2, KIT)
    assert placed.places == (2, 1, 0), "two seats never have one place"
    assert placed.placed(1, 2, KIT).chairs[0].place is None, "whoever sits there now does, and the other one is asked again"
    assert placed.placed(1, 4, KIT).placed(2, 1, KIT).places == (2, 4, 1)
    assert placed.displaced().places == (0, 1, 2)
    for place in (-1, 5):
        with pytest.raises(ChoiceError, match="no_spot"):
            THREE.placed(0, place, KIT)
    with pytest.raises(ChoiceError, match="no_spot"):
        THREE.placed(0, 0, Equipment())


def test_six_rules_are_asked_for_and_each_value_has_its_sentence() -> None:
    for game, rules in ASKED.items():
        assert len(rules) == 6
        options = find_game(game).options({})
        for name, values in rules.items():
            assert name in RULES
            assert values[0] == getattr(options, name), "the usual one comes first"
            for value in values:
                assert f"{name}={value}" in RULE_VALUES
                find_game(game).options({name: value})
    asked = {f"{name}={value}" for rules in ASKED.values() for name, values in rules.items() for value in values}
    assert set(RULE_VALUES) == asked and set(RULES) == {name for rules in ASKED.values() for name in rules}


def test_another_game_brings_its_own_rules_and_keeps_the_people() -> None:
    kit = replace(KIT, games=("steal", "draw", "casino-stud"))
    draw = THREE.like("club").playing("draw", kit)
    assert (draw.game, draw.chairs, draw.preset) == ("draw", THREE.chairs, "club")
    assert set(draw.rules) == set(ASKED["draw"]), "there is no hard mode, and nothing that a club plays otherwise"
    find_game("draw").options(draw.rules)
    here = kit.playing("draw")
    assert (here.fewest, here.most, here.hard, kit.hard) == (2, 5, False, True)
    assert draw.ruled("limit", "pot", here).rules["limit"] == "pot"
    with pytest.raises(ChoiceError, match="no_rule"):
        draw.ruled(HARD, True, here)
    with pytest.raises(ChoiceError, match="no_game"):
        draw.playing("stud", kit)
    assert draw.playing("draw", KIT) == draw and kit.playing("steal") is kit
    assert draw.playing("steal", kit).like("club").rules == PRESETS["club"]
    assert lacking(draw.unseated(0), here) is None, "two are enough"


def test_a_rule_takes_its_own_values_alone() -> None:
    chosen = THREE.like("home").ruled("penalty", "lose_turn", KIT).ruled(HARD, True, KIT)
    assert (chosen.rules["penalty"], chosen.rules[HARD]) == ("lose_turn", True)
    wrong = (("penalty", "death"), ("allow_pass", 1), ("allow_pass", "True"), (HARD, 0), (HARD, None), ("max_turns", 3))
    for name, value in wrong:
        with pytest.raises(ChoiceError, match="no_rule"):
            THREE.ruled(name, value, KIT)


@pytest.mark.parametrize("preset", ["home", "club"])
def test_a_preset_fills_everything_in_and_leaves_the_people_seated(preset: str) -> None:
    before = replace(THREE, deck="blue", language="hu").ruled(HARD, True, KIT).ruled("tie_break", "share", KIT)
    after = before.like(preset)
    assert (after.preset, after.chairs, after.language, after.deck) == (preset, THREE.chairs, "hu", "")
    assert after.rules == PRESETS[preset]
    assert set(after.rules) == {*ASKED["steal"], HARD}
    find_game("steal").options(after.rules)
    assert lacking(after, KIT) is None
    with pytest.raises(ChoiceError, match="no_preset"):
        before.like("casino")


@pytest.mark.parametrize(
    ("choices", "expected"),
    [
        (THREE, None),
        (THREE.unseated(0), ("too_few_seats", "seats")),
        (replace(THREE, chairs=(*THREE.chairs, *(Chair(name) for name in "def"))), ("too_many_seats", "seats")),
        (replace(THREE, chairs=(*THREE.chairs, Chair("Bob"))), ("name_twice", "seats")),
        (replace(THREE, chairs=(*THREE.chairs, Chair(""))), ("name_empty", "seats")),
        (replace(THREE, chairs=(*THREE.chairs, Chair("Dan", "telepathy"))), ("no_source", "sources")),
        (replace(THREE, deck="red"), ("no_deck", "deck")),
        (replace(THREE, deck="blue"), None),
    ],
)
def test_what_a_game_still_lacks(choices: Choices, expected: tuple[str, str] | None) -> None:
    found = lacking(choices, KIT)
    assert (None if found is None else (found.kind, found.field)) == expected
    if found is not None:
        assert REFUSALS[found.kind] % found.values


def played(began: str, *seats: tuple[str, str]) -> PlayedGame:
    return PlayedGame(
        "0123456789abcdef", "steal", began, 60.0, tuple(PlayedSeat(*seat) for seat in seats), (0, 1, 2), (0,), "category", ()
    )


def test_whoever_has_played_lately_stands_first_and_bots_do_not() -> None:
    shelf = Shelf((
        played("2027-03-08", ("Dan", "tap"), ("Ann", "mat"), ("Robby", "bot")),
        played("2027-03-01", ("Ann", "tap"), ("", "tap"), ("Bob", "bot")),
        played("2027-02-01", ("Bob", "tap"), ("Ann", "tap"), ("Cid", "tap")),
    ))  # fmt: skip
    assert people_of(shelf) == ("Dan", "Ann", "Bob", "Cid")


@pytest.mark.parametrize(
    ("named", "places"),
    [((None, None, None), (0, 1, 2)), ((1, None, None), (1, 0, 2)), ((None, 0, None), (1, 0, 2)), ((5, None, 1), (5, 0, 1))],
)
def test_a_seat_that_names_no_place_takes_one_that_nobody_has_named(
    named: tuple[int | None, ...], places: tuple[int, ...]
) -> None:
    assert places_of(named) == places
