"""The table's authority: what it may vouch for, how it is kept, and when the page's certificate is made anew."""

from __future__ import annotations

import errno
import ipaddress
import shutil
import stat
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, load_pem_private_key
from cryptography.x509.oid import ExtendedKeyUsageOID

from firmware import authority as made
from firmware.authority import Authority, CertificateError, make_authority, open_authority, vouch
from firmware.network import Address, host_name, own_addresses

NOW = datetime.now(UTC).replace(microsecond=0)
NAMES = ("viewmat.local", "pi.local", "pi")
ADDRESSES: tuple[Address, ...] = tuple(map(ipaddress.ip_address, ("127.0.0.1", "192.168.1.7", "fd00::7")))
needs_openssl = pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed")


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return make_authority(tmp_path / "https", "pi", NOW)


def page(file: Path) -> x509.Certificate:
    return x509.load_pem_x509_certificate(file.read_bytes())


def names_of(file: Path) -> tuple[list[str], list[Address]]:
    held = page(file).extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return held.get_values_for_type(x509.DNSName), held.get_values_for_type(x509.IPAddress)


def verified(folder: Path, leaf: Path, *options: str) -> str:
    """What openssl says of a page's certificate."""
    command = ["openssl", "verify", "-x509_strict", "-purpose", "sslserver", "-CAfile", str(folder / made.CERTIFICATE_FILE)]
    done = subprocess.run([*command, *options, str(leaf)], capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


def forged(authority: Authority, *names: x509.GeneralName) -> x509.Certificate:
    """What somebody with the key could sign: a certificate for any name."""
    key = ec.generate_private_key(ec.SECP256R1())
    return made._signed_page(authority, key, x509.SubjectAlternativeName(names), NOW, made.PAGE_DAYS)


def test_the_files_are_the_owners_alone(authority: Authority) -> None:
    file = vouch(authority, NAMES, ADDRESSES, NOW)
    modes = {each.name: stat.S_IMODE(each.stat().st_mode) for each in authority.folder.iterdir()}
    assert modes == {"authority.key": 0o600, "authority.crt": 0o600, "page.pem": 0o600}
    assert stat.S_IMODE(authority.folder.stat().st_mode) == 0o700
    assert b"PRIVATE KEY" in file.read_bytes()
    assert b"PRIVATE" not in authority.pem


def test_it_is_made_once_and_never_written_over(authority: Authority) -> None:
    before = {file.name: file.read_bytes() for file in authority.folder.iterdir()}
    again = make_authority(authority.folder, "other", NOW + timedelta(days=400), ["x.fritz.box"])
    assert (again.certificate, again.fingerprint) == (authority.certificate, authority.fingerprint)
    assert {file.name: file.read_bytes() for file in authority.folder.iterdir()} == before


def test_a_key_whose_certificate_was_never_written_gets_one(authority: Authority) -> None:
    key = (authority.folder / made.KEY_FILE).read_bytes()
    (authority.folder / made.CERTIFICATE_FILE).unlink()
    assert open_authority(authority.folder) is None
    again = make_authority(authority.folder, "pi", NOW)
    assert (authority.folder / made.KEY_FILE).read_bytes() == key
    assert again.certificate.public_key() == authority.key.public_key()


@pytest.mark.parametrize("lost", [made.KEY_FILE, made.CERTIFICATE_FILE])
def test_a_disk_that_is_full_leaves_no_half_of_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, lost: str) -> None:
    folder = tmp_path / "https"

    def link(source: Path, target: Path) -> None:
        if target.name == lost:
            raise OSError(errno.ENOSPC, "No space left on device")
        target.write_bytes(source.read_bytes())
        target.chmod(0o600)

    monkeypatch.setattr(made.os, "link", link)
    with pytest.raises(CertificateError, match="No space left"):
        make_authority(folder, "pi", NOW)
    assert open_authority(folder) is None
    assert not (folder / lost).exists() and not list(folder.glob("*.new"))
    monkeypatch.undo()
    assert make_authority(folder, "pi", NOW).certificate is not None


