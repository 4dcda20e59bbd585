"""One board before the observer, for tests."""

from __future__ import annotations

from companion.cards import DECK, Mark
from companion.table import slot
from vision.observe import Observer

CARDS = DECK[3:8]
EMPTY, BACK, COVERED = Mark.EMPTY, Mark.BACK, Mark.COVERED


class Session:
    """One board, its observer and its clock."""

    def __init__(self, drawn, classifier, **settings):
        self.drawn, self.classifier = drawn, classifier
        self.places = tuple(slot(0, k) for k in range(1, 6))
        self.observer = Observer(drawn.layout, self.places, classifier, **settings)
        self.now = 0.0

    def look(self, contents, step=0.1, **how):
        """The next frame; what is claimed of each place, or () when nothing was covered."""
        self.now += step
        return self.give(self.drawn.frame(self.now, contents, **how))

    def give(self, frame):
        observation = self.observer.observe(frame)
        assert observation.time == frame.time
        assert observation.covered in ((), self.places)
        assert tuple(s.place for s in observation.sightings) == observation.covered
        return tuple(s.seen for s in observation.sightings)

    def settle(self, contents, frames=6, **how):
        for _ in range(frames):
            seen = self.look(contents, **how)
        return seen
