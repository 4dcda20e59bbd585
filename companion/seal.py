"""The seal: hidden readings at rest can be read with the key of this machine alone, and cannot be changed unnoticed.

Against whom that protects, and against whom not, stands in docs/threat-model.md.
"""

from __future__ import annotations

import os
import secrets
import stat
import struct
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from companion.commitments import COMMITTED, Commitments
from companion.errors import SealError
from companion.journal import Draft, Entry, Stamp
from companion.journal.places import in_words, make_folder, sync_folder

KEY_FILE = "seal.key"
KEY = 32
"""Bytes."""
ROOM = 4096
"""Bytes that are hidden in one piece, however few of them are used: the size of a sealed part must not tell what is in it."""
_NONCE = 12
_LENGTH = struct.Struct(">I")
_MARK = "viewmat seal 1"


@dataclass(frozen=True, slots=True)
class About:
    """What a sealed part belongs to; moved to another entry or another game it does not open."""

    game: str
    number: int
    """Of the entry, see `Journal.next_number`."""
    kind: str

    def __str__(self) -> str:
        return f"entry {self.number} ({self.kind}) of game {self.game}"


class Seal:
    """Encrypts and opens hidden readings."""

    __slots__ = ("_key", "_random")

    def __init__(self, key: bytes, random: Callable[[int], bytes] = secrets.token_bytes) -> None:
        """`random` gives that many bytes, never the same again."""
        if len(key) != KEY:
            raise SealError(f"a key has {KEY} bytes; found {len(key)}")
        self._key = key
        self._random = random

    @classmethod
    def load_or_create(cls, folder: Path) -> Seal:
        """The seal of a data folder; its key is made once.

        Raise `SealError` where the key cannot be kept, is damaged, or may be read by others than its owner.
        """
        path = folder / KEY_FILE
        try:
            make_folder(folder)
            with suppress(FileExistsError):
                _make_key(path)
            return cls(_load_key(path))
        except OSError as error:
            raise SealError(f"{path}: the key can be neither read nor made: {in_words(error)}") from error

    def encrypt(self, data: bytes, about: About, room: int = ROOM) -> bytes:
        """Hide up to `room` bytes, all of which take the same place; raise `SealError` for more."""
        if len(data) > room:
            raise SealError(f"{about}: at most {room} bytes can be sealed in one piece")
        nonce = self._random(_NONCE)
        padded = _LENGTH.pack(len(data)) + data.ljust(room, b"\0")
        return nonce + self._cipher(about).encrypt(nonce, padded, _bound(about))

    def decrypt(self, sealed: bytes, about: About) -> bytes:
        """What was hidden; raise `SealError` where it was changed, belongs elsewhere, or was sealed with another key."""
        try:
            padded = self._cipher(about).decrypt(sealed[:_NONCE], sealed[_NONCE:], _bound(about))
        except (InvalidTag, ValueError):
            raise SealError(f"{about} does not open: it was changed, or sealed with another key") from None
        if len(padded) < _LENGTH.size:
            raise SealError(f"{about} does not open: it is shorter than anything that was sealed")
        (length,) = _LENGTH.unpack_from(padded)
        return padded[_LENGTH.size : _LENGTH.size + length]

    def _cipher(self, about: About) -> ChaCha20Poly1305:
        # A key for each game keeps the number of random nonces under one key small.
        derived = HKDF(SHA256(), KEY, salt=None, info=f"{_MARK}/{about.game}".encode()).derive(self._key)
        return ChaCha20Poly1305(derived)

    def __repr__(self) -> str:
        # Never the key: a representation ends up in logs.
        return "Seal(...)"


def committed(seal: Seal, made: Commitments, stamp: Stamp, number: int) -> Draft:
    """The entry that shows commitments to everybody and keeps what opens them sealed; `number` is the one that it will get."""
    return Draft(COMMITTED, stamp, made.public(), seal.encrypt(made.hidden(), About(made.game, number, COMMITTED)), number)


def reopened(seal: Seal, game: str, entry: Entry) -> Commitments:
    """The commitments of such an entry with what opens them; raise `SealError` where it is another one, or does not open."""
    about = About(game, entry.number, entry.kind)
    if entry.kind != COMMITTED or entry.sealed is None:
        raise SealError(f"{about} holds no commitments")
    return Commitments.from_hidden(seal.decrypt(entry.sealed, about))


def _bound(about: About) -> bytes:
    parts = [part.encode() for part in (_MARK, about.game, str(about.number), about.kind)]
    return b"".join(struct.pack(">H", len(part)) + part for part in parts)


def _make_key(path: Path) -> None:
    """Write a key durably; raise `FileExistsError` where there is one already, also one that was made meanwhile."""
    if path.exists():
        raise FileExistsError(path)
    fresh = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        os.write(handle, f"{_MARK}\n{secrets.token_hex(KEY)}\n".encode())
        os.fsync(handle)
        # A link, unlike a renaming, never takes the place of a key that is in use.
        os.link(fresh, path)
    finally:
        os.close(handle)
        fresh.unlink()
    sync_folder(path.parent)


def _load_key(path: Path) -> bytes:
    if path.is_symlink():
        raise SealError(f"{path} is a link to {os.readlink(path)}: expected the key itself; move the folder instead")
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
    with os.fdopen(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise SealError(f"{path} is no file: expected the key itself")
        mode = stat.S_IMODE(os.fstat(handle).st_mode)
        text = file.read(1000)
    if mode & 0o077:
        raise SealError(f"{path}: others than its owner may use the key: expected mode 600, found {mode:o}; change it with chmod")
    try:
        mark, key, end = text.decode("ascii").split("\n")
        if mark != _MARK or end:
            raise ValueError(mark)
        found = bytes.fromhex(key)
    except ValueError:
        raise SealError(f"{path} is no key: expected a line {_MARK!r} and one of {2 * KEY} hexadecimal digits") from None
    if len(found) != KEY:
        raise SealError(f"{path} is no key: expected {2 * KEY} hexadecimal digits, found {2 * len(found)}")
    return found
