"""Who is meant in the setup wizard, by a page that was drawn before the order changed: two fast taps, or two screens."""

from __future__ import annotations

import pytest

from companion.choices import ChoiceError
from companion.web.drafts import Draft
from tests.companion.web.outfitted import SEATED, FakeOutfit
from tests.companion.web.test_setup import Wizard, app_of, wizard


def order(one: Wizard) -> list[str]:
    """Who sits where, from the last step."""
    words = one.page("ready")
    return sorted((name for name in ("Anna", "Ben", "Cleo", "Bea", "Zoe") if f". {name} –" in words), key=words.index)


def test_two_taps_move_the_same_person_twice() -> None:
    one = wizard(FakeOutfit())
    for _ in range(2):
        assert one.send("seats", "move", seat=0, who="Anna", up=False)["status"] == 200
    assert order(one) == ["Ben", "Cleo", "Anna"]


def test_two_taps_remove_one_person() -> None:
    one = wizard(FakeOutfit())
    for _ in range(2):
        assert one.send("seats", "remove", seat=0, who="Anna")["status"] == 200
    assert order(one) == ["Ben", "Cleo"]


@pytest.mark.parametrize(
    ("step", "do", "body"),
    [("seats", "move", {"up": True}), ("seats", "rename", {"name": "Bea"}), ("sources", "source", {"source": "bot"})],
)
def test_nobody_else_is_taken_for_one_who_has_gone(step: str, do: str, body: dict[str, object]) -> None:
    app = app_of(FakeOutfit())
    one, same = Wizard(app.test_client()), Wizard(app.test_client())
    same.at = one.at
    same.send("seats", "remove", seat=0, who="Anna")
    before = one.page("ready")
    answer = one.send(step, do, seat=0, who="Anna", **body)
    assert (answer["status"], answer["error"]) == (409, "no_chair")
    assert "the list has changed meanwhile" in answer["message"]
    assert "Ben" in answer["html"] and "Anna" not in answer["html"].split("person-0")[0], "and the page shows who is there"
    assert one.page("ready") == before


def test_two_screens_of_one_setup_mean_the_person_that_they_show() -> None:
    app = app_of(FakeOutfit())
    one, same = Wizard(app.test_client()), Wizard(app.test_client())
    same.at = one.at
    same.send("seats", "move", seat=2, who="Cleo", up=False)
    assert order(one) == ["Cleo", "Anna", "Ben"]
    one.send("seats", "rename", seat=1, who="Ben", name="Bea")
    same.send("sources", "source", seat=0, who="Anna", source="tap")
    same.send("seats", "remove", seat=2, who="Ben")
    assert order(one) == ["Cleo", "Anna"], "who was renamed is found by the name that the other screen shows"
    assert "2. Anna – Taps" in one.page("ready")


def test_a_former_name_means_nobody_once_somebody_else_has_it() -> None:
    one = wizard(FakeOutfit())
    one.send("seats", "rename", seat=0, who="Anna", name="Bea")
    one.send("seats", "add", name="Anna")
    for _ in range(2):
        one.send("seats", "remove", seat=3, who="Anna")
    assert order(one) == ["Bea", "Ben", "Cleo"]


def test_former_names_lead_to_the_last_one() -> None:
    draft = Draft(1, SEATED, 0).renamed(0, "Bea").renamed(0, "Zoe").cleared()
    assert [draft.seat_of(name) for name in ("Anna", "Bea", "Zoe", "Ben", "Dan")] == [0, 0, 0, 1, None]
    back = draft.renamed(0, "Anna").cleared()
    assert back.formerly == (("Bea", "Anna"), ("Zoe", "Anna"))
    for number in range(100):
        draft = draft.renamed(0, f"Anna {number}").cleared()
    assert len(draft.formerly) == 40 and draft.seat_of("Anna 98") == 0
    with pytest.raises(ChoiceError, match="no_chair"):
        draft.renamed(3, "Dan")


def test_what_is_sent_again_because_its_answer_was_lost_is_done_once() -> None:
    one = wizard(FakeOutfit())
    for _ in range(2):
        assert one.send("seats", "add", name="Zoe", mark="a-1")["status"] == 200
        assert one.send("seats", "look", of="seats")["status"] == 200
    one.send("seats", "move", seat=3, who="Zoe", up=True, mark="a-2")
    assert "Zoe" in one.send("seats", "move", seat=3, who="Zoe", up=True, mark="a-2")["html"]
    assert order(one) == ["Anna", "Ben", "Zoe", "Cleo"]
    one.send("seats", "move", seat=2, who="Zoe", up=True, mark="a-3")
    assert order(one) == ["Anna", "Zoe", "Ben", "Cleo"]
    assert one.send("seats", "move", seat=2, who="Zoe", mark=3)["status"] == 400
