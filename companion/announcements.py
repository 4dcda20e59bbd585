"""Views and rulings into words for players: the only door to sentences.  Pure functions; no colours, no pins."""

from __future__ import annotations

from companion.words.rules import ERROR_KINDS, error_words, ruling_words, seat_name
from companion.words.translator import ENGLISH, Translator

__all__ = ["ENGLISH", "ERROR_KINDS", "Translator", "error_words", "ruling_words", "seat_name"]
