"""A leak in each outlet is caught: the comparison would notice."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from flask import Blueprint, Flask, Response

from companion import chronicle, viewing
from companion.cards import DECK, Card
from companion.cues import Cue, Meaning
from companion.errors import DeclarationError
from companion.exhibition import Opened
from companion.picturefile import PictureFile
from companion.retelling import Moment, Retelling
from companion.seal import Seal
from companion.sitting import Sitting
from companion.table import Place, slot
from companion.views import HomeView, Role
from companion.web import faults
from companion.web.door import RefusedError
from companion.web.gate import EVERYBODY, open_to
from companion.web.live import Renderer, Stream
from companion.words import health as health_words
from firmware import bundle
from firmware.bus import hub
from firmware.commands import verify as verify_command
from firmware.gauges import Gauges
from tests.firmware.twins.doors import PLACEHOLDERS, UnknownRouteError
from tests.firmware.twins.outlets import OUTLETS, Doors
from tests.firmware.twins.pairs import Pair
from tests.firmware.twins.playing import LeakError, play
from tests.firmware.twins.table import Twin
from tests.firmware.twins.tables import SHORT

PAIR = SHORT.pair("all", 4)
Patch = pytest.MonkeyPatch
Plant = Callable[[Patch], None]


def secret(sitting: Sitting) -> Card:
    """What must not be told: the card of the third player's first slot; what a program that leaks knows of it."""
    return next((seen for place, seen in sitting.readings() if place == slot(2, 1) and isinstance(seen, Card)), DECK[0])


def number(sitting: Sitting) -> int:
    """The same, from 0 to 51."""
    return DECK.index(secret(sitting))


def after_each_look(patch: Patch, leak: Callable[[Twin], None]) -> None:
    looked = Twin.looked

    def look(twin: Twin) -> None:
        looked(twin)
        leak(twin)

    patch.setattr(Twin, "looked", look)


def with_pages(patch: Patch, pages: Callable[[Twin], Blueprint]) -> None:
    """The application with one page more."""
    make = Twin._app
    create = make.__globals__["create_app"]

    def made(twin: Twin) -> Flask:
        patch.setitem(make.__globals__, "create_app", lambda window, given, **rest: create(window, [*given, pages(twin)], **rest))
        return make(twin)

    patch.setattr(Twin, "_app", made)


def after_each_request(patch: Patch, change: Callable[[Response, Twin], None]) -> None:
    """The application with something done to every answer."""
    make = Twin._app

    def made(twin: Twin) -> Flask:
        app = make(twin)

        @app.after_request
        def changed(response: Response) -> Response:
            change(response, twin)
            return response

        return app

    patch.setattr(Twin, "_app", made)


# ---- the page ------------------------------------------------------------------------------------------------------


def a_card_in_a_part(patch: Patch) -> None:
    parts = Renderer.parts

    def leaking(self: Renderer, arranged: Any, say: Any) -> dict[str, str]:
        return {**parts(self, arranged, say), "words": f"<h1>{secret(_speaking.sitting)}</h1>"}

    patch.setattr(Renderer, "parts", leaking)


def a_header(patch: Patch) -> None:
    after_each_request(patch, lambda response, twin: response.headers.set("X-Size", str(number(twin.sitting))))


def a_length(patch: Patch) -> None:
    """Nothing is said, but a page is longer by as many blanks."""

    def longer(response: Response, twin: Twin) -> None:
        if response.mimetype == "text/html" and not response.is_streamed:
            response.set_data(response.get_data() + b" " * number(twin.sitting))

    after_each_request(patch, longer)


def an_error_message(patch: Patch) -> None:
    def refused(sitting: Sitting, place: Place) -> None:
        raise DeclarationError(f"{place} is not likely to be {secret(sitting)}")

    patch.setattr(Sitting, "likely", refused)


def a_story_before_the_end(patch: Patch) -> None:
    def told(sitting: Sitting, day: str = "") -> Retelling:
        hands = tuple(tuple(card if isinstance(card, Card) else None for card in hand)
                      for hand in sitting.agreement.state.table.hands)  # fmt: skip
        return Retelling("steal", day, tuple(seat.name for seat in sitting.seats), (Moment(hands, (), 0, 0),), (0, 1, 2), (0,))

    patch.setattr(Sitting, "retelling", told)


def a_refusal(patch: Patch) -> None:
    words = faults.refusal_words

    def leaking(kind: str, say: Any, **values: Any) -> str:
        return f"{words(kind, say, **values)} {secret(_speaking.sitting)}"

    patch.setattr(faults, "refusal_words", leaking)


def a_new_route(patch: Patch) -> None:
    """Nobody has told this test of the route: it answers 404 or 403, and what decides is a hidden card."""

    def peeks(twin: Twin) -> Blueprint:
        page = Blueprint("peek", __name__)

        @open_to(EVERYBODY)
        def peek(seat: int) -> str:
            raise RefusedError("no_page", 404 if secret(twin.sitting) == PAIR.one[10] else 403)

        page.add_url_rule("/peek/<int:seat>", view_func=peek)
        return page

    with_pages(patch, peeks)


