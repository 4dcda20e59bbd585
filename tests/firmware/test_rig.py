"""Which cameras a table has, and what is said of one that looks down on people's hands."""

from companion.cards import Mark
from companion.observation import Observation, Sighting, TroubleKind
from companion.picture import RowSight
from companion.table import SLOTS, above
from firmware.rig import looks_down, stations
from firmware.silence import CameraWatch
from firmware.table import hidden_now
from vision.layout import above_layout


def names(*given, **more):
    return [station.camera for station in stations(*given, **more)]


def test_a_camera_above_looks_at_every_mat_and_at_no_other_seat():
    sources = ("mat", "tap", "mat", "bot")
    assert names(sources, RowSight.OVERHEAD) == ["mat0", "mat2", "tray"]
    assert names(sources, RowSight.NONE, upcards=True) == ["mat0", "mat2", "above0", "above2"]
    # By the mats that lie there, whoever sits behind them; turned as the seats are in the ring.
    found = stations(("mat", "tap", "mat"), RowSight.NONE, (3, 0, 1), upcards=True)
    down = [station for station in found if looks_down(station)]
    assert [station.layout for station in down] == [above_layout(3, 0.0), above_layout(1, 240.0)]
    assert [station.places for station in down] == [tuple(above(seat, number) for number in SLOTS) for seat in (0, 2)]


def test_a_mat_that_is_hidden_from_above_is_covered_and_no_trouble():
    class Eye:
        trouble_kind, trouble_since, other_board = TroubleKind.LOST, 0.0, None

    plan = [station for station in stations(("mat", "mat"), RowSight.NONE, upcards=True) if looks_down(station)]
    eyes = {station.camera: Eye() for station in plan}
    watch = CameraWatch(plan, eyes)
    for time in range(3):
        for camera in eyes:
            watch.hear(camera, float(time))
    assert watch.troubles(2.0) == ()
    eyes["above1"].trouble_kind = TroubleKind.DARK
    assert [(trouble.kind, trouble.seat) for trouble in watch.troubles(2.0)] == [(TroubleKind.DARK, None)]
    assert [trouble.kind for trouble in watch.troubles(60.0)] == [TroubleKind.SILENT] * 2
    places = plan[0].places
    assert hidden_now(places, 2.0) == Observation(2.0, places, tuple(Sighting(place, Mark.COVERED, 1.0) for place in places))
