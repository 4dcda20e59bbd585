"""A game at the virtual table in which a person moves the cards of some seats, and others those of the rest."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from companion.cards import DECK
from companion.games import find_game
from companion.observation import Declaration
from companion.sitting import Offer
from companion.views import View
from firmware.virtual.company import Company
from firmware.virtual.play import LONGEST_STEP, MakePose, OpenTable, Settings
from firmware.virtual.puppet import VirtualPuppet
from firmware.virtual.stage import Stage
from firmware.virtual.world import Pose, World


@dataclass(frozen=True, slots=True)
class ByHand:
    """What such a game needs beside its settings."""

    puppet: VirtualPuppet
    offers: Callable[[int], Sequence[Offer]]
    """What the page says that a seat may do now."""
    goes_on: Callable[[], bool]
    """Whether people still sit at this game."""
    make_pose: MakePose = lambda rng: Pose()


def play_by_hand(settings: Settings, number: int, open_table: OpenTable, given: ByHand) -> None:
    """Game `number` of a series, until nobody goes on with it.  Its table has a camera for every seat and for the row."""
    rng = random.Random(f"{settings.seed}/{number}/by hand")
    deck = list(DECK)
    rng.shuffle(deck)
    slop = random.Random(f"{settings.seed}/{number}/slop")
    stage, hands = Stage(), Stage()
    world = World(settings.seats, deck, "overhead", pose=lambda: given.make_pose(slop), clock=lambda: hands.now)
    table = open_table(find_game(settings.game), settings, world, random.Random(f"{settings.seed}/{number}/rig"))
    puppet = given.puppet
    others = [seat for seat in range(settings.seats) if seat not in puppet.seats]
    company = Company(world, stage, rng, others, given.offers, lambda: puppet.tutorial)
    # His own stage: while play is stopped nobody else moves a hand, and he may.
    hands.enter(puppet.begin(world, hands, company, rng, settings.first_seat))
    for act in company.acts():
        stage.enter(act)
    try:
        tick = 0
        while given.goes_on():
            tick += 1
            time = tick * min(settings.period, LONGEST_STEP)
            before = world.changes
            said = list(hands.advance(time))
            moved = world.changes != before
            said += stage.advance(time)
            if stage.view is not None:
                said += [Declaration(time, seat, vote) for seat, vote in company.votes(stage.view)]
            view: View = table.step(time, world, said)
            stage.view = view
            company.see(view, moved)
            puppet.see(world, view)
    finally:
        puppet.end()
        table.close()
