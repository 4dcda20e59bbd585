"""How the card model is made: artwork and drawn decks in, `cards.onnx` and `cards.toml` out.  The only place that needs torch."""
