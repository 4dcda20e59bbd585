"""The tracker: quiet, lifted, covered and returned, per place."""

from companion.cards import Card, Mark, Seen
from companion.observation import Observation, Sighting
from companion.table import row, slot
from companion.tracker import Steadiness, Track, Tracker

PLACE = slot(1, 3)
SEVEN = Card.parse("7h")
NINE = Card.parse("9c")


def watch(*shown: Seen, start: float = 0.0, tracker: Tracker | None = None, place=PLACE, step: float = 0.1) -> Tracker:
    """A tracker that saw `shown` one after the other, a tenth of a second apart."""
    followed = tracker or Tracker()
    for number, seen in enumerate(shown):
        followed = followed.after(Observation(start + number * step, (place,), (Sighting(place, seen, 0.99),)))
    return followed


def track(tracker: Tracker, place=PLACE) -> Track:
    found = tracker.track(place)
    assert found is not None
    return found


def test_nothing_is_settled_at_the_first_look() -> None:
    assert track(watch(SEVEN)).settled is None
    assert not track(watch(SEVEN)).quiet


def test_a_place_settles_after_the_settling_time() -> None:
    assert track(watch(*[SEVEN] * 3)).settled is None
    assert track(watch(*[SEVEN] * 4)).settled == SEVEN
    assert track(watch(*[SEVEN] * 4)).quiet


def test_an_unreadable_card_takes_longer_to_settle() -> None:
    assert track(watch(*[Mark.UNREADABLE] * 6)).settled is None
    assert track(watch(*[Mark.UNREADABLE] * 11)).settled is Mark.UNREADABLE


def test_one_look_is_not_enough_however_long_ago() -> None:
    slow = watch(SEVEN, SEVEN, step=5.0)
    assert track(slow).settled == SEVEN
    assert track(watch(SEVEN, step=5.0)).settled is None


def test_covering_unsettles_but_keeps_what_was_held() -> None:
    covered = track(watch(*[SEVEN] * 4, Mark.COVERED))
    assert covered.settled == SEVEN
    assert not covered.quiet
    assert covered.disturbed
    assert not covered.lifted


def test_covered_never_settles_and_keeps_moving() -> None:
    covered = track(watch(*[Mark.COVERED] * 30))
    assert covered.settled is None
    assert covered.moved_at == 29 * 0.1


def test_a_lift_needs_empty_looks_and_need_not_be_quiet() -> None:
    assert not track(watch(*[SEVEN] * 4, Mark.EMPTY, SEVEN)).lifted
    short = track(watch(*[SEVEN] * 4, Mark.EMPTY, Mark.EMPTY, *[SEVEN] * 4))
    assert short.lifted
    assert short.settled == SEVEN


def test_vouching_forgets_the_lift_and_the_disturbance() -> None:
    seen = watch(*[SEVEN] * 4, Mark.EMPTY, Mark.EMPTY, *[SEVEN] * 4)
    assert track(seen).disturbed
    vouched = track(seen.vouched([PLACE]))
    assert not vouched.lifted
    assert not vouched.disturbed


def test_vouching_for_an_empty_slot_keeps_it_lifted() -> None:
    assert track(watch(*[SEVEN] * 4, *[Mark.EMPTY] * 5).vouched([PLACE])).lifted


def test_recognising_a_card_keeps_the_lift() -> None:
    seen = watch(*[SEVEN] * 4, Mark.EMPTY, Mark.EMPTY, *[SEVEN] * 4)
    recognised = track(seen.recognised([PLACE]))
    assert recognised.lifted
    assert not recognised.disturbed


def test_a_better_reading_is_no_disturbance() -> None:
    first = watch(*[NINE] * 4).vouched([PLACE])
    assert not track(watch(*[SEVEN] * 4, start=0.4, tracker=first)).disturbed
    assert not track(watch(Mark.UNREADABLE, start=0.4, tracker=first)).disturbed
    assert track(watch(Mark.BACK, start=0.4, tracker=first)).disturbed


def test_a_place_that_was_not_looked_at_stays_as_it_is() -> None:
    seen = watch(*[SEVEN] * 4)
    other = slot(0, 1)
    later = watch(*[NINE] * 4, start=5.0, tracker=seen, place=other)
    assert track(later) == track(seen)


def test_a_sighting_outside_the_look_is_ignored() -> None:
    tracker = Tracker().after(Observation(0.0, (slot(0, 1),), (Sighting(PLACE, SEVEN, 0.9),)))
    assert tracker.track(PLACE) is None


def test_the_tray_remembers_the_face_that_was_shown_before_the_back() -> None:
    place = row(1)
    seen = watch(*[SEVEN] * 5, *[Mark.COVERED] * 2, *[Mark.BACK] * 5, place=place)
    assert track(seen, place).scanned == SEVEN
    gone = watch(*[Mark.EMPTY] * 5, *[Mark.BACK] * 5, start=3.0, tracker=seen, place=place)
    assert track(gone, place).scanned is None


def test_tracks_stand_in_the_order_of_places() -> None:
    tracker = watch(SEVEN, place=row(2))
    tracker = watch(SEVEN, place=slot(2, 1), tracker=tracker)
    tracker = watch(SEVEN, place=slot(0, 5), tracker=tracker)
    assert [t.place for t in tracker.tracks] == [slot(0, 5), slot(2, 1), row(2)]


def test_steadiness_can_be_set() -> None:
    eager = Tracker(Steadiness(settle=0.0, sightings=1))
    assert track(watch(SEVEN, tracker=eager)).settled == SEVEN


def test_a_card_that_is_turned_over_is_still_the_one_that_was_shown() -> None:
    """Its window may be free for a moment; after longer, or once its back has shown, it may be any card."""
    shown = watch(*[SEVEN] * 5)
    turned = watch(*[Mark.COVERED] * 2, *[Mark.EMPTY] * 3, *[Mark.BACK] * 5, start=0.5, tracker=shown)
    assert track(turned).settled is Mark.BACK and track(turned).scanned == SEVEN
    taken = watch(*[Mark.EMPTY] * 8, *[Mark.BACK] * 5, start=0.5, tracker=shown)
    assert track(taken).scanned is None
    lifted = watch(*[Mark.EMPTY] * 2, *[Mark.BACK] * 5, start=1.5, tracker=turned)
    assert track(lifted).scanned is None and track(lifted).lifted
