"""The sitting as people meet it: cards laid, lifted, held and exchanged, and what is said of it."""

from __future__ import annotations

import pytest

from companion.cards import DECK, Card, Mark, Seen
from companion.errors import DeclarationError
from companion.games import find_game
from companion.games.steal_state import Draw, StealCard, Take
from companion.observation import Answer, Call, Claim, Declaration, Entry, Observation, Press, Sighting, Tick
from companion.sitting import RowSight, Seat, Sitting
from companion.table import Place, row, slot
from companion.views import Role, SlotShows

JOKER = Mark.FOREIGN


class Told:
    """A table of three whose cameras are perfect: `lie` says what they see, `wait` lets time pass."""

    def __init__(self, sources=("mat", "mat", "mat"), sight=RowSight.OVERHEAD, deal=True, **options) -> None:
        self.time = 0.0
        seats = [Seat(name, source) for name, source in zip(("Ann", "Ben", "Cat"), sources, strict=True)]
        self.sitting = Sitting(find_game("steal"), seats, options, sight, clock=lambda: self.time)
        self.shown: dict[Place, Seen] = {}
        self.pile = list(DECK)
        for seat, source in enumerate(sources):
            if source == "mat":
                self.shown.update({slot(seat, k): self.pile.pop(0) if deal else Mark.EMPTY for k in range(1, 6)})
        if sight is RowSight.OVERHEAD:
            self.shown.update({row(n): Mark.EMPTY for n in range(1, 10)})
        if deal:
            self.wait(3.0)

    def wait(self, seconds: float) -> Told:
        for _ in range(round(seconds * 10)):
            self.time = round(self.time + 0.1, 3)
            sightings = tuple(Sighting(place, seen, 0.99) for place, seen in self.shown.items())
            if sightings:
                self.sitting.post(Observation(self.time, tuple(self.shown), sightings))
            self.sitting.post(Tick(self.time))
            self.sitting.work()
        return self

    def lie(self, changes: dict[Place, Seen], seconds: float = 1.5) -> Told:
        """A hand comes over the places, and then they show this."""
        self.shown.update(dict.fromkeys(changes, Mark.COVERED))
        self.wait(0.4)
        self.shown.update(changes)
        return self.wait(seconds)

    def say(self, seat: int, what, seconds: float = 1.5) -> Told:
        self.sitting.post(Declaration(self.time, seat, what))
        return self.wait(seconds)

    def draw(self, seat: int, number: int, seconds: float = 1.5) -> Card:
        """The pile's top card comes into a slot, the old one onto the row; return the new card."""
        new, old = self.pile.pop(0), self.shown[slot(seat, number)]
        place = row(1 + sum(1 for p, s in self.shown.items() if p.area == row(1).area and s is not Mark.EMPTY))
        self.lie({slot(seat, number): new, place: old}, seconds)
        return new

    def discard(self, position: int, seconds: float = 1.5) -> Card:
        card = self.pile.pop(0)
        self.lie({row(position): card}, seconds)
        return card

    def exchange(self, a: Place, b: Place, seconds: float = 1.5) -> Told:
        return self.lie({a: self.shown[b], b: self.shown[a]}, seconds)

    @property
    def view(self):
        return self.sitting.view()

    @property
    def actions(self):
        return [entry.action for entry in self.sitting.log() if entry.kind == "action"]

    @property
    def kinds(self) -> list[str]:
        return [entry.kind for entry in self.sitting.log()]


def test_setting_up_is_a_free_zone() -> None:
    table = Told(deal=False)
    cards = list(DECK)
    for k in (3, 1, 5):
        table.lie({slot(0, k): cards.pop(0)}, 0.5)
    table.lie({slot(s, k): cards.pop(0) for s in range(3) for k in range(1, 6)}, 3.0)
    table.exchange(slot(0, 1), slot(0, 2)).exchange(slot(2, 4), slot(2, 5))
    table.lie({slot(1, k): Mark.EMPTY for k in range(1, 6)}, 8.0)
    assert table.view.violation is None
    assert table.view.question is None
    assert table.kinds == []


def test_the_first_action_is_the_start_and_one_tap_undoes_it() -> None:
    table = Told()
    assert (table.view.phase, table.view.current) == ("setup", 0)
    table.draw(0, 2)
    assert (table.view.phase, table.view.current) == ("play", 1)
    table.say(0, Call("undo"))
    assert table.view.phase == "setup"


