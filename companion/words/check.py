"""What the check of a table says: what is wrong, and what to change.  Nobody plays then: cards may be named."""

from __future__ import annotations

from companion.words.translator import ENGLISH, Translator, mark

_FOUND: dict[str, tuple[str, str]] = {
    "dead": (
        mark("nothing can be seen: %(value)s"),
        mark("Look whether the camera is plugged in, its lens free and the lamp lit."),
    ),
    "unseen": (
        mark("the empty mat was never seen"),
        mark("Leave all windows free for two seconds at the beginning, with the lamp lit."),
    ),
    "blur": (
        mark("the picture is out of focus: edges are %(value)s pixels wide"),
        mark("Set the focus anew for this camera, and wipe lens and mirror."),
    ),
    "dim": (
        mark("too little light: white paper has level %(value)s of 255"),
        mark("Look whether the lamp is lit at full brightness, or expose for longer."),
    ),
    "bright": (
        mark("too much light: white paper has level %(value)s of 255"),
        mark("Expose for a shorter time, or dim the lamp."),
    ),
    "uneven": (
        mark("the light is uneven: the darkest corner has %(value)s less than the brightest"),
        mark("Move the lamp away from the windows, or light from both long sides."),
    ),
    "noise": (
        mark("the picture is noisy: %(value)s levels from frame to frame"),
        mark("Give more light and less gain."),
    ),
    "flicker": (
        mark("the light flickers by %(value)s"),
        mark("Feed the lamp with direct current; expose for a multiple of 10 ms under room light."),
    ),
    "stray": (
        mark("the room is bright in the empty window: %(value)s of white paper"),
        mark("Turn off or shade the lamp above the table, or light the mat more strongly."),
    ),
    "glare": (
        mark("a reflection washes the print out: ink is %(value)s as bright as paper"),
        mark("Put a baffle or a frosted film before the lamp, so that it is not mirrored in the card."),
    ),
    "marker": (
        mark("marker %(value)s mm away from where the others expect it"),
        mark("Glue or print this marker anew; every window is located by the markers."),
    ),
    "markers": (
        mark("%(value)s of its markers cannot be found"),
        mark("Wipe them, and take away what covers them."),
    ),
    "unread": (
        mark("%(value)s of the cards laid here could not be read"),
        mark("See the other remarks on this mat; without any, push cards to the rail or teach the deck: viewmat teach NAME."),
    ),
    "missing": (
        mark("not read at all: %(value)s"),
        mark("Look whether they are in the deck; lay them again, or teach the deck: viewmat teach NAME."),
    ),
    "twice": (
        mark("shown twice: %(value)s"),
        mark("Take the second one out, or look whether it is read as another card than it is."),
    ),
    "foreign": (
        mark("%(value)s jokers or cards of other decks"),
        mark("Take them out; a deck here has 52 cards and no joker."),
    ),
    "strange_deck": (
        mark("%(value)s"),
        mark("Choose the profile of this deck, or none."),
    ),
}  # fmt: skip


def problem_words(kind: str, value: str, say: Translator = ENGLISH) -> str:
    """What is wrong; raises `KeyError` for a kind that there is not."""
    return say(_FOUND[kind][0], value=value)


def advice_words(kind: str, say: Translator = ENGLISH) -> str:
    """What to change about it."""
    return say(_FOUND[kind][1])


def verdict_words(passed: bool, weak: int, say: Translator = ENGLISH) -> str:
    """The outcome in one sentence."""
    if not passed:
        return say(mark("The table fails: put right what stands below, and check again."))
    if weak:
        one, many = "The table passes; %(count)d thing could be better.", "The table passes; %(count)d things could be better."
        return say.counted(one, many, weak)
    return say(mark("The table passes."))


def step_words(kind: str, say: Translator = ENGLISH) -> str:
    """What a person has to do now; raises `KeyError` for a kind that there is not."""
    return say(_STEPS[kind])


_STEPS: dict[str, str] = {
    "empty": mark("Take everything off the mats and keep your hands away."),
    "cards": mark(
        "Lay five cards face down on every mat, wait until they are counted, take them away; go on until all 52 are counted."
    ),
    "done": mark("Every card was counted."),
}
