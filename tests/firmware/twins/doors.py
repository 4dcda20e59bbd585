"""Requests to every route of the application, with right, wrong and odd arguments, for everybody who may not know.

The routes are those of `app.url_map`.  A new one is in it by itself as long as its address has placeholders that are known here;
otherwise the test fails and says what to add.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

from flask import Flask
from werkzeug.routing import Rule

from companion.table import SLOTS
from companion.views import View
from companion.web.disputes import LONGEST_REASON
from companion.web.door import LONGEST_BODY
from companion.web.scene import CALLS
from tests.firmware.photographed import written

PLACEHOLDERS: Mapping[str, tuple[str, ...]] = {
    "seat": ("0", "1", "2", "9", "x"),
    "kind": ("teach", "check", "nothing"),
    "name": ("start", "confirm", "stop", "look", "exchange", "nothing"),
    "number": ("1", "4", "17", "22", "999", "x"),
    "game": ("0123456789abcdef", "nothing"),
    "draft": ("1", "2", "40", "x"),
    "step": ("seats", "places", "cameras", "ready", "nothing"),
    "place": ("0", "2", "9", "x"),
    "filename": ("table.css", "nothing.css", "../gate.py"),
}
"""What is put into the placeholders of a route's address."""
METHODS = ("GET", "HEAD", "OPTIONS", "POST", "PUT", "DELETE")
"""The first four with arguments; others to see that a route does not take them."""
JSON = "application/json"

Body = dict[str, Any]


class UnknownRouteError(AssertionError):
    """A route that the twins cannot be asked about."""


@dataclass(frozen=True, slots=True)
class Request:
    """One request, whoever sends it."""

    method: str
    address: str
    data: bytes = b""
    kind: str = JSON
    headers: tuple[tuple[str, str], ...] = (("Accept", "*/*"),)

    def __str__(self) -> str:
        said = self.data[:90].decode("utf-8", "replace")
        more = "" if self.kind == JSON and len(self.headers) == 1 else f" as {self.kind} {dict(self.headers)}"
        return f"{self.method} {self.address} {said}{more}".strip()


def post(address: str, body: Any) -> Request:
    return Request("POST", address, json.dumps(body).encode())


def addresses(rule: Rule) -> tuple[str, ...]:
    """The rule's address with something in each placeholder; raise `UnknownRouteError` for a placeholder that is not known."""
    unknown = sorted(name for name in rule.arguments if name not in PLACEHOLDERS)
    if unknown:
        raise UnknownRouteError(
            f"the twin test cannot ask {rule.rule}: nothing is known to put into {', '.join(unknown)};"
            f" add values to PLACEHOLDERS in {__file__}"
        )
    names = re.findall(r"<(?:[^:<>]+:)?([^<>]+)>", rule.rule)
    pattern = re.sub(r"<(?:[^:<>]+:)?([^<>]+)>", r"{\1}", rule.rule)
    return tuple(pattern.format(**dict(zip(names, values, strict=True))) for values in product(*map(PLACEHOLDERS.get, names)))


# ---- arguments -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Asked:
    """What arguments are made of: the view that everybody has, and cards that somebody may name."""

    view: View
    cards: tuple[str, ...]
    """Some that lie hidden, and lie elsewhere in the other game."""
    moves: int
    """How many moves stand or can be done again."""

    @property
    def seats(self) -> range:
        return range(len(self.view.seats))

    @property
    def open_card(self) -> str:
        return next((card for card in self.view.row if card), "2c")


def anything(asked: Asked) -> Iterator[Body]:
    """A body with everything that any route could want, once for the row and once for a slot."""
    view = asked.view
    whole: Body = {
        "seat": 1, "slot": 3, "card": asked.cards[0], "question": view.question.id if view.question else 1, "choice": 0,
        "offer": 0, "name": "pause", "proposal": view.proposal.id if view.proposal else 1, "yes": True, "moves": view.undo,
        "mark": "0" * 16, "keep": False, "write": False, "token": "token-0001", "pin": "846210", "reason": "so",
    }  # fmt: skip
    yield whole
    yield {**whole, "row": 1}
    yield {**whole, "seat": 0}
    yield {**whole, "seat": 7, "slot": 9, "card": "Zz", "name": "nothing", "moves": -1, "question": 10**7, "yes": 1}


def _calls(asked: Asked) -> Iterator[Body]:
    yield from ({"name": name} for name in CALLS)
    yield from ({"name": name, "seat": seat} for name in ("leave", "return") for seat in asked.seats)


def _entries(asked: Asked) -> Iterator[Body]:
    for card in (*asked.cards, asked.open_card):
        yield from ({"row": number, "card": card} for number in range(1, len(asked.view.row) + 2))
        yield {"seat": 1, "slot": 2, "card": card}