def test_a_draw_is_named_when_both_cards_lie() -> None:
    table = Told()
    new, old = table.pile[0], table.shown[slot(0, 3)]
    table.lie({slot(0, 3): new}, 3.0)
    assert table.actions == [], "the replaced card is still in the hand"
    table.lie({row(1): old})
    assert table.actions == [Draw(0, 3)]
    assert table.view.row == (str(old),)


def test_a_turn_may_be_changed_while_it_is_provisional() -> None:
    table = Told()
    card = table.discard(1)
    assert table.view.last is not None
    assert table.view.last.provisional
    old = table.shown[slot(0, 4)]
    table.lie({row(1): Mark.EMPTY}, 0.6).lie({slot(0, 4): card, row(1): old})
    assert table.sitting.log()[-1].action == Draw(0, 4)
    assert table.view.violation is None
    assert table.view.turn == 1


def test_a_turn_may_be_taken_back_while_it_is_provisional() -> None:
    table = Told()
    table.exchange(slot(0, 1), slot(2, 2))
    assert table.view.current == 1
    table.exchange(slot(0, 1), slot(2, 2), 2.5)
    assert (table.view.phase, table.view.violation) == ("setup", None)


def test_a_theft_given_back_after_a_press_is_stealing_back() -> None:
    table = Told()
    table.exchange(slot(0, 1), slot(1, 2))
    table.say(0, Press())
    table.exchange(slot(0, 1), slot(1, 2), 3.0)
    assert table.view.violation is not None
    assert table.view.violation.error == "steal_back_locked"


def test_a_second_action_after_a_while_is_one() -> None:
    table = Told()
    table.draw(0, 1, 6.0)
    table.draw(0, 2, 9.0)
    assert table.view.violation is not None
    assert table.view.violation.error == "acted_twice"


def test_two_replacements_in_one_go_are_two_actions() -> None:
    table = Told()
    table.draw(0, 1, 1.0)
    table.draw(0, 2, 4.0)
    assert table.view.violation is not None
    assert table.view.violation.error == "two_actions"
    assert table.view.turn == 0, "both have to be put back"


def test_a_violation_is_put_back_line_by_line() -> None:
    table = Told()
    table.draw(0, 1, 6.0)
    table.exchange(slot(2, 1), slot(2, 2), 3.0)
    violation = table.view.violation
    assert violation is not None
    assert violation.error == "positions_changed"
    assert [(line.place, line.done) for line in violation.remedy] == [((2, 1), False), ((2, 2), False)]
    right = table.shown[slot(2, 2)]
    table.lie({slot(2, 2): Mark.EMPTY}, 0.6).lie({slot(2, 2): table.shown[slot(2, 1)], slot(2, 1): Mark.EMPTY}, 0.6)
    assert table.view.violation is not None
    assert [line.done for line in table.view.violation.remedy] == [False, True]
    table.lie({slot(2, 1): right})
    assert table.view.violation is None
    assert table.kinds[-2:] == ["violation", "cleared"]


def test_other_players_may_hold_their_cards_while_one_acts() -> None:
    table = Told()
    table.lie({slot(1, k): Mark.EMPTY for k in range(1, 6)}, 0.5)
    table.draw(0, 2)
    assert table.actions == [Draw(0, 2)]
    assert table.view.seats[1].slots[0].shows is SlotShows.OUT
    assert table.view.violation is None


def test_a_card_that_stays_away_is_missed_after_a_long_while_or_a_press() -> None:
    table = Told()
    table.draw(0, 2, 6.0)
    table.lie({slot(1, 3): Mark.EMPTY}, 20.0)
    assert table.view.violation is None
    table.say(1, Press(), 3.0)
    assert table.view.violation is not None
    assert table.view.violation.error == "slot_empty"


def test_a_hand_over_the_mat_is_nobodys_fault() -> None:
    table = Told()
    table.draw(0, 2)
    table.shown[slot(2, 2)] = Mark.COVERED
    table.wait(30.0)
    assert table.view.violation is None
    assert table.view.question is None


def test_a_joker_gets_a_second_look_before_it_is_said() -> None:
    table = Told()
    old = table.shown[slot(0, 1)]
    table.lie({slot(0, 1): JOKER, row(1): old}, 2.0)
    assert table.view.violation is None
    table.wait(2.0)
    assert table.view.violation is not None
    assert table.view.violation.error == "foreign_card"


