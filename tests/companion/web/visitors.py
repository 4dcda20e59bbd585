"""Clients of a page in every role."""

from __future__ import annotations

from flask import Flask
from flask.testing import FlaskClient

from companion.keyring import Keyring
from companion.views import Role
from companion.web.gate import Access, Gate, Preset


def keyring_of(app: Flask) -> Keyring:
    gate: Gate = app.extensions["viewmat_gate"]
    return gate.access.keyring


def club() -> Access:
    """A club's table without a file."""
    return Access(Preset.CLUB, Keyring(), address=lambda: "192.168.1.7")


def home() -> Access:
    return Access(Preset.HOME, Keyring(), address=lambda: "192.168.1.7")


def secret_for(app: Flask, role: Role, seat: int | None = None, name: str = "") -> str:
    """What a phone or screen of this role shows."""
    ring = keyring_of(app)
    if role is Role.SEAT:
        return ring.join(ring.invite(role, seat, name))[0]
    return ring.admit(role)[0]


def client_of(app: Flask, role: Role, seat: int | None = None) -> FlaskClient:
    """A browser in this role.  A spectator is one whose secret counts no more; that is one at home as well as in a club."""
    client = app.test_client()
    secret = "nobody's" if role is Role.SPECTATOR else secret_for(app, role, seat)
    client.set_cookie("viewmat", secret)
    return client
