"""The catalogues: nothing missing, nothing left over, nothing that would be said wrongly.  ``./run words`` updates them."""

from __future__ import annotations

import ast
import pkgutil
import re
from collections.abc import Iterator
from dataclasses import asdict, replace
from importlib import import_module
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.plurals import get_plural

from companion import announcements, words
from companion.announcements import ENGLISH, Translator, announce, card_words, category_words, hand_words, placement_words
from companion.cards import DECK, Card
from companion.games.hands import value_of
from companion.views import LockView, PlacementView
from companion.voice import captions, speech
from companion.web.catalogues import LANGUAGES, translator
from tests import catalogues
from tests.catalogues import PLACEHOLDER, catalogue, extracted, forms, messages
from tests.companion import tables

OTHERS = tuple(language for language in LANGUAGES if language != "en")
COMPANION = Path(words.__file__).parents[1]


def ids(found: Catalog) -> set[str | tuple[str, ...]]:
    return {message.id if isinstance(message.id, str) else tuple(message.id) for message in messages(found)}


def test_there_are_catalogues() -> None:
    assert set(OTHERS) >= {"hu", "de"}
    assert dict(LANGUAGES) | {"en": "English", "hu": "Magyar", "de": "Deutsch"} == dict(LANGUAGES)


# ---- nothing missing, nothing left over --------------------------------------------------------------------------


@pytest.mark.parametrize("language", OTHERS)
def test_every_message_is_translated_and_none_is_left_over(language: str) -> None:
    found = catalogue(language)
    empty = [message.id for message in messages(found) if not all(forms(message)[1])]
    missing, unused = ids(extracted()) - ids(found), ids(found) - ids(extracted())
    assert (missing, unused, empty) == (set(), set(), []), "after `./run words` translate what is empty"
    assert [message.id for message in messages(found) if message.fuzzy] == []
    assert not found.obsolete


@pytest.mark.parametrize("language", OTHERS)
def test_the_update_leaves_a_whole_catalogue_as_it_is(language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = (catalogues.FOLDER / f"{language}.po").read_text(encoding="utf-8")
    (tmp_path / f"{language}.po").write_text(before, encoding="utf-8")
    monkeypatch.setattr(catalogues, "FOLDER", tmp_path)
    assert catalogues.update(language) == 0
    assert (tmp_path / f"{language}.po").read_text(encoding="utf-8") == before


def test_the_update_begins_empty_adds_and_takes_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogues, "FOLDER", tmp_path)
    count = catalogues.update("pl")
    assert count == len(extracted()) > 600
    begun = (tmp_path / "pl.po").read_text(encoding="utf-8")
    assert "nplurals=3" in begun or "nplurals=4" in begun
    edited = begun.replace('msgid "Pass"\nmsgstr ""', 'msgid "Pass"\nmsgstr "Pas"\n\nmsgid "Nobody says this"\nmsgstr "x"')
    (tmp_path / "pl.po").write_text(edited.replace('msgid "Steal"\nmsgstr ""\n', ""), encoding="utf-8")
    assert catalogues.update("pl") == count - 1
    again = (tmp_path / "pl.po").read_text(encoding="utf-8")
    assert again == begun.replace('msgid "Pass"\nmsgstr ""', 'msgid "Pass"\nmsgstr "Pas"')


def test_what_is_no_language_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogues, "FOLDER", tmp_path)
    for odd in ("--help", "xx", "../hu", ""):
        with pytest.raises(SystemExit, match="is no language: expected a code such as hu, de or pl"):
            catalogues.main(["hu", odd])
    assert list(tmp_path.iterdir()) == []


def test_the_extraction_finds_what_is_said_inside_of_something_else() -> None:
    source = b"""
told = say("%(who)s: %(what)s", who=name(say), what=say(WORDS.get(kind, mark("something"))))
lines = [self.say.counted("1 of %(all)s", "%(count)d of %(all)s", n, all=say("all")) for n in numbers]
other = listen("not this") or say(WORDS[kind])
"""
    assert [(line, name, said[:2]) for line, name, said, _ in catalogues.literals(BytesIO(source))] == [
        (2, "say", ("%(who)s: %(what)s",)), (2, "say", (None,)), (2, "mark", ("something",)),
        (3, "counted", ("1 of %(all)s", "%(count)d of %(all)s")), (3, "say", ("all",)), (4, "say", (None,)),
    ]  # fmt: skip


def test_what_is_marked_and_counted_is_written_out() -> None:
    """A variable cannot be found; a message that stands in a table is marked there."""
    calls = [(file.name, call) for file in sorted(COMPANION.rglob("*.py")) for call in catalogues.calls_of(file.read_bytes())]
    assert len(calls) > 700
    hidden = [
        (file, ast.unparse(call)[:80])
        for file, call in calls
        for argument in call.args[: {"mark": 1, "counted": 2}.get(catalogues.name_of(call), 0)]
        if catalogues.literal(argument) is None
    ]
    assert hidden == []


