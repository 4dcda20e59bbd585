"""What a tap is answered: done only once it is written down, and otherwise why not."""

from __future__ import annotations

import ast
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

import companion
from companion.cards import Mark
from companion.chronicle import Shown
from companion.errors import DeclarationError, JournalError
from companion.inbox import Inbox, Receipt
from companion.judging import OUT_OF_TURN
from companion.observation import Agree, Call, Correct, Declaration, Rewind, Tick
from companion.sitting import RowSight
from companion.table import row, slot
from companion.views import View
from companion.web import create_app
from companion.web.answers import Answers, set_up_answers
from companion.words.page import refusal_words
from tests.companion.tables import FakeSitting
from tests.companion.told import Told

TAPS = ("tap", "tap", "tap")


@contextmanager
def worked(table: Told) -> Iterator[FlaskClient]:
    """The page of a table that another thread works, as at a real one."""
    stop, begun = threading.Event(), threading.Event()

    def work() -> None:
        while not stop.wait(0.002):
            table.time += 0.1
            table.sitting.post(Tick(table.time))
            table.sitting.work()
            begun.set()

    thread = threading.Thread(target=work)
    thread.start()
    assert begun.wait(10.0)
    try:
        yield create_app(table.sitting).test_client()
    finally:
        stop.set()
        thread.join()


def answer(client: FlaskClient, path: str, **body: Any) -> tuple[int, str]:
    said = client.post(path, json=body)
    found = said.get_json()
    return said.status_code, found.get("error", "")


def test_done_is_said_when_it_is_done() -> None:
    table = Told(sources=TAPS, sight=RowSight.NONE)
    with worked(table) as client:
        offer = client.get("/offers/0").get_json()["offers"][0]["id"]
        assert answer(client, "/act", seat=0, offer=offer) == (200, "")
        assert table.view.undo == 1, "not a moment later"
        assert answer(client, "/stop") == (200, "")
        assert table.view.stopped


def test_what_cannot_be_done_is_answered_with_the_reason() -> None:
    table = Told(sources=TAPS, sight=RowSight.NONE)
    with worked(table) as client:
        answer(client, "/act", seat=0, offer=client.get("/offers/0").get_json()["offers"][0]["id"])
        answer(client, "/stop")
        assert answer(client, "/stop") == (409, "is_stopped")
        assert answer(client, "/go_on") == (200, "")
        assert answer(client, "/go_on") == (409, "proposal_first")
        assert answer(client, "/rewind", moves=0) == (409, "proposal_first")
        assert answer(client, "/rewind", moves=1) == (409, "no_change")
        proposal = table.view.proposal
        assert proposal is not None, "the tap has not cancelled what was proposed"
        assert answer(client, "/agree", proposal=proposal.id, seat=1, yes=True) == (200, "")
        assert answer(client, "/agree", proposal=proposal.id, seat=1, yes=True) == (409, "agreed_already")
        assert answer(client, "/laid") == (409, "nothing_to_confirm")
        said = client.post("/stop", json={}).get_json()
        assert said["message"] == "Play is stopped already."


def test_both_ways_out_wait_until_the_cards_lie_still() -> None:
    table = Told()
    table.draw(0, 1)
    table.lie({slot(1, 2): Mark.COVERED}, 0.2)
    for way in ("table_right", "screen_right"):
        receipt = table.sitting.post(_declaration(table, Call(way)))
        table.sitting.work()
        assert receipt.refusal == "moving"


def _declaration(table: Told, what: Any, seat: int = 0) -> Declaration:
    return Declaration(table.time, seat, what, "table")


@pytest.mark.parametrize("what", [Rewind(0), Call("undo"), Call("leave"), Call("misdeal")])
def test_nothing_cancels_what_was_proposed_without_a_word(what: Any) -> None:
    table = Told(sources=TAPS, sight=RowSight.NONE)
    table.sitting.claim(0, 0)
    table.wait(0.2).say(0, Call("stop"), 0.2).say(0, Call("go_on"), 0.2)
    proposal = table.view.proposal
    assert proposal is not None
    receipt = table.sitting.post(_declaration(table, what))
    table.wait(0.2)
    assert receipt.refusal in ("proposal_first", "begun")
    assert table.view.proposal == proposal
    for seat in (0, 1, 2):
        table.say(seat, Agree(proposal.id, True), 0.2)
    assert not table.view.stopped


def test_the_answer_about_an_open_card_is_the_same_whatever_lies_hidden() -> None:
    refusals = []
    for other in ("held", "free"):
        table = Told()
        table.draw(0, 1)
        held, free = table.shown[slot(1, 3)], table.pile[3]
        card = held if other == "held" else free
        receipt = table.sitting.post(_declaration(table, Correct(row(1), card)))
        table.wait(0.3)
        refusals.append((receipt.settled, receipt.refusal))
    assert refusals[0] == refusals[1] == (True, "")


# ---- the record --------------------------------------------------------------------------------------------------


class Full:
    """A chronicle whose disk is full from some moment on."""

    def __init__(self) -> None:
        self.full = False
        self.agreement: Any = None
        self.shown, self.time, self.clock_set = Shown(), 0.0, True

    def resume(self, agreement: Any) -> Any:
        self.agreement = agreement
        return agreement

    def keep(self, agreement: Any, shown: Any, time: float, *beside: Any) -> None:
        if self.full:
            raise JournalError("no room is left")
        self.agreement, self.shown = agreement, shown

    def try_again(self, time: float) -> None:
        if self.full:
            raise JournalError("no room is left")