def _own(asked: Asked) -> Iterator[Body]:
    yield from ({"slot": number, "card": card} for number in SLOTS for card in (*asked.cards, asked.open_card))


def _slots(asked: Asked) -> Iterator[Body]:
    yield from ({"seat": seat, "slot": number, "reason": "badly read"} for seat in asked.seats for number in SLOTS)


def _rewinds(asked: Asked) -> Iterator[Body]:
    yield from ({"moves": number} for number in range(asked.moves + 2))


def _answers(asked: Asked) -> Iterator[Body]:
    question = asked.view.question
    number, choices = (1, 1) if question is None else (question.id, len(question.choices))
    yield from ({"question": number, "choice": choice} for choice in range(choices + 1))


def _acts(asked: Asked) -> Iterator[Body]:
    yield from ({"seat": seat, "offer": offer} for seat in asked.seats for offer in (0, 3, 99))


def _votes(asked: Asked) -> Iterator[Body]:
    proposal = asked.view.proposal
    number = 1 if proposal is None else proposal.id
    yield from ({"proposal": number, "seat": seat, "yes": yes} for seat in asked.seats for yes in (True, False))


def _for_seats(asked: Asked) -> Iterator[Body]:
    yield from ({"seat": seat} for seat in asked.seats)
    yield {"reason": "x" * (LONGEST_REASON + 1)}


def _pins(asked: Asked) -> Iterator[Body]:
    yield from ({"pin": pin} for pin in ("738291", "111111", "x" * 99))


def _of_photos(asked: Asked) -> Iterator[Body]:
    for card in asked.cards:
        yield from ({"spot": spot, "hand": hand, "card": card} for spot in (1, 1000, 1003) for hand in (0, 1))


def _setups(asked: Asked) -> Iterator[Body]:
    """What the wizard is told; a game that began would end the twins' own."""
    yield from ({"do": "look", "of": of} for of in ("places", "lamps", "cameras"))
    yield from ({"do": "source", "seat": seat, "source": "mat"} for seat in asked.seats)
    yield from ({"do": do, "seat": 0, "place": 1, "up": True, "name": asked.cards[0], "lit": True} for do in SETUP_DEEDS)


def _seats(asked: Asked) -> Iterator[Body]:
    yield from ({"seats": [seat]} for seat in (*asked.seats, None, 9))
    yield from ({"seats": [seat, None]} for seat in asked.seats)


def _ways(asked: Asked) -> Iterator[Body]:
    yield from ({"way": way} for way in ("auto", "rows", "photo", "x"))


def _by_hand(asked: Asked) -> Iterator[Body]:
    for seat, number in product(asked.seats, SLOTS):
        yield {"deed": "look", "what": [f"slot-{seat}-{number}"], "seat": seat}
        yield {"deed": "move", "what": [f"slot-{seat}-{number}"], "to": "row", "up": True}
    yield from ({"deed": deed} for deed in ("deal", "show", "restore", "gather", "nothing"))


SETUP_DEEDS = ("add", "remove", "move", "rename", "place", "again", "press", "lamp", "begin")
BODIES: Mapping[str, Callable[[Asked], Iterable[Body]]] = {
    "/call": _calls, "/enter": _entries, "/own": _own, "/correct": _entries, "/reseat": _slots, "/rewind": _rewinds,
    "/answer": _answers, "/act": _acts, "/agree": _votes, "/stop": _for_seats, "/laid": _for_seats, "/go_on": _for_seats,
    "/health/off": lambda asked: ({"sure": True},),
    "/referee/enter": _pins, "/referee/pin": _pins, "/link": _for_seats, "/table_right": _for_seats, "/screen_right": _for_seats,
    "/photo/card": _of_photos, "/photo/gone": _of_photos, "/photo/add": _of_photos, "/photo/move": _of_photos,
    "/puppet/do": _by_hand, "/puppet/sit": lambda asked: ({"seats": [0], "sure": True}, {"seats": [9]}, {"seats": 1}),
    "/photo/sort": _ways, "/photo/reveal": _seats, "/setup/<int:draft>/<step>": _setups,
}  # fmt: skip
"""What is posted to a route beside `anything`."""


def _pictures(asked: Asked) -> Iterator[bytes]:
    """Photographs of cards that lie hidden."""
    hand = " ".join((*asked.cards, "2c", "3d", "4h")[:5])
    yield from (written(hand), written(f"{hand}/?{asked.cards[0]}5s"), b"no picture")


