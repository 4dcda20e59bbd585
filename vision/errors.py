"""The errors of this package.  Each is also the builtin that a caller would expect."""


class VisionError(Exception):
    """Anything that the eyes refuse; the message names the thing, what was expected and what was found."""
