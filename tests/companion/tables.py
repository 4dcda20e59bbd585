"""Views of tables in every situation, and a sitting that shows whichever of them a test wants."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from companion.cards import Card
from companion.disputes import Dispute, TurnLine
from companion.errors import DeclarationError
from companion.exhibition import Proof
from companion.games import find_game
from companion.games.rulebook import Rulebook
from companion.inbox import Receipt
from companion.observation import Declaration
from companion.retelling import Retelling
from companion.table import Place
from companion.views import (
    BetView,
    ChipsView,
    HomeView,
    LockView,
    MoveView,
    PlacementView,
    PotView,
    ProposalView,
    QuestionView,
    RankView,
    ResultView,
    Role,
    SeatView,
    SlotShows,
    SlotView,
    StepView,
    TroubleView,
    View,
    ViolationView,
)

NAMES = ("Anna", "Ben", "Cleo", "Dan", "Eve")
HANDS = (
    ("Kh", "9c", "Ks", "9d", "4s"),
    ("Ac", "7d", "Ad", "8s", "2h"),
    ("Qs", "Jh", "6c", "3d", "2c"),
    ("Th", "8h", "5h", "4d", "3c"),
    ("Qd", "Js", "7c", "6h", "5s"),
)
RANKING = (
    RankView(0, 1), RankView(1, 2, 0, "category"), RankView(2, 3, 1, "category"), RankView(3, 4, 2, "rank", "Q", "T"),
)  # fmt: skip
"""The first four of these hands, when all of them lie open."""
CATEGORIES = ("two pair", "one pair", "high card", "high card", "high card")


def seat(number: int, source: str = "mat", **shows: SlotShows) -> SeatView:
    """A seat with everything lying, except for the slots named like ``s3=SlotShows.OUT``."""
    usual = SlotShows.LYING if source == "mat" else SlotShows.UNWATCHED
    slots = tuple(SlotView(n, shows.get(f"s{n}", usual)) for n in (1, 2, 3, 4, 5))
    return SeatView(number, NAMES[number], source, slots)


def opened(number: int, count: int = 5, category: str | None = None) -> SeatView:
    """A seat of which the first `count` cards are revealed."""
    slots = tuple(
        SlotView(n, SlotShows.REVEALED, card) if n <= count else SlotView(n, SlotShows.LYING)
        for n, card in enumerate(HANDS[number], 1)
    )
    return SeatView(number, NAMES[number], "mat", slots, category=category)


def playing(seats: int = 4, version: int = 1) -> View:
    """The middle of a game."""
    return View(
        version=version, time=0.0, game="steal", phase="play", turn=5, current=1, seats=tuple(seat(n) for n in range(seats)),
        row=("Td", "4c"), pile=52 - 5 * seats - 4, removed=0, ender=None, final_left=(), locks=(), last=None, question=None,
        violation=None, awaiting=(), revealing=False, result=None, paused=False, to_end=3,
    )  # fmt: skip


def stolen() -> View:
    """Anna has just stolen from Cleo; four cards lie in the row, a lock runs."""
    move = MoveView("steal", 0, slot=4, victim=2, victim_slot=3, provisional=True)
    return replace(
        playing(),
        row=("Td", "4c", "As", "7h"),
        seats=(seat(0), seat(1, s2=SlotShows.BUSY, s3=SlotShows.OUT), seat(2), seat(3)),
        last=move,
        locks=(LockView(2, 0, 4, 3),),
        to_end=1,
    )


def broken(done: tuple[bool, ...] = (True, False, False)) -> View:
    """Dan acted although it is Ben's turn; things have to be put back."""
    kinds: tuple[tuple[str, tuple[int, int] | None], ...] = (("return_card", (3, 2)), ("return_card", (0, 4)), ("row", None))
    remedy = tuple(PlacementView(kind, place, so) for (kind, place), so in zip(kinds, done, strict=True))
    return replace(playing(), violation=ViolationView("not_your_turn", "STEAL-1.4", 3, (), ((3, 2), (0, 4)), remedy))


def asked() -> View:
    """The table could not tell a draw from a take."""
    choices = (MoveView("take", 1, slot=2), MoveView("draw", 1, slot=2), None)
    return replace(playing(), question=QuestionView(7, "which_action", 1, choices, ((1, 2),)))


def tapped() -> View:
    """Three sources at one table: Ben plays by tap and is in turn, Cleo is a bot."""
    seats = (seat(0), seat(1, "tap"), seat(2, "bot"), seat(3))
    return replace(playing(), seats=seats, blind=("discards",), row=("Td", None, "9h"), to_end=2)


def final() -> View:
    """Five seats, the fifth discard has fallen."""
    move = MoveView("draw", 0, slot=1)
    return replace(
        playing(5), phase="final", row=("Td", "4c", "As", "7h", "Jc", "2s", "Qh"), ender=4, current=1, final_left=(1, 2, 3),
        last=move, pile=14, removed=2, to_end=None,
    )  # fmt: skip


