"""The errors of this package.  Each is also the builtin that a caller would expect."""


class FirmwareError(Exception):
    """Anything that the program refuses; the message names the thing, what was expected and what was found."""


class SettingsError(FirmwareError, ValueError):
    """A settings file with an unknown key or a value that its key does not take."""


class PinError(FirmwareError, ValueError):
    """A pin map that names a reserved pin, a pin that does not exist, or one pin twice."""


class RigError(FirmwareError, LookupError):
    """A rig, camera or lamp driver that does not exist here."""


class RecordingError(FirmwareError, ValueError):
    """A recording that is not there, incomplete, or that does not fit what was written about it."""


class BusError(FirmwareError, ValueError):
    """A name, credential or message of the bus that cannot be used, or a broker that does not answer."""


class CameraError(FirmwareError, OSError):
    """A camera that gives no picture; `kind` is what is known of the cause."""

    kind = "failed"


class CameraStalledError(CameraError, TimeoutError):
    """No picture came within the time that it may take.  What the device does now nobody knows: its process has to end."""

    kind = "stalled"


class CameraGoneError(CameraError):
    """The device is not there: never plugged in, its cable pulled, or another one in its place."""

    kind = "gone"


class CameraRefusedError(CameraError, ValueError):
    """A camera that does not take what the settings say, and will not take it at the next attempt either."""

    kind = "refused"