# ---- nothing said wrongly ----------------------------------------------------------------------------------------


def placeholders(text: str) -> set[str]:
    return set(re.findall(r"%\(\w+\)[sd]", text))


@pytest.mark.parametrize("language", OTHERS)
def test_no_translation_loses_or_invents_a_placeholder(language: str) -> None:
    for message in messages(catalogue(language)):
        english, translated = forms(message)
        for number, text in enumerate(translated):
            # The form for one thing may leave its number out, as the English one does.
            optional = {"%(count)d"} if number == 0 and len(english) > 1 else set()
            assert placeholders(text) - optional == placeholders(english[-1]) - optional, (english, text)
            assert "%" not in PLACEHOLDER.sub("", text).replace("%%", ""), f"a lone % in {text!r}"
            assert ("%%" in text) == ("%%" in english[-1]), text


@pytest.mark.parametrize("language", OTHERS)
def test_every_catalogue_has_the_plural_forms_of_its_language(language: str) -> None:
    found, wanted = catalogue(language), get_plural(language)
    assert (found.num_plurals, found.plural_expr) == (wanted.num_plurals, wanted.plural_expr)
    text = (catalogues.FOLDER / f"{language}.po").read_text(encoding="utf-8")
    assert f'"Plural-Forms: nplurals={wanted.num_plurals}; plural={wanted.plural_expr};' in text
    counted = [message for message in messages(found) if isinstance(message.id, tuple)]
    assert counted
    for message in counted:
        assert len(forms(message)[1]) == wanted.num_plurals, message.id
        assert all("%(count)d" in text for text in forms(message)[1][1:]) == ("%(count)d" in message.id[1]), message.id


@pytest.mark.parametrize("language", OTHERS)
def test_no_sentence_ends_otherwise_than_in_english(language: str) -> None:
    for message in messages(catalogue(language)):
        english, translated = forms(message)
        for text in translated:
            ends = {english[-1][-1] if english[-1][-1] in ".?!…" else ""}
            assert {text[-1] if text[-1] in ".?!…" else ""} == ends, (english, text)
            assert text == text.strip() and "  " not in text, text


ARTICLES = {
    "hu": r"\b(a|az|egy)\s+%\(",
    # A number may follow an article, a name or a card may not: they are of any gender.
    "de": r"\b(der|die|das|dem|den|des|ein|eine|einen|einem|einer|eines)\s+%\(\w+\)s",
}
SUFFIXES = {"hu": r"%\(\w+\)[sd]-\w|%\(\w+\)[sd]\w", "de": r"%\(\w+\)[s]\w"}


@pytest.mark.parametrize("language", ["hu", "de"])
def test_names_and_cards_stand_without_article_and_suffix(language: str) -> None:
    """Which article or suffix is right depends on the name: ``a Ben`` but ``az Anna``."""
    for message in messages(catalogue(language)):
        for text in forms(message)[1]:
            assert not re.search(ARTICLES[language], text, re.IGNORECASE), text
            assert not re.search(SUFFIXES[language], text), text


SAME = {"view mat", "pin", "pause", "deck", "flush", "full house", "straight flush", "royal flush", "all-in",
        "all-in: %(amount)d", "chips", "pot", "version", "python", "%(count)d minute", "%(chips)d chips"}  # fmt: skip
"""What may be the same word in another language, beside what is nothing but placeholders."""


@pytest.mark.parametrize("language", OTHERS)
def test_no_message_is_left_in_english(language: str) -> None:
    english = re.compile(r"\b(the|of|card|cards|slot|row|pile|turn|seat|and|they|this|that|with|from)\b", re.IGNORECASE)
    for message in messages(catalogue(language)):
        english_forms, translated = forms(message)
        for number, text in enumerate(translated):
            one = english_forms[min(number, len(english_forms) - 1)]
            bare = PLACEHOLDER.sub("", text).replace("Five Card Steal", "")
            assert not english.search(bare), text
            if text.lower() == one.lower() and re.search("[a-z]{3}", bare):
                assert text.lower() in SAME, text


# ---- whole views -------------------------------------------------------------------------------------------------


def strict(language: str) -> Translator:
    """The language's translator; a message that is not in its catalogue is an error, where it would be said in English."""
    spoken, known = translator(language), ids(catalogue(language))

    def one(message: str) -> str:
        assert message in known, message
        return spoken.gettext(message)

    def by_count(singular: str, plural: str, count: int) -> str:
        assert (singular, plural) in known, singular
        return spoken.ngettext(singular, plural, count)

    return Translator(one, by_count, spoken.point)


def texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | tuple):
        for each in value:
            yield from texts(each)


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("situation", tables.SITUATIONS)
def test_a_view_is_announced_in_one_language(situation: str, language: str) -> None:
    view = tables.SITUATIONS[situation]
    told, english = announce(view, strict(language)), announce(view)
    for name, value in asdict(told).items():
        plain = list(texts(asdict(english)[name]))
        for text, before in zip(texts(value), plain, strict=True):
            assert bool(text) == bool(before)
            assert not text or text != before, "still English"
            assert "%(" not in text
            assert all(name in text for name in tables.NAMES if name in before), (before, text)