def an_event(patch: Patch) -> None:
    event = Stream._event

    def leaking(self: Stream, view: Any, before: str = "") -> str:
        return f": {number(self._table.sitting)}\n" + event(self, view, before)  # type: ignore[attr-defined]

    patch.setattr(Stream, "_event", leaking)


def a_count_of_versions(patch: Patch) -> None:
    """The view is the same, but new to the pages as often as a card was read."""
    view = Sitting.view

    def leaking(self: Sitting, role: Role = Role.SPECTATOR, seat: int | None = None) -> Any:
        found = view(self, role, seat)
        return viewing.replace(found, version=found.version + number(self))

    patch.setattr(Sitting, "view", leaking)


# ---- lamps, log, files, threads ------------------------------------------------------------------------------------


def a_lamp(patch: Patch) -> None:
    """One slot's lamp blinks once more, if the card is low enough."""

    def leak(twin: Twin) -> None:
        if round(twin.time * 10) == number(twin.sitting):
            twin.board._lamps.show((Cue(Meaning.TOUCHED, 0, 1),), twin.time)
            twin.lamps.append((twin.time, tuple(twin.desk.bus.sent[-1:])))  # type: ignore[attr-defined]

    after_each_look(patch, leak)


def a_buzzer(patch: Patch) -> None:
    """Its sound lasts as long as the card is high."""

    def leak(twin: Twin) -> None:
        assert twin.board._buzzer is not None
        twin.board._buzzer._sound = ((0.0, 0.1 * number(twin.sitting)),)

    after_each_look(patch, leak)


def a_cue(patch: Patch) -> None:
    """A lamp leads a card home that nobody has lost."""

    def leaking(scene: viewing.Scene) -> tuple[HomeView, ...]:
        held = scene.referee.state.table.at(slot(2, 1))
        seat, place = divmod(DECK.index(held) if isinstance(held, Card) else 0, 5)
        return (HomeView((2, 1), "slot", (seat, place + 1)),)

    patch.setattr(viewing, "_homes", leaking)


def a_message_on_the_bus(patch: Patch) -> None:
    """What a display is sent is padded by the card that somebody holds."""
    view_bytes = hub.view_bytes
    patch.setattr(hub, "view_bytes", lambda view: view_bytes(view) + number(_speaking.sitting) * b" ")


def a_line_in_the_log(patch: Patch) -> None:
    after_each_look(patch, lambda twin: logging.getLogger("vision.reader").debug("read %s", secret(twin.sitting)))


def a_line_on_the_terminal(patch: Patch) -> None:
    after_each_look(patch, lambda twin: print(number(twin.sitting) % 13))


def a_file_name(patch: Patch) -> None:
    after_each_look(patch, lambda twin: (twin.folder / f"crop-{number(twin.sitting)}.jpg").touch())


def a_file_size(patch: Patch) -> None:
    after_each_look(patch, lambda twin: (twin.folder / "crop.jpg").write_bytes(bytes(number(twin.sitting))) and None)


def a_thread(patch: Patch) -> None:
    def leak(twin: Twin) -> None:
        if not twin.now.turn:
            return
        reader = threading.Thread(target=len, args=("",), name=f"reading {secret(twin.sitting)}")
        reader.start()
        reader.join()

    after_each_look(patch, leak)


# ---- the record ----------------------------------------------------------------------------------------------------


def a_public_part(patch: Patch) -> None:
    public = chronicle._public

    def leaking(minute: Any, agreement: Any) -> dict[str, Any]:
        return {**public(minute, agreement), "mark": str(agreement.state.table.at(slot(2, 1)))}

    patch.setattr(chronicle, "_public", leaking)


