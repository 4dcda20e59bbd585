"""Settings for Mosquitto: who may log in, and who may read and write which topic.  What the broker can do is left to it."""

from __future__ import annotations

import base64
import hashlib
import os
import re
import secrets
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from firmware.bus.encryption import Encryption
from firmware.bus.messages import LARGEST
from firmware.bus.topics import HUBS, PUBLIC, ROOT, checked_name
from firmware.errors import BusError
from firmware.settingspart import HOST

ITERATIONS = 20_000
"""Of PBKDF2; the passwords are random and long, so that nobody guesses them anyway."""
CLUB, DISPLAY = "club", "display"
"""Users that belong to no table."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table of the broker and its nodes, by their names."""

    name: str
    nodes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        checked_name(self.name, "table")
        for node in self.nodes:
            checked_name(node, "node")


def hub_user(table: str) -> str:
    return f"hub-{table}"


def node_user(table: str, node: str) -> str:
    return f"node-{table}-{node}"


def acl(tables: Sequence[Table]) -> str:
    """The broker's list of rights.  Whatever stands on no line is refused."""
    lines = [
        f"user {CLUB}", f"topic read {PUBLIC}", f"topic read {HUBS}", f"topic readwrite {ROOT}/club/#", "",
        f"user {DISPLAY}", f"topic read {PUBLIC}", f"topic read {HUBS}", f"topic read {ROOT}/club/#", "",
    ]  # fmt: skip
    for table in tables:
        root = f"{ROOT}/{table.name}"
        lines += [
            f"user {hub_user(table.name)}", f"topic readwrite {root}/hub/#", f"topic write {root}/public/#",
            f"topic write {root}/to/#", f"topic read {root}/node/#", f"topic read {root}/camera/#",
            f"topic read {ROOT}/club/#", "",
        ]  # fmt: skip
        for node in table.nodes:
            lines += [
                f"user {node_user(table.name, node)}", f"topic write {root}/node/{node}/#", f"topic write {root}/camera/{node}",
                f"topic read {root}/to/{node}/#", f"topic read {root}/hub", "",
            ]  # fmt: skip
    return "\n".join(lines)


def users(tables: Sequence[Table]) -> tuple[str, ...]:
    """Everybody who may log in."""
    own = [name for table in tables for name in (hub_user(table.name), *(node_user(table.name, node) for node in table.nodes))]
    return (CLUB, DISPLAY, *own)


def _check_users(tables: Sequence[Table]) -> None:
    """Hyphens may stand in both names: node ``2-left`` of table ``red`` and node ``left`` of table ``red-2`` have one user."""
    owners: dict[str, str] = {}
    for table in tables:
        for node in table.nodes:
            user, owner = node_user(table.name, node), f"node {node} of table {table.name}"
            if user in owners:
                raise BusError(f"{owners[user]} and {owner} would both be the user {user}; give one of them another name")
            owners[user] = owner


def password_line(user: str, password: str, salt: bytes) -> str:
    """A line of the broker's password file: PBKDF2 with SHA-512, as mosquitto_passwd writes it."""
    derived = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, ITERATIONS)
    return f"{user}:$7${ITERATIONS}${base64.b64encode(salt).decode()}${base64.b64encode(derived).decode()}"


def configuration(folder: Path, port: int, host: str = "", certificate: Path | None = None) -> str:
    """mosquitto.conf.  Nothing is kept on disk: hidden cards may wait for the hub, and clients bring all state."""
    lines = [
        f"listener {port}{f' {host}' if host else ''}", "allow_anonymous false", f"password_file {folder / 'passwords'}",
        f"acl_file {folder / 'acl'}", "persistence false", f"max_packet_size {LARGEST + 1000}", "max_queued_messages 2000",
        "max_inflight_messages 20", "persistent_client_expiration 1h", "connection_messages false",
    ]  # fmt: skip
    if certificate is not None:
        lines += [f"certfile {certificate}", f"keyfile {certificate}"]
    return "\n".join(lines) + "\n"


def checked_address(given: str, what: str = "address") -> str:
    """The name or the number of a machine; raise `BusError` for anything else."""
    if not re.fullmatch(HOST, given):
        raise BusError(f"{what} {given!r}: the name or the number of a machine is expected")
    return given


