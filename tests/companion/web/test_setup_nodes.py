"""Mats with computers of their own in the setup wizard: a new one appears, and is given a place."""

from __future__ import annotations

from dataclasses import replace

from companion.choices import NodeMat
from tests.companion import tables
from tests.companion.web.outfitted import VIRTUAL, FakeOutfit
from tests.companion.web.test_setup import wizard

LEFT, RIGHT = NodeMat("left", 0), NodeMat("right")


def laid(outfit: FakeOutfit) -> dict[str, int | None]:
    return {node.name: node.place for node in outfit.kit.nodes or ()}


def test_a_table_that_looks_for_none_says_nothing_of_them() -> None:
    assert "Mats on the network" not in wizard(FakeOutfit()).page("sources")


def test_a_new_mat_appears_and_is_given_a_place() -> None:
    outfit = FakeOutfit(kit=replace(VIRTUAL, nodes=()))
    one = wizard(outfit)
    assert "None has been found." in one.page("sources")
    outfit.kit = replace(VIRTUAL, nodes=(LEFT, RIGHT))
    page = one.send("sources", "look", of="nodes")["html"]
    assert '<div data-look="nodes"></div>' in page, "what has that mark is hidden, so nothing may stand in it"
    assert "<legend>left</legend>" in page and "<legend>right</legend>" in page
    assert outfit.lit == [], "nobody's lamps are lent for that"
    one.send("sources", "node", node="right", place=3)
    assert laid(outfit) == {"left": 0, "right": 3}
    one.send("sources", "node", node="right", place=0)
    assert laid(outfit) == {"left": None, "right": 0}
    one.send("sources", "node", node="right", place=None)
    assert laid(outfit) == {"left": None, "right": None}


def test_what_keeps_a_mat_from_being_used_is_said() -> None:
    outfit = FakeOutfit(kit=replace(VIRTUAL, nodes=(replace(LEFT, here=False), replace(RIGHT, fits=False))))
    page = wizard(outfit).page("sources")
    assert "left – it is switched off or out of reach" in page
    assert "right – it has another version than this table" in page


def test_a_mat_that_is_not_there_a_place_that_is_not_and_a_file_that_cannot_be_written_are_refused() -> None:
    outfit = FakeOutfit(kit=replace(VIRTUAL, nodes=(LEFT, RIGHT)), unsaved=True)
    one = wizard(outfit)
    assert "No mat on the network is called middle." in one.send("sources", "node", node="middle", place=1)["message"]
    assert "There is no such place at this table." in one.send("sources", "node", node="left", place=6)["message"]
    assert "The settings file cannot be written" in one.send("sources", "node", node="left", place=1)["message"]


def test_during_a_game_every_mat_stays_where_it_is() -> None:
    outfit = FakeOutfit(kit=replace(VIRTUAL, nodes=(LEFT, RIGHT)))
    one = wizard(outfit, tables.playing())
    said = one.send("sources", "node", node="left", place=4)["message"]
    assert "A game is being played. Mats are given their places when it is over." in said
    assert laid(outfit) == {"left": 0, "right": None}