def test_what_the_certificates_say(authority: Authority) -> None:
    root, leaf = authority.certificate, page(vouch(authority, NAMES, ADDRESSES, NOW))
    assert authority.fingerprint == root.fingerprint(SHA256()).hex(":").upper()
    assert root.issuer == root.subject == leaf.issuer
    assert root.extensions.get_extension_for_class(x509.BasicConstraints).value == x509.BasicConstraints(True, 0)
    assert leaf.extensions.get_extension_for_class(x509.BasicConstraints).value == x509.BasicConstraints(False, None)
    constraints = root.extensions.get_extension_for_class(x509.NameConstraints)
    assert constraints.critical
    names = [one.value for one in constraints.value.permitted_subtrees or () if isinstance(one, x509.DNSName)]
    assert names == ["local", "localhost", "test", "lan", "internal", "home.arpa", "pi"]
    for each in (root, leaf):
        purposes = each.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
        assert list(purposes) == [ExtendedKeyUsageOID.SERVER_AUTH]
    assert made.last_day(root) == NOW + timedelta(days=3650)
    assert made.last_day(leaf) == NOW + timedelta(days=397), "devices take none for longer than 825 days"
    root.public_key().verify(leaf.signature, leaf.tbs_certificate_bytes, ec.ECDSA(SHA256()))


def test_the_page_gets_those_names_that_may_be_vouched_for(authority: Authority) -> None:
    public = ipaddress.ip_address("8.8.8.8")
    file = vouch(authority, (*NAMES, "VIEWMAT.local", "example.com", "pi.fritz.box"), (*ADDRESSES, public), NOW)
    assert names_of(file) == (list(NAMES), list(ADDRESSES))


def test_a_name_that_was_given_when_it_was_made(tmp_path: Path) -> None:
    authority = make_authority(tmp_path, "pi", NOW, ["Pi.Fritz.Box"])
    assert authority.may_vouch_for("pi.fritz.box") and not authority.may_vouch_for("other.fritz.box")


@needs_openssl
def test_openssl_trusts_the_page_and_nothing_else_of_that_key(authority: Authority, tmp_path: Path) -> None:
    leaf = vouch(authority, NAMES, ADDRESSES, NOW)
    for asked in (("-verify_hostname", "viewmat.local"), ("-verify_ip", "192.168.1.7"), ("-verify_ip", "fd00::7")):
        assert verified(authority.folder, leaf, *asked).endswith(": OK\n")
    assert "hostname mismatch" in verified(authority.folder, leaf, "-verify_hostname", "example.com")
    strange: tuple[x509.GeneralName, ...] = (
        x509.DNSName("example.com"), x509.DNSName("local.example.com"), x509.IPAddress(ipaddress.ip_address("8.8.8.8")),
        x509.IPAddress(ipaddress.ip_address("2001:db8::1")),
    )  # fmt: skip
    for name in strange:
        (tmp_path / "forged.pem").write_bytes(forged(authority, name).public_bytes(Encoding.PEM))
        assert "permitted subtree violation" in verified(authority.folder, tmp_path / "forged.pem")


@needs_openssl
def test_the_authority_makes_no_further_authorities(authority: Authority, tmp_path: Path) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([])
    below = (
        made._begun(name, authority.certificate.subject, key, NOW, 30)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(authority.key, SHA256())
    )
    under = made._begun(name, name, key, NOW, 30).add_extension(
        x509.SubjectAlternativeName([x509.DNSName("viewmat.local")]), critical=True
    )
    (tmp_path / "below.pem").write_bytes(below.public_bytes(Encoding.PEM))
    (tmp_path / "leaf.pem").write_bytes(under.sign(key, SHA256()).public_bytes(Encoding.PEM))
    command = ["openssl", "verify", "-CAfile", str(authority.folder / made.CERTIFICATE_FILE)]
    chain = ["-untrusted", str(tmp_path / "below.pem"), str(tmp_path / "leaf.pem")]
    done = subprocess.run([*command, *chain], capture_output=True, text=True, check=False)
    assert done.returncode != 0


def test_the_pages_certificate_is_kept_and_made_anew_when_it_must_be(authority: Authority) -> None:
    file = vouch(authority, NAMES, ADDRESSES, NOW)
    first = file.read_bytes()

    def changed(names: tuple[str, ...] = NAMES, addresses: tuple[Address, ...] = ADDRESSES, days: int = 0) -> bool:
        file.write_bytes(first)
        return vouch(authority, names, addresses, NOW + timedelta(days=days)).read_bytes() != first

    assert not changed() and not changed(addresses=ADDRESSES[::-1]) and not changed(days=330)
    assert changed(addresses=(*ADDRESSES[:-1], ipaddress.ip_address("10.0.0.3")))
    assert changed(names=NAMES[:-1])
    assert changed(days=340)
    assert changed(days=-3), "the clock was set back: nobody would take it"
    file.write_bytes(b"-----BEGIN CERTIFICATE-----\n")
    vouch(authority, NAMES, ADDRESSES, NOW)
    load_pem_private_key(file.read_bytes(), None)


