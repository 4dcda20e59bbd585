"""The table's own certificate authority: what the secure page is vouched for with, and the certificate of the page itself.

Everything lies in one folder that only its owner may read.  The authority is made once and never written over, because devices
trust it by hand; the page's certificate is made anew whenever the machine's addresses change or it nears its end.
"""

from __future__ import annotations

import ipaddress
import logging
import os
import stat
import threading
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, load_pem_private_key
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from companion.health import OLDEST_YEAR
from companion.journal.places import make_folder, sync_folder
from companion.web.hosts import PRIVATE_ENDINGS
from firmware.errors import FirmwareError
from firmware.network import Address

LOG = logging.getLogger(__name__)
KEY_FILE, CERTIFICATE_FILE, PAGE_FILE = "authority.key", "authority.crt", "page.pem"
AUTHORITY_DAYS = 3650
PAGE_DAYS = 397
"""Apple's devices take none for longer than 825 days, others would rather have about a year."""
LEFT_DAYS = 60
"""With fewer days left the page's certificate is made anew."""
BACKDATED = timedelta(days=2)
"""A tablet whose clock is behind trusts it all the same."""
RANGES = (
    "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "127.0.0.0/8", "fc00::/7", "fe80::/10", "::1/128",
)  # fmt: skip
"""Addresses that are nobody's on the internet."""


class CertificateError(FirmwareError, OSError):
    """A key or certificate that is damaged, may be read by others, or cannot be written; the message names the file."""


