"""Whole games through rendered frames and the shipped model - and what the figures say when something lies between."""

import random
from itertools import pairwise

import numpy as np
import pytest

from companion.cards import DECK, Mark
from companion.games import find_game
from companion.sitting import Seat
from companion.table import PILE, row, slot
from firmware.errors import RigError
from firmware.rig import stations
from firmware.table import open_table
from firmware.virtual.play import Settings
from firmware.virtual.rendered import VARIANTS, RenderedTable, direct_link, open_deck
from firmware.virtual.run import run_games
from firmware.virtual.scenes import scene_of, sloppy_pose
from firmware.virtual.server import Log, LogReply, Open, Readings, Step, TableServer, build_table, packaged_classifier
from firmware.virtual.truth import Truth
from firmware.virtual.world import World
from vision.classifier import LABELS
from vision.layout import mat_layout, tray_layout
from vision.synthetic.scene import JOKER, SLOP_LIMITS

SETTINGS = Settings(seats=3, seed=10)
"""A short game with a draw, a theft and a take."""


class Recorder:
    """A link that only remembers what it was asked."""

    def __init__(self):
        self.asked = []

    def ask(self, request):
        self.asked.append(request)

    def close(self):
        pass


def a_world(tray="overhead"):
    world = World(3, DECK, tray)
    for seat in range(3):
        for number in range(1, 6):
            world.move(world.top(PILE), slot(seat, number))
    return world


def shots(recorder):
    return [step.shots for step in recorder.asked if isinstance(step, Step)]


# The picture of the truth ---------------------------------------------------------------------------------------------


def test_a_scene_holds_what_lies_there_side_and_face():
    world = a_world()
    world.move(world.bring(None), slot(0, 2))
    world.move(world.top(slot(0, 1)), slot(0, 1), face_down=False)
    scene = scene_of(world, world.boards[0], mat_layout(0), random.Random(1))
    assert [len(stack) for stack in scene.stacks] == [1, 2, 1, 1, 1]
    assert scene.stacks[0][0].side == "up"
    assert scene.stacks[1][1].face == JOKER
    assert scene.stacks[2][0].face == world.ideal(slot(0, 3))
    assert scene.hands == ()


def test_a_hand_is_drawn_where_one_is_and_never_stands_still():
    world = a_world()
    world.cover(slot(0, 4))
    rng = random.Random(1)
    first, second = (scene_of(world, world.boards[0], mat_layout(0), rng) for _ in range(2))
    assert len(first.hands) == 1
    window = mat_layout(0).windows[3]
    assert abs(first.hands[0].x_mm - window.x - window.width / 2) < 20
    assert first.hands != second.hands
    assert first.stacks[3] != second.stacks[3]
    assert first.stacks[0] == second.stacks[0]


def test_only_the_tray_shows_the_pile():
    world = a_world()
    assert scene_of(world, world.boards[-1], tray_layout(), random.Random(1)).pile == 37
    assert scene_of(world, world.boards[0], mat_layout(0), random.Random(1)).pile == 0


@pytest.mark.parametrize("difficulty", ["easy", "normal", "hard"])
def test_cards_are_laid_within_the_slop_of_the_difficulty_and_either_way_round(difficulty):
    rng = random.Random(1)
    poses = [sloppy_pose(difficulty, rng) for _ in range(200)]
    _, away, degrees = SLOP_LIMITS[difficulty]
    assert max(abs(pose.dx_mm) for pose in poses) <= away
    assert max(abs(pose.angle_deg) for pose in poses) <= degrees
    assert 60 < sum(pose.turned for pose in poses) < 140


# What travels ---------------------------------------------------------------------------------------------------------


def test_a_still_board_sends_a_few_pictures_once_and_then_only_their_numbers():
    world, link = a_world(), Recorder()
    table = RenderedTable(link, SETTINGS, world, random.Random(1))
    for tick in range(1, 13):
        table.step(tick * 0.1, world, ())
    sent = [[shot.image is not None for shot in step if shot.camera == "mat1"] for step in shots(link)]
    assert sent == [[True]] * VARIANTS + [[False]] * (12 - VARIANTS)
    variants = [shot.variant for step in shots(link) for shot in step if shot.camera == "mat1"]
    assert set(variants) == set(range(VARIANTS))
    assert all(a != b for a, b in pairwise(variants)), "a camera that repeats itself is broken"


def test_a_change_is_rendered_at_once_and_only_on_its_board():
    world, link = a_world(), Recorder()
    table = RenderedTable(link, SETTINGS, world, random.Random(1))
    for tick in range(1, 7):
        table.step(tick * 0.1, world, ())
    world.cover(slot(2, 1))
    table.step(0.7, world, ())
    assert {shot.camera for shot in shots(link)[-1] if shot.image is not None} == {"mat2"}
    before = next(shot.image for shot in shots(link)[0] if shot.camera == "mat2")
    after = next(shot.image for shot in shots(link)[-1] if shot.camera == "mat2")
    assert np.abs(before.astype(int) - after).max() > 60


def test_cameras_that_look_seldom_take_turns():
    world, link = a_world(), Recorder()
    table = RenderedTable(link, Settings(seats=3, period=0.5), world, random.Random(1))
    for tick in range(1, 21):
        table.step(tick * 0.1, world, ())
    assert table.frames == pytest.approx(4 * 4, abs=4)
    assert max(len(step) for step in shots(link)) < 4