FILES: Mapping[str, Callable[[Asked], Iterable[bytes]]] = {"/photo/pictures": _pictures}
"""Files that are sent to a route as they are."""
TEXTS: Mapping[str, Callable[[Asked], Iterable[str]]] = {
    "/settings": lambda asked: (*(f'[[seat]]\nname = "{card}"' for card in asked.cards), "good"),
}
"""The same as plain text."""


def _disputes(asked: Asked) -> Iterator[str]:
    yield from (f"?move={move}" for move in range(asked.view.undo + 2))
    for move, seat, number in product(range(asked.view.undo + 1), asked.seats, SLOTS):
        yield f"?move={move}&seat={seat}&slot={number}"
    yield from ("?move=x", "?seat=1", "?seat=9&slot=1", "?seat=1&slot=6")


def _likely(asked: Asked) -> Iterator[str]:
    yield from (f"?row={number}" for number in range(len(asked.view.row) + 2))
    yield from (f"?seat={seat}&slot={number}" for seat in asked.seats for number in SLOTS)


QUERIES: Mapping[str, Callable[[Asked], Iterable[str]]] = {
    "/disputes": _disputes, "/likely": _likely, "/puppet/table.json": lambda asked: ("?all=1", "?after=3"),
    "/puppet/camera.jpg": lambda asked: ("?of=mat0", "?of=mat1&all=1", "?of=tray"),
    "/health/bundle.zip": lambda asked: ("?names=1",),
}  # fmt: skip
"""What is asked of a route behind the question mark, beside `ANY_QUERY`."""
ANY_QUERY = "?move=0&seat=1&slot=2&row=1&name=x&card=As&turn=1"

ODD: tuple[tuple[bytes, str, tuple[tuple[str, str], ...]], ...] = (
    (b"", JSON, ()),
    (b"[1]", JSON, ()),
    (b"{", JSON, ()),
    (b"a=b", "application/x-www-form-urlencoded", ()),
    (b'"' + b"x" * LONGEST_BODY + b'"', JSON, ()),
    (b"{}", JSON, (("Origin", "http://elsewhere.example"),)),
    (b"{}", JSON, (("Host", "elsewhere.example"),)),
)
"""Posts that no page of ours sends: nothing, no object, no JSON, a form, too much, from another site, under another name."""
NOWHERE = ("/nowhere", "/static/", "/press/", "/teach/", "/%00", "//", "/disputes/..", "/events/x")
ANY, PEOPLE = (("Accept", "*/*"),), (("Accept", "text/html"),)


def requests(app: Flask, asked: Asked) -> dict[tuple[str, str], list[Request]]:
    """Everything that can be asked now, by rule and method."""
    found: dict[tuple[str, str], list[Request]] = {}
    for rule in app.url_map.iter_rules():
        taken, every = rule.methods or set(), addresses(rule)
        for method in METHODS:
            asks = found.setdefault((f"{rule.rule} {rule.endpoint}", method), [])
            if method == "GET" and method in taken:
                asks += (request for address in every for request in _gets(rule.rule, address, asked))
            elif method == "POST" and method in taken:
                asks += _posts(rule, asked)
            else:
                asks += (Request(method, address) for address in every)
    ways = product(NOWHERE, (ANY, PEOPLE), ("GET", "POST"))
    nowhere = [Request(method, address, headers=kind) for address, kind, method in ways]
    return {**found, ("nowhere", "GET"): nowhere}


def pages(app: Flask, asked: Asked) -> Iterator[Request]:
    """What people look at without doing anything."""
    for rule in app.url_map.iter_rules():
        if "GET" in (rule.methods or ()) and rule.endpoint != "static":
            yield from (Request("GET", address) for address in addresses(rule)[:2])


def _gets(rule: str, address: str, asked: Asked) -> Iterator[Request]:
    yield from (Request("GET", address), Request("GET", address, headers=PEOPLE), Request("GET", address + ANY_QUERY))
    if rule in QUERIES:
        yield from (Request("GET", address + query) for query in QUERIES[rule](asked))


def _posts(rule: Rule, asked: Asked) -> Iterator[Request]:
    for address in addresses(rule):
        yield from (post(address, body) for body in anything(asked))
    first = addresses(rule)[0]
    yield from (post(first, body) for body in BODIES.get(rule.rule, lambda asked: ())(asked))
    files = FILES.get(rule.rule, lambda asked: ())(asked)
    yield from (Request("POST", first, data, "application/octet-stream") for data in files)
    texts = TEXTS.get(rule.rule, lambda asked: ())(asked)
    yield from (Request("POST", f"{first}?mark=0&save=1", text.encode(), "text/plain") for text in texts)
    yield from (Request("POST", first, data, kind, headers) for data, kind, headers in ODD)
