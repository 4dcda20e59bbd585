"""Whether the deck on the table is one that the reader knows: how many of the cards that came to rest it could not read."""

from __future__ import annotations

from collections import deque

from companion.cards import Card, Mark, Seen
from companion.observation import Observation
from companion.table import Place

RESTING_S = 1.5
"""A card that is seen alike for so long lies still."""
FACES, FEWEST_FACES = 80, 20
"""So many of the last cards that came to rest are counted, and so many are needed."""
WEAK_SHARE, FEWEST_UNREAD = 0.15, 4
"""From this share of unread cards on the deck is called weak; a few badly laid ones do not make it so."""


class Resting:
    """Notices the cards that come to rest, each once until something else is seen at its place; used by one thread."""

    def __init__(self) -> None:
        self._since: dict[Place, tuple[Seen, float]] = {}
        self._counted: set[Place] = set()

    def hear(self, observation: Observation) -> tuple[bool, ...]:
        """For every card that has come to rest by now, whether it could not be read."""
        unread = []
        for sighting in observation.sightings:
            place, seen = sighting.place, sighting.seen
            before = self._since.get(place)
            if before is None or before[0] != seen:
                self._since[place] = (seen, observation.time)
                self._counted.discard(place)
            elif place not in self._counted and observation.time - before[1] >= RESTING_S:
                self._counted.add(place)
                if isinstance(seen, Card) or seen is Mark.UNREADABLE:
                    unread.append(seen is Mark.UNREADABLE)
        return tuple(unread)


class DeckWatch:
    """Hears every observation of a table; used by one thread."""

    def __init__(self) -> None:
        self._resting = Resting()
        self._unread: deque[bool] = deque(maxlen=FACES)

    @property
    def weak(self) -> bool:
        """Whether teaching the deck would be of use."""
        unread = sum(self._unread)
        return len(self._unread) >= FEWEST_FACES and unread >= max(FEWEST_UNREAD, WEAK_SHARE * len(self._unread))

    def hear(self, observation: Observation) -> None:
        """Count the cards that have come to rest."""
        self._unread.extend(self._resting.hear(observation))
