"""Everything through which one of the twin games tells anything: each outlet gives what it tells now, by name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any

from click.testing import CliRunner
from flask.testing import FlaskClient

from companion.commitments import COMMITTED
from companion.cues import cues
from companion.errors import CompanionError
from companion.exhibits import EVIDENCE
from companion.games.steal_state import Draw
from companion.journal import game_file, read_walk
from companion.observation import Call, Claim, Correct, Declaration, Entry, OwnEntry, Reseat, Rewind
from companion.sitting import RowSight, Sitting
from companion.table import SLOTS, Place, row, slot
from companion.views import Role
from firmware.bus.hub import Hub
from firmware.bus.link import Said
from firmware.bus.messages import Hello, hello_bytes
from firmware.bus.topics import PROTOCOL, Topics
from firmware.cli import main
from tests.firmware.twins.doors import Asked, Request, pages, requests
from tests.firmware.twins.pairs import HAND
from tests.firmware.twins.played import Trial
from tests.firmware.twins.table import GAME, Twin

Told = dict[str, Any]
"""What an outlet tells, by name: anything that can be compared."""

MAY_KNOW: Mapping[Role, str] = {
    Role.PUPPETEER: "moves the cards of a virtual table, and so knows where each lies",
}
"""Roles that are not compared, with the reason."""
RANDOM_HEADERS = ("Date",)
EXPIRES = re.compile(r"Expires=[^;]*")
"""Of a cookie: the same as its age, on the clock of the wall."""
FIRST_EVENTS = 1
HEX = re.compile(r"\b[0-9a-f]{64}\b")


def may_know(twin: Twin, who: str) -> bool:
    """Whether this visitor may be told what the twins differ in: by his role, or because his phone shows his own cards."""
    _, _, role, seat = twin.clients[who]
    if role in MAY_KNOW:
        return True
    peeks = role is Role.SEAT and twin.setting.phone_peek and not twin.setting.options.get("hard_mode")
    return peeks and seat is not None and not twin.owned[seat].isdisjoint(twin.pair.moved)


def lookers(twin: Twin) -> tuple[str, ...]:
    """Everybody who is compared."""
    return tuple(who for who in twin.clients if not may_know(twin, who))


def asked(twin: Twin) -> Asked:
    view = twin.window.view()
    return Asked(view, named(twin), view.undo + view.redo)


SOON_DRAWN = 12
"""So many cards at most are drawn in a game."""


def named(twin: Twin) -> tuple[str, ...]:
    """Cards that people name: hidden ones that lie elsewhere in the other game - held in one, in the pile in the other if so.

    Where no camera sees the row they are no cards that are drawn later: whoever takes the row's newest card cannot be told from
    one who draws the card whose name that was given wrongly (docs/threat-model.md).
    """
    one, other = twin.pair.one, twin.pair.other
    moved = sorted(twin.pair.moved) or list(range(len(one)))
    if twin.setting.sight is RowSight.NONE:
        soon = range(HAND * twin.setting.seats, HAND * twin.setting.seats + SOON_DRAWN)
        moved = [token for token in moved if token not in soon and other.index(one[token]) not in soon]
    return tuple(str(one[token]) for token in (moved[0], moved[len(moved) // 3], moved[-1]))


# ---- the page ------------------------------------------------------------------------------------------------------


def send(twin: Twin, who: str, request: Request) -> tuple[Any, ...]:
    """Status, headers and body of the answer.  What he posts is kept back."""
    client, *_ = twin.as_it_is(who)
    answer = _opened(client, request)
    try:
        if answer.mimetype == "text/event-stream":
            events = islice(iter(answer.response), FIRST_EVENTS if request.method == "GET" else 0)
            body = b"".join(_bytes(part) for part in events)
        else:
            body = answer.get_data()
        headers = [(name, EXPIRES.sub("", value)) for name, value in answer.headers if name not in RANDOM_HEADERS]
        # Two faults can be equal, and would hide that the page tells nothing at all.
        assert answer.status_code < 500, f"{who}: {request}: {answer.status}"
        return answer.status, headers, body
    finally:
        answer.close()


def _opened(client: FlaskClient, request: Request) -> Any:
    return client.open(
        request.address, method=request.method, data=request.data or None, content_type=request.kind if request.data else None,
        headers=list(request.headers), buffered=False,
    )  # fmt: skip


def _bytes(part: str | bytes) -> bytes:
    return part.encode() if isinstance(part, str) else part


def pages_told(twin: Twin) -> Told:
    """Every page, and the state, as two visitors get it, others at each moment."""
    wanted, everybody = tuple(pages(twin.app, asked(twin))), lookers(twin)
    chosen = {everybody[(twin.moment + step) % len(everybody)] for step in (0, 3)}
    return {f"{who}: {request}": send(twin, who, request) for who in sorted(chosen) for request in wanted}


@dataclass
class Doors:
    """Every route and method, for every visitor, with all kinds of arguments: a part of them at each moment in turn."""

    share: int = 1
    """At a moment one in so many of these is asked."""
    arguments: int = 1
    """With so many different arguments."""
    further: int = 1
    """So many things are tried after a card was named."""

    def __post_init__(self) -> None:
        self.asked: set[tuple[str, str, str]] = set()
        """Rule, method and visitor of everything that was sent."""

    def told(self, twin: Twin) -> Told:
        found: Told = {}
        accepted: dict[Declaration, str] = {}
        for who, request in self._chosen(twin):
            twin.window.posted = posted = []
            try:
                found[f"{who}: {request}"] = (*send(twin, who, request), tuple(posted))
            finally:
                twin.window.posted = None
            for declaration in posted:
                if not opens_a_card(twin, declaration):
                    accepted.setdefault(declaration, f"{who}: {request}")
        for declaration, name in accepted.items():
            for outcome, told in outcomes(twin, declaration, self.further).items():
                found[f"{name} => {outcome}"] = told
        return found

    def _chosen(self, twin: Twin) -> Iterator[tuple[str, Request]]:
        # Everybody has his turns, whoever else has to be left out from some moment on.
        groups = [(who, *each) for each in requests(twin.app, asked(twin)).items() for who in twin.clients]
        for who, (rule, method), asks in groups[twin.moment % self.share :: self.share]:
            if may_know(twin, who):
                continue
            self.asked.add((rule, method, who))
            first = twin.moment // self.share * 7 + twin.moment
            yield from ((who, asks[(first + step) % len(asks)]) for step in range(min(self.arguments, len(asks))))


# ---- what comes of what people declare -----------------------------------------------------------------------------

NAMING = (Entry, OwnEntry, Correct)


def opens_a_card(twin: Twin, declaration: Declaration) -> bool:
    """Whether somebody says with it that a hidden card lies open from now on, and no camera could see whether that is so."""
    what = declaration.what
    laid = isinstance(what, Claim) and isinstance(what.action, Draw) and what.action.use is not None
    return laid and twin.sitting.agreement.sight.row is RowSight.NONE


def outcomes(twin: Twin, declaration: Declaration, further: int) -> Told:
    """What everybody sees when this is declared, and, where a card was named, what can be found out with it afterwards."""
    trial = Trial(twin)
    found = dict(_tried(trial, declaration, "then"))
    trial.wait(0.5)
    found.update(_seen(trial, "half a second later"))
    if isinstance(declaration.what, NAMING):
        ways = tuple(_follow_ups(trial))
        for step in range(further):
            way = ways[(twin.moment * 5 + step) % len(ways)]
            after = Trial(trial)
            found.update(_tried(after, way, f"then {way.what}"))
            after.wait(0.3)
            found.update(_seen(after, f"after {way.what}"))
    return found


def _follow_ups(trial: Trial) -> Iterator[Declaration]:
    seats = range(trial.setting.seats)
    yield Declaration(trial.time, 0, Call("stop"))
    yield Declaration(trial.time, 0, Rewind(0))
    yield from (Declaration(trial.time, seat, Reseat(slot(seat, number))) for seat in seats for number in SLOTS)


def _tried(trial: Trial, declaration: Declaration, name: str) -> Iterator[tuple[str, Any]]:
    try:
        trial.sitting._declare(declaration)
        yield name, "taken"
    except CompanionError as error:
        # Nobody is told of it today; should it ever be logged, it must not tell either.
        yield name, repr(error)
    trial.sitting._think()
    trial.sitting._keep()
    trial.sitting._publish()
    yield from _seen(trial, f"{name}, seen")


def _seen(trial: Trial, name: str) -> Iterator[tuple[str, Any]]:
    view = trial.sitting.view()
    yield name, asdict(view)
    yield f"{name}, cues", cues(view)
    yield f"{name}, written", tuple((each.kind, _masked(each.kind, repr(each.body)), len(each.sealed or b""))
                                    for each in trial.notes.drafts)  # fmt: skip
    if view.stopped:
        yield f"{name}, dispute", dict(_disputed(trial.sitting))


# ---- the sitting ---------------------------------------------------------------------------------------------------

FOR_SEALED_STORAGE: Mapping[str, str] = {
    "log": "names hidden cards and is for sealed storage and for measuring alone",
    "agreement": "names hidden cards and is for sealed storage alone",
    "readings": "names hidden cards and is for measuring alone",
}
"""What the sitting tells and is not compared, with the reason."""
TELLS_NOTHING = ("post", "work", "leave", "doubt", "report_deck", "seats", "now")
ASKED = (
    "view", "wait", "missed", "offers", "claim", "timeline", "dispute", "likely", "proofs", "picture", "noted", "rulebook",
    "retelling",
)  # fmt: skip
MOST_PICTURES = 200


def sitting_told(twin: Twin) -> Told:
    """What the sitting itself answers, and the errors that it raises."""
    sitting = twin.sitting
    found: Told = {}
    for who in lookers(twin):
        _, _, role, seat = twin.clients[who]
        found[f"view of {who}"] = asdict(sitting.view(role, seat))
        found[f"wait of {who}"] = asdict(sitting.wait(0, 0.0, role, seat))
        missed = sitting.missed(sitting.view(role, seat).version - 2, role, seat)
        found[f"missed by {who}"] = missed and asdict(missed)
    for seat in range(-1, twin.setting.seats + 1):
        found[f"offers of {seat}"] = _answer(sitting.offers, seat)
        found[f"claim of {seat}"] = _answer(sitting.claim, seat, 999)
    found["timeline"] = _answer(sitting.timeline)
    found["rulebook"] = repr(sitting.rulebook)
    found["retelling"] = _answer(sitting.retelling, "2027-03-01")
    noted = sitting.noted()
    found["noted"] = None if noted is None else HEX.sub("<hash>", repr(noted))
    found["pictures"] = tuple(sitting.picture(number) for number in range(MOST_PICTURES))
    found.update(_disputed(sitting))
    for number in range(1, 10):
        found[f"likely of row {number}"] = _answer(sitting.likely, row(number))
    for seat in range(twin.setting.seats):
        found.update((f"likely of {seat} {number}", _answer(sitting.likely, slot(seat, number))) for number in SLOTS)
    return found


def _disputed(sitting: Sitting) -> Iterator[tuple[str, Any]]:
    places: list[Place | None] = [None, *(slot(seat, number) for seat in range(len(sitting.seats)) for number in SLOTS), row(1)]
    for number in range(sitting.view().undo + 2):
        yield f"proofs of {number}", _answer(sitting.proofs, number)
        yield from ((f"dispute of {number} {place}", _answer(sitting.dispute, number, place)) for place in places)


def _answer(ask: Callable[..., Any], *arguments: Any) -> Any:
    try:
        return ask(*arguments)
    except CompanionError as error:
        return repr(error)


# ---- lamps, log, files ---------------------------------------------------------------------------------------------


def streams_told(twin: Twin) -> Told:
    """Everything that open event streams have told so far."""
    return {who: tuple(said) for who, said in twin.streamed.items() if not may_know(twin, who)}


def lamps_told(twin: Twin) -> Told:
    """What every pin and the chain of slot lamps have done so far."""
    return {f"{time:.1f}": state for time, state in twin.lamps}


def cues_told(twin: Twin) -> Told:
    return {f"{time:.1f}": state for time, state in twin.cued}


def log_told(twin: Twin) -> Told:
    return {f"line {number}": line for number, line in enumerate(twin.heard)}


def files_told(twin: Twin) -> Told:
    """Names and sizes of every file and folder."""
    files = sorted(twin.folder.rglob("*"))
    return {str(file.relative_to(twin.folder)): (file.is_dir(), file.stat().st_size if file.is_file() else 0) for file in files}


def record_told(twin: Twin) -> Told:
    """What anybody can read in the record, and how long the rest is."""
    found: Told = {}
    for entry in read_walk(game_file(twin.folder / "games", GAME)).entries:
        text = _masked(entry.kind, entry.text)
        size = None if entry.sealed is None else len(entry.sealed)
        found[f"entry {entry.number}"] = (entry.kind, entry.time, entry.wall, entry.clock_set, text, size, entry.form, entry.more)
    # What is sealed is filled up; but that its length should be the same before that is certain in every case.
    found["lengths before sealing"] = tuple(twin.scales.weighed)
    return found


def _masked(kind: str, text: str) -> str:
    """Without what is random: commitments, and the hashes of sealed pictures."""
    return HEX.sub("<hash>", text) if kind in (COMMITTED, EVIDENCE) else text


def verify_told(twin: Twin) -> Told:
    """What `viewmat verify` says of the record; hashes follow from the commitments."""
    found: Told = {}
    for more in ((), ("--json",)):
        answer = CliRunner().invoke(main, ["verify", GAME, "--folder", str(twin.folder / "games"), *more])
        said = HEX.sub("<hash>", answer.output.replace(str(twin.folder), "<folder>"))
        found[" ".join(("verify", *more))] = (answer.exit_code, said)
    return found


def threads_told(twin: Twin) -> Told:
    """The names of all threads that were started, in their order; the number of one without a name is not its own."""
    return {"names": tuple(re.sub(r"-\d+", "", name) for name in twin.threads)}


def bus_told(twin: Twin) -> Told:
    """Every topic that the hub publishes, and what stands there: for displays, for the club, and for the node of every seat."""
    told: Told = {}

    class Recorder:
        def keep(self, topic: str, payload: bytes) -> None:
            told[topic] = payload

        def mention(self, topic: str, payload: bytes) -> None:
            told[f"{topic} (not kept)"] = payload

    hearing: list[Callable[[str, bytes], None]] = []

    def connect(heard: Callable[[str, bytes], None], will: Said) -> Any:
        hearing.append(heard)
        told[f"{will.topic} (last will)"] = will.payload
        return Recorder()

    topics, nodes = Topics("twins"), {f"mat{seat}": seat for seat in range(twin.setting.seats)}
    hub = Hub(topics, connect, nodes, lambda: twin.time, "b00t", since=0.0)
    for node in nodes:
        hearing[0](topics.hello(node), hello_bytes(Hello(PROTOCOL, node, True)))
    view = twin.sitting.view()
    hub.publish(view)
    hub.light(cues(view))
    hub.work(twin.time)
    told["nodes"] = hub.nodes()
    return told


OUTLETS: Mapping[str, Callable[[Twin], Told]] = {
    "page": pages_told,
    "stream": streams_told,
    "sitting": sitting_told,
    "lamps and buzzer": lamps_told,
    "cues": cues_told,
    "bus": bus_told,
    "files": files_told,
    "record": record_told,
    "verify": verify_told,
    "threads": threads_told,
    "log": log_told,
}
"""Every outlet by name, `Doors` apart.  The log comes last: it tells of the others, too."""
