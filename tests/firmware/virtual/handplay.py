"""Hands of draw and stud at the virtual table, and what has to be true of their figures."""

from companion.games import GAMES, find_game
from companion.games.poker_game import PokerGame
from firmware.virtual.ideal import open_ideal
from firmware.virtual.play import Settings, play_game

CHIPS = [game.name for game in GAMES if isinstance(game, PokerGame)]


def played(name, number=0, open_table=open_ideal, **given):
    more = {key: given.pop(key) for key in ("kinds", "guest", "cheats") if key in given}
    settings = Settings(game=name, **{"seats": 3, "hands": 1, "seed": 1, **given})
    return play_game(find_game(name), settings, number, open_table, **more)


def all_right(figures):
    assert figures.notes == []
    assert figures.turns_right == figures.turns > 0
    assert (figures.false_accusations, figures.questions, figures.wrong_reads) == (0, 0, 0)
    assert figures.reveals_right == figures.payouts_right == figures.payouts == figures.reveals


def caught_all(figures, least):
    made = sum(tally.made for tally in figures.violations.values())
    assert made >= least
    assert sum(tally.caught for tally in figures.violations.values()) == made, figures.notes
    # After a tap that was refused there is nothing to put back.
    turns = sum(figures.violations[kind].made for kind in ("not_your_turn", "drew_out_of_turn") if kind in figures.violations)
    assert made - turns <= figures.put_backs == figures.put_backs_recognised <= made
    all_right(figures)