@dataclass(frozen=True, slots=True)
class Authority:
    """What devices are asked to trust."""

    folder: Path
    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey

    @property
    def pem(self) -> bytes:
        """The certificate alone, as devices take it."""
        return self.certificate.public_bytes(Encoding.PEM)

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the certificate in pairs of digits, as devices show it."""
        return self.certificate.fingerprint(SHA256()).hex(":").upper()

    def may_vouch_for(self, name: str | Address) -> bool:
        """Whether the constraints in the certificate allow `name`."""
        permitted = self.certificate.extensions.get_extension_for_class(x509.NameConstraints).value.permitted_subtrees or []
        if isinstance(name, str):
            endings = [one.value for one in permitted if isinstance(one, x509.DNSName)]
            return any(name == ending or name.endswith(f".{ending}") for ending in endings)
        ranges = [one.value for one in permitted if isinstance(one, x509.IPAddress)]
        return any(name in each for each in ranges if isinstance(each, ipaddress.IPv4Network | ipaddress.IPv6Network))


def open_authority(folder: Path) -> Authority | None:
    """The authority that lies in `folder`; None where none has been made.  Raises `CertificateError`."""
    if not (folder / CERTIFICATE_FILE).exists():
        return None
    key = _read_key(folder / KEY_FILE)
    try:
        certificate = x509.load_pem_x509_certificate(_read(folder / CERTIFICATE_FILE))
    except ValueError as error:
        raise CertificateError(f"{folder / CERTIFICATE_FILE}: is no certificate in PEM form") from error
    if certificate.public_key() != key.public_key():
        raise CertificateError(f"{folder / CERTIFICATE_FILE}: does not belong to the key in {folder / KEY_FILE}")
    return Authority(folder, certificate, key)


def make_authority(folder: Path, host: str, now: datetime, names: Iterable[str] = ()) -> Authority:
    """Make the authority of this machine, called `host`; one that is there is opened and stays as it is.

    It may vouch for names that nobody owns on the internet, for private addresses, for `host` itself and for `names`, and for
    nothing else.  Raises `CertificateError`, also where the clock has never been set.
    """
    if (found := open_authority(folder)) is not None:
        return found
    if now.year < OLDEST_YEAR:
        raise CertificateError(f"the clock shows {now:%Y-%m-%d} and has never been set; certificates need the right date")
    try:
        make_folder(folder)
        folder.chmod(0o700)
        with suppress(FileExistsError):
            _write_new(folder / KEY_FILE, _pem_of(ec.generate_private_key(ec.SECP256R1())))
        key = _read_key(folder / KEY_FILE)
        certificate = _self_signed(key, host, now, names)
        _write_new(folder / CERTIFICATE_FILE, certificate.public_bytes(Encoding.PEM))
        sync_folder(folder)
    except CertificateError:
        raise
    except OSError as error:
        raise CertificateError(f"{folder}: cannot be written: {error.strerror or error}") from error
    return Authority(folder, certificate, key)


def vouch(
    authority: Authority, names: Iterable[str], addresses: Iterable[Address], now: datetime, days: int = PAGE_DAYS
) -> Path:  # fmt: skip
    """The file with the page's key and certificate, good for those `names` and `addresses` that the authority may vouch for.

    What lies there is kept as long as it will do, and made anew otherwise, for so many `days` if the authority lasts as long.
    Raises `CertificateError`.
    """
    wanted = _alternatives(authority, names, addresses)
    file = authority.folder / PAGE_FILE
    if _read_by_others(file):
        # Whoever has read its key could pass for the page; a new one costs nothing.
        LOG.warning("%s: others could read it; its key and certificate are made anew", file)
    elif _will_do(file, authority, wanted, now):
        return file
    end = last_day(authority.certificate)
    if end - now < timedelta(days=1):
        raise CertificateError(
            f"{authority.folder}: the authority ended on {end:%Y-%m-%d}, and the clock shows {now:%Y-%m-%d}; move the folder"
            " away and run `viewmat https`, or set https_port = 0"
        )
    key = ec.generate_private_key(ec.SECP256R1())
    certificate = _signed_page(authority, key, wanted, now, days)
    fresh = file.with_suffix(f".{os.getpid()}.new")
    try:
        fresh.unlink(missing_ok=True)  # of a process that was killed
        _write_new(fresh, _pem_of(key) + certificate.public_bytes(Encoding.PEM))
        fresh.replace(file)
        sync_folder(authority.folder)
    except OSError as error:
        raise CertificateError(f"{file}: cannot be written: {error.strerror or error}") from error
    return file


def last_day(certificate: x509.Certificate) -> datetime:
    """When it ends."""
    return _aware(certificate, "not_valid_after")


# ---- making --------------------------------------------------------------------------------------------------------


def _self_signed(key: ec.EllipticCurvePrivateKey, host: str, now: datetime, names: Iterable[str]) -> x509.Certificate:
    mark = x509.SubjectKeyIdentifier.from_public_key(key.public_key())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"View mat table {host} {mark.digest.hex()[:6].upper()}")])
    ours = dict.fromkeys((*PRIVATE_ENDINGS, host.lower(), *(one.lower() for one in names)))
    permitted: list[x509.GeneralName] = [x509.DNSName(ending) for ending in ours]
    permitted += [x509.IPAddress(ipaddress.ip_network(each)) for each in RANGES]
    return (
        _begun(name, name, key, now, AUTHORITY_DAYS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(signs_certificates=True), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.NameConstraints(permitted, None), critical=True)
        .add_extension(mark, critical=False)
        .sign(key, SHA256())
    )


def _signed_page(
    authority: Authority, key: ec.EllipticCurvePrivateKey, wanted: x509.SubjectAlternativeName, now: datetime, days: int
) -> x509.Certificate:
    mark = authority.certificate.extensions.get_extension_for_class(x509.SubjectKeyIdentifier).value
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "View mat table")])
    days = min(days, (last_day(authority.certificate) - now).days)
    return (
        _begun(name, authority.certificate.subject, key, now, days)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs_certificates=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(wanted, critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(mark), critical=False)
        .sign(authority.key, SHA256())
    )


def _begun(
    name: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey, now: datetime, days: int
) -> x509.CertificateBuilder:
    builder = x509.CertificateBuilder(issuer, name, key.public_key(), x509.random_serial_number())
    return builder.not_valid_before(now - BACKDATED).not_valid_after(now + timedelta(days=days))


def _usage(signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates, key_cert_sign=signs_certificates, crl_sign=signs_certificates,
        content_commitment=False, key_encipherment=False, data_encipherment=False, key_agreement=False, encipher_only=False,
        decipher_only=False,
    )  # fmt: skip


def _alternatives(authority: Authority, names: Iterable[str], addresses: Iterable[Address]) -> x509.SubjectAlternativeName:
    known = dict.fromkeys(name.lower() for name in names)
    found: list[x509.GeneralName] = [x509.DNSName(name) for name in known if authority.may_vouch_for(name)]
    found += [x509.IPAddress(one) for one in dict.fromkeys(addresses) if authority.may_vouch_for(one)]
    return x509.SubjectAlternativeName(found)


# ---- what lies there -----------------------------------------------------------------------------------------------


def _will_do(file: Path, authority: Authority, wanted: x509.SubjectAlternativeName, now: datetime) -> bool:
    try:
        text = _read(file)
        page, key = x509.load_pem_x509_certificate(text), load_pem_private_key(text, None)
        authority.key.public_key().verify(page.signature, page.tbs_certificate_bytes, ec.ECDSA(SHA256()))
        names = page.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except (CertificateError, ValueError, InvalidSignature, x509.ExtensionNotFound):
        return False
    begun, ends = _aware(page, "not_valid_before"), last_day(page)
    # Near the authority's own end nothing newer would last longer.
    lasts = ends - now > timedelta(days=LEFT_DAYS) or ends >= last_day(authority.certificate) - timedelta(days=1)
    return key.public_key() == page.public_key() and set(names) == set(wanted) and begun <= now and lasts


def _aware(certificate: x509.Certificate, name: str) -> datetime:
    """Older releases of the library tell times without their zone, newer ones warn of those."""
    if hasattr(certificate, f"{name}_utc"):
        found: datetime = getattr(certificate, f"{name}_utc")
        return found
    found = getattr(certificate, name)
    return found.replace(tzinfo=UTC)


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise CertificateError(f"{file}: cannot be read: {error.strerror or error}") from error


def _read_by_others(file: Path) -> bool:
    return file.exists() and bool(stat.S_IMODE(file.stat().st_mode) & 0o077)


def _read_key(file: Path) -> ec.EllipticCurvePrivateKey:
    text = _read(file)
    mode = stat.S_IMODE(file.stat().st_mode)
    if _read_by_others(file):
        raise CertificateError(f"{file}: others may read it (mode {mode:04o}); only its owner may: chmod 600 {file}")
    try:
        key = load_pem_private_key(text, None)
    except (ValueError, TypeError) as error:
        raise CertificateError(f"{file}: is no private key in PEM form") from error
    if not isinstance(key, ec.EllipticCurvePrivateKey):
        raise CertificateError(f"{file}: expected a key on an elliptic curve; found {type(key).__name__}")
    return key


def _pem_of(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def _write_new(file: Path, content: bytes) -> None:
    """Write a file that only its owner may read, whole or not at all; raise `FileExistsError` where there is one."""
    growing = file.with_suffix(f"{file.suffix}.{os.getpid()}.{threading.get_ident()}.new")
    growing.unlink(missing_ok=True)
    try:
        with os.fdopen(os.open(growing, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
            out.write(content)
            out.flush()
            os.fsync(out.fileno())
        # Unlike a renaming this never takes the place of a file that somebody else has just made.
        os.link(growing, file)
    finally:
        growing.unlink(missing_ok=True)
