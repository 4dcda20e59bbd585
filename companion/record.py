"""Judging a record again: JSON values in, JSON values out, one answer for every game, case or hand.

The shapes are those of the record files.  What is wrong with one case is said in its answer and never hides the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from companion.announcements import error_words, ruling_words
from companion.cards import Card, Mark, Seen
from companion.errors import CardTextError, CompanionError, RecordError
from companion.games.hands import order_hands
from companion.games.poker_json import judge_hand
from companion.games.steal import Steal
from companion.games.steal_errors import RULE_OF
from companion.games.steal_json import state_from_json, state_to_json
from companion.games.steal_options import StealOptions
from companion.games.steal_state import StealState
from companion.rulings import Action, Change, Ruling, Verdict
from companion.table import Area, Place, slot

Answer = dict[str, Any]


def judge_record(data: Any) -> Iterator[Answer]:
    """One answer for every part of the record, in its order; raise `RecordError` where the record has no known shape."""
    shapes: dict[str, Callable[[Mapping[str, Any]], Answer]] = {"games": _judge_game, "cases": _judge_case, "hands": _judge_hand}
    found = [name for name in shapes if isinstance(data, Mapping) and name in data]
    if len(found) != 1 or not isinstance(data[found[0]], list):
        raise RecordError("a record is an object with one list called 'games', 'cases' or 'hands'")
    return (_answered(shapes[found[0]], part) for part in data[found[0]])


def failed(answer: Mapping[str, Any]) -> bool:
    """Whether an answer says that its part of the record could not be judged."""
    return "failure" in answer


def _answered(judge: Callable[[Mapping[str, Any]], Answer], part: Any) -> Answer:
    if not isinstance(part, Mapping):
        return {"id": None, "error": "bad_record", "failure": True, "message": f"expected an object, found {part!r}"}
    try:
        return {"id": part.get("id"), **judge(part)}
    except CompanionError as error:
        return {"id": part.get("id"), "error": "bad_record", "failure": True, "message": str(error)}


def _list(part: Mapping[str, Any], name: str) -> list[Any]:
    value = part.get(name)
    if not isinstance(value, list):
        raise RecordError(f"{name!r} has to be a list; found {value!r}")
    return value


def _cards(texts: Any) -> list[Card]:
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise RecordError(f"expected a list of cards such as Td; found {texts!r}")
    return [Card.parse(text) for text in texts]


def _options(game: Steal, part: Mapping[str, Any]) -> StealOptions:
    given = part.get("options") or {}
    if not isinstance(given, Mapping):
        raise RecordError(f"'options' has to be an object; found {given!r}")
    return game.options(given)


# ---- games --------------------------------------------------------------------------------------------------------


def _judge_game(part: Mapping[str, Any]) -> Answer:
    game, seats = Steal(), part.get("seats")
    if isinstance(seats, bool) or not isinstance(seats, int):
        raise RecordError(f"'seats' has to be a whole number; found {seats!r}")
    state = game.start(seats, _options(game, part), tuple(_cards(part.get("deck"))))
    states: list[Answer] = []
    for step in _list(part, "steps"):
        state, answer = _stepped(game, state, step)
        states.append(answer)
    return {"states": states, "result": _result(game, state)}


def _stepped(game: Steal, state: StealState, step: Any) -> tuple[StealState, Answer]:
    """The next state and what to say of the step; an illegal one changes nothing, unless it costs the turn by option."""
    try:
        action = game.action_from_json(step["action"] if isinstance(step, Mapping) and "action" in step else {})
    except RecordError as error:
        return state, _refusal("bad_action") | {"detail": str(error)}
    ruling = game.judge(state, action)
    if ruling.verdict is Verdict.LEGAL:
        state = game.after(state, action)
        return state, state_to_json(state)
    answer = _refusal(ruling.error or "") | {"message": ruling_words(ruling), "rule": ruling.rule.id if ruling.rule else None}
    lost = game.penalty(state, ruling)
    if lost is None:
        return state, answer
    state = game.after(state, lost)
    return state, answer | {"forfeit": lost.seat}


def _refusal(error: str) -> Answer:
    return {"error": error, "message": error_words(error), "rule": RULE_OF.get(error)}


def _result(game: Steal, state: StealState) -> Answer | None:
    result = game.result(state)
    if result is None:
        return None
    # The files know two answers: suits decided, or something above them did.
    decided = "rank" if result.reason == "category" else result.reason
    return {
        "order": list(result.order),
        "winners": list(result.winners),
        "categories": list(result.categories),
        "decided_by": decided,
    }


# ---- cases --------------------------------------------------------------------------------------------------------


def _judge_case(part: Mapping[str, Any]) -> Answer:
    if "hands" in part and "state" not in part:
        standing = order_hands([_cards(hand) for hand in _list(part, "hands")])
        return {
            "order_best_first": list(standing.order),
            "categories": list(standing.categories),
            "reason": standing.reason,
        }
    if not {"action", "mats_after", "lifted_and_returned"} & set(part):
        raise RecordError("a case has 'hands', or a 'state' with 'action', 'mats_after' or 'lifted_and_returned'")
    game = Steal()
    state = _state(game, part)
    if "action" in part:
        return _judge_action(game, state, part["action"])
    if "mats_after" in part:
        return _ruled(game, game.explain_strictly(state, _change(part, state)), part)
    mats = tuple(tuple(card if isinstance(card, Card) else Mark.UNREADABLE for card in hand) for hand in state.table.hands)
    return _ruled(game, game.explain_strictly(state, Change(mats, None, _lifted(part, state))), part)


def _state(game: Steal, part: Mapping[str, Any]) -> StealState:
    state = part.get("state")
    if not isinstance(state, Mapping):
        raise RecordError(f"'state' has to be an object; found {state!r}")
    found = state_from_json(state, _options(game, part), part.get("last_actor"), part.get("arranged"))
    if "seats" in part and part["seats"] != found.seats:
        raise RecordError(f"'seats' says {part['seats']!r}, the state has {found.seats} hands")
    return found


def _judge_action(game: Steal, state: StealState, data: Any) -> Answer:
    try:
        action = game.action_from_json(data)
    except RecordError as error:
        return {**_refusal("bad_action"), "action": None, "detail": str(error)}
    return _ruled(game, game.judge(state, action), {})


def _change(part: Mapping[str, Any], state: StealState) -> Change:
    mats = tuple(_mat(mat, seat) for seat, mat in enumerate(_list(part, "mats_after")))
    if len(mats) != state.seats:
        raise RecordError(f"'mats_after' has to show {state.seats} mats; found {len(mats)}")
    shown = part.get("row_after")
    row = None if shown is None else tuple(_seen(text) for text in _list(part, "row_after"))
    returned = _lifted(part, state) if "lifted_and_returned" in part else ()
    return Change(mats, row, returned)


def _mat(texts: Any, seat: int) -> tuple[Seen | None, ...]:
    """A mat of the record; a mat that is null as a whole is one that nobody looks at."""
    if texts is None:
        return (None,) * 5
    if not isinstance(texts, list) or len(texts) != 5:
        raise RecordError(f"the mat of seat {seat} has to show five slots; found {texts!r}")
    return tuple(Mark.EMPTY if text is None else _seen(text) for text in texts)


def _seen(text: Any) -> Seen:
    if text == "?":
        return Mark.UNREADABLE
    if not isinstance(text, str):
        raise RecordError(f"expected a card such as Td, '?' or null; found {text!r}")
    try:
        return Card.parse(text)
    except CardTextError:
        # A picture may show a card that is not of this deck; any other text stands for one.
        return Mark.FOREIGN


def _lifted(part: Mapping[str, Any], state: StealState) -> tuple[Place, ...]:
    value = _list(part, "lifted_and_returned")
    pairs = value if value and isinstance(value[0], list) else [value]
    for pair in pairs:
        whole = isinstance(pair, list) and len(pair) == 2 and all(type(number) is int for number in pair)
        if not whole or pair[0] not in range(state.seats) or pair[1] not in range(1, 6):
            raise RecordError(f"'lifted_and_returned' has to be [seat, slot]; found {pair!r}")
    return tuple(slot(seat, number) for seat, number in pairs)


def _ruled(game: Steal, ruling: Ruling, part: Mapping[str, Any]) -> Answer:
    action = ruling.action
    answer: Answer = {
        "error": ruling.error,
        "action": None if action is None else game.action_to_json(action),
        "message": ruling_words(ruling),
        "rule": ruling.rule.id if ruling.rule else None,
    }
    if ruling.verdict is Verdict.UNSURE:
        answer["choices"] = [_choice(game, choice) for choice in ruling.choices]
    if ruling.verdict is not Verdict.ILLEGAL:
        return answer
    answer["seat"] = ruling.seat
    answer["seats"] = list(ruling.seats)
    answer["card"] = _card_text(ruling, part)
    answer["where"] = [[place.seat, place.number] for place in ruling.places if place.area is Area.SLOT]
    return answer


def _choice(game: Steal, action: Action | None) -> Answer | None:
    return None if action is None else game.action_to_json(action)


def _card_text(ruling: Ruling, part: Mapping[str, Any]) -> str | None:
    if isinstance(ruling.card, Card):
        return str(ruling.card)
    if ruling.card is Mark.FOREIGN and ruling.places:
        place = ruling.places[0]
        shown = part["mats_after"][place.seat] if place.area is Area.SLOT else part["row_after"]
        return str(shown[place.number - 1])
    return None


# ---- betting hands ------------------------------------------------------------------------------------------------


def _judge_hand(part: Mapping[str, Any]) -> Answer:
    answer = judge_hand(part)
    error = answer.get("error")
    return answer if error is None else {**answer, "message": error_words(error)}
