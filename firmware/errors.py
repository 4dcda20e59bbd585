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