def revealing(counts: tuple[int, ...] = (5, 3, 0, 0)) -> View:
    """The reveal, with as many cards of each seat turned over."""
    row = ("Td", "4c", "As", "7h", "Jc", "2s", "Qc", "3s", "8d")
    seats = tuple(opened(n, count) for n, count in enumerate(counts))
    return replace(playing(len(counts)), phase="over", current=None, ender=3, seats=seats, row=row, revealing=True, to_end=None,
                   ranking=RANKING[:[count == 5 for count in (*counts, 0)].index(False)])  # fmt: skip


def won() -> View:
    """The end: Anna's two pair beats Ben's aces."""
    result = ResultView((0, 1, 2, 3), (0,), CATEGORIES[:4], HANDS[:4], "category")
    seats = tuple(opened(n, 5, CATEGORIES[n]) for n in range(4))
    return replace(revealing((5, 5, 5, 5)), seats=seats, revealing=False, result=result)


def left() -> View:
    """Two of four have left: too few go on."""
    seats = (seat(0), replace(seat(1), away=True), seat(2), replace(seat(3), away=True))
    last = MoveView("leave", 3, by_hand=True)
    return replace(playing(), phase="over", current=None, seats=seats, last=last, unranked=True, undo=6, to_end=None)


def betting(seats: int = 5) -> View:
    """A hand of draw at a table of taps: Anna has bet into a side pot, Cleo is in turn, Eve has folded."""
    chips = ChipsView(
        (100, 0, 110, 0, 200), (20, 0, 0, 0, 0), (PotView(160, (0, 1, 2, 3)), PotView(150, (0, 2, 3))), 4, 2, 2,
        folded=(4,), all_in=(1, 3), hand=6, score=(10, -160, 0, -110, 0), log=((5, (210, 40, 200, 90, 200)),),
        bets_open=(
            BetView(0, "call", 20),
            BetView(1, "raise", 40, 110, marks=(("least", 40), ("half", 90), ("all_in", 110))),
            BetView(2, "raise", 110, all_in=True), BetView(3, "fold"),
        ),
    )  # fmt: skip
    folded = tuple(SlotView(n, SlotShows.OUT, bare=True) for n in (1, 2, 3, 4, 5))
    sat = tuple(seat(n, "tap") for n in range(seats))
    return replace(
        playing(seats), game="draw", current=2, actors=(2,), seats=(*sat[:4], replace(sat[4], slots=folded)), row=(), pile=27,
        removed=0, chips=chips, told=False, last=MoveView("bet", 0, amount=20, by_hand=True), to_end=None,
    )  # fmt: skip


def dealing() -> View:
    """Before the first action."""
    seats = (seat(0), seat(1, s4=SlotShows.OUT, s5=SlotShows.OUT), seat(2, s1=SlotShows.BUSY))
    return replace(playing(3), phase="setup", turn=0, current=None, seats=seats, row=(), pile=37, to_end=5)


def troubled() -> View:
    """A camera is silent, and a slot cannot be read."""
    seats = (seat(0), seat(1), seat(2, s3=SlotShows.UNCERTAIN), seat(3))
    return replace(playing(), seats=seats, troubled=(TroubleView("dark", 2),), paused=True)


def by_hand() -> View:
    """Ben's camera and that of the tray have failed for a while; Ben is in turn and taps."""
    unseen = {f"s{number}": SlotShows.UNWATCHED for number in (1, 2, 3, 4, 5)}
    seats = (seat(0), replace(seat(1, **unseen), by_hand=True), seat(2), seat(3))
    troubles = (TroubleView("frozen", 1, by_hand=True), TroubleView("silent", None, by_hand=True))
    return replace(playing(), seats=seats, troubled=troubles, blind=("discards",))


def differing() -> View:
    """Ben's camera sees again, and two of his cards and the row are not as the screen has them."""
    return replace(playing(), question=QuestionView(9, "differs", None, (None, None), ((1, 2), (1, 5)), row=True))


def restoring() -> View:
    """The screen was right: the cards are put back."""
    lines = (PlacementView("return_card", (1, 2), True), PlacementView("return_row", None, False))
    return replace(playing(), awaiting=lines, last=MoveView("draw", 0, slot=1))


def awaiting() -> View:
    """A bot has announced a steal; people have to move the cards."""
    lines = (PlacementView("lay_card", (2, 3), False), PlacementView("lay_card", (0, 1), True))
    stolen = MoveView("steal", 2, 3, 0, 1, by_hand=True)
    return replace(playing(), seats=(seat(0), seat(1), seat(2, "bot"), seat(3)), current=3, last=stolen, awaiting=lines)


def confirming() -> View:
    """A bot has announced a move that no camera sees: its button says that the cards lie."""
    return replace(awaiting(), awaiting=(PlacementView("confirm", None, False),))


def stopped() -> View:
    """Somebody has pressed Stop, and asks the others whether play may go on."""
    return replace(stolen(), stopped=True, undo=3, redo=1, proposal=ProposalView(9, "go_on", (1, 3)))


def undone() -> View:
    """Two moves were taken back where no camera looks."""
    steps = (StepView(MoveView("steal", 2, 3, 0, 1), True), StepView(MoveView("draw", 1, 2), True))
    seats = tuple(seat(number, "tap") for number in range(4))
    return replace(playing(), seats=seats, steps=steps, confirm=True, undo=3, redo=2)