def test_what_cannot_be_written_down_is_not_called_done() -> None:
    chronicle = Full()
    table = Told(sources=TAPS, sight=RowSight.NONE, chronicle=chronicle)
    with worked(table) as client:
        chronicle.full = True
        offer = client.get("/offers/0").get_json()["offers"][0]["id"]
        assert answer(client, "/act", seat=0, offer=offer) == (507, "unrecorded")
        assert table.view.undo == 0
        assert table.view.unrecorded
        chronicle.full = False
        table.time += 3.0
        for _ in range(50):
            if not table.sitting.wait(table.view.version, 0.1).unrecorded:
                break
        assert answer(client, "/act", seat=0, offer=offer) == (200, "")


# ---- waiting -----------------------------------------------------------------------------------------------------


class Never(FakeSitting):
    """A table that never gets to anything."""

    def _receipt(self) -> Receipt:
        return Receipt()


def test_a_table_that_does_not_get_to_it_says_so() -> None:
    app = create_app(Never())
    set_up_answers(app, Answers(patience=0.01))
    said = app.test_client().post("/stop", json={})
    assert said.status_code == 202
    assert said.get_json() == {"ok": True, "pending": True, "message": "The table has taken this, and has not got to it yet."}


def test_only_a_few_answers_wait_at_once() -> None:
    answers, receipts = Answers(waiting=2, patience=30.0), [Receipt() for _ in range(3)]
    threads = [threading.Thread(target=answers.wait, args=(receipt,)) for receipt in receipts[:2]]
    for thread in threads:
        thread.start()
    while answers._places._value:  # type: ignore[attr-defined]
        pass
    assert not answers.wait(receipts[2]), "all places are taken: it is answered at once"
    for receipt in receipts:
        receipt.settle()
    for thread in threads:
        thread.join(10)
    assert answers.wait(receipts[2])


def test_who_works_the_table_does_not_wait_for_himself() -> None:
    inbox = Inbox()
    receipt = inbox.post(Tick(1.0))
    assert not receipt.wait(1000.0)
    (posted,) = inbox.take()
    posted.receipt.settle("moving")
    assert receipt.wait(1000.0)
    assert receipt.refusal == "moving"


def test_another_thread_waits_even_before_the_table_was_worked_for_the_first_time() -> None:
    inbox, waited = Inbox(), []
    receipt = inbox.post(Tick(1.0))
    thread = threading.Thread(target=lambda: waited.append(receipt.wait(30.0)))
    thread.start()
    (posted,) = inbox.take()
    posted.receipt.settle()
    thread.join(10)
    assert waited == [True]


def test_events_are_taken_in_the_order_of_time_then_of_posting() -> None:
    inbox = Inbox()
    for time in (2.0, 1.0, 2.0, 1.0):
        inbox.post(Tick(time))
    assert [posted.event.time for posted in inbox.take()] == [1.0, 1.0, 2.0, 2.0]
    assert inbox.take() == ()


# ---- words -------------------------------------------------------------------------------------------------------


def _kinds() -> set[str]:
    """Every kind that the program raises a `DeclarationError` with."""
    found = {DeclarationError("").kind}
    for file in Path(companion.__path__[0]).rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "DeclarationError" and len(node.args) == 2:
                kind = node.args[1]
                if file.name == "agreement.py" and isinstance(kind, ast.Name):
                    # The one place that hands on what a game calls an act out of turn.
                    found |= set(OUT_OF_TURN)
                    continue
                assert isinstance(kind, ast.Constant), f"{file}: a kind is written out"
                found.add(kind.value)
    return found


def test_every_reason_has_its_sentence() -> None:
    kinds = _kinds()
    assert len(kinds) > 20
    for kind in kinds:
        assert refusal_words(kind).endswith("."), kind


def test_the_view_is_not_touched_by_a_refused_tap(sitting: FakeSitting, client: FlaskClient) -> None:
    before: View = sitting.view()
    sitting.refuses = "moving"
    assert answer(client, "/table_right") == (409, "moving")
    assert sitting.view() == before


def test_nobody_leaves_while_the_others_are_asked() -> None:
    table = Told(sources=TAPS, sight=RowSight.NONE)
    table.say(0, Call("stop"), 0.2).say(0, Call("go_on"), 0.2)
    proposal = table.view.proposal
    assert proposal is not None
    for seat in (0, 1):
        table.say(seat, Agree(proposal.id, True), 0.2)
    receipt = table.sitting.post(_declaration(table, Call("leave"), 2))
    table.wait(0.2)
    assert receipt.refusal == "proposal_first"
    table.say(2, Agree(proposal.id, True), 0.2)
    assert not table.view.stopped


def test_a_move_is_no_answer_to_what_was_proposed() -> None:
    table = Told(sources=TAPS, sight=RowSight.NONE)
    table.say(0, Call("table_right"), 0.3)
    assert table.view.proposal is not None
    receipt = table.sitting.claim(0, 0)
    table.wait(0.2)
    assert (receipt.refusal, table.view.turn) == ("proposal_first", 0)
    assert table.view.proposal is not None


def test_who_is_here_or_away_already_cannot_come_or_go() -> None:
    table = Told(sources=TAPS, sight=RowSight.NONE)
    kinds = []
    for name in ("return", "leave", "leave"):
        receipt = table.sitting.post(_declaration(table, Call(name), 2))
        table.wait(0.2)
        kinds.append(receipt.refusal)
    assert kinds == ["no_change", "", "no_change"]


def test_half_a_letter_is_no_reason() -> None:
    table = Told(sources=TAPS, sight=RowSight.NONE)
    with worked(table) as client:
        assert answer(client, "/stop") == (200, "")
        assert answer(client, "/go_on", reason="\ud800") == (400, "bad_form")
        assert client.get("/").status_code == client.get("/disputes").status_code == 200
