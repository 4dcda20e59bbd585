"""The settings of Mosquitto: who may log in, and what each may read and write."""

from __future__ import annotations

import tomllib
from ipaddress import ip_address
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from cryptography import x509

from firmware.bus.broker import Table, acl, password_line, read_tables, with_table, write_broker
from firmware.bus.link import CERTIFICATE, trusting
from firmware.cli import main
from firmware.errors import BusError, SettingsError
from firmware.settings_node import load_node

LISTED = """\
user club
topic read viewmat/+/public/#
topic read viewmat/+/hub
topic readwrite viewmat/club/#

user display
topic read viewmat/+/public/#
topic read viewmat/+/hub
topic read viewmat/club/#

user hub-red
topic readwrite viewmat/red/hub/#
topic write viewmat/red/public/#
topic write viewmat/red/to/#
topic read viewmat/red/node/#
topic read viewmat/red/camera/#
topic read viewmat/club/#

user node-red-left
topic write viewmat/red/node/left/#
topic write viewmat/red/camera/left
topic read viewmat/red/to/left/#
topic read viewmat/red/hub
"""


def test_nobody_reads_cameras_but_the_hub_and_no_node_writes_for_another() -> None:
    assert acl([Table("red", ("left",))]) == LISTED


def test_a_password_is_kept_as_mosquitto_wants_it() -> None:
    line = password_line("a", "secret", bytes(12))
    head, derived = line.rsplit("$", 1)
    assert (head, len(derived)) == ("a:$7$20000$AAAAAAAAAAAAAAAA", 88)
    assert "secret" not in line


def passwords(folder: Path) -> dict[str, str]:
    found = [tomllib.loads(path.read_text()).get("broker") for path in folder.glob("*.toml")]
    return {part["user"]: part["password"] for part in found if part}


def test_who_had_a_password_keeps_it_and_nobody_else_may_read_the_files(tmp_path: Path) -> None:
    first = write_broker(tmp_path, [Table("red", ("left",))], 1883, "", "hub.local")
    assert first.new == ("club", "display", "hub-red", "node-red-left")
    before = passwords(tmp_path)
    again = with_table(read_tables(tmp_path), "red", ("right", "left"))
    assert again == (Table("red", ("left", "right")),)
    second = write_broker(tmp_path, again, 1883, "", "hub.local")
    assert second.new == ("node-red-right",)
    after = passwords(tmp_path)
    assert {user: after[user] for user in before} == before
    assert len(set(after.values())) == 5
    assert {path.stat().st_mode & 0o777 for path in second.files} == {0o600}


def test_a_nodes_file_is_one_that_the_node_takes(tmp_path: Path) -> None:
    told = ["broker", "--folder", str(tmp_path), "--table", "red", "--node", "left", "--address", "pi"]
    answer = CliRunner().invoke(main, told)
    assert answer.exit_code == 0, answer.output
    settings = load_node(tmp_path / "node-red-left.toml")
    assert (settings.name, settings.table, settings.pins, settings.camera.kind) == ("left", "red", "N", "picamera2")
    assert repr(settings.broker.broker()) == "Broker(node-red-left@pi:1883)"
    assert settings.broker.password not in answer.output
    assert settings.broker.password not in repr(settings)


@pytest.mark.parametrize("name", ["Left", "a/b", "#"])
def test_a_name_that_cannot_stand_in_a_topic_is_refused(name: str, tmp_path: Path) -> None:
    answer = CliRunner().invoke(main, ["broker", "--folder", str(tmp_path / "x"), "--node", name])
    assert answer.exit_code == 1
    assert f"node {name!r}: 1 to 32 small letters, digits and hyphens are expected" in answer.output
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--table", "club"], "table 'club': this name is taken by the program; another one is expected"),
        (["--node", "hub"], "node 'hub': this name is taken by the program; another one is expected"),
        (["--address", 'x"y'], "address 'x\"y': the name or the number of a machine is expected"),
        (["--listen", "a\nb"], "listen 'a\\nb': the name or the number of a machine is expected"),
    ],
)
def test_what_would_spoil_the_files_is_refused_before_any_is_written(arguments: list[str], said: str, tmp_path: Path) -> None:
    answer = CliRunner().invoke(main, ["broker", "--folder", str(tmp_path / "x"), *arguments])
    assert (answer.exit_code, said in answer.output) == (1, True), answer.output
    assert not (tmp_path / "x").exists()


