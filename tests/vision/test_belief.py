"""Beliefs over frames and over places, in numbers."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.cards import DECK, Card, Mark
from companion.table import slot
from vision.belief import LOOKS, Scene, TableBelief, Thresholds, claim, likeliest
from vision.classifier import LABELS

SIX, EIGHT, QUEEN = (LABELS.index(Card.parse(text)) for text in ("6h", "8h", "Qs"))
A, B, C = slot(0, 1), slot(1, 1), slot(2, 3)


def spread(**shares):
    """57 probabilities: the named ones, the rest evenly over all others.  Names are cards or marks."""
    named = {LABELS.index(Card.parse(n) if n[0].isdigit() or n[0] in "TJQKA" else Mark[n]): p for n, p in shares.items()}
    values = np.full(len(LABELS), (1 - sum(named.values())) / (len(LABELS) - len(named)))
    for index, share in named.items():
        values[index] = share
    return values


def weigh(table, place, posterior, time):
    """What one place shows, weighed; None withdraws it."""
    return table.weigh({place: posterior}, time).get(place)


def settled(*readings):
    scene = Scene()
    for reading in readings:
        scene.add(np.asarray(reading, np.float32))
    return scene.posterior()


def test_nothing_is_known_before_the_first_look():
    assert np.allclose(Scene().posterior(), 1 / 57)


def test_one_look_is_taken_at_its_word():
    reading = spread(**{"6h": 0.9, "8h": 0.08})
    assert np.allclose(settled(reading), reading, atol=1e-4)


def test_agreeing_looks_make_surer_but_not_as_if_they_were_independent():
    reading = spread(**{"6h": 0.9, "8h": 0.09})
    shares = [settled(*[reading] * n)[SIX] for n in range(1, LOOKS + 1)]
    assert shares == sorted(shares)
    assert 0.92 < shares[-1] < 0.97


def test_one_bad_look_among_good_ones_is_outvoted():
    good, bad = spread(**{"6h": 0.98}), spread(**{"8h": 0.9, "6h": 0.05})
    posterior = settled(good, bad, good, good, good)
    assert posterior.argmax() == SIX
    assert posterior[SIX] > 0.98


def test_looks_that_contradict_each_other_are_no_card():
    posterior = settled(*[spread(**{"6h": 0.97, "8h": 0.02}), spread(**{"8h": 0.97, "6h": 0.02})] * 2)
    assert claim(posterior, Thresholds())[0] is Mark.UNREADABLE


def test_a_zero_rules_nothing_out():
    impossible = np.zeros(57)
    impossible[EIGHT] = 1
    assert settled(impossible, *[spread(**{"6h": 0.99})] * 4).argmax() == SIX


def test_a_scene_that_goes_on_in_another_light_keeps_what_was_read():
    scene = Scene()
    for _ in range(LOOKS):
        scene.add(spread(**{"6h": 0.99}).astype(np.float32))
    scene.go_on()
    assert not scene.complete
    before = scene.posterior()[SIX]
    while not scene.complete:
        scene.add(spread(UNREADABLE=0.9).astype(np.float32))
    assert scene.posterior()[SIX] == pytest.approx(before)
    scene.go_on()
    while not scene.complete:
        scene.add(spread(**{"8h": 0.99}).astype(np.float32))
    assert claim(scene.posterior(), Thresholds())[0] != Card.parse("6h")


def test_a_scene_without_a_look_cannot_go_on():
    scene = Scene()
    scene.go_on()
    scene.add(spread(UNREADABLE=0.9).astype(np.float32))
    assert claim(scene.posterior(), Thresholds())[0] is Mark.UNREADABLE


def test_a_scene_says_when_it_was_looked_at_enough():
    scene = Scene()
    for count in range(LOOKS):
        assert not scene.complete, count
        scene.add(np.full(57, 1 / 57, np.float32))
    assert scene.complete


@pytest.mark.parametrize(
    ("shares", "seen"),
    [
        ({"6h": 0.97}, Card.parse("6h")),
        ({"6h": 0.9, "8h": 0.09}, Mark.UNREADABLE),
        ({"6h": 0.5, "EMPTY": 0.49}, Mark.UNREADABLE),
        ({"EMPTY": 0.85}, Mark.EMPTY),
        ({"EMPTY": 0.6, "COVERED": 0.38}, Mark.COVERED),
        ({"EMPTY": 0.6, "6h": 0.38}, Mark.COVERED),
        ({"EMPTY": 0.45, "6h": 0.3, "8h": 0.24}, Mark.UNREADABLE),
        ({"BACK": 0.9}, Mark.BACK),
        ({"BACK": 0.7, "UNREADABLE": 0.29}, Mark.UNREADABLE),
        ({"FOREIGN": 0.9}, Mark.FOREIGN),
        ({"FOREIGN": 0.6, "6h": 0.39}, Mark.UNREADABLE),
        ({"COVERED": 0.5, "6h": 0.3}, Mark.COVERED),
        ({"UNREADABLE": 0.5, "6h": 0.45}, Mark.UNREADABLE),
    ],
)
def test_what_may_be_claimed(shares, seen):
    assert claim(spread(**shares), Thresholds(card=0.95, mark=0.8))[0] == seen


def test_the_threshold_is_the_callers():
    posterior = spread(**{"6h": 0.9, "8h": 0.09})
    assert claim(posterior, Thresholds(card=0.85)) == (Card.parse("6h"), pytest.approx(0.9))


@settings(max_examples=200, deadline=None)
@given(st.lists(st.floats(0.0, 1.0), min_size=57, max_size=57).filter(lambda v: sum(v) > 0.1))
def test_a_card_is_never_claimed_below_the_threshold(values):
    posterior = np.array(values) / sum(values)
    seen, confidence = claim(posterior, Thresholds())
    assert 0 <= confidence <= 1 + 1e-9
    if isinstance(seen, Card):
        assert posterior[DECK.index(seen)] >= Thresholds().card


def test_a_doubtful_reading_gives_way_to_a_sure_one_elsewhere():
    table = TableBelief()
    weigh(table, A, spread(**{"6h": 0.999}), 0.0)
    doubtful = weigh(table, B, spread(**{"6h": 0.6, "8h": 0.39}), 0.0)
    assert doubtful.argmax() == EIGHT
    assert doubtful[EIGHT] < 0.95
    assert weigh(table, A, spread(**{"6h": 0.999}), 0.0)[SIX] > 0.99


def test_a_card_seen_strongly_twice_stays_visible_twice():
    table = TableBelief()
    strong = spread(**{"6h": 0.9995})
    weigh(table, A, strong, 0.0)
    for place in (B, A):
        assert claim(weigh(table, place, strong, 0.0), Thresholds())[0] == Card.parse("6h")


def test_two_equally_doubtful_readings_are_treated_alike():
    table = TableBelief()
    doubtful = spread(**{"6h": 0.7, "8h": 0.29})
    weigh(table, A, doubtful, 0.0)
    second = weigh(table, B, doubtful, 0.0)
    assert np.allclose(second, weigh(table, A, doubtful, 0.0))


def test_a_ring_of_doubts_is_solved_together():
    table = TableBelief()
    for place, shares in ((A, {"Qs": 0.999}), (B, {"Qs": 0.5, "6h": 0.49}), (C, {"6h": 0.55, "8h": 0.44})):
        weigh(table, place, spread(**shares), 0.0)
    assert weigh(table, C, spread(**{"6h": 0.55, "8h": 0.44}), 0.0).argmax() == EIGHT
    assert weigh(table, B, spread(**{"Qs": 0.5, "6h": 0.49}), 0.0).argmax() == SIX


def test_a_place_that_was_withdrawn_or_not_seen_lately_does_not_count():
    doubtful = spread(**{"6h": 0.6, "8h": 0.39})
    table = TableBelief(fresh_s=5.0)
    weigh(table, A, spread(**{"6h": 0.999}), 0.0)
    assert weigh(table, A, None, 0.0) is None
    assert weigh(table, A, None, 0.0) is None
    assert np.allclose(weigh(table, B, doubtful, 0.0), doubtful)
    weigh(table, A, spread(**{"6h": 0.999}), 1.0)
    assert not np.allclose(weigh(table, B, doubtful, 5.9), doubtful, atol=0.01)
    assert np.allclose(weigh(table, B, doubtful, 6.1), doubtful)


def test_marks_are_not_rivals():
    table = TableBelief()
    empty = spread(EMPTY=0.99)
    weigh(table, A, empty, 0.0)
    assert np.allclose(weigh(table, B, empty, 0.0), empty, atol=1e-3)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 12))
def test_whatever_is_weighed_remains_a_distribution(seed, count):
    random = np.random.default_rng(seed)
    table = TableBelief()
    for number in range(count):
        values = random.random(57) ** 12
        weighed = weigh(table, slot(number // 5, number % 5 + 1), values / values.sum(), 0.0)
        assert weighed.sum() == pytest.approx(1)
        assert (weighed >= 0).all()


def test_many_threads_may_share_a_table():
    table = TableBelief()
    failures = []

    def work(seat):
        for step in range(100):
            place = slot(seat, step % 5 + 1)
            try:
                assert weigh(table, place, spread(**{"6h": 0.9}), step * 0.5).sum() == pytest.approx(1)
                if step % 3 == 0:
                    weigh(table, place, None, step * 0.5)
            except Exception as error:
                failures.append(error)

    threads = [threading.Thread(target=work, args=(seat,)) for seat in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_places_of_one_look_are_weighed_together():
    table = TableBelief()
    weighed = table.weigh({A: spread(**{"6h": 0.999}), B: spread(**{"6h": 0.6, "8h": 0.39}), C: None}, 0.0)
    assert set(weighed) == {A, B}
    assert (weighed[A].argmax(), weighed[B].argmax()) == (SIX, EIGHT)


@pytest.mark.parametrize(("share", "seen"), [(0.945, Mark.UNREADABLE), (0.955, Card.parse("6h"))])
def test_a_card_is_named_above_the_surest_mistake_that_was_measured(share, seen):
    assert claim(spread(**{"6h": share, "8h": 1 - share}), Thresholds())[0] == seen


def test_a_strange_face_is_foreign_only_where_it_is_none_of_the_cards():
    posterior = np.zeros(len(LABELS))
    posterior[LABELS.index(Mark.FOREIGN)], posterior[LABELS.index(Mark.COVERED)] = 0.6, 0.4
    assert claim(posterior, Thresholds()) == (Mark.FOREIGN, 0.6)
    posterior[0], posterior[LABELS.index(Mark.COVERED)] = 0.1, 0.3
    assert claim(posterior, Thresholds())[0] is Mark.UNREADABLE


def test_the_likeliest_faces_come_best_first_and_marks_are_none_of_them() -> None:
    posterior = np.full(len(LABELS), 0.0)
    for label, share in ((Mark.UNREADABLE, 0.5), (DECK[3], 0.1), (DECK[7], 0.3), (DECK[50], 0.06), (DECK[9], 0.04)):
        posterior[LABELS.index(label)] = share
    assert likeliest(posterior) == ((DECK[7], 0.3), (DECK[3], 0.1), (DECK[50], 0.06))
    assert likeliest(posterior, least=0.2) == ((DECK[7], 0.3),)
