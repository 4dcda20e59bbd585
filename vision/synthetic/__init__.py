"""Draws decks and renders what the cameras see of them."""