def a_size(patch: Patch) -> None:
    """What is sealed is filled up to the next multiple of sixteen bytes, and higher cards are written longer."""
    encrypt = Seal.encrypt
    patch.setattr(Seal, "encrypt", lambda self, data, about, room: encrypt(self, data, about, 16 * (1 + len(data) // 16)))
    _written_longer(patch, 500)


def a_length_before_sealing(patch: Patch) -> None:
    """Everything is filled up; only once in a while does it take a piece more."""
    _written_longer(patch, 1)


def _written_longer(patch: Patch, times: int) -> None:
    evened = chronicle.evened
    patch.setattr(chronicle, "evened", lambda minute: evened(minute) + times * number(_speaking.sitting) * b" ")


def a_picture_of_a_slot(patch: Patch) -> None:
    """Pictures of slots are given out before the result."""
    patch.setattr(Opened, "shows", lambda opened, place: True)


def a_picture_only_of_high_cards(patch: Patch) -> None:
    """What a picture shows decides whether it is kept."""
    put = PictureFile.put
    patch.setattr(PictureFile, "put", lambda self, piece, data: put(self, piece + number(_speaking.sitting), data))


def a_word_of_verify(patch: Patch) -> None:
    words = verify_command.verified_words
    patch.setattr(verify_command, "verified_words", lambda found, say: f"{words(found, say)} {secret(_speaking.sitting)}")


def a_share_of_unread_cards(patch: Patch) -> None:
    """How many cards a camera could not read is told while it follows from hidden ones."""
    patch.setattr(Gauges, "_step", lambda self, camera, shown: tuple(health_words._STEPS)[number(_speaking.sitting) % 5])


def a_file_for_support(patch: Patch) -> None:
    patch.setattr(bundle, "_outline", lambda path: [{"card": number(_speaking.sitting)}])


# ---- the tests -----------------------------------------------------------------------------------------------------


class _Speaking:
    """The sitting that is at work, for what has no other way to it."""

    sitting: Any = None


_speaking = _Speaking()

PLANTS: tuple[tuple[str, Plant], ...] = (
    ("page", a_card_in_a_part), ("page", a_header), ("page", a_length), ("page", a_count_of_versions),
    ("doors", a_refusal), ("doors", a_new_route), ("doors", a_header), ("stream", an_event),
    ("stream", a_card_in_a_part), ("sitting", an_error_message), ("sitting", a_count_of_versions),
    ("lamps and buzzer", a_lamp), ("lamps and buzzer", a_buzzer), ("lamps and buzzer", a_cue), ("cues", a_cue),
    ("bus", a_cue), ("bus", a_message_on_the_bus),
    ("log", a_line_in_the_log), ("log", a_line_on_the_terminal), ("files", a_file_name), ("files", a_file_size),
    ("threads", a_thread), ("record", a_public_part), ("record", a_size), ("record", a_length_before_sealing),
    ("verify", a_word_of_verify), ("sitting", a_picture_of_a_slot), ("doors", a_picture_of_a_slot),
    ("files", a_picture_only_of_high_cards), ("page", a_share_of_unread_cards), ("page", a_file_for_support),
    ("page", a_story_before_the_end), ("sitting", a_story_before_the_end),
)  # fmt: skip


@pytest.fixture(autouse=True)
def speaking(monkeypatch: Patch) -> None:
    """Keep in mind which twin is at work."""
    listening = Twin.listening

    @contextmanager
    def noted(twin: Twin) -> Iterator[None]:
        _speaking.sitting = twin.sitting
        with listening(twin):
            yield

    monkeypatch.setattr(Twin, "listening", noted)


def played(folder: Path, outlet: str, pair: Pair = PAIR) -> Any:
    doors = Doors(8, 2, 1) if outlet == "doors" else None
    return play(SHORT, pair, folder, doors, {} if doors else {outlet: OUTLETS[outlet]})


SHORTLY = tuple({outlet: (outlet, plant) for outlet, plant in reversed(PLANTS)}.values())
"""One leak of each outlet is planted in every run."""


@pytest.mark.parametrize(
    ("outlet", "plant"),
    [pytest.param(*one, marks=() if one in SHORTLY else pytest.mark.long) for one in PLANTS],
    ids=lambda value: value if isinstance(value, str) else value.__name__,
)
def test_a_leak_is_caught(outlet: str, plant: Plant, tmp_path: Path, monkeypatch: Patch) -> None:
    plant(monkeypatch)
    with pytest.raises(LeakError) as caught:
        played(tmp_path, outlet)
    assert caught.value.outlet == outlet


def test_every_outlet_has_a_leak_that_is_caught_there() -> None:
    assert {outlet for outlet, _ in PLANTS} == {*OUTLETS, "doors"}


def test_every_outlet_has_one_in_every_run() -> None:
    assert {outlet for outlet, _ in SHORTLY} == {*OUTLETS, "doors"}


def test_without_a_leak_nothing_is_caught(tmp_path: Path) -> None:
    told = play(SHORT, PAIR, tmp_path, Doors(16, 1, 1))
    assert len(told.moments) == 4


def test_a_route_that_cannot_be_asked_fails_and_says_what_is_missing(tmp_path: Path, monkeypatch: Patch) -> None:
    def crops(twin: Twin) -> Blueprint:
        page = Blueprint("crops", __name__)
        page.add_url_rule("/crops/<turn>/<int:seat>", view_func=open_to(EVERYBODY)(lambda turn, seat: "crop"))
        return page

    with_pages(monkeypatch, crops)
    missing = r"cannot ask /crops/<turn>/<int:seat>: nothing is known to put into turn; add values to PLACEHOLDERS"
    with pytest.raises(UnknownRouteError, match=missing):
        played(tmp_path, "doors")
    assert "turn" not in PLACEHOLDERS