def test_a_peek_in_hard_mode() -> None:
    table = Told(hard_mode=True)
    table.draw(0, 1, 6.0)
    card = table.shown[slot(2, 4)]
    table.lie({slot(2, 4): Mark.EMPTY}, 0.5).lie({slot(2, 4): card}, 4.0)
    assert table.view.violation is not None
    assert (table.view.violation.error, table.view.violation.seat) == ("peek", 2)
    table.wait(4.0)
    assert table.view.violation is None


def test_a_broken_rule_costs_the_turn_where_the_house_says_so() -> None:
    table = Told(penalty="lose_turn")
    table.draw(0, 1, 6.0)
    table.exchange(slot(1, 1), slot(1, 2), 3.0)
    assert table.view.violation is not None
    table.exchange(slot(1, 1), slot(1, 2))
    assert (table.view.violation, table.view.current) == (None, 2)


def test_a_bump_in_hard_mode_is_no_peek() -> None:
    table = Told(hard_mode=True)
    table.draw(0, 1, 6.0)
    table.lie({slot(2, 4): table.shown[slot(2, 4)]}, 8.0)
    assert table.view.violation is None


def test_without_a_tray_the_button_declares_a_discard() -> None:
    table = Told(sight=RowSight.NONE)
    table.say(0, Press(), 2.0)
    assert table.actions == [Draw(0, None)]
    assert table.view.row == (None,)
    assert table.view.blind == ("discards",)


def test_without_a_tray_a_forgotten_button_is_asked_for_once() -> None:
    table = Told(sight=RowSight.NONE)
    table.say(0, Press(), 2.0)
    table.lie({slot(2, 1): table.pile.pop(0)}, 5.0)
    question = table.view.question
    assert question is not None
    assert question.choices[0] is not None
    assert question.choices[0].kind == "discard"
    table.say(1, Answer(question.id, 0), 5.0)
    assert table.actions[1] == Draw(1, None)
    assert table.view.violation is None


def test_who_denies_the_discard_has_the_next_player_out_of_turn() -> None:
    table = Told(sight=RowSight.NONE)
    table.say(0, Press(), 2.0)
    table.lie({slot(2, 1): table.pile.pop(0)}, 5.0)
    question = table.view.question
    assert question is not None
    table.say(1, Answer(question.id, 1), 3.0)
    assert table.view.violation is not None
    assert (table.view.violation.error, table.view.violation.seat) == ("not_your_turn", 2)
    assert table.kinds.count("question") == 1


def test_draw_or_take_is_asked_where_nobody_can_know() -> None:
    table = Told(sight=RowSight.NONE)
    table.say(0, Press(), 2.0)
    table.lie({slot(1, 1): table.pile.pop(0)}, 5.0)
    question = table.view.question
    assert question is not None
    assert sorted(choice.kind for choice in question.choices if choice is not None) == ["draw", "take"]
    taken = [choice is not None and choice.kind == "take" for choice in question.choices].index(True)
    table.say(1, Answer(question.id, taken))
    assert table.actions == [Draw(0, None), Take(1, 1)]
    assert table.view.removed == 1
    assert table.kinds.count("question") == 1


def test_a_declared_action_waits_for_its_cards() -> None:
    table = Told(sources=("tap", "mat", "mat"))
    table.say(0, Claim(StealCard(0, 1, 2, 5)))
    assert table.actions == [StealCard(0, 1, 2, 5)]
    assert [line.place for line in table.view.awaiting] == [(1, 2)]
    table.lie({slot(1, 2): table.pile.pop(0)})
    assert table.view.awaiting == ()
    assert table.view.violation is None


def test_a_claim_that_the_rules_forbid_changes_nothing() -> None:
    table = Told(sources=("tap", "tap", "tap"), sight=RowSight.NONE)
    table.say(1, Claim(Draw(1, None)))
    table.say(0, Claim(Draw(1, None)))
    assert table.actions == []
    with pytest.raises(DeclarationError, match="seat 1 has no offer 0"):
        table.sitting.claim(1, 0)


