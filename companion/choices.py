"""What is decided before a game: who sits where, where the cards of each come from, and by which house rules.  Pure values.

Nothing here knows a page or a rig: `Equipment` says what the table has, and every change makes new choices.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from companion.errors import CompanionError
from companion.games import GAMES, find_game
from companion.limits import Rig
from companion.played import Shelf
from companion.seats import LONGEST_NAME

Value = bool | int | str | None

ASKED: Mapping[str, Mapping[str, tuple[Value, ...]]] = {game.name: game.asked for game in GAMES}
"""The house rules of each game that are asked for, with what they take; every other one is left as the settings file has it
(docs/decisions/0029)."""
HARD = "hard_mode"
WAYS = ("home", "club")
"""Who decides: everybody at the table, or a referee."""
USUAL = "steal"
"""What a table plays that nobody has set up."""


def is_hard(game: str) -> bool:
    """Whether there is a hard mode of the game."""
    return hasattr(find_game(game).options({}), HARD)


def preset_rules(preset: str, game: str = USUAL) -> dict[str, Value]:
    """The house rules that one tap fills in, beside who decides."""
    rules = find_game(game)
    usual: dict[str, Value] = {name: values[0] for name, values in rules.asked.items()}
    hard: dict[str, Value] = {HARD: False} if is_hard(game) else {}
    return {**usual, **(rules.strict if preset == "club" else {}), **hard}


PRESETS: Mapping[str, Mapping[str, Value]] = {preset: preset_rules(preset) for preset in WAYS}
"""What that is at a table that nobody has set up."""
CONTROL = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
"""Unicode categories that no name holds: nobody sees them, and they turn other text about."""
BLANK = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters and signs that leave no ink."""


class ChoiceError(CompanionError, ValueError):
    """Something that cannot be chosen.  `kind` names the sentence that people are told; `field` is where it was entered."""

    def __init__(self, kind: str, field: str = "", **values: str | int) -> None:
        super().__init__(f"this cannot be chosen: {kind} {values or ''}".strip())
        self.kind, self.field, self.values = kind, field, values


MOST_MATS = 6
"""Mats are told apart by their markers, and there are so many kinds."""


@dataclass(frozen=True, slots=True)
class NodeMat:
    """A mat with a computer of its own, as it was found on the network."""

    name: str
    place: int | None = None
    """The place of the table at which it lies, from 0; None: nobody has said so."""
    here: bool = True
    fits: bool = True
    """It has a version that this table understands."""


@dataclass(frozen=True, slots=True)
class Equipment:
    """What a table has."""

    sources: tuple[str, ...] = ("tap", "bot")
    """Where cards of a seat may come from here, the usual one first."""
    places: int = 0
    """So many places have a lamp and a button; 0 where the table has none."""
    presses: bool = False
    """The buttons of the places are only pretended, so the page has them."""
    decks: tuple[str, ...] = ()
    """Decks that were taught, by their names."""
    kept_in: str = ""
    """Name of the settings file; empty where choices last as long as the program."""
    fewest: int = 3
    most: int = 5
    game: str = USUAL
    games: tuple[str, ...] = ()
    """What can be played here, where there is a choice."""
    nodes: tuple[NodeMat, ...] | None = None
    """The mats that were found on the network; None where none is looked for."""
    rig: Rig | None = None
    """What its cameras are; None where it has none."""
    overhead: bool = False
    """A camera above the table looks at the mats."""

    def playing(self, game: str) -> Equipment:
        """The same table, for another of its games."""
        if game == self.game:
            return self
        seats = find_game(game).seats
        return replace(self, game=game, fewest=min(seats), most=max(seats))

    @property
    def upcards(self) -> tuple[str, ...]:
        """How cards that lie open in hands can be made known here, the least work first; none where no card lies so."""
        if not find_game(self.game).upcards:
            return ()
        return ("overhead", "scan", "tap") if "mat" in self.sources else ("tap",)

    @property
    def hard(self) -> bool:
        """Whether hard mode is asked for."""
        return is_hard(self.game)

    @property
    def rules(self) -> Mapping[str, tuple[Value, ...]]:
        """The house rules that are asked for, with what they take."""
        return ASKED.get(self.game, {})


@dataclass(frozen=True, slots=True)
class Chair:
    """Who sits at one seat."""

    name: str
    source: str = "tap"
    place: int | None = None
    """The place of the table (its mat, lamp and button), from 0, that is in front of it; None: nobody has said so, and it is
    that of the seat's own number."""


