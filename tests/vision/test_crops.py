"""The pictures that a reading was made from: of which scene, how many, for how long."""

from __future__ import annotations

import numpy as np

from companion.cards import DECK
from companion.observation import EvidenceRef
from companion.table import slot
from tests.vision.session import CARDS, EMPTY
from vision.belief import LOOKS, Scene, likeliest
from vision.classifier import LABELS
from vision.layout import WINDOW_PX
from vision.reader import KEPT_SCENES


def last(table, contents=CARDS, frames=6, **how):
    """The sightings of the last of so many frames, by slot from 1."""
    for _ in range(frames):
        table.now += 0.1
        observation = table.observer.observe(table.drawn.frame(table.now, contents, **how))
    return observation.sightings


def patches(crop):
    return np.frombuffer(crop.pixels, np.uint8).reshape(crop.looks, crop.height, crop.width, 3)


def test_the_looks_that_were_read_are_kept_to_the_pixel(session):
    table = session()
    read = []
    classify = table.classifier.classify
    table.classifier.classify = lambda given: (read.append(given.copy()), classify(given))[1]
    sightings = last(table)
    for number, sighting in enumerate(sightings):
        crop = table.observer.crop(sighting.evidence)
        assert (crop.width, crop.height, crop.looks, crop.agreed) == (*WINDOW_PX, LOOKS, LOOKS)
        assert np.array_equal(patches(crop), np.stack([given[number] for given in read if len(given) == 5]))


def test_read_again_they_give_the_same_belief(session):
    table = session(spread=0.12)
    for sighting in last(table):
        scene = Scene()
        for reading in table.classifier.classify(patches(table.observer.crop(sighting.evidence))):
            scene.add(reading)
        assert likeliest(scene.posterior(), least=0.0) == sighting.likely
        assert len(sighting.likely) == 3


def test_a_quiet_window_keeps_no_more_pictures(session):
    table = session()
    crops = [table.observer.crop(sightings[0].evidence) for sightings in (last(table), last(table, frames=30))]
    assert crops[0] == crops[1]


def test_what_lay_there_before_is_still_there_for_a_while(session):
    table = session()
    before = last(table)[2].evidence
    kept = table.observer.crop(before)
    after = last(table, (*CARDS[:2], DECK[30], *CARDS[3:]))[2].evidence
    assert table.observer.crop(before) == kept != table.observer.crop(after)
    for card in DECK[31 : 31 + KEPT_SCENES]:
        last(table, (*CARDS[:2], card, *CARDS[3:]))
    assert table.observer.crop(before) is None


def test_an_empty_window_has_a_picture_too(session):
    table = session()
    sighting = last(table, (EMPTY, *CARDS[1:]))[0]
    assert table.observer.crop(sighting.evidence).looks == LOOKS
    assert sighting.likely == ()


def test_a_picture_that_was_never_made(session):
    table = session()
    last(table)
    assert table.observer.crop(EvidenceRef("mat0", 10_000, 1)) is None


def torn_between(table, card, rival, share):
    """Let the classifier see something of `rival` in every `card`."""
    classify, one, other = table.classifier.classify, DECK.index(card), DECK.index(rival)

    def torn(given):
        readings = classify(given).copy()
        readings[:, other] += share * readings[:, one]
        readings[:, one] *= 1 - share
        return readings

    table.classifier.classify = torn
    return table


def test_what_else_a_card_may_be_does_not_depend_on_other_places(session):
    """The claim is weighed against all places in view; what is told of an open card must not tell where others lie."""
    rival = DECK[40]
    alone, beside = (torn_between(session(), CARDS[0], rival, 0.05) for _ in range(2))
    first = last(alone)[0]
    assert [card for card, _ in first.likely][:2] == [CARDS[0], rival]
    elsewhere = np.full(len(LABELS), 1e-6)
    elsewhere[DECK.index(rival)] = 1.0
    for _ in range(8):
        beside.observer._table.weigh({slot(4, 1): elsewhere / elsewhere.sum()}, beside.now)
        second = last(beside, frames=1)[0]
    assert second.seen == first.seen
    assert second.confidence > first.confidence
    assert second.likely == first.likely
