"""Commitments of twin games look random, never repeat, and are all that two runs of one game differ in."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest

from companion import chronicle
from companion.commitments import commit
from tests.firmware.twins.outlets import Doors
from tests.firmware.twins.pairs import Pair
from tests.firmware.twins.played import Played
from tests.firmware.twins.playing import play
from tests.firmware.twins.randomness import commitments_of, openings_of, repeated, unbalanced
from tests.firmware.twins.table import Twin
from tests.firmware.twins.tables import SHORT

PAIR = SHORT.pair("all", 4)
Patch = pytest.MonkeyPatch


def two_runs(folder: Path) -> tuple[Twin, ...]:
    """The same game, twice."""
    twins: tuple[Twin, ...] = play(SHORT, Pair(PAIR.one, PAIR.one), folder, None).twins
    return twins


def test_two_runs_of_one_game_differ_in_commitments_alone(tmp_path: Path) -> None:
    one, other = two_runs(tmp_path)
    assert set(commitments_of(one)).isdisjoint(commitments_of(other))
    assert len(commitments_of(one)) == len(commitments_of(other)) > 30
    salts = [opening.salt for twin in (one, other) for _, opening in openings_of(twin)]
    assert not repeated(salts)
    assert [opening.card for _, opening in openings_of(one)] == [opening.card for _, opening in openings_of(other)]
    for twin in (one, other):
        assert unbalanced(commitments_of(twin)) == ""


def test_a_repeated_salt_is_caught(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr(chronicle, "commit", partial(commit, random=lambda size: b"\x07" * size))
    one, other = two_runs(tmp_path)
    assert commitments_of(one) == commitments_of(other), "whoever tries all cards would find each"
    assert repeated(opening.salt for _, opening in openings_of(one))
    assert repeated((*commitments_of(one), *commitments_of(other)))


@pytest.mark.parametrize("digits", [["0f" * 32] * 40, ["00" * 32] * 40, [json.dumps(n).zfill(64) for n in range(40)]])
def test_what_does_not_look_random_is_caught(digits: list[str]) -> None:
    assert unbalanced(digits) != ""


def test_the_game_that_is_only_tried_out_leaves_the_other_as_it_was(tmp_path: Path) -> None:
    """What comes of a declaration is looked at in a copy."""
    played_alone = play(SHORT, PAIR, tmp_path / "alone", None)
    tried = play(SHORT, PAIR, tmp_path / "tried", Doors(16, 2, 1), {})
    lamps = [[twin.lamps for twin in run.twins] for run in (played_alone, tried)]
    assert lamps[0] == lamps[1]
    assert [len(commitments_of(twin)) for twin in played_alone.twins] == [len(commitments_of(twin)) for twin in tried.twins]
    assert isinstance(tried.twins[0], Played)
