"""The showing of hands after the end: which cards everybody may see, and the result once all of them can be seen."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from companion.cards import Card, Mark, is_named
from companion.games.base import Result
from companion.referee import AnyReferee
from companion.table import Area, Place
from companion.tracker import Track


@dataclass(frozen=True, slots=True)
class Reveal:
    """What has been shown.  Every method is pure."""

    places: frozenset[Place] = frozenset()
    """Slots whose cards everybody may see."""
    named: frozenset[Card] = frozenset()
    """Cards that somebody has typed for everybody; after an undo across the end nobody has to type them again."""
    result: Result | None = None

    def withdrawn(self) -> Reveal:
        """After an undo: the game goes on, and no hand is shown."""
        return replace(self, places=frozenset(), result=None)

    def vouched(self, card: Card) -> Reveal:
        """After `card`, which lies open and is known, was typed all the same."""
        return replace(self, named=self.named | {card})

    def with_entry(self, place: Place, card: Card) -> Reveal:
        """After `card` was typed for `place`: whoever has won is looked at again."""
        return replace(self, places=self.places | {place}, named=self.named | {card}, result=None)

    def after(
        self, referee: AnyReferee, tracks: Iterable[Track], time: float
    ) -> tuple[Reveal, AnyReferee]:
        """After a look at the table, with the referee who has asked for cards or noted the result; nothing before the end."""
        if referee.state.phase != "over":
            return (self.withdrawn() if self.places else self), referee
        if self.result is not None or (referee.log and referee.log[-1].kind == "result"):
            return self, referee
        table, watched = referee.state.table, referee.sight.watched
        places = referee.game.to_show(referee.state)
        turned = {track.place for track in tracks if track.settled is Mark.BACK and track.quiet and track.place.area is Area.SLOT}
        typed = {place for place in places if not watched[place.seat] and table.at(place) in self.named}
        open_now = {place for place in referee.game.shown(referee.state).intersection(places) if is_named(table.at(place))}
        seen = self.places | turned.intersection(places) | typed | open_now
        looked = [place for place in places if watched[place.seat]]
        unread = tuple(place for place in looked if not is_named(table.at(place)))
        if unread and seen >= set(looked):
            referee = referee.ask_for_cards(unread, time)
        known = all(is_named(referee.state.table.at(place)) for place in places)
        shown = replace(self, places=seen)
        if known and seen >= set(places):
            return replace(shown, result=referee.game.result(referee.state)), referee.ended(time)
        return shown, referee
