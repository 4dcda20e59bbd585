"""The record of one game: an append-only chain of entries in one SQLite file, durable before it is acknowledged."""

from companion.journal.entries import BUILD_YEAR, HEADER, Draft, Entry, Fault, Stamp, Walk
from companion.journal.places import checked_game, game_file, new_game
from companion.journal.reading import read_entries, read_walk
from companion.journal.rescue import rescue
from companion.journal.writing import Journal

__all__ = [
    "BUILD_YEAR",
    "HEADER",
    "Draft",
    "Entry",
    "Fault",
    "Journal",
    "Stamp",
    "Walk",
    "checked_game",
    "game_file",
    "new_game",
    "read_entries",
    "read_walk",
    "rescue",
]
