"""One sitting at the table: the time-ordered inbox, and the only mutable owner of what the companion knows."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any

from companion.cards import Card, Mark, Seen, Unknown
from companion.errors import CompanionError, DeclarationError
from companion.games.base import Game, Result
from companion.observation import Answer, Call, Claim, Declaration, Entry, Event, Observation, Press
from companion.picture import Picture, RowSight, Sight, take_picture
from companion.proceedings import LogEntry, Timing
from companion.referee import AnyReferee, Referee
from companion.table import Area, Place
from companion.tracker import Steadiness, Tracker
from companion.viewing import Offer, Scene, build_view, move_view
from companion.views import Role, View

__all__ = ["LogEntry", "Offer", "RowSight", "Seat", "Sitting", "Steadiness", "Timing"]

SOURCES = ("mat", "tap", "bot")


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sits there, and where the seat's cards come from."""

    name: str
    source: str = "mat"
    """``mat`` (a camera reads its cards), ``tap`` (its moves are tapped) or ``bot`` (the companion chooses its moves)."""


class Sitting:
    """One game at one table.

    Any thread may `post`, `view` and `wait`; `work` is called by one thread, the table's own.
    """

    def __init__(
        self,
        game: Game[Any],
        seats: Sequence[Seat],
        options: Mapping[str, Any] | None = None,
        row_sight: RowSight = RowSight.OVERHEAD,
        timing: Timing | None = None,
        steadiness: Steadiness | None = None,
        seed: int = 0,
        clock: Callable[[], float] = monotonic,
        phone_peek: bool = False,
    ) -> None:
        """`phone_peek`: the house lets a player's own phone show his hidden cards; hard mode does not."""
        for seat in seats:
            if seat.source not in SOURCES:
                raise DeclarationError(f"seat {seat.name}: source {seat.source!r} is none of {', '.join(SOURCES)}")
        checked = game.options(options or {})
        sight = Sight(tuple(seat.source == "mat" for seat in seats), row_sight)
        self.seats = tuple(seats)
        self.now = clock
        self._seed = seed
        self._hard = bool(getattr(checked, "hard_mode", False))
        dealt = game.start(len(seats), checked)
        self._referee: AnyReferee = Referee(game, sight, dealt, timing or Timing(), hard=self._hard)
        self._vouched = self._referee
        self._tracker = Tracker(steadiness or Steadiness())
        self._revealed: frozenset[Place] = frozenset()
        self._result: Result | None = None
        self._troubled: tuple[str, ...] = ()
        self._deck = ""
        self._time = 0.0
        self._acted_at = 0.0
        self._inbox: list[tuple[float, int, Event]] = []
        self._posted = 0
        self._changed = threading.Condition()
        self._peekers = range(len(seats)) if phone_peek and not self._hard else range(0)
        self._view = self._build(Role.SPECTATOR, None, 1)
        # Each with a version of its own: how often a hidden card was read is not for others to count.
        self._own_views = {seat: self._build(Role.SEAT, seat, 1) for seat in self._peekers}

    # ---- for everybody ------------------------------------------------------------------------------------------

    def post(self, event: Event) -> None:
        """Put an event into the inbox; it is handled by the next `work`."""
        with self._changed:
            self._posted += 1
            self._inbox.append((event.time, self._posted, event))

    def view(self, role: Role = Role.SPECTATOR, seat: int | None = None) -> View:
        """What `role` may know now; `seat` is the seat of a player's phone.

        Every role sees what spectators see, except for a seat where the house lets phones peek.
        """
        with self._changed:
            if role is Role.SEAT and seat in self._own_views:
                return self._own_views[seat]
            return self._view

    def wait(self, version: int, timeout: float, role: Role = Role.SPECTATOR, seat: int | None = None) -> View:
        """The role's view as soon as it is newer than `version`, or after `timeout` seconds whatever it is."""
        with self._changed:
            self._changed.wait_for(lambda: self.view(role, seat).version > version, timeout)
            return self.view(role, seat)

    def log(self) -> tuple[LogEntry, ...]:
        """What was ruled so far; it names hidden cards and is for sealed storage and for measuring only."""
        return self._referee.log

    def readings(self) -> tuple[tuple[Place, Seen], ...]:
        """What each watched place shows in quiet; hidden cards included, so never for a page."""
        return tuple((track.place, track.settled) for track in self._tracker.tracks if track.settled is not None)

    def offers(self, seat: int) -> tuple[Offer, ...]:
        """The actions that `seat` may declare by tap now."""
        referee = self._referee
        state = referee.game.opened(referee.state)
        if state.current != seat or referee.violation is not None or state.phase == "over":
            return ()
        actions = [action for action in referee.game.legal_actions(state) if action.seat == seat]
        return tuple(Offer(number, move_view(referee.game, action)) for number, action in enumerate(actions))

    def claim(self, seat: int, offer: int) -> None:
        """Declare the action behind an offer; raise `DeclarationError` when it is not open to `seat` any more."""
        referee = self._referee
        state = referee.game.opened(referee.state)
        actions = [action for action in referee.game.legal_actions(state) if action.seat == seat]
        if state.current != seat or not 0 <= offer < len(actions):
            raise DeclarationError(f"seat {seat} has no offer {offer} now")
        self.post(Declaration(self.now(), seat, Claim(actions[offer])))

    # ---- for the table's own thread -----------------------------------------------------------------------------

    def work(self) -> None:
        """Handle everything that was posted, in the order of time; simultaneous events in the order of posting."""
        with self._changed:
            events, self._inbox = sorted(self._inbox, key=lambda item: item[:2]), []
        for number, (_, _, event) in enumerate(events):
            self._handle(event)
            # Looks of several cameras at one moment are one picture.
            if number + 1 == len(events) or events[number + 1][0] > event.time or isinstance(event, Declaration):
                self._think()
        if events:
            self._publish()

    def report_trouble(self, cameras: Sequence[str]) -> None:
        """Cameras that are silent, frozen or have lost their markers; an empty sequence when all is well."""
        if tuple(cameras) != self._troubled:
            self._troubled = tuple(cameras)
            self._publish()

    def report_deck(self, state: str) -> None:
        """What the readers think of the deck, as `View.deck` says it."""
        if state != self._deck:
            self._deck = state
            self._publish()

    def _handle(self, event: Event) -> None:
        self._time = max(self._time, event.time)
        if isinstance(event, Observation):
            self._tracker = self._tracker.after(event)
        elif isinstance(event, Declaration):
            try:
                self._declare(event)
            except CompanionError:
                # A late or doubled tap is refused without harm; the page shows the state as it is.
                return

    def _declare(self, declaration: Declaration) -> None:
        what, now, referee = declaration.what, self._time, self._referee
        if isinstance(what, Press):
            self._referee = referee.press(declaration.seat, now)
        elif isinstance(what, Claim):
            if what.action.seat != declaration.seat:
                raise DeclarationError(f"seat {declaration.seat} cannot act for seat {what.action.seat}")
            self._referee = referee.claim(what.action, now)
        elif isinstance(what, Answer):
            self._referee = referee.answer(what.question, what.choice, now)
        elif isinstance(what, Entry):
            self._enter(what, now)
        else:
            self._call(what, declaration.seat, now)

    def _enter(self, entry: Entry, now: float) -> None:
        if entry.place not in self._referee.game.places(len(self.seats)):
            raise DeclarationError(f"this game has no place {entry.place}")
        if isinstance(self._referee.state.table.at(entry.place), Unknown):
            self._referee = self._referee.enter(entry.place, entry.card, now)
        elif self._referee.sight.watched[entry.place.seat] or self._referee.state.table.at(entry.place) != entry.card:
            # Whether a guess is right must not be found out by guessing: a mat's card is shown by turning it over.
            raise DeclarationError(f"the card at {entry.place} cannot be entered")
        if self._referee.state.phase == "over":
            self._revealed |= {entry.place}

    def _call(self, call: Call, seat: int, now: float) -> None:
        referee = self._referee
        if call.name in ("pause", "resume"):
            self._referee = replace(referee, paused=call.name == "pause")
        elif call.name == "undo":
            if self._revealed:
                raise DeclarationError("cards have been shown: nothing can be undone any more")
            self._referee = referee.undo(now)
        elif call.name == "misdeal":
            self._referee = referee.misdealt(now)
            self._revealed, self._result = frozenset(), None
        elif call.name in ("leave", "return"):
            self._referee = referee.seated(seat, call.name == "leave", now)
        else:
            raise DeclarationError(f"nobody can call {call.name!r} now")

    def _think(self) -> None:
        # What was just declared accounts for the lifts before it.
        self._vouch()
        if self._troubled:
            # Half a table proves nothing: judging waits until every camera sees again.
            self._referee = self._referee.blinded()
        else:
            self._referee = self._referee.consider(self._picture(), self._time)
        self._vouch()
        self._play_bot()
        self._reveal()

    def _picture(self) -> Picture:
        referee = self._referee
        restoring = referee.violation is not None or referee.errand is not None
        return take_picture(self._watched(), referee.state.table, referee.sight, self._long_out(), referee.row_peak, restoring)

    def _watched(self) -> Tracker:
        """What is held of the places; after the end, with turned cards taken for what they are."""
        if self._referee.state.phase != "over":
            return self._tracker
        ended = max((entry.time for entry in self._referee.log if entry.kind == "action"), default=0.0)
        return self._tracker.at_the_end(self._time, ended)

    def _long_out(self) -> frozenset[Place]:
        """Empty slots whose card is not taken to be in a hand any more."""
        referee, timing = self._referee, self._referee.timing
        hold = timing.hold_hard if self._hard else timing.hold
        pressed = referee.pressed
        asked, since = pressed if pressed is not None and self._time - pressed[1] >= timing.press else (None, 0.0)
        return frozenset(
            track.place
            for track in self._tracker.tracks
            if track.quiet and track.settled is Mark.EMPTY
            and (
                self._time - track.since >= (hold if track.place.area is Area.SLOT else timing.patience)
                or (track.place.seat == asked and track.since <= since and self._time - track.since >= timing.hold_pressed)
            )
        )

    def _vouch(self) -> None:
        """Tell the tracker what the referee has accounted for since the last time."""
        referee, before = self._referee, self._vouched
        self._vouched = referee
        news = {entry.kind for entry in referee.log[len(before.log) :]}
        stands = before.open_turn is not None and before.open_turn.pliable and referee.open_turn is None
        done = stands or (before.errand is not None and referee.errand is None)
        if done or news & {"action", "cleared", "undone"} or referee.deal_known != before.deal_known:
            self._acted_at = self._time
            self._tracker = self._tracker.vouched(track.place for track in self._tracker.tracks)
            return
        table = referee.state.table
        same = [t.place for t in self._tracker.tracks if t.disturbed and t.quiet and t.settled == table.at(t.place)]
        if same:
            self._tracker = self._tracker.recognised(same)

    def _play_bot(self) -> None:
        referee = self._referee
        current = referee.state.current if referee.turns else referee.game.opened(referee.state).current
        waits = referee.errand is not None or referee.violation is not None or referee.question is not None or referee.paused
        ready = referee.deal_known or not any(referee.sight.watched)
        if current is None or waits or not ready or self.seats[current].source != "bot":
            return
        sorting = not referee.turns and self._time - self._tracker.moved_at < referee.timing.begin and any(referee.sight.watched)
        # A person may still take his move back or change it; nobody does that for a bot.
        open_still = referee.open_turn is not None and not referee.open_turn.ordered
        if self._time - self._acted_at < referee.timing.accuse or sorting or open_still:
            return
        state = referee.game.opened(referee.state)
        actions = [action for action in referee.game.legal_actions(state) if action.seat == current]
        chosen = random.Random(f"{self._seed}/{state.turn}/{current}").choice(actions)
        claimed = referee.claim(chosen, self._time, ordered=True)
        alone = all(seat.source == "bot" for seat in self.seats)
        # Where only bots sit nobody moves cards, so nobody has to say that they lie.
        self._referee = replace(claimed, errand=None) if alone else claimed
        self._acted_at = self._time

    def _hand_places(self) -> tuple[Place, ...]:
        referee = self._referee
        return tuple(place for place in referee.game.places(len(self.seats)) if place.area is Area.SLOT)

    def _reveal(self) -> None:
        referee = self._referee
        if referee.state.phase != "over" or self._result is not None:
            return
        tracks = {track.place: track for track in self._watched().tracks}
        places = self._hand_places()
        for place in places:
            track = tracks.get(place)
            if track is not None and track.settled is Mark.BACK and track.quiet:
                self._revealed |= {place}
        watched = [place for place in places if referee.sight.watched[place.seat]]
        unread = tuple(place for place in watched if isinstance(referee.state.table.at(place), Unknown))
        if unread and self._revealed >= set(watched):
            self._referee = referee = referee.ask_for_cards(unread, self._time)
        known = all(isinstance(referee.state.table.at(place), Card) for place in places)
        if known and self._revealed >= set(places):
            self._result = referee.game.result(referee.state)
            self._referee = referee.ended(self._time)

    # ---- the view -----------------------------------------------------------------------------------------------

    def _publish(self) -> None:
        with self._changed:
            before = self._view, dict(self._own_views)
            self._view = _newer(self._view, self._build(Role.SPECTATOR, None, self._view.version))
            for seat, view in self._own_views.items():
                self._own_views[seat] = _newer(view, self._build(Role.SEAT, seat, view.version))
            if before != (self._view, self._own_views):
                self._changed.notify_all()

    def _build(self, role: Role, seat: int | None, version: int) -> View:
        names = tuple((each.name, each.source) for each in self.seats)
        scene = Scene(
            self._referee, self._picture(), self._tracker, names, self._revealed, self._result, self._hard, self._troubled,
            self._deck, bool(self._peekers),
        )
        return build_view(scene, role, seat, version, self._time)


def _newer(shown: View, fresh: View) -> View:
    """`fresh` under the next version, or what is shown where nothing but the time is new."""
    return shown if replace(fresh, time=shown.time) == shown else replace(fresh, version=shown.version + 1)
