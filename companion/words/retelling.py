"""Words of the story of a game: its moves with their cards, where the lead changed hands, and the picture to share."""

from __future__ import annotations

from companion.games.hands import HandValue
from companion.retelling import Moment, Retelling
from companion.words.cards import hand_words
from companion.words.history import history_label, moved_words
from companion.words.rules import seat_name
from companion.words.steal_book import NAME as STEAL
from companion.words.translator import ENGLISH, Translator, mark

_LABELS: dict[str, str] = {
    "story": mark("The story of the game"),
    "to_table": mark("To the table"),
    "to_game": mark("To this game"),
    "replay": mark("The game, move by move"),
    "deal": mark("The deal"),
    "move": mark("Move"),
    "move_of": mark("Move %(number)d of %(count)d"),
    "previous": mark("Previous move"),
    "next": mark("Next move"),
    "play": mark("Play"),
    "pause": mark("Pause"),
    "moves": mark("The moves"),
    "pile": mark("Pile"),
    "row": mark("Row"),
    "removed": mark("Out of the game"),
    "unread": mark("a card nobody has read"),
    "leads": mark("best hand"),
    "best_hands": mark("The hands, move by move"),
    "best_hands_lead": mark(
        "The higher a line, the better the hand. A numbered mark is a move with which the lead changed hands."
    ),
    "turning_points": mark("Turning points"),
    "no_turning_points": mark("The same hand was the best one from the deal to the end."),
    "picture": mark("A picture to share"),
    "picture_of": mark("The final table: %(order)s"),
    "download": mark("Save the picture"),
    "drawing": mark("Save it as a drawing (SVG)"),
    "share": mark("Share the picture"),
    "not_made": mark("This browser could not make the picture; the drawing can be saved."),
    "no_script": mark("Without JavaScript the moves stand below as a list."),
}

_GAMES: dict[str, str] = {"steal": STEAL}


def story_label(name: str, say: Translator = ENGLISH, /, **values: str | int) -> str:
    """The text called `name`; raises `KeyError` for one that there is not."""
    return say(_LABELS[name], **values)


def game_words(rules: str, say: Translator = ENGLISH) -> str:
    """The name of the game that was played; one that is not known is called as it is written."""
    return say(_GAMES[rules]) if rules in _GAMES else rules


def names_in(story: Retelling, say: Translator = ENGLISH) -> tuple[str, ...]:
    """Names of the seats; one whose name was deleted is called somebody."""
    return tuple(seat_name(seat, _called(story, say), say) for seat in range(len(story.names)))


def _called(story: Retelling, say: Translator) -> tuple[str, ...]:
    return tuple(name or history_label("somebody", say) for name in story.names)


def moment_words(moment: Moment, story: Retelling, say: Translator = ENGLISH) -> str:
    """What was done to come to this moment, with the cards that are known."""
    if moment.move is None:
        return story_label("deal", say)
    return moved_words(moment.move, (moment.got, moment.gave), _called(story, say), say)


def worth_words(value: HandValue | None, say: Translator = ENGLISH) -> str:
    """What a hand was worth; empty where not all of it is known."""
    return "" if value is None else hand_words(value.cards, value.category.title, say)


def turning_words(number: int, story: Retelling, say: Translator = ENGLISH) -> str:
    """What happened with a move after which another hand was the best one."""
    seat = story.leaders[number]
    if seat is None:
        return moment_words(story.moments[number], story, say)
    moment = story.moments[number]
    lead = say(
        "From then on %(who)s had the best hand: %(hand)s.",
        who=names_in(story, say)[seat],
        hand=worth_words(moment.worth(seat), say),
    )
    return f"{moment_words(moment, story, say)} {lead}"
