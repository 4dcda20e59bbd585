"""Words about games that are over: statistics, moves with their cards, deleting, backup and restore."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from companion.cards import Card
from companion.played import Deletion, PlayedGame, PlayedMove
from companion.views import MoveView
from companion.words.cards import card_words
from companion.words.moves import done_words
from companion.words.rules import seat_name
from companion.words.translator import ENGLISH, Translator, mark

_LABELS: dict[str, str] = {
    "history": mark("History"),
    "to_table": mark("To the table"),
    "to_history": mark("All games"),
    "none": mark("No game has been played to its end yet."),
    "players": mark("Players"),
    "games": mark("Games"),
    "evenings": mark("Evenings"),
    "over_time": mark("Games won, added up over the evenings"),
    "per_evening": mark("Games played and won on each evening"),
    "no_date": mark("without a date"),
    "unfinished": mark("Without a result"),
    "unfinished_lead": mark("These games are going on, or were given up. Nothing of them is told but who sits there."),
    "unreadable": mark("Cannot be told"),
    "unreadable_lead": mark("At the machine, `viewmat verify` says more about each of these records."),
    "damaged": mark("cannot be read"),
    "changed": mark("is not as it was written"),
    "unknown": mark("is of a game or a version that this program does not know"),
    "export": mark("Take along"),
    "json": mark("Everything as JSON"),
    "csv": mark("Seats and hands as CSV"),
    "phh": mark("This game as hand history text"),
    "hands": mark("The hands"),
    "moves": mark("The moves"),
    "house_rules": mark("House rules that were not the usual ones"),
    "record": mark("The record"),
    "proof": mark("`viewmat verify %(game)s` proves that nothing in it was changed. The hash of its last entry:"),
    "unproven": mark(
        "The record of this game was deleted for somebody who sat there. What is left is its result; nothing proves it any more."
    ),
    "won": mark("Won"),
    "played": mark("Played"),
    "average": mark("Average final hand"),
    "best": mark("Best hand"),
    "kinds": mark("Final hands"),
    "steals": mark("Steals"),
    "suffered": mark("Stolen from"),
    "takes": mark("Takes"),
    "draws": mark("Draws"),
    "violations": mark("Had to put something right"),
    "bot": mark("plays by itself"),
    "somebody": mark("somebody"),
    "first_places": mark("Places"),
    "not_shown": mark("The hand was not shown."),
    "chips": mark("Chips"),
    "this_hand": mark("In this hand"),
    "stacks_now": mark("After it"),
    "so_far": mark("In the session"),
    "gained": mark("Chips won and lost"),
    "delete": mark("Delete what is kept of %(who)s"),
    "delete_how": mark("What becomes of these games"),
    "delete_wholly": mark("Delete these games wholly, for everybody"),
    "delete_name": mark("Keep the results of finished games for the others, without this name"),
    "delete_now": mark("Delete now"),
    "delete_sure": mark("Yes, delete: there is no way back"),
    "delete_nothing": mark("There is nothing to delete now."),
    "backup": mark("Backup and restore"),
    "backup_lead": mark(
        "One file with every finished game, its pictures, taught decks and settings. It holds no key, nobody's phone and no game"
        " without a result. A backup of everything is made at the machine: `viewmat backup FILE`."
    ),
    "backup_get": mark("Take a backup"),
    "restore": mark("Restore a backup"),
    "restore_file": mark("The file of the backup"),
    "restore_check": mark("Look what is in it"),
    "restore_now": mark("Restore it"),
    "restore_keep": mark("Leave everything that is different here as it is here"),
    "coming_in": mark("The backup is coming in …"),
    "lost": mark("No connection to the table. Please try again."),
    "no_script": mark("Deleting and restoring need JavaScript."),
}


def history_label(name: str, say: Translator = ENGLISH, /, **values: str | int) -> str:
    """The text called `name`; raises `KeyError` for one that there is not."""
    return say(_LABELS[name], **values)


def parts_words(value: Fraction, say: Translator = ENGLISH) -> str:
    """A number of games of which some were shared: ``3`` or ``3.5``."""
    if value.denominator == 1:
        return str(value.numerator)
    return say.decimal(float(value), 1)


def won_words(won: Fraction, games: int, say: Translator = ENGLISH) -> str:
    """``3 of 7 games``."""
    return say.counted("%(won)s of 1 game", "%(won)s of %(count)d games", games, won=parts_words(won, say))


def beaten_words(beaten: Fraction, say: Translator = ENGLISH) -> str:
    """How good a hand is."""
    return say("better than %(percent)d %% of all hands", percent=round(beaten * 100))


def draws_words(draws: int, discards: int, say: Translator = ENGLISH) -> str:
    """``12, of which 5 went straight to the row``."""
    if not discards:
        return str(draws)
    return say("%(draws)d (%(discards)d laid on the row at once)", draws=draws, discards=discards)


def violations_words(violations: int, judged: int, games: int, say: Translator = ENGLISH) -> str:
    """How often something had to be put right, as far as it can be known."""
    if judged == games:
        return str(violations)
    if not judged:
        return say("not known here: the key of the records is missing")
    return say.counted(
        "%(violations)d in 1 game; of the others it is not known here",
        "%(violations)d in %(count)d games; of the others it is not known here",
        judged,
        violations=violations,
    )


def winner_words(game: PlayedGame, say: Translator = ENGLISH) -> str:
    """Who has won: ``Ann wins``."""
    if not game.winners:
        return say("Nobody has won: dealt again")
    who = [seat_name(seat, named(game, say), say) for seat in game.winners]
    if len(who) > 1:
        return say("%(who)s share the game", who=say.listed(who))
    return say("%(who)s wins", who=who[0])


def gain_words(chips: int) -> str:
    """Chips that were won or lost: ``+12``, ``−12``, ``0``."""
    return f"{chips:+d}".replace("-", "−") if chips else "0"


def named(game: PlayedGame, say: Translator = ENGLISH) -> tuple[str, ...]:
    """Names of the seats; one whose name was deleted is called somebody."""
    return tuple(name or say(_LABELS["somebody"]) for name in game.names)


def played_words(move: PlayedMove, game: PlayedGame, say: Translator = ENGLISH) -> str:
    """What was done, and with which cards, as far as they are known."""
    return moved_words(move.view, (move.got, move.gave), named(game, say), say)


def moved_words(move: MoveView, cards: tuple[Card | None, Card | None], names: Sequence[str], say: Translator = ENGLISH) -> str:
    """The same of any move; `cards` came into the mover's slot and left it."""
    done = done_words(move, names, say)
    got, gave = (None if card is None else card_words(card, say) for card in cards)
    if got is not None and gave is not None:
        return say("%(done)s In came the %(got)s for the %(gave)s.", done=done, got=got, gave=gave)
    if move.slot is None and gave is not None:
        return say("%(done)s It was the %(gave)s.", done=done, gave=gave)
    if got is not None:
        return say("%(done)s In came the %(got)s.", done=done, got=got)
    if gave is not None:
        return say("%(done)s Out went the %(gave)s.", done=done, gave=gave)
    return done


