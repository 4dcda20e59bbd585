"""Taught decks on this machine: where they are kept, and the classifier that uses one."""

from __future__ import annotations

from pathlib import Path

import click

from firmware.datafolder import data_folder
from vision.classifier import Classifier
from vision.deckprofile import DeckProfile, load_profile, profile_names
from vision.features import FeatureModel
from vision.onnx_classifier import OnnxClassifier
from vision.taught import TaughtClassifier


def profiles_folder() -> Path:
    """Where this user's taught decks are: ``$XDG_DATA_HOME/viewmat/decks``, by default below ``~/.local/share``."""
    return data_folder() / "decks"


def open_profile(name: str, model: FeatureModel) -> DeckProfile:
    """The deck taught under this name; raise `ProfileError` where there is none or it is damaged."""
    return load_profile(profiles_folder(), name, model)


def open_classifier(profile: str | None) -> Classifier:
    """The shipped model, with the taught deck `profile` if one is named."""
    if profile is None:
        return OnnxClassifier.load()
    model = FeatureModel.load()
    return TaughtClassifier(model, open_profile(profile, model))


def known_profile(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """Callback of ``--profile``: bad usage for a deck that nobody taught."""
    if value is not None and value not in profile_names(profiles_folder()):
        taught = ", ".join(profile_names(profiles_folder())) or "none"
        raise click.BadParameter(
            f"there is no taught deck {value!r}; taught are: {taught}; without this option any deck is read"
        )
    return value


profile_option = click.option(
    "--profile", metavar="NAME", callback=known_profile, help="Read with a deck that was taught under this name."
)


def tell_trouble(classifier: Classifier) -> None:
    """Say on standard error where a taught deck was put aside, because another one was read."""
    trouble = getattr(classifier, "trouble", None)
    if trouble is not None:
        click.echo(trouble, err=True)