@dataclass(frozen=True, slots=True)
class Written:
    """What was written, and for whom."""

    files: tuple[Path, ...]
    new: tuple[str, ...]
    """Users that had no password before."""


def write_broker(
    folder: Path, tables: Sequence[Table], port: int, host: str, address: str, encryption: Encryption | None = None
) -> Written:  # fmt: skip
    """Write the broker's files and one file for each hub and node into `folder`; who had a password keeps it.

    `address` is how nodes reach the broker, and `encryption` what they know it by.  Raise `BusError` where the folder cannot be
    written, or two would be one user.
    """
    checked_address(address)
    if host:
        checked_address(host, "listen")
    _check_users(tables)
    known = _passwords(folder)
    everybody = users(tables)
    passwords = {user: known.get(user) or secrets.token_urlsafe(18) for user in everybody}
    lines = [password_line(user, password, secrets.token_bytes(12)) for user, password in passwords.items()]
    files = {
        "mosquitto.conf": configuration(folder, port, host, encryption.certificate if encryption else None),
        "passwords": "\n".join(lines) + "\n", "acl": acl(tables),
        "tables.toml": _tables_text(tables),
    }  # fmt: skip
    logins = {user: _broker_text(address, port, user, passwords[user], encryption) for user in everybody}
    for table in tables:
        files[f"hub-{table.name}.toml"] = _hub_text(table, logins[hub_user(table.name)])
        for node in table.nodes:
            files[f"node-{table.name}-{node}.toml"] = _node_text(table, node, logins[node_user(table.name, node)])
    files |= {f"{user}.toml": logins[user] for user in (CLUB, DISPLAY)}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            _write(folder / name, text)
    except OSError as error:
        raise BusError(f"{folder}: cannot be written: {error.strerror}") from error
    return Written(tuple(folder / name for name in files), tuple(user for user in everybody if user not in known))


def _write(path: Path, text: str) -> None:
    """Whole or not at all, and for nobody else to read."""
    fresh = path.with_name(f".{path.name}.new")
    with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
        file.write(text)
    fresh.replace(path)


def _passwords(folder: Path) -> dict[str, str]:
    """The passwords that stand in the files of hubs and nodes of an earlier run."""
    found = {}
    for path in sorted(folder.glob("*.toml")):
        try:
            part = tomllib.loads(path.read_text(encoding="utf-8")).get("broker", {})
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            raise BusError(f"{path}: cannot be read: {error}") from error
        if isinstance(part, dict) and part.get("user"):
            found[str(part["user"])] = str(part.get("password", ""))
    return found


def read_tables(folder: Path) -> tuple[Table, ...]:
    """The tables of an earlier run; raise `BusError` where their file cannot be read."""
    path = folder / "tables.toml"
    if not path.exists():
        return ()
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
        return tuple(Table(name, tuple(nodes)) for name, nodes in found.items())
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, TypeError) as error:
        raise BusError(f"{path}: cannot be read: {error}") from error


def with_table(tables: Sequence[Table], name: str, nodes: Sequence[str]) -> tuple[Table, ...]:
    """With these nodes at the table `name`, beside those that it has."""
    known = {table.name: table for table in tables}
    before = known.get(name, Table(name)).nodes
    known[name] = Table(name, tuple(dict.fromkeys((*before, *nodes))))
    return tuple(known.values())


def _tables_text(tables: Sequence[Table]) -> str:
    return "".join(f"{table.name} = [{', '.join(_quoted(node) for node in table.nodes)}]\n" for table in tables)


def _quoted(text: str) -> str:
    return f'"{text}"'


def _broker_text(address: str, port: int, user: str, password: str, encryption: Encryption | None) -> str:
    ca = f'ca = """\n{encryption.ca}"""\n' if encryption else ""
    return f'[broker]\nhost = "{address}"\nport = {port}\nuser = "{user}"\npassword = "{password}"\n{ca}'


def _hub_text(table: Table, login: str) -> str:
    return f'# For table.toml.\n[bus]\ntable = "{table.name}"\n\n{login}'


def _node_text(table: Table, node: str, login: str) -> str:
    head = f'# node.toml of this mat\'s computer.\nname = "{node}"\ntable = "{table.name}"\npins = "N"\n\n'
    return f'{head}[camera]\nkind = "picamera2"\nmirror = true\n\n{login}'