def places_of(named: Sequence[int | None]) -> tuple[int, ...]:
    """For every seat the place in front of it: the one that was named, else that of its own number, else one that is left."""
    taken = [place for place in named if place is not None]
    free = [number for number in range(len(named) + len(taken)) if number not in taken]
    found = []
    for seat, place in enumerate(named):
        if place is None:
            place = seat if seat in free else free[0]
            free.remove(place)
        found.append(place)
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Choices:
    """Everything that is decided before a game."""

    language: str = "en"
    preset: str = "home"
    """Who decides: ``home`` or ``club``."""
    chairs: tuple[Chair, ...] = ()
    """Clockwise; the first one begins."""
    options: tuple[tuple[str, Value], ...] = ()
    """House rules that are asked for, and hard mode."""
    deck: str = ""
    """Name of a taught deck; empty: any deck."""
    game: str = USUAL

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(chair.name for chair in self.chairs)

    @property
    def rules(self) -> dict[str, Value]:
        """`options` by their names."""
        return dict(self.options)

    @property
    def places(self) -> tuple[int, ...]:
        """For every seat the place in front of it, as `places_of` says."""
        return places_of([chair.place for chair in self.chairs])

    # ---- changes -----------------------------------------------------------------------------------------------------

    def _with(self, seat: int, chair: Chair) -> Choices:
        return replace(self, chairs=(*self.chairs[:seat], chair, *self.chairs[seat + 1 :]))

    def _chair(self, seat: int) -> Chair:
        if not 0 <= seat < len(self.chairs):
            raise ChoiceError("no_chair")
        return self.chairs[seat]

    def seated(self, name: str, kit: Equipment) -> Choices:
        """Somebody more sits down, to the right of the first; raise `ChoiceError` for a name that cannot be, or a full table."""
        if len(self.chairs) >= kit.most:
            raise ChoiceError("too_many_seats", "name", most=kit.most)
        fresh = Chair(checked_name(name, self.names, "name"), kit.sources[0])
        return replace(self, chairs=(*self.chairs, fresh))

    def unseated(self, seat: int) -> Choices:
        self._chair(seat)
        return replace(self, chairs=(*self.chairs[:seat], *self.chairs[seat + 1 :]))

    def moved(self, seat: int, by: int) -> Choices:
        """The chair changes its place in the order with the one before it (`by` -1) or after it (1), round the table."""
        self._chair(seat)
        chairs = list(self.chairs)
        chairs.insert((seat + by) % len(chairs), chairs.pop(seat))
        return replace(self, chairs=tuple(chairs))

    def renamed(self, seat: int, name: str) -> Choices:
        others = [chair.name for number, chair in enumerate(self.chairs) if number != seat]
        return self._with(seat, replace(self._chair(seat), name=checked_name(name, others, f"name-{seat}")))

    def sourced(self, seat: int, source: str, kit: Equipment) -> Choices:
        if source not in kit.sources:
            raise ChoiceError("no_source")
        return self._with(seat, replace(self._chair(seat), source=source))

    def placed(self, seat: int, place: int, kit: Equipment) -> Choices:
        """`place` is in front of the chair from now on, and in front of nobody else."""
        if not 0 <= place < kit.places:
            raise ChoiceError("no_spot")
        chairs = tuple(replace(chair, place=None) if chair.place == place else chair for chair in self.chairs)
        return replace(self, chairs=chairs)._with(seat, replace(self._chair(seat), place=place))

    def displaced(self) -> Choices:
        """Nobody has said yet which place is in front of whom."""
        return replace(self, chairs=tuple(replace(chair, place=None) for chair in self.chairs))

    def ruled(self, name: str, value: Value, kit: Equipment) -> Choices:
        """A house rule, or hard mode; raise `ChoiceError` for a value that it does not take."""
        taken = (False, True) if name == HARD and kit.hard else kit.rules.get(name, ())
        if not any(type(value) is type(one) and value == one for one in taken):
            raise ChoiceError("no_rule")
        return replace(self, options=tuple({**self.rules, name: value}.items()))

    def like(self, preset: str) -> Choices:
        """Everything as the preset has it; who sits where stays."""
        if preset not in WAYS:
            raise ChoiceError("no_preset")
        return replace(self, preset=preset, options=tuple({**self.rules, **preset_rules(preset, self.game)}.items()), deck="")

    def playing(self, game: str, kit: Equipment) -> Choices:
        """Another game, with the house rules that are usual there; raise `ChoiceError` for one that is not played here."""
        if game not in (*kit.games, self.game):
            raise ChoiceError("no_game")
        return self if game == self.game else replace(self, game=game, options=tuple(preset_rules(self.preset, game).items()))


def checked_name(name: str, others: Iterable[str], field: str = "name") -> str:
    """The name as it is kept; raise `ChoiceError` for one that is empty, too long, twice at the table or cannot be shown."""
    plain = " ".join(unicodedata.normalize("NFC", name).split())
    if any(unicodedata.category(letter) in CONTROL for letter in name):
        raise ChoiceError("name_control", field)
    if not any(_shows(letter) for letter in plain):
        raise ChoiceError("name_empty", field)
    if len(plain) > LONGEST_NAME:
        raise ChoiceError("name_long", field, most=LONGEST_NAME, found=len(plain))
    if _as_read(plain) in map(_as_read, others):
        raise ChoiceError("name_twice", field, who=plain)
    return plain


def _shows(letter: str) -> bool:
    """Whether a letter leaves any ink."""
    return unicodedata.category(letter)[0] in "LNPS" and letter not in BLANK


def _as_read(name: str) -> str:
    """A name without what nobody can tell apart: width, case, and marks that only choose a letter's look."""
    return "".join(letter for letter in unicodedata.normalize("NFKC", name) if not "\ufe00" <= letter <= "\ufe0f").casefold()


def lacking(choices: Choices, kit: Equipment) -> ChoiceError | None:
    """What keeps a game from beginning so; its `field` is the step of the wizard in which it is put right."""
    if len(choices.chairs) < kit.fewest:
        return ChoiceError("too_few_seats", "seats", fewest=kit.fewest)
    if len(choices.chairs) > kit.most:
        return ChoiceError("too_many_seats", "seats", most=kit.most)
    for number, chair in enumerate(choices.chairs):
        try:
            checked_name(chair.name, choices.names[:number])
        except ChoiceError as error:
            return ChoiceError(error.kind, "seats", **error.values)
    if any(chair.source not in kit.sources for chair in choices.chairs):
        return ChoiceError("no_source", "sources")
    if choices.deck and choices.deck not in kit.decks:
        return ChoiceError("no_deck", "deck", found=choices.deck)
    return None


def people_of(shelf: Shelf) -> tuple[str, ...]:
    """Who has played before, whoever sat here last first; not those for whom only the companion played."""
    seats = [seat for game in shelf.games for seat in game.seats if seat.source != "bot" and seat.name]
    return tuple(dict.fromkeys(seat.name for seat in seats))
