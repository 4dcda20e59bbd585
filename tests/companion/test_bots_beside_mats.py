"""Bots announce what they do: cards that move without that are somebody else's doing, and the bot waits until it is settled."""

from __future__ import annotations

from companion.cards import Mark
from companion.games.steal_state import Pass, StealCard
from companion.observation import Answer, Claim, Press
from companion.table import slot
from tests.companion.told import Told


def begun(sources: tuple[str, ...] = ("mat", "mat", "bot"), seconds: float = 6.0) -> Told:
    """Ann has drawn, and it is the next one's turn."""
    table = Told(sources)
    table.draw(0, 1, seconds)
    return table


def test_what_happens_in_a_bots_turn_is_not_the_bots() -> None:
    table = begun(("mat", "bot", "mat"), 1.0)
    table.lie({slot(2, 2): Mark.EMPTY}, 0.0).say(0, Press())
    table.lie({slot(2, 2): table.pile.pop(0)}, 9.0)
    assert table.view.question is None, "nobody asks whether the bot has stolen that card"
    assert table.view.current == 1 and len(table.actions) == 1, "it waits"
    assert table.view.violation is not None
    assert (table.view.violation.error, table.view.violation.seat) == ("not_your_turn", 2)


def test_a_bot_waits_for_a_hand_over_the_cards_but_not_for_ever() -> None:
    table = begun(("mat", "bot", "mat"), 1.0)
    before = table.view.undo
    table.lie({slot(2, 2): Mark.EMPTY}, 0.0).say(0, Press()).wait(4.0)
    assert table.view.undo == before
    table.wait(10.0)
    assert table.view.undo == before + 1, "who only looks at his card does not stop the game"


def test_what_was_denied_is_called_by_its_name() -> None:
    """Ben's slot shows a card that nobody has seen: it may be the bot's, until he says that he has not stolen it."""
    table = begun()
    table.lie({slot(1, 2): table.pile.pop(0)}, 1.0)
    table.say(1, Press()).wait(6.0)
    question = table.view.question
    assert question is not None and None in question.choices
    table.say(1, Answer(question.id, question.choices.index(None)), 10.0)
    assert table.view.violation is not None and table.view.violation.error == "replaced_card_not_in_row"


def test_what_was_denied_once_accuses_nobody_the_next_time() -> None:
    table = begun()
    old, new = table.shown[slot(1, 2)], table.pile.pop(0)
    for _ in range(2):
        table.lie({slot(1, 2): new}, 12.0)
        question = table.view.question
        assert question is not None and table.view.violation is None, "the second time he is asked as well"
        table.say(1, Answer(question.id, question.choices.index(None)), 10.0)
        assert table.view.violation is not None
        table.lie({slot(1, 2): old}, 6.0)
        assert table.view.violation is None


def test_a_theft_that_was_denied_is_not_taken_for_the_way_out_of_the_violation() -> None:
    """Of Cat's cards four are known, so that a strange card in Ben's slot can only have come from her fifth."""
    table = Told(("mat", "mat", "tap"), allow_pass=True)
    for number in (1, 2, 3, 4):
        table.say(0, Claim(Pass(0)), 0.3).say(1, Claim(Pass(1)), 0.3)
        table.say(2, Claim(StealCard(2, 0, number, number)), 0.1).lie({slot(0, number): table.pile.pop(0)}, 4.0)
    table.say(0, Claim(Pass(0)), 0.3)
    before, old = len(table.actions), table.shown[slot(1, 2)]
    table.lie({slot(1, 2): table.pile.pop(0)}, 1.0).say(1, Press()).wait(20.0)
    question = table.view.question
    assert question is not None and [choice and choice.kind for choice in question.choices] == ["steal", None]
    table.say(1, Answer(question.id, 1), 10.0)
    assert table.view.violation is not None and table.view.violation.error == "replaced_card_not_in_row"
    table.lie({slot(1, 2): old}, 6.0)
    assert (table.view.violation, len(table.actions)) == (None, before)
