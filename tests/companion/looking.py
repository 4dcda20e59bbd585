"""A table of any game whose cameras are perfect and look at everything at once."""

from __future__ import annotations

from companion.cards import Seen
from companion.observation import Observation, Sighting, Tick
from companion.sitting import Sitting
from companion.table import Place
from companion.views import View


class Looking:
    """`seen` says what lies where; `wait` lets time pass.  Whoever inherits it sets `sitting`, with `self.time` as its clock."""

    sitting: Sitting

    def __init__(self) -> None:
        self.time = 0.0
        self.seen: dict[Place, Seen] = {}

    def wait(self, seconds: float) -> View:
        for _ in range(round(seconds * 10)):
            self.time = round(self.time + 0.1, 1)
            sightings = tuple(Sighting(place, seen, 1.0) for place, seen in self.seen.items())
            self.sitting.post(Observation(self.time, tuple(self.seen), sightings))
            self.sitting.post(Tick(self.time))
            self.sitting.work()
        return self.sitting.view()