@pytest.mark.parametrize("language", OTHERS)
def test_the_voice_speaks_one_language(language: str) -> None:
    for view in tables.SITUATIONS.values():
        told, english = speech(view, strict(language)), speech(view)
        assert [line.topic for line in told.lines] == [line.topic for line in english.lines]
        assert not {line.text for line in told.lines} & {line.text for line in english.lines}
    assert not set(captions(strict(language)).values()) & set(captions().values())


@pytest.mark.parametrize("language", OTHERS)
def test_every_table_of_words_can_be_said(language: str) -> None:
    """Whatever a page or command may look up by its kind."""
    say = strict(language)
    found = 0
    for module in pkgutil.iter_modules(words.__path__):
        for name, table in vars(import_module(f"{words.__name__}.{module.name}")).items():
            if isinstance(table, dict | str) and name.isupper():
                for text in texts(list(table.values()) if isinstance(table, dict) else table):
                    assert say.gettext(text)
                    found += 1
    assert found > 400


# ---- what card players say ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "card", "name"),
    [
        ("en", "As", "ace of spades"), ("en", "Td", "ten of diamonds"),
        ("hu", "As", "pikk ász"), ("hu", "Kh", "kőr király"), ("hu", "Td", "káró tízes"), ("hu", "Jc", "treff bubi"),
        ("hu", "Qd", "káró dáma"), ("hu", "7h", "kőr hetes"), ("hu", "9c", "treff kilences"),
        ("de", "As", "Pik-Ass"), ("de", "Kh", "Herz-König"), ("de", "Td", "Karo-Zehn"), ("de", "Jc", "Kreuz-Bube"),
        ("de", "Qd", "Karo-Dame"), ("de", "2h", "Herz-Zwei"),
    ],
)  # fmt: skip
def test_cards_have_the_names_that_players_use(language: str, card: str, name: str) -> None:
    assert card_words(Card.parse(card), translator(language)) == name


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_card_and_kind_of_hand_has_a_name_of_its_own(language: str) -> None:
    say = translator(language)
    assert len({card_words(card, say) for card in DECK}) == 52
    assert len({category_words(category, say) for category in announcements.CATEGORIES}) == len(announcements.CATEGORIES)


@pytest.mark.parametrize(
    ("hand", "hungarian", "german"),
    [
        ("Kh 9c Ks 9d 4s", "két pár, király és kilences", "zwei Paare, Könige und Neunen"),
        ("Kh Kc Ks 9d 9s", "full, három király és két kilences", "Full House, Könige über Neunen"),
        ("Ah 5c 4s 3d 2s", "sor, legmagasabb lapja ötös", "Straße bis Fünf"),
        ("Th 9c 7s 3d 2s", "magas lap: tízes", "höchste Karte Zehn"),
        ("7h 7c 7s 7d 2s", "hetes póker", "Vierling, Siebenen"),
    ],
)
def test_hands_are_called_as_at_a_card_table(hand: str, hungarian: str, german: str) -> None:
    cards = [Card.parse(each) for each in hand.split()]
    kind = value_of(cards).category.title
    assert [hand_words(cards, kind, translator(language)) for language in ("hu", "de")] == [hungarian, german]


def test_numbers_choose_their_form() -> None:
    view = tables.playing()
    view = replace(view, current=None)
    one, two = LockView(1, 0, 4, 1), LockView(1, 0, 4, 2)
    german, hungarian = translator("de"), translator("hu")
    assert announcements.lock_words(one, view, german) == "Feld 4 von Anna: Ben darf in 1 Zug am Tisch zurückstehlen."
    assert announcements.lock_words(two, view, german) == "Feld 4 von Anna: Ben darf in 2 Zügen am Tisch zurückstehlen."
    assert announcements.lock_words(two, view, hungarian) == "Anna 4. helye: Ben 2 lépés múlva lophatja vissza, bárki lép."
    assert announcements.headline(tables.won(), german) == "Anna gewinnt!"
    result = tables.won().result
    assert result is not None
    both = replace(tables.won(), result=replace(result, winners=(0, 1)))
    assert announcements.headline(both, german) == "Anna und Ben gewinnen zusammen!"
    assert (german.decimal(97.34, 1), hungarian.decimal(97.34, 1), ENGLISH.decimal(97.34, 1)) == ("97,3", "97,3", "97.3")


def test_words_stand_in_the_order_of_the_language() -> None:
    view = tables.playing()
    place = PlacementView("return_card", (0, 3), False)
    assert placement_words(place, view, translator("hu")) == "Tegyétek vissza a lapot ide: Anna 3. helye."
    assert placement_words(place, view, translator("de")) == "Legt die Karte zurück auf Feld 3 von Anna."


def test_a_language_that_there_is_not_is_refused() -> None:
    with pytest.raises(KeyError):
        translator("tlh")
