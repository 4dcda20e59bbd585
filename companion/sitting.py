"""One sitting at the table: the time-ordered inbox, and the only mutable owner of what the companion knows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from time import monotonic
from typing import Any

from companion.bots import Pace, bot_move
from companion.cards import Card, Seen
from companion.changes import Publication
from companion.chronicle import Chronicle, Noted
from companion.disputes import Dispute, TurnLine, settle_dispute, timeline
from companion.errors import CompanionError, DeclarationError
from companion.evidence import Evidence
from companion.exhibition import Proof
from companion.games.base import Game
from companion.inbox import Inbox, Receipt
from companion.ledger import Ledger
from companion.lifted import ACCOUNTED, accounted_for, given_up, lifted_together, long_out
from companion.observation import Answer, CameraReport, Claim, Declaration, Event, Observation, Press
from companion.offering import Offer, offered, open_offers
from companion.particulars import seen
from companion.picture import Picture, RowSight, Sight, take_picture
from companion.proceedings import LogEntry, Timing
from companion.referee import AnyReferee, Referee
from companion.retelling import Retelling, retold
from companion.reveal import Reveal
from companion.rulings import Change
from companion.seats import Seat, check_seats
from companion.settling import Matter, Settlement, settle
from companion.shadows import as_called
from companion.table import Area, Place
from companion.tracker import Steadiness, Tracker
from companion.upcards import read_again, with_open_cards
from companion.viewing import Scene, build_view, voters
from companion.views import Role, View
from companion.watch import Station, Watch, station_of

__all__ = ["LogEntry", "Offer", "RowSight", "Seat", "Sitting", "Steadiness", "Timing"]
LEAST_LIKELY = 0.001
"""Nobody is offered a card that the reader takes for less likely than that."""


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
        decides: str = "table",
        phone_peek: bool = False,
        chronicle: Chronicle | None = None,
        evidence: Evidence | None = None,
        upcards: bool = False,
    ) -> None:
        """`decides`: who settles what is disputed: ``table`` (everybody has to agree) or ``referee``.

        `phone_peek`: the house lets a player's own phone show his hidden cards; hard mode does not.
        With a `chronicle` the sitting goes on from what that holds, and whatever is agreed is written there before it is shown.
        `evidence` keeps the pictures for what is ruled.  `upcards`: a camera above the table reads what lies open in slots.
        """
        if decides not in ("table", "referee"):
            raise DeclarationError(f"disputes are decided by 'table' or 'referee', not by {decides!r}")
        check_seats(seats)
        checked = game.options(options or {})
        self._sight = sight = Sight(tuple(seat.source == "mat" for seat in seats), row_sight, upcards)
        """What the cameras look at when all of them see."""
        self.seats = tuple(seats)
        self.now = clock
        self._seed = seed
        self._hard = bool(getattr(checked, "hard_mode", False))
        self.rulebook = game.rulebook(len(seats), checked)
        dealt = game.start(len(seats), checked)
        bots = frozenset(number for number, seat in enumerate(seats) if seat.source == "bot")
        self._referee: AnyReferee = Referee(game, sight, dealt, timing or Timing(), self._hard, bots)
        self._vouched = self._referee
        self._tracker = Tracker(steadiness or Steadiness())
        self._decides = decides
        self._shown = Reveal()
        self._watch = Watch()
        self._unseen: frozenset[Station] = frozenset()
        """Stations whose readings were forgotten because their cameras do not see."""
        self._deck = ""
        self._time = self._acted_at = 0.0
        self._inbox = Inbox()
        self._ledger = Ledger(chronicle, evidence)
        self._ruled_on = Change((), None)
        """What lay on the table when something was ruled last."""
        self._peekers = range(len(seats)) if phone_peek and not self._hard else range(0)
        self._resume()
        # Each with versions of its own: how often a hidden card was read is not for others to count.
        self._told = Publication({audience: self._build(audience) for audience in (None, *self._peekers)}, clock)

    # ---- for everybody ------------------------------------------------------------------------------------------

    def post(self, event: Event) -> Receipt:
        """Put an event into the inbox; it is handled by the next `work`, which settles the receipt."""
        return self._inbox.post(event)

    def view(self, role: Role = Role.SPECTATOR, seat: int | None = None) -> View:
        """What `role` may know now; `seat` is the seat of a player's phone.

        Every role sees what spectators see, except for a seat where the house lets phones peek.
        """
        return self._told.view(seat if role is Role.SEAT else None)

    def wait(self, version: int, timeout: float, role: Role = Role.SPECTATOR, seat: int | None = None) -> View:
        """The role's view that follows `version`, as soon as there is one, or after `timeout` seconds whatever it is.

        Whoever is a moment behind is told every view in its order; whoever is further behind the newest.
        """
        return self._told.follow(seat if role is Role.SEAT else None, version, timeout)

    def missed(self, version: int, role: Role = Role.SPECTATOR, seat: int | None = None) -> View | None:
        """The role's view that follows `version`, where that was shown just now."""
        return self._told.missed(seat if role is Role.SEAT else None, version)

    def leave(self) -> None:
        """Nothing changes here any more: let nobody wait for it."""
        self._told.end()

    def noted(self) -> Noted | None:
        """How far the record has come, to be noted down by whoever wants to prove it later; None where nothing is recorded."""
        return self._ledger.noted()

    def log(self) -> tuple[LogEntry, ...]:
        """What was ruled so far; it names hidden cards and is for sealed storage and for measuring only."""
        return self._referee.log

    @property
    def agreement(self) -> AnyReferee:
        """Everything that is agreed; it names hidden cards and is for sealed storage only."""
        return self._referee

    def readings(self) -> tuple[tuple[Place, Seen], ...]:
        """What each watched place shows in quiet; hidden cards included, so never for a page."""
        return tuple((track.place, track.settled) for track in self._tracker.tracks if track.settled is not None)

    def offers(self, seat: int) -> tuple[Offer, ...]:
        """The actions that `seat` may declare by tap now."""
        return open_offers(self._referee, seat)

    def claim(self, seat: int, offer: int, amount: int | None = None) -> Receipt:
        """Declare the action behind an offer; raise `DeclarationError` when it is not open to `seat` any more."""
        return self.post(Declaration(self.now(), seat, Claim(offered(self._referee, seat, offer, amount))))

    # ---- for disputes -------------------------------------------------------------------------------------------

    def timeline(self) -> tuple[TurnLine, ...]:
        """Every action that stands; raise `DeclarationError` while play goes on."""
        return timeline(self._halted())

    def dispute(self, number: int, place: Place | None = None) -> Dispute:
        """What the record answers about the table after `number` actions, and about a slot; no card is named.

        Raise `DeclarationError` while play goes on: nobody may look things up at his turn.
        """
        with self._told:
            return settle_dispute(self._halted(), self._picture(), number, place)

    def likely(self, place: Place) -> tuple[Card, ...]:
        """What the reader takes the card at `place` for, likeliest first; nothing for a card that does not lie open."""
        track = self._tracker.track(place)
        is_open = place.area is Area.ROW and self._referee.sight.row is RowSight.OVERHEAD
        if track is None or not (is_open or place in self._shown.places):
            return ()
        held = self._referee.state.table.at(place)
        return tuple(card for card, share in track.likely if card != held and share >= LEAST_LIKELY)

    def proofs(self, number: int) -> tuple[Proof, ...]:
        """What stands behind action `number` and the rulings after it; raise `DeclarationError` while play goes on."""
        with self._told:
            return self._ledger.proofs(self._halted(), self._shown, number)

    def retelling(self, day: str = "") -> Retelling:
        """The whole game with every card; raise `DeclarationError` unless its result stands."""
        with self._told:
            result = None if self._told.view(None).result is None else self._shown.result
            return retold(self._referee, result, [seat.name for seat in self.seats], day)

    def picture(self, number: int) -> bytes | None:
        """The picture of this number as a PNG; None where it may not be seen, or is not there."""
        with self._told:
            return self._ledger.picture(self._referee, self._shown, number)

    def _halted(self) -> AnyReferee:
        referee = self._referee
        if referee.stopped is None and referee.state.phase != "over":
            raise DeclarationError("first play has to be stopped", "not_stopped")
        return referee

    # ---- for the table's own thread -----------------------------------------------------------------------------

    def work(self) -> None:
        """Handle everything that was posted, in the order of time, and write down what follows before anybody is told."""
        posted = self._inbox.take()
        refusals = []
        for number, one in enumerate(posted):
            refusals.append(self._handle(one.event))
            # Looks of several cameras at one moment are one picture.
            later = number + 1 == len(posted) or posted[number + 1].event.time > one.event.time
            if later or isinstance(one.event, Declaration):
                self._think()
        if posted:
            self._keep()
            self._publish()
        for one, refusal in zip(posted, refusals, strict=True):
            # What could not be written down does not count, though the rules would allow it.
            one.receipt.settle(refusal or ("unrecorded" if self._ledger.trouble else ""))

    def doubt(self) -> None:
        """After a restart: whatever lies otherwise than agreed was moved meanwhile, and nobody is accused of it."""
        self._watch = Watch.after_restart(self._sight)

    def report_deck(self, state: str) -> None:
        """What the readers think of the deck, as `View.deck` says it."""
        if state != self._deck:
            self._deck = state
            self._publish()

    def _handle(self, event: Event) -> str:
        """Take the event in; the kind of the refusal where a declaration makes no sense now."""
        self._time = max(self._time, event.time)
        if isinstance(event, Observation):
            self._tracker = self._tracker.after(event)
            self._ledger.hear(event)
        elif isinstance(event, CameraReport):
            self._watch = self._watch.heard(event)
        elif isinstance(event, Declaration):
            refusal = ""
            try:
                self._declare(event)
            except CompanionError as error:
                refusal = error.kind if isinstance(error, DeclarationError) else "impossible"
            self._ledger.declared(event, refusal)
            return refusal
        return ""

    def _declare(self, declaration: Declaration) -> None:
        what, now, referee = declaration.what, self._time, self._referee
        if isinstance(what, (Press, Answer)) and referee.stopped is not None:
            raise DeclarationError("play is stopped", "first_go_on")
        if isinstance(what, Press):
            pressed = referee.press(declaration.seat, now)
            if pressed is referee:
                raise DeclarationError(f"nothing waits for the button of seat {declaration.seat}", "no_change")
            self._referee = pressed
        elif isinstance(what, Claim):
            if what.action.seat != declaration.seat:
                raise DeclarationError(f"seat {declaration.seat} cannot act for seat {what.action.seat}", "other_seat")
            self._referee = referee.claim(what.action, now)
        else:
            self._settle(what, declaration.seat)

    def _settle(self, what: Matter, seat: int) -> None:
        before = Settlement(self._referee, self._shown)
        after = settle(before, what, seat, self._picture(), self._voters(), self._time)
        self._referee, self._shown = after.referee, after.reveal

    def _voters(self) -> tuple[int, ...]:
        """The seats of people who are here; nobody where a referee decides."""
        if self._decides == "referee":
            return ()
        return voters(self._referee, [(seat.name, seat.source) for seat in self.seats])

    def _think(self) -> None:
        self._mind_the_cameras()
        # What was just declared accounts for the lifts before it.
        self._vouch()
        if self._watch.waiting or self._watch.unproven:
            # Half a table proves nothing, and what was moved while nobody looked accuses nobody.
            self._referee = self._referee.blinded()
        if not self._watch.waiting:
            before = self._referee
            picture = lifted_together(before, self._picture(), self._tracker.tracks)
            self._referee = before.consider(picture, self._time)
            if self._referee.log is not before.log:
                self._ruled_on = picture.change
            self._watch = self._watch.proven(self._referee.found_as_agreed(picture, self._watch.unproven))
            self._tracker = self._tracker.vouched(given_up(self._referee, picture, self._time))
        self._vouch()
        self._play_bot()
        self._reveal()

    def _mind_the_cameras(self) -> None:
        """Forget what mats have shown whose camera fails or returns, and look no more at those that go by hand."""
        self._watch = self._watch.at(self._time)
        self._ledger.watched(self._watch)
        turned, self._unseen = self._unseen ^ self._watch.unseen, self._watch.unseen
        if turned:
            looked_at = [track.place for track in self._tracker.tracks]
            self._tracker = self._tracker.forgotten([place for place in looked_at if station_of(place) in turned])
        sight = self._watch.narrowed(self._sight)
        if sight != self._referee.sight:
            self._referee = replace(self._referee, sight=sight)

    def _picture(self) -> Picture:
        referee = self._referee
        restoring = referee.violation is not None or referee.errand is not None
        gone = long_out(referee, self._tracker.tracks, self._time)
        watched, table = self._watched(), referee.state.table
        picture = take_picture(watched, table, referee.sight, gone, referee.row_peak, restoring)
        return with_open_cards(picture, watched, table, referee.game.shown(referee.state), self._time)

    def _watched(self) -> Tracker:
        """What is held of the places, as people call the cards; after the end, with turned cards taken for what they are."""
        referee = self._referee
        called = as_called(self._tracker, referee.state.table, referee.named)
        if referee.state.phase != "over":
            return called
        ended = max((entry.time for entry in referee.log if entry.kind == "action"), default=0.0)
        return called.at_the_end(self._time, ended)

    def _vouch(self) -> None:
        """Tell the tracker what the referee has accounted for since the last time."""
        referee, before = self._referee, self._vouched
        self._vouched = referee
        news = {entry.kind for entry in referee.log[len(before.log) :]}
        stands = before.open_turn is not None and before.open_turn.pliable and referee.open_turn is None
        done = stands or (before.errand is not None and referee.errand is None)
        if done or news & ACCOUNTED or referee.deal_known != before.deal_known:
            self._acted_at = self._time
            self._tracker = self._tracker.vouched(accounted_for(before, referee, self._tracker.tracks))
            return
        table, watched = referee.state.table, self._watched()
        same = [t.place for t in watched.tracks if t.disturbed and t.quiet and t.settled == table.at(t.place)]
        if same:
            self._tracker = self._tracker.recognised(same)
        again = read_again(watched, table, referee.game.shown(referee.state), self._time)
        if again:
            self._tracker = self._tracker.vouched(again)

    def _play_bot(self) -> None:
        moved = self._tracker.moved_at
        played = bot_move(self._referee, self.seats, self._seed, Pace(self._time, self._acted_at, moved))
        if played is not None and not self._referee.at_work(self._picture(), self._time, self._acted_at):
            self._referee, self._acted_at = played, self._time

    def _reveal(self) -> None:
        self._shown, self._referee = self._shown.after(self._referee, self._watched().tracks, self._time)

    # ---- the record ---------------------------------------------------------------------------------------------

    def _resume(self) -> None:
        """Go on from what the record holds; the mats are compared with it before anybody is judged."""
        fresh = self._referee
        referee, shown, time = self._ledger.resume(fresh)
        if referee != fresh:
            self._referee = self._vouched = referee
            self._shown, self._time = shown, time
            self.doubt()

    def _keep(self) -> None:
        """Write down what is agreed now.  Where that is impossible what could not be kept does not count."""
        look = partial(seen, self._tracker.tracks)
        counts, self._shown = self._ledger.keep(self._referee, self._shown, self._time, self._ruled_on, look)
        if counts is not self._referee:
            self._referee = self._vouched = counts

    # ---- the view -----------------------------------------------------------------------------------------------

    def _publish(self) -> None:
        self._told.publish(self._build)

    def _build(self, seat: int | None) -> View:
        role = Role.SPECTATOR if seat is None else Role.SEAT
        names = tuple((each.name, each.source) for each in self.seats)
        shown = self._shown
        scene = Scene(
            self._referee, self._picture(), self._tracker, names, shown.places, shown.result, self._hard, self._watch,
            self._deck, bool(self._ledger.trouble), bool(self._peekers), self._ledger.clock_unset, self._ledger.hard_cases,
            self._ledger.pictureless,
        )
        return build_view(scene, role, seat, 1, self._time)