def test_two_nodes_are_never_one_user(tmp_path: Path) -> None:
    tables = (Table("red", ("2-left",)), Table("red-2", ("left",)))
    with pytest.raises(BusError) as refused:
        write_broker(tmp_path / "x", tables, 1883, "", "pi")
    assert str(refused.value) == (
        "node 2-left of table red and node left of table red-2 would both be the user node-red-2-left; "
        "give one of them another name"
    )


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "tables.toml").write_text("red = 3")
    with pytest.raises(BusError, match=r"tables\.toml: cannot be read"):
        read_tables(tmp_path)


# ---- encrypted -----------------------------------------------------------------------------------------------------------


def ordered(folder: Path, *more: str) -> Result:
    return CliRunner().invoke(main, ["broker", "--folder", str(folder), "--table", "red", "--node", "left", *more])


def test_an_encrypted_broker_gives_its_certificate_to_everybody_and_stays_encrypted(tmp_path: Path) -> None:
    assert ordered(tmp_path, "--encrypted", "--address", "192.168.1.5").exit_code == 0
    before = load_node(tmp_path / "node-red-left.toml").broker
    assert (before.port, before.ca.splitlines()[0]) == (8883, CERTIFICATE)
    assert trusting(before.broker().ca).cert_store_stats()["x509_ca"] == 1
    lines = (tmp_path / "mosquitto.conf").read_text().splitlines()
    page = tmp_path / "authority" / "page.pem"
    assert (lines[0], lines[-2:]) == ("listener 8883", [f"certfile {page}", f"keyfile {page}"])
    certificate = x509.load_pem_x509_certificate(page.read_bytes())
    names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert ip_address("192.168.1.5") in names.get_values_for_type(x509.IPAddress)
    assert ordered(tmp_path, "--node", "right", "--address", "192.168.1.6").exit_code == 0
    assert {load_node(tmp_path / f"node-red-{name}.toml").broker.ca for name in ("left", "right")} == {before.ca}


@pytest.mark.parametrize("address", ["8.8.8.8", "broker.example.org"])
def test_an_authority_vouches_for_no_address_that_it_was_not_made_for(tmp_path: Path, address: str) -> None:
    ordered(tmp_path, "--encrypted", "--address", "192.168.1.5")
    found = ordered(tmp_path, "--address", address)
    assert found.exit_code == 1
    assert f"address '{address}': the authority in {tmp_path / 'authority'} vouches for" in found.output


def test_a_name_of_ones_own_network_is_taken_when_the_authority_is_made(tmp_path: Path) -> None:
    assert ordered(tmp_path, "--encrypted", "--address", "Pi.fritz.box").exit_code == 0
    assert ordered(tmp_path, "--address", "pi.fritz.box").exit_code == 0


@pytest.mark.parametrize("text", [f"{CERTIFICATE}\n{'n' * 900}\n-----END CERTIFICATE-----\n", CERTIFICATE])
def test_a_certificate_that_is_none_is_named_and_not_quoted_whole(tmp_path: Path, text: str) -> None:
    ordered(tmp_path)
    file = tmp_path / "node-red-left.toml"
    file.write_text(file.read_text() + f'ca = """\n{text}"""\n')
    broker = load_node(file).broker
    with pytest.raises(SettingsError, match=r"broker\.ca = .*certificate is expected") as refused:
        broker.broker()
    assert len(str(refused.value)) < 250
