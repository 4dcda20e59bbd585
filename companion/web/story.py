"""The story of a game whose result stands: the page with every card of every turn, and the picture of the final table."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from typing import Any

from flask import Blueprint, Response, render_template
from flask_babel import format_date

from companion.announcements import Translator, category_words
from companion.cards import Card
from companion.errors import DeclarationError
from companion.played import DAY_BEGINS
from companion.retelling import Moment, Retelling
from companion.web.door import RefusedError
from companion.web.gate import EVERYBODY, open_to
from companion.web.keepsake import CARD_H, CARD_W, EDGE, keepsake
from companion.web.languages import speaker
from companion.web.scene import Face, face
from companion.web.strengths import HEIGHT, WIDTH, strength_plot
from companion.web.table import LiveTable
from companion.words.page import label as page_label
from companion.words.retelling import game_words, moment_words, names_in, story_label, turning_words, worth_words
from companion.words.state import winner_words

INKS = {"s": "#14171c", "h": "#c4122f", "d": "#c45500", "c": "#1c5b35"}
"""Colours of the suits on the picture to share."""


def story_pages(table: LiveTable, now: Callable[[], datetime] = datetime.now) -> Blueprint:
    """``/story`` of the game on the table, and its picture.  Neither is there unless the result of that game stands."""
    pages = Blueprint("story", __name__)

    def told() -> Retelling:
        day = "" if table.view().clock_unset else (now() - DAY_BEGINS).date().isoformat()
        try:
            return table.retelling(day)
        except DeclarationError as error:
            raise RefusedError("no_story", 409) from error

    @open_to(EVERYBODY)
    def page() -> str:
        return story_page(told(), "/story/table.svg", "/", "to_table", live=True)

    @open_to(EVERYBODY)
    def picture() -> Response:
        return story_picture(told())

    pages.add_url_rule("/story", view_func=page, endpoint="page")
    pages.add_url_rule("/story/table.svg", view_func=picture, endpoint="picture")
    return pages


def story_page(story: Retelling, picture: str, back: str, back_label: str, live: bool = False) -> str:
    """The page; `picture` is the address of its picture, and `back` leads to where the game stands.

    `live`: it is the game on the table, which can be taken up again; then the page leads back there.
    """
    say, language = speaker()
    lines = [moment_words(moment, story, say) if moment.move else "" for moment in story.moments]
    return render_template(
        "story.html", story=story, names=names_in(story, say), lines=lines, say=say, language=language,
        label=lambda name, **values: story_label(name, say, **values), page_label=page_label,
        category=lambda kind: category_words(kind, say), plot=strength_plot(story), width=WIDTH, height=HEIGHT,
        turnings=[(number, turning_words(number, story, say)) for number in story.turning_points],
        moments=[_told(number, moment, story, lines[number], say) for number, moment in enumerate(story.moments)],
        last=story.moments[-1], worths=_worths(story.moments[-1], story, say), face=lambda card: _face(card, say),
        deck=_deck(story), picture=picture, back=back, back_label=back_label, file=_file_name(story),
        live=live,
        title=winner_words(story.winners, names_in(story, say), say), game=game_words(story.rules, say), day=_day(story),
    )  # fmt: skip


def story_picture(story: Retelling) -> Response:
    """The final table as a drawing."""
    say, _ = speaker()
    names = names_in(story, say)
    told = ", ".join(f"{place}. {names[seat]}" for place, seat in enumerate(story.order, 1))
    drawn = render_template(
        "keepsake.svg", picture=keepsake(story, names, _worths(story.moments[-1], story, say)), inks=INKS, edge=EDGE,
        card_w=CARD_W, card_h=CARD_H, game=game_words(story.rules, say), day=_day(story),
        headline=winner_words(story.winners, names, say), title=story_label("picture_of", say, order=told),
        table=page_label("title", say),
    )  # fmt: skip
    answer = Response(drawn, mimetype="image/svg+xml")
    answer.headers["Content-Disposition"] = f'inline; filename="{_file_name(story)}.svg"'
    return answer


def _file_name(story: Retelling) -> str:
    return "-".join(part for part in ("five-card", story.rules, story.day) if part)


def _day(story: Retelling) -> str:
    """The day as the language writes it; nothing where there is none."""
    return format_date(date.fromisoformat(story.day), "long") if story.day else ""


def _worths(moment: Moment, story: Retelling, say: Translator) -> list[str]:
    return [worth_words(moment.worth(seat), say) for seat in range(len(story.names))]


def _face(card: Card | None, say: Translator) -> Face | None:
    return None if card is None else face(str(card), say)


def _deck(story: Retelling) -> list[Card]:
    """Every card that lies open somewhere in the story."""
    cards = {card for moment in story.moments for line in (*moment.hands, moment.row) for card in line if card is not None}
    return sorted(cards, key=str)


def _told(number: int, moment: Moment, story: Retelling, words: str, say: Translator) -> dict[str, Any]:
    """A moment as the script takes it."""
    return {
        "hands": [[_text(card) for card in hand] for hand in moment.hands], "row": [_text(card) for card in moment.row],
        "pile": moment.pile, "removed": moment.removed, "words": words, "worths": _worths(moment, story, say),
        "lead": story.leaders[number], "ways": [[way.source, way.target] for way in moment.carried],
        "which": story_label("move_of", say, number=number, count=len(story.moments) - 1) if number else story_label("deal", say),
    }  # fmt: skip


def _text(card: Card | None) -> str | None:
    return None if card is None else str(card)