def test_a_table_of_taps_plays_a_whole_game() -> None:
    table = Told(sources=("tap", "tap", "tap"), sight=RowSight.NONE)
    for _ in range(5):
        seat = table.view.current
        assert seat is not None
        table.say(seat, Claim(Draw(seat, None)), 0.3)
    assert table.view.phase == "final"
    for seat in table.view.final_left:
        table.say(seat, Claim(Take(seat, 1)), 0.3)
    assert table.view.revealing
    free = list(DECK)
    for seat in range(3):
        for k in range(1, 6):
            table.say(seat, Entry(slot(seat, k), free.pop(0)), 0.1)
    assert table.view.result is not None
    assert table.view.result.order[0] == table.view.result.winners[0]
    assert table.view.seats[0].slots[0].card == str(DECK[0])


def test_the_reveal_uncovers_card_by_card() -> None:
    table = Told()
    for position in range(1, 6):
        table.discard(position)
    for position in (6, 7):
        table.discard(position)
    assert table.view.phase == "over"
    assert all(s.card is None for seat in table.view.seats for s in seat.slots)
    table.lie({slot(0, 2): Mark.EMPTY}, 0.5).lie({slot(0, 2): Mark.BACK})
    assert table.view.seats[0].slots[1].card == str(DECK[1])
    assert table.view.result is None
    table.lie({slot(seat, k): Mark.BACK for seat in range(3) for k in range(1, 6)})
    assert table.view.result is not None
    assert table.kinds[-1] == "result"
    assert table.view.result.hands[0] == tuple(map(str, DECK[:5]))


def test_a_bot_acts_on_its_turn_and_waits_for_its_cards() -> None:
    table = Told(sources=("bot", "mat", "mat"))
    table.wait(3.0)
    assert len(table.actions) == 1
    assert table.actions[0].seat == 0
    table.wait(20.0)
    assert len(table.actions) == 1


def test_a_card_that_cannot_be_read_is_asked_for_at_the_reveal_only() -> None:
    dull = slot(1, 4)
    table = Told(deal=False)
    table.lie({slot(seat, k): table.pile.pop(0) for seat in range(3) for k in range(1, 6)}, 0.1)
    face = table.shown[dull]
    table.lie({dull: Mark.UNREADABLE}, 4.0)
    for position in range(1, 6):
        table.discard(position)
    table.exchange(slot(2, 1), slot(1, 2))
    table.discard(6)
    assert table.kinds == ["action"] * 7
    table.lie({slot(seat, k): Mark.BACK for seat in range(3) for k in range(1, 6)})
    question = table.view.question
    assert question is not None
    assert (question.kind, question.places) == ("enter_card", ((1, 4),))
    table.say(1, Entry(dull, face))
    assert table.view.question is None
    assert table.view.result is not None
    assert table.kinds.count("question") == 1


def test_a_dull_card_that_nobody_touched_is_not_taken_for_stolen() -> None:
    table = Told(deal=False)
    table.lie({slot(seat, k): table.pile.pop(0) for seat in range(3) for k in range(1, 6)}, 0.1)
    table.lie({slot(1, 4): Mark.UNREADABLE}, 4.0)
    new, old = table.pile.pop(0), table.shown[slot(0, 2)]
    table.lie({slot(0, 2): new}, 3.0)
    assert table.actions == [], "a theft of the dull card would look like this if its slot counted as covered"
    table.lie({row(1): old})
    assert table.actions == [Draw(0, 2)]


def test_the_page_waits_for_news() -> None:
    table = Told()
    version = table.view.version
    assert table.sitting.wait(version, 0.0).version == version
    table.draw(0, 1)
    assert table.sitting.wait(version, 0.0).version > version


def test_no_role_sees_a_hidden_card_before_the_reveal() -> None:
    table = Told()
    table.exchange(slot(0, 1), slot(1, 2))
    hidden = {str(seen) for place, seen in table.shown.items() if isinstance(seen, Card) and place.seat >= 0}
    for role in Role:
        for seat in (None, 0, 1, 2):
            shown = repr(table.sitting.view(role, seat))
            assert not [card for card in hidden if f"'{card}'" in shown]


def test_no_call_opens_a_hand_before_its_cards_are_turned() -> None:
    table = Told()
    table.draw(0, 1, 6.0)
    table.say(1, Call("leave"))
    assert table.view.phase == "over", "two players are no game"
    table.say(0, Call("reveal")).say(2, Entry(slot(0, 2), DECK[1])).say(2, Entry(slot(0, 2), DECK[40]))
    assert all(shown.card is None for seat in table.view.seats for shown in seat.slots)


