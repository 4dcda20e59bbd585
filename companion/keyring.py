"""The keys of one installation, kept in a file that only its owner may read; shared with commands at the machine."""

from __future__ import annotations

import fcntl
import json
import logging
import os
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import Any

from companion.errors import CompanionError
from companion.keys import Bearer, Keys, Link, Pin, PinError, fresh_token, make_pin, wait_after
from companion.views import Role

FORM = 1
"""Version of the file's form."""
LOG = logging.getLogger(__name__)


class KeyringError(CompanionError, OSError):
    """The file of keys cannot be read or written; the message names it."""


class Keyring:
    """Owns the keys.  Every method may be called from any thread; changes made by another process are taken over."""

    def __init__(
        self, file: Path | None = None, clock: Callable[[], float] = monotonic, token: Callable[[], str] = fresh_token
    ) -> None:
        """Without a `file` the keys last as long as the program.  Raises `KeyringError` for a file that is damaged."""
        self._file = file
        self._clock = clock
        self._token = token
        self._lock = threading.Lock()
        self._trying = threading.Lock()
        self._stamp: tuple[int, int, int] | None = None
        self._keys = Keys()
        with self._lock:
            self._reload(first=True)

    @property
    def keys(self) -> Keys:
        """The keys as they are now."""
        with self._lock:
            self._reload()
            return self._keys

    def bearer(self, token: str) -> Bearer | None:
        """Who bears `token`."""
        return self.keys.bearer(token)

    def invite(self, role: Role, seat: int | None = None, name: str = "") -> str:
        """A new link's token.  It is told this once; what is kept does not give it away."""
        token = self._token()
        self._change(lambda keys: keys.invited(role, seat, name, token, self._clock()))
        return token

    def join(self, token: str, leaving: str | None = None) -> tuple[str, Bearer]:
        """Take a link: the secret that its bearer shows from now on.  `leaving` is what he bore before; it ends.

        Raises `LinkError` for a link that is no longer good.
        """
        return self._admit(lambda keys, secret: keys.joined(token, secret, self._clock()), leaving)

    def admit(self, role: Role, leaving: str | None = None) -> tuple[str, Bearer]:
        """A further bearer of a role without a seat."""
        return self._admit(lambda keys, secret: keys.admitted(role, None, "", secret), leaving)

    def _admit(self, how: Callable[[Keys, str], tuple[Keys, Bearer]], leaving: str | None) -> tuple[str, Bearer]:
        secret = self._token()
        admitted: list[Bearer] = []

        def change(keys: Keys) -> Keys:
            left = keys if leaving is None else keys.signed_off(leaving)
            after, bearer = how(left, secret)
            admitted.append(bearer)
            return after

        self._change(change)
        return secret, admitted[-1]

    def sign_off(self, token: str) -> None:
        self._change(lambda keys: keys.signed_off(token))

    def seated(self, names: Sequence[str]) -> None:
        """These sit here now: links and phones of others end."""
        known = self.keys
        if known.seated(names) != known:
            self._change(lambda keys: keys.seated(names))

    def set_pin(self, pin: str) -> None:
        """Make or change the PIN; raises `PinError` for one that cannot be."""
        made = make_pin(pin)
        self._change(lambda keys: replace(keys, pin=made).forgiven())

    def check_pin(self, pin: str) -> None:
        """Raises `PinError` where it is wrong or there is none, `TriesError` where a wait runs."""
        with self._trying:
            known = self._change(lambda keys: keys.trying(self._clock())).pin
            if known is None or not known.fits(pin):
                raise PinError("this is not the PIN")
            self._change(Keys.forgiven)

    def reset(self) -> None:
        """Recovery: forget the PIN, the referee's phones and the table's screens."""
        self._change(Keys.reset)

    # ---- the file ------------------------------------------------------------------------------------------------

    def _change(self, how: Callable[[Keys], Keys]) -> Keys:
        with self._lock, self._alone():
            self._reload()
            after = how(self._keys)
            if after != self._keys:
                self._save(after)
                self._keys = after
            return after

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Keep other processes from changing the file meanwhile."""
        if self._file is None:
            yield
            return
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            handle = os.open(self._file.with_suffix(".lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise KeyringError(f"{self._file}: cannot be written: {error.strerror}") from error
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield
        finally:
            os.close(handle)

    def _reload(self, first: bool = False) -> None:
        """Take over what another process has written since."""
        if self._file is None:
            return
        stamp = _stamp(self._file)
        if stamp == self._stamp and not first:
            return
        try:
            found = Keys() if stamp is None else _read(self._file, self._clock())
        except KeyringError:
            if first:
                raise
            LOG.warning("the file of keys is damaged; the keys stay as they were")
            self._stamp = stamp
            return
        self._stamp = stamp
        self._keys = _aged(found, self._keys, self._clock())

    def _save(self, keys: Keys) -> None:
        if self._file is None:
            return
        text = json.dumps(_as_object(keys), indent=1)
        try:
            handle, name = tempfile.mkstemp(dir=self._file.parent, prefix=self._file.name)  # for its owner's eyes only
            try:
                with os.fdopen(handle, "w", encoding="utf-8") as file:
                    file.write(text)
                    file.flush()
                    os.fsync(file.fileno())
                os.replace(name, self._file)
            except BaseException:
                Path(name).unlink(missing_ok=True)
                raise
        except OSError as error:
            raise KeyringError(f"{self._file}: cannot be written: {error.strerror}") from error
        self._stamp = _stamp(self._file)


def _stamp(file: Path) -> tuple[int, int, int] | None:
    try:
        state = file.stat()
    except OSError:
        return None
    return state.st_mtime_ns, state.st_size, state.st_ino


def _aged(found: Keys, before: Keys, now: float) -> Keys:
    """The file holds no times.  What was known keeps its age; what is new begins to age now, and so does a wait."""
    ages = {link.digest: link.since for link in before.links}
    links = tuple(replace(link, since=ages.get(link.digest, now)) for link in found.links)
    same = found.failed == before.failed and found.pin == before.pin
    blocked = before.blocked_until if same else now + wait_after(found.failed)
    return replace(found, links=links, blocked_until=blocked if found.failed else 0.0)


def _as_object(keys: Keys) -> dict[str, Any]:
    return {
        "form": FORM,
        "links": [[one.role.value, one.seat, one.name, one.digest] for one in keys.links],
        "bearers": [[one.role.value, one.seat, one.name, one.digest] for one in keys.bearers],
        "pin": None if keys.pin is None else [keys.pin.salt, keys.pin.digest, list(keys.pin.cost)],
        "failed": keys.failed,
    }


def _read(file: Path, now: float) -> Keys:
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
        if found["form"] != FORM:
            raise ValueError(found["form"])
        pin = found["pin"]
        return Keys(
            tuple(Link(Role(role), seat, name, digest, now) for role, seat, name, digest in found["links"]),
            tuple(Bearer(Role(role), seat, name, digest) for role, seat, name, digest in found["bearers"]),
            None if pin is None else Pin(pin[0], pin[1], (int(pin[2][0]), int(pin[2][1]), int(pin[2][2]))),
            int(found["failed"]),
        )
    except OSError as error:
        raise KeyringError(f"{file}: cannot be read: {error.strerror}") from error
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise KeyringError(f"{file}: is no file of keys; `viewmat referee reset` makes a new one") from error