def test_frames_are_of_the_published_size():
    world, link = a_world(), Recorder()
    RenderedTable(link, SETTINGS, world, random.Random(1)).step(0.1, world, ())
    shapes = {shot.camera: shot.image.shape for shot in shots(link)[0]}
    assert shapes == {"mat0": (288, 1536, 3), "mat1": (288, 1536, 3), "mat2": (288, 1536, 3), "tray": (928, 1536, 3)}


def test_a_tray_that_is_a_mat_carries_the_markers_of_the_sixth_board():
    plan = stations(("mat", "tap", "mat"), Settings(tray="mat").row_sight)
    assert [station.camera for station in plan] == ["mat0", "mat2", "tray"]
    assert plan[-1].layout == mat_layout(5)
    assert plan[-1].places == tuple(row(number) for number in range(1, 6))


def test_the_server_wants_a_game_before_anything_else():
    with pytest.raises(RuntimeError, match="Readings came before any game was opened"):
        TableServer().handle(Readings())


def test_the_server_reads_what_lies_still():
    world = a_world()
    server = TableServer()

    class Near:
        def ask(self, request):
            return server.handle(request)

    table = RenderedTable(Near(), SETTINGS, world, random.Random(2))
    for tick in range(1, 12):
        view = table.step(tick * 0.1, world, ())
    readings = dict(table.readings())
    assert {place: readings[place] for place in readings if place.seat >= 0} == {
        slot(seat, n): world.ideal(slot(seat, n)) for seat in range(3) for n in range(1, 6)
    }
    assert readings[row(1)] is Mark.EMPTY
    assert "As" not in repr(view)
    reply = server.handle(Log())
    assert isinstance(reply, LogReply)
    assert reply.cpu_seconds > 0


def test_decks_are_drawn_once():
    assert open_deck(None, None) is open_deck(None, None)


# Whole games ----------------------------------------------------------------------------------------------------------


def near(build=build_table):
    return lambda: direct_link(build)


def test_a_game_is_followed_by_the_cameras_to_its_result():
    figures = run_games(SETTINGS, 1, open_link=near())
    assert figures.notes == []
    assert figures.turns_right == figures.turns >= 3
    assert (figures.wrong_reads, figures.unknown_reads, figures.questions, figures.false_accusations) == (0, 0, 0, 0)
    assert figures.reveals_right == 1
    assert figures.frames > 1000


@pytest.fixture
def hasty(monkeypatch):
    """Players who soon give up a table that does not follow, so that broken tables are seen through quickly."""
    monkeypatch.setattr("firmware.virtual.talking.PATIENCE", 6.0)
    monkeypatch.setattr("firmware.virtual.players.GIVE_UP_AFTER", 2)


class Crossed:
    """Takes two cards for each other."""

    def __init__(self, first, second):
        order = list(range(len(LABELS)))
        a, b = DECK.index(first), DECK.index(second)
        order[a], order[b] = b, a
        self.order = order

    def classify(self, patches):
        return packaged_classifier().classify(patches)[:, self.order]


def build_crossed(settings, seed, clock):
    hands = Truth(find_game("steal"), settings.seats, {}, random.Random(f"{settings.seed}/0/deck")).state.table.hands
    seats = [Seat(f"Seat {number}") for number in range(settings.seats)]
    classifier = Crossed(hands[0][0], hands[1][2])
    return open_table(find_game("steal"), seats, classifier, row_sight=settings.row_sight, seed=seed, clock=clock)


@pytest.mark.long
def test_two_swapped_readings_are_counted_as_wrong(hasty):
    figures = run_games(SETTINGS, 1, open_link=near(build_crossed))
    assert figures.wrong_reads > 0


@pytest.mark.long
def test_without_the_frames_of_the_tray_the_row_is_played_with_the_button_and_nobody_reads_it():
    seen = []

    def blind_tray(camera, time, image):
        seen.append(camera)
        return None if camera == "tray" else image

    figures = run_games(SETTINGS, 1, open_link=near(), tamper=blind_tray)
    whole = run_games(SETTINGS, 1, open_link=near())
    assert "tray" in seen
    assert figures.slot_reads < whole.slot_reads, "no place of the row is ever read"
    assert (figures.wrong_reads, figures.false_accusations, figures.reveals_right) == (0, 0, 1)


@pytest.mark.long
def test_a_camera_that_repeats_one_frame_for_ever_is_believed_nothing():
    kept = {}

    def frozen(camera, time, image):
        return kept.setdefault(camera, image) if camera == "mat1" else image

    figures = run_games(SETTINGS, 1, open_link=near(), tamper=frozen)
    assert (figures.wrong_reads, figures.false_accusations) == (0, 0)
    assert figures.reveals_right == 1, "its seat is entered by hand"


@pytest.mark.long
def test_frames_of_another_game_are_read_wrongly(hasty):
    taken = {}

    def keep(camera, time, image):
        taken.setdefault(camera, []).append((time, image))
        return image

    run_games(Settings(seats=3, seed=11), 1, open_link=near(), tamper=keep)

    def other(camera, time, image):
        return next((picture for at, picture in taken[camera] if at >= time), taken[camera][-1][1])

    figures = run_games(SETTINGS, 1, open_link=near(), tamper=other)
    assert figures.wrong_reads > 0
    assert figures.turns_right < figures.turns
    assert figures.reveals_right == 0


def test_a_table_that_dies_is_said():
    class Gone:
        def ask(self, request):
            if not isinstance(request, Open):
                raise ConnectionError("the table's process has ended with status 3")

        def close(self):
            pass

    with pytest.raises(RigError, match="ended with status 3"):
        run_games(SETTINGS, 1, open_link=Gone)
