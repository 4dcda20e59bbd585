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
        mark("the light is uneven: the darkest corner has %(value)s%% less than the brightest"),
        mark("Move the lamp away from the windows, or light from both long sides."),
    ),
    "noise": (
        mark("the picture is noisy: %(value)s levels from frame to frame"),
        mark("Give more light and less gain."),
    ),
    "flicker": (
        mark("the light flickers by %(value)s%%"),
        mark("Feed the lamp with direct current; expose for a multiple of 10 ms under room light."),
    ),
    "stray": (
        mark("the room is bright in the empty window: %(value)s%% of white paper"),
        mark("Turn off or shade the lamp above the table, or light the mat more strongly."),
    ),
    "glare": (
        mark("a reflection washes the print out: ink is %(value)s%% as bright as paper"),
        mark("Put a baffle or a frosted film before the lamp, so that it is not mirrored in the card."),
    ),
    "marker": (
        mark("marker %(which)s lies %(value)s mm away from where the others expect it"),
        mark("Glue or print this marker anew; every window is located by the markers."),
    ),
    "markers": (
        mark("markers that cannot be found: %(value)s (%(which)s)"),
        mark("Wipe them, and take away what covers them."),
    ),
    "unread": (
        mark("cards laid here that could not be read: %(value)s of %(which)s"),
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
        mark("jokers or cards of other decks: %(value)s"),
        mark("Take them out; a deck here has 52 cards and no joker."),
    ),
    "strange_deck": (
        mark("the cards on the table do not look like the deck that was taught; the profile is not used"),
        mark("Choose the profile of this deck, or none."),
    ),
}  # fmt: skip


def problem_words(kind: str, value: str | float, which: str = "", say: Translator = ENGLISH) -> str:
    """What is wrong; raises `KeyError` for a kind that there is not.

    A number that is not whole is said with one decimal.  `which` is the marker, or how many there are of all.
    """
    return say(_FOUND[kind][0], value=say.decimal(value, 1) if isinstance(value, float) else value, which=which)


def where_words(seat: int | None, window: int | None, say: Translator = ENGLISH) -> str:
    """What it is wrong with: a mat, one of its windows, or the deck; both are counted from 0."""
    if seat is None:
        return say("deck")
    if window is None:
        return say("mat %(mat)d", mat=seat + 1)
    return say("mat %(mat)d, window %(window)d", mat=seat + 1, window=window + 1)


def advice_words(kind: str, say: Translator = ENGLISH) -> str:
    """What to change about it."""
    return say(_FOUND[kind][1])


def verdict_words(passed: bool, weak: int, say: Translator = ENGLISH) -> str:
    """The outcome in one sentence."""
    if not passed:
        return say("The table fails: put right what stands below, and check again.")
    if weak:
        return say.counted(
            "The table passes; %(count)d thing could be better.", "The table passes; %(count)d things could be better.", weak
        )
    return say("The table passes.")


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
