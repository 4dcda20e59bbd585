"""What an encrypted broker shows to those who connect, and by which they know it."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from companion.web.hosts import is_address
from firmware.authority import AUTHORITY_DAYS, CertificateError, make_authority, vouch
from firmware.errors import BusError
from firmware.network import Address, host_name, own_addresses

FOLDER = "authority"
"""In the broker's own folder: it vouches for this broker alone, and for as long as the table will be played on."""


@dataclass(frozen=True, slots=True)
class Encryption:
    """An encrypted broker's files."""

    certificate: Path
    """Its key and certificate, in one file."""
    ca: str
    """The certificate of its authority, which is no secret."""


def encrypted(folder: Path) -> bool:
    """Whether the broker whose files lie in `folder` was made an encrypted one."""
    return (folder / FOLDER).exists()


def make_encryption(folder: Path, address: str, now: datetime) -> Encryption:
    """The authority of the broker in `folder`, and its certificate for `address` and every address of this machine.

    The authority is made once, since every node knows it by heart.  Raise `BusError` where it cannot vouch for `address`, or a
    file is damaged or cannot be written.
    """
    host, named = host_name(), address.lower()
    numbered = tuple(_numbers(address))
    try:
        authority = make_authority(folder / FOLDER, host, now, () if numbered else (named,))
        for wanted in numbered or (named,):
            if not authority.may_vouch_for(wanted):
                raise BusError(
                    f"address {address!r}: the authority in {folder / FOLDER} vouches for addresses of home networks and for"
                    " names that it was made for; give one of those as --address, or move that folder away and hand out all"
                    " files anew"
                )
        names = (f"{host}.local", host, "localhost", *(() if numbered else (named,)))
        certificate = vouch(authority, names, (*own_addresses(), *numbered), now, AUTHORITY_DAYS)
    except CertificateError as error:
        raise BusError(str(error)) from error
    return Encryption(certificate, authority.pem.decode())


def _numbers(address: str) -> Iterator[Address]:
    if is_address(address):
        with suppress(ValueError):
            yield ipaddress.ip_address(address)
