"""The errors of this package.  Each is also the builtin that a caller would expect."""


class VisionError(Exception):
    """Anything that the eyes refuse; the message names the thing, what was expected and what was found."""


class RegistrationError(VisionError, ValueError):
    """A picture in which a board cannot be located: no markers, too few, mirrored, or those of another board.

    `board` is the number of the other board that shows instead, `aside` whether the board itself lies partly outside.
    """

    def __init__(self, message: str, *, board: int | None = None, aside: bool = False) -> None:
        super().__init__(message)
        self.board = board
        self.aside = aside


class LayoutError(VisionError, ValueError):
    """Places, pictures or windows that do not fit the board they are meant for."""


class PictureError(VisionError, ValueError):
    """A picture file that cannot be read: missing, empty, truncated, no picture, too large or too small.

    `kind` names the sentence that a page says of it: ``empty``, ``strange`` (no picture, or of another kind), ``damaged``,
    ``truncated``, ``too_large`` (in pixels), ``too_small``, or ``unreadable`` for all others; `values` fill it.
    """

    def __init__(self, message: str, kind: str = "unreadable", **values: int) -> None:
        super().__init__(message)
        self.kind = kind
        self.values = values


class DeckError(VisionError, ValueError):
    """A folder of card faces from which no deck can be made: pictures missing, unreadable or of the wrong shape."""


class StyleError(VisionError, KeyError):
    """A deck by a name that none of ours has."""

    def __str__(self) -> str:
        return str(self.args[0])


class SceneError(VisionError, ValueError):
    """A scene that does not fit the board, or a difficulty that does not exist."""


class ModelError(VisionError, ValueError):
    """A model that is missing, not the one that its description names, or fed with something else than patches."""


class ProfileError(VisionError, ValueError):
    """A taught deck that is missing, damaged or of another format, or windows from which none can be made."""


class CalibrationError(VisionError, ValueError):
    """Pictures or numbers from which a camera cannot be set up, or a stored calibration that is missing or damaged."""
