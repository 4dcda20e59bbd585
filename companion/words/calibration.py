"""What setting up a camera says: what each figure is, and what to do where it is not good."""

from __future__ import annotations

from companion.words.translator import ENGLISH, Translator, mark

_NAMES = {
    "mirror": mark("mirror in the way of the light"),
    "lens": mark("lens"),
    "angle": mark("angle that the lens sees"),
    "lens_error": mark("corners of the chessboard against the lens"),
    "lens_spread": mark("uncertainty of the focal length"),
    "views": mark("pictures of the chessboard"),
    "coverage": mark("share of the picture in which the chessboard was seen"),
    "tilt": mark("leaning of the chessboard"),
    "marker_error": mark("markers against their plan"),
    "missing": mark("markers not found"),
    "scale": mark("pixels to the millimetre"),
    "turned": mark("turn of the board in the picture"),
    "blur": mark("width of edges"),
    "focus": mark("sharpest lens position"),
    "exposure": mark("exposure"),
    "light": mark("light over the mat"),
    "evenness": mark("darkest light as a share of the brightest"),
    "glare": mark("share of blank paper that shines"),
}
_VALUES = {
    "angle": mark("%(value)s degrees"),
    "tilt": mark("%(value)s degrees"),
    "turned": mark("%(value)s degrees"),
    "lens_error": mark("%(value)s px"),
    "blur": mark("%(value)s px"),
    "marker_error": mark("%(value)s mm"),
    "exposure": mark("%(value)s microseconds"),
    "lens_spread": mark("%(value)s%%"),
    "coverage": mark("%(value)s%%"),
    "evenness": mark("%(value)s%%"),
    "glare": mark("%(value)s%%"),
}
_NAMED = {
    "yes": mark("yes"),
    "no": mark("no"),
    "plain": mark("measured"),
    "fisheye": mark("measured, as a fisheye"),
    "guessed": mark("guessed from the markers"),
    "unknown": mark("not measured"),
}
_ADVICE = {
    "lens": mark("Take the plate off and show the chessboard in at least five pictures, leaning to every side."),
    "lens_error": mark("See that the chessboard is flat and the pictures are sharp and at rest, and take them anew."),
    "lens_spread": mark("Show the chessboard leaning more, by 20 to 30 degrees to every side."),
    "views": mark("Take more pictures of the chessboard; ten are good."),
    "coverage": mark("Show the chessboard near every edge of the picture, too."),
    "tilt": mark("Show the chessboard leaning more, by 20 to 30 degrees to every side."),
    "marker_error": mark("See that the marker sheet is flat, printed at 100 %% and glued where its frames say."),
    "missing": mark("Wipe the markers, take away what covers them, and see that all are in the picture."),
    "scale": mark("Bring the camera closer, or set it to more pixels."),
    "turned": mark("Turn the camera until the mat lies level in the picture."),
    "blur": mark("Focus anew, and wipe lens and mirror."),
    "focus": mark("The camera is sharpest at the end of its way: change its distance from the mat."),
    "exposure": mark(
        "The light is too strong for a whole period of the mains: dim the lamp, or room light may flicker."
    ),
    "light": mark("Lay a blank white card on every window and take two pictures."),
    "evenness": mark("Move the lamp away from the windows, or light from both long sides."),
    "glare": mark("Put a baffle or a frosted film before the lamp, so that it is not mirrored in the cards."),
}
_SHARES = ("lens_spread", "coverage", "evenness", "glare")


def name_words(kind: str, say: Translator = ENGLISH) -> str:
    """What a figure is; raises `KeyError` for a kind that there is not."""
    return say(_NAMES[kind])


def value_words(kind: str, value: str | float, say: Translator = ENGLISH) -> str:
    """The figure with its unit; shares are said in per cent."""
    if isinstance(value, str):
        return say(_NAMED[value])
    shown = value * 100 if kind in _SHARES else value
    digits = 0 if kind in ("views", "missing", "exposure", "coverage", "evenness") else 2 if kind != "turned" else 1
    told = say.decimal(shown, digits) if digits else str(round(shown))
    return say(_VALUES[kind], value=told) if kind in _VALUES else told


def advice_words(problem: str, say: Translator = ENGLISH) -> str:
    """What to do about it."""
    return say(_ADVICE[problem])


def outcome_words(worst: int, say: Translator = ENGLISH) -> str:
    """The outcome in a sentence: 0 all is well, 1 something is weak, 2 something is bad."""
    return say(
        (
            mark("The camera is set up."),
            mark("The camera is set up; what is weak could be better."),
            mark("The camera is not fit to play: put right what is bad, and set it up again."),
        )[worst]
    )
