"""Words that belong to the table's voice: what a sound means, and the labels of the page's switches for it."""

from __future__ import annotations

from companion.words.translator import ENGLISH, Translator, mark

_SOUNDS: dict[str, str] = {
    "stopped": mark("One long tone: play is stopped."),
    "violation": mark("Three short tones: something has to be put right."),
    "question": mark("A long tone: the table has a question."),
    "over": mark("A long and two short tones: the game is over."),
    "final_turns": mark("A short and a long tone: the final turns begin."),
    "trouble": mark("A click: a camera does not see."),
}

_LABELS: dict[str, str] = {
    "voice": mark("Voice and sounds of this screen"),
    "off": mark("Silent"),
    "needed": mark("Turns and rulings"),
    "all": mark("Everything"),
    "volume": mark("Volume"),
    "try": mark("Say it now"),
    "unlock": mark("Tap here to hear the table"),
    "mute": mark("This browser cannot speak; the tones can be heard, and every one has a caption."),
    "foreign": mark("This device has no voice for this language; it will sound strange."),
}


def sound_words(name: str, say: Translator = ENGLISH) -> str:
    """The caption of a sound; raises `KeyError` for one that there is not."""
    return say(_SOUNDS[name])


def voice_label(name: str, say: Translator = ENGLISH) -> str:
    """A label of the switches; raises `KeyError` for one that there is not."""
    return say(_LABELS[name])