# ---- deleting -----------------------------------------------------------------------------------------------------


def deletion_words(plan: Deletion, say: Translator = ENGLISH) -> tuple[str, ...]:
    """What exactly will be deleted, and what will not, sentence by sentence."""
    told = [
        say.counted(
            "The record of 1 game in which %(who)s sat is deleted, with its pictures.",
            "The records of %(count)d games in which %(who)s sat are deleted, with their pictures.",
            len(plan.games), who=plan.name,
        )
    ]  # fmt: skip
    if plan.others:
        told.append(
            say(
                "%(others)s sat there as well: the whole record goes, and nobody can prove or judge these games again.",
                others=say.listed(plan.others),
            )
        )
    if plan.busy:
        told.append(say("The game on the table now stays: begin the next one first, and come back."))
    if plan.unknown:
        told.append(
            say.counted(
                "1 record cannot be read; nobody knows who is named in it, and it stays.",
                "%(count)d records cannot be read; nobody knows who is named in them, and they stay.",
                plan.unknown,
            )
        )
    told.append(
        say("Not reached by this: backups and exports that were made before, the settings file, and the chips of a memory card.")
    )
    return tuple(told)


def deleted_words(count: int, say: Translator = ENGLISH) -> str:
    """It is done."""
    return say.counted("1 game was deleted.", "%(count)d games were deleted.", count)


# ---- restoring ----------------------------------------------------------------------------------------------------


def restore_words(
    done: bool, games: int, new: int, same: int, differs: Sequence[str], kept: Sequence[str], other_key: bool,
    left_out: Sequence[str], say: Translator = ENGLISH,
) -> tuple[str, ...]:  # fmt: skip
    """What a restore would do or has done, sentence by sentence."""
    if done:
        counted = say.counted(
            "Restored: 1 game; files in all: %(files)d.", "Restored: %(count)d games; files in all: %(files)d.", games, files=new
        )
    else:
        counted = say.counted(
            "The backup is sound. New here: 1 game; files in all: %(files)d.",
            "The backup is sound. New here: %(count)d games; files in all: %(files)d.",
            games,
            files=new,
        )
    told = [counted]
    if same:
        told.append(say.counted("1 file is here already, the same.", "%(count)d files are here already, the same.", same))
    if differs:
        names = ", ".join(differs[:6]) + (" …" if len(differs) > 6 else "")
        told.append(
            say.counted(
                "1 file here is different, and stays as it is here: %(names)s.",
                "%(count)d files here are different, and stay as they are here: %(names)s.",
                len(differs), names=names,
            )
        )  # fmt: skip
    if kept:
        told.append(say("Not taken over: %(names)s.", names=", ".join(kept)))
    if other_key:
        told.append(say("The key here is another one: sealed parts and pictures of the backup's games cannot be opened with it."))
    if left_out:
        told.append(
            say.counted(
                "When the backup was made, 1 file was left out of it.",
                "When the backup was made, %(count)d files were left out of it.",
                len(left_out),
            )
        )
    return tuple(told)
