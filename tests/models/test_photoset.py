"""The synthetic photographs of held-out decks, and the counting of what is read."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from companion.cards import DECK, Card
from models.training import photodecks, photoset
from models.training.photodecks import CHANGES, TREATMENTS, PhotoDeck, treated
from models.training.photoset import report, tally
from tests.photographs import deck
from vision.evidence import Verdict
from vision.sorting import FoundCard
from vision.synthetic.photographs import Photograph


def cards(text: str) -> tuple[Card, ...]:
    return tuple(Card.parse(card) for card in text.split())


def found(card: str, confidence: float) -> FoundCard:
    square = np.zeros((4, 2), np.float32)
    return FoundCard(square, Verdict(Card.parse(card), confidence, 1.0, 2), np.zeros((2, 57), np.float32), True, 1.0, (0.0, 0.0))


def test_right_wrong_and_unknown_are_counted() -> None:
    photo = Photograph(np.zeros((40, 40, 3), np.uint8), "fan", cards("Ah 7c Qd"), cards("2s"))
    read = [found("Ah", 0.99), found("7s", 0.99), found("2s", 0.99), found("Qd", 0.6)]
    assert tally(photo, read) == Counter(cards=3, right=1, wrong=1, unknown=2)
    assert tally(photo, read, 0.5) == Counter(cards=3, right=2, wrong=1, unknown=1)
    assert tally(photo, [*read, found("Ah", 0.99)])["wrong"] == 2


def test_the_report_adds_up() -> None:
    lines = list(report({"scene: a": Counter(cards=4, right=3, unknown=1), "scene: b": Counter(cards=6, right=5, wrong=1)}))
    assert len(lines) == 3
    assert "right    8  80.00%" in lines[-1]
    assert "wrong    1  10.00%" in lines[-1]


def test_every_treatment_changes_the_stock_of_a_whole_deck() -> None:
    own = PhotoDeck("club", "own", DECK, deck().face)
    plain = deck().face(Card.parse("5s"))
    met = set()
    for seed in range(40):
        changed, name = treated(np.random.default_rng(seed), own)
        met.add(name)
        face = changed.face(Card.parse("5s"))
        assert face.shape == plain.shape
        assert np.array_equal(face, changed.face(Card.parse("5s")))
        assert np.array_equal(face, plain) == (name not in CHANGES)
    assert met == set(TREATMENTS)


def test_samples_are_repeatable_and_of_every_scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(photodecks.shutil, "which", lambda _: None)
    first, again = (list(photoset.samples(6, 3, tmp_path)) for _ in range(2))
    assert {sample.photograph.scene for sample in first} == set(photoset.SCENES)
    assert all(np.array_equal(one.photograph.image, other.photograph.image) for one, other in zip(first, again, strict=True))
    assert {sample.kind for sample in first} == {"own"}


def test_the_command_prints_its_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(photodecks.shutil, "which", lambda _: None)
    assert photoset.main(["--count", "3", "--seed", "2", "--cache", str(tmp_path), "--thresholds"]) == 0
    told = capsys.readouterr().out
    assert "scene: single" in told
    assert "deck: own" in told
    assert "threshold 0.97" in told
