"""The card classifier: ``cards.onnx``, its description ``cards.toml``, and in `training` the recipe for both."""