def test_what_was_shown_cannot_be_undone_and_a_new_deal_lies_closed() -> None:
    table = Told(sources=("mat", "mat", "tap"))
    table.say(1, Call("leave"))
    table.lie({slot(0, k): Mark.BACK for k in range(1, 6)})
    assert table.view.seats[0].slots[0].card == str(DECK[0])
    table.say(0, Call("undo"))
    assert table.view.phase == "over"
    table.say(0, Call("misdeal"))
    table.lie({slot(0, k): DECK[20 + k] for k in range(1, 6)}, 3.0)
    assert all(shown.card is None for seat in table.view.seats for shown in seat.slots)


def test_an_entry_for_no_place_is_refused_and_the_inbox_goes_on() -> None:
    table = Told()
    for place in (slot(9, 1), slot(0, 9), row(40)):
        table.sitting.post(Declaration(table.time, 0, Entry(place, DECK[40])))
    table.draw(0, 3)
    assert table.actions == [Draw(0, 3)]


def test_nobody_is_accused_while_a_camera_is_silent_or_right_after() -> None:
    table = Told()
    table.draw(0, 1, 6.0)
    table.sitting.report_trouble(["mat2"])
    stolen, given = table.shown[slot(2, 2)], table.shown[slot(1, 4)]
    silent = {slot(2, k): table.shown.pop(slot(2, k)) for k in range(1, 6)}
    table.lie({slot(1, 4): stolen}, 10.0)
    assert table.view.violation is None
    table.sitting.report_trouble([])
    table.shown.update({**silent, slot(2, 2): given})
    table.wait(2.0)
    assert table.sitting.log()[-1].action == StealCard(1, 2, 2, 4)


def test_two_moves_behind_a_silent_camera_are_asked_about() -> None:
    table = Told()
    table.draw(0, 1, 6.0)
    table.sitting.report_trouble(["tray"])
    table.wait(0.5)
    first, second = table.pile.pop(0), table.pile.pop(0)
    table.shown.update({row(2): table.shown[slot(1, 2)], row(3): table.shown[slot(2, 2)], slot(1, 2): first, slot(2, 2): second})
    table.wait(2.0)
    table.sitting.report_trouble([])
    table.wait(12.0)
    assert table.view.violation is None
    assert table.view.question is not None
    assert table.view.question.kind == "reseat"


def test_a_pause_stops_taps_too() -> None:
    table = Told(sources=("tap", "tap", "tap"), sight=RowSight.NONE)
    table.say(0, Call("pause")).say(0, Claim(Draw(0, None)))
    assert table.actions == []


def test_a_question_in_hard_mode_is_no_peek() -> None:
    table = Told(sight=RowSight.NONE, hard_mode=True)
    table.say(0, Press(), 2.0)
    new = table.pile.pop(0)
    table.lie({slot(1, 1): Mark.EMPTY}, 0.5).lie({slot(1, 1): new}, 5.0)
    question = table.view.question
    assert question is not None
    table.say(1, Answer(question.id, 0), 8.0)
    assert len(table.actions) == 2
    assert table.view.violation is None


def test_pausing_stops_judging() -> None:
    table = Told()
    table.draw(0, 1, 6.0)
    table.say(1, Call("pause"))
    table.exchange(slot(2, 1), slot(2, 2), 5.0)
    assert (table.view.paused, table.view.violation) == (True, None)
    table.exchange(slot(2, 1), slot(2, 2)).say(1, Call("resume"), 3.0)
    assert (table.view.paused, table.view.violation) == (False, None)


def test_a_misdeal_may_be_called_before_the_first_action_only() -> None:
    table = Told()
    table.say(1, Call("misdeal"))
    assert table.kinds == ["misdeal"]
    table.draw(0, 1)
    table.say(1, Call("misdeal"))
    assert table.kinds.count("misdeal") == 1


def test_a_player_who_leaves_is_passed_over() -> None:
    table = Told(sources=("tap", "tap", "tap"), sight=RowSight.NONE)
    table.say(1, Call("leave"))
    assert table.view.phase == "over", "two players are no game"


def test_an_unknown_source_is_refused() -> None:
    with pytest.raises(DeclarationError, match="source 'radio' is none of mat, tap, bot"):
        Sitting(find_game("steal"), [Seat("Ann", "radio")] * 3)