def test_another_authoritys_certificate_is_not_kept(authority: Authority, tmp_path: Path) -> None:
    other = make_authority(tmp_path / "other", "pi", NOW)
    strange = vouch(other, NAMES, ADDRESSES, NOW).read_bytes()
    file = vouch(authority, NAMES, ADDRESSES, NOW)
    file.write_bytes(strange)
    assert vouch(authority, NAMES, ADDRESSES, NOW).read_bytes() != strange


def test_at_the_authoritys_own_end_nothing_lasts_longer(authority: Authority) -> None:
    late = NOW + timedelta(days=3620)
    file = vouch(authority, NAMES, ADDRESSES, late)
    assert made.last_day(page(file)) == made.last_day(authority.certificate)
    kept = file.read_bytes()
    assert vouch(authority, NAMES, ADDRESSES, late + timedelta(days=5)).read_bytes() == kept


def test_after_its_end_it_vouches_for_nothing(authority: Authority) -> None:
    with pytest.raises(CertificateError, match=r"the authority ended on .* run `viewmat https`, or set https_port = 0"):
        vouch(authority, NAMES, ADDRESSES, NOW + timedelta(days=3650))


def test_a_key_of_the_page_that_others_could_read_is_made_anew(authority: Authority, caplog: pytest.LogCaptureFixture) -> None:
    file = vouch(authority, NAMES, ADDRESSES, NOW)
    before = file.read_bytes()
    file.chmod(0o644)
    assert vouch(authority, NAMES, ADDRESSES, NOW).read_bytes() != before
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert "page.pem: others could read it" in caplog.text
    before = file.read_bytes()
    assert vouch(authority, NAMES, ADDRESSES, NOW).read_bytes() == before


def test_what_is_damaged_or_open_to_others_is_refused(authority: Authority, tmp_path: Path) -> None:
    key, certificate = authority.folder / made.KEY_FILE, authority.folder / made.CERTIFICATE_FILE
    key.chmod(0o640)
    with pytest.raises(CertificateError, match=r"authority.key: others may read it \(mode 0640\)"):
        open_authority(authority.folder)
    key.chmod(0o600)
    whole = key.read_bytes()
    key.write_bytes(b"nothing")
    with pytest.raises(CertificateError, match=r"authority\.key: is no private key in PEM form"):
        open_authority(authority.folder)
    key.write_bytes(made._pem_of(ec.generate_private_key(ec.SECP256R1())))
    with pytest.raises(CertificateError, match=r"authority\.crt: does not belong to the key"):
        open_authority(authority.folder)
    key.write_bytes(whole)
    certificate.write_bytes(b"nothing")
    with pytest.raises(CertificateError, match=r"authority\.crt: is no certificate in PEM form"):
        make_authority(authority.folder, "pi", NOW)
    key.unlink()
    with pytest.raises(CertificateError, match=r"authority\.key: cannot be read"):
        open_authority(authority.folder)
    (tmp_path / "file").write_text("")
    with pytest.raises(CertificateError, match="cannot be written"):
        make_authority(tmp_path / "file" / "https", "pi", NOW)


def test_a_clock_that_was_never_set_makes_none(tmp_path: Path) -> None:
    with pytest.raises(CertificateError, match="the clock shows 1970-01-02 and has never been set"):
        make_authority(tmp_path / "https", "pi", datetime(1970, 1, 2, tzinfo=UTC))
    assert not (tmp_path / "https").exists()


def test_this_machines_names_and_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    found = own_addresses()
    assert {ipaddress.ip_address("127.0.0.1"), ipaddress.ip_address("::1")} <= set(found)
    assert all(int(one) > 0xFFFF or one.version == 6 for one in found)
    assert found == tuple(sorted(set(found), key=lambda one: (one.version, int(one))))
    for told, name in (("Table.lan", "table"), ("my_table", "viewmat"), ("", "viewmat"), ("-x", "viewmat"), ("pi5", "pi5")):
        monkeypatch.setattr("socket.gethostname", lambda told=told: told)
        assert host_name() == name