def loose() -> View:
    """Cards fell on the floor; one lies in a free slot that is not its own."""
    kinds = (("return_card", (3, 2)), ("return_card", (0, 4)))
    remedy = tuple(PlacementView(kind, place, False) for kind, place in kinds)
    violation = ViolationView("differs", "", None, (), ((3, 2), (0, 4)), remedy)
    return replace(playing(), violation=violation, homes=(HomeView((3, 2), "slot", (0, 4)),), disagrees=True, reseat=((1, 5),))


SITUATIONS: Mapping[str, View] = {
    "dealing": dealing(),
    "playing": playing(),
    "stolen": stolen(),
    "broken": broken(),
    "asked": asked(),
    "tapped": tapped(),
    "final": final(),
    "revealing": revealing(),
    "won": won(),
    "left": left(),
    "troubled": troubled(),
    "by_hand": by_hand(),
    "differing": differing(),
    "restoring": restoring(),
    "awaiting": awaiting(),
    "confirming": confirming(),
    "stopped": stopped(),
    "undone": undone(),
    "loose": loose(),
}
"""One view of every situation in which the page looks different."""


@dataclass(frozen=True)
class FakeOffer:
    """A move on offer."""

    id: int
    move: MoveView
    most: int = 0
    all_in: bool = False
    marks: tuple[tuple[str, int], ...] = ()


@dataclass
class FakeSitting:
    """Shows the view that was set last and keeps what is posted.  Obeys the real one's rules: versions only grow."""

    shown: View = field(default_factory=playing)
    choices: tuple[FakeOffer, ...] = ()
    posted: list[Declaration] = field(default_factory=list)
    claimed: list[tuple[int, int]] = field(default_factory=list)
    fault: Exception | None = None
    moves: tuple[TurnLine, ...] = ()
    answers: Dispute | None = None
    faces: Mapping[Place, tuple[Card, ...]] = field(default_factory=dict)
    asked: list[tuple[int, Place | None]] = field(default_factory=list)
    proven: tuple[Proof, ...] = ()
    pictures: Mapping[int, bytes] = field(default_factory=dict)
    peek: bool = False
    """A seat's own view holds its hand."""
    rulebook: Rulebook = field(default_factory=lambda: find_game("steal").rulebook(4, find_game("steal").options({})))
    story: Retelling | None = None
    """What can be told of the game once its result stands."""
    refuses: str = ""
    """Why nothing that is declared counts, as the kind of a refusal."""

    def __post_init__(self) -> None:
        self._changed = threading.Condition()

    def show(self, view: View) -> None:
        """Make `view` the newest one."""
        with self._changed:
            self.shown = replace(view, version=self.shown.version + 1)
            self._changed.notify_all()

    def view(self, role: Role = Role.SPECTATOR, seat: int | None = None, /) -> View:
        with self._changed:
            return self._own(self.shown, role, seat)

    def wait(self, version: int, timeout: float, role: Role = Role.SPECTATOR, seat: int | None = None, /) -> View:
        with self._changed:
            self._changed.wait_for(lambda: self.shown.version > version, timeout)
            return self._own(self.shown, role, seat)

    def _own(self, view: View, role: Role, seat: int | None) -> View:
        if not self.peek or role is not Role.SEAT or seat is None:
            return view
        own = view.seats[seat]
        slots = tuple(replace(each, card=card) for each, card in zip(own.slots, HANDS[seat], strict=True))
        return replace(view, seats=(*view.seats[:seat], replace(own, slots=slots), *view.seats[seat + 1 :]))

    def now(self) -> float:
        return 12.5

    def post(self, event: Declaration, /) -> Receipt:
        if self.fault is not None:
            raise self.fault
        self.posted.append(event)
        return self._receipt()

    def _receipt(self) -> Receipt:
        receipt = Receipt()
        receipt.settle(self.refuses)
        return receipt

    def offers(self, seat: int, /) -> tuple[FakeOffer, ...]:
        return self.choices if self.shown.current == seat else ()

    def claim(self, seat: int, offer_id: int, amount: int | None = None, /) -> Receipt:
        if offer_id == 99:
            raise DeclarationError("offer 99 was withdrawn", "no_offer")
        self.claimed.append((seat, offer_id))
        return self._receipt()

    def timeline(self) -> tuple[TurnLine, ...]:
        return self.moves

    def dispute(self, number: int, place: Place | None = None, /) -> Dispute:
        self.asked.append((number, place))
        if self.answers is None:
            raise DeclarationError("first play has to be stopped")
        return self.answers

    def proofs(self, number: int, /) -> tuple[Proof, ...]:
        return self.proven

    def picture(self, number: int, /) -> bytes | None:
        return self.pictures.get(number)

    def retelling(self, day: str = "", /) -> Retelling:
        if self.story is None or self.shown.result is None:
            raise DeclarationError("the result of this game does not stand", "no_story")
        return replace(self.story, day=day)

    def likely(self, place: Place, /) -> tuple[Card, ...]:
        return self.faces.get(place, ())
