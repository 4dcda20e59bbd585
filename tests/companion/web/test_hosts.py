"""Names under which the page is answered."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from companion.web import create_app
from companion.web.gate import Access
from companion.web.hosts import is_loopback, is_own, outside
from tests.companion.tables import FakeSitting

OWN = (
    "localhost", "localhost:8080", "LOCALHOST.", "viewmat", "raspberrypi:8080", "viewmat.local", "pi.lan:8080", "table.test",
    "pi.home.arpa", "a.b.internal", "192.168.1.7", "192.168.1.7:8080", "127.0.0.1", "[::1]:8080", "[fe80::1%25eth0]:8080",
)  # fmt: skip
STRANGE = (
    "evil.example", "evil.example:8080", "192.168.1.7.evil.example", "localhost.evil.example", "viewmat.local.evil.example",
    "xlocal.example", "raspberrypi.fritz.box", "1.2.3", "", ":8080", "a b", "user@localhost", "localhost/evil",
    "user@localhost:80", "localhost:port", "[::1", "evil.example#.local", "evil.example?.local", "evil.example\\.local",
)  # fmt: skip


@pytest.mark.parametrize("host", OWN)
def test_an_own_name(host: str) -> None:
    assert is_own(host)


@pytest.mark.parametrize("host", STRANGE)
def test_a_name_that_somebody_else_may_own(host: str) -> None:
    assert not is_own(host)


def test_a_name_that_was_set_up() -> None:
    assert is_own("pi.fritz.box:8080", ("Pi.Fritz.Box",))
    assert not is_own("other.fritz.box", ("pi.fritz.box",))


def test_what_other_machines_have_to_write() -> None:
    assert [is_loopback(host) for host in ("localhost:80", "127.0.0.53", "[::1]:80", "192.168.1.7", "pi.local")] == [
        True, True, True, False, False,
    ]  # fmt: skip
    assert outside("localhost:8080", "192.168.1.7") == "192.168.1.7:8080"
    assert outside("localhost:8080", None) == "localhost:8080"
    assert outside("pi.local:8080", "192.168.1.7") == "pi.local:8080"


@pytest.mark.parametrize("address", ["/", "/state.json", "/events", "/static/table.css", "/join", "/nowhere"])
def test_a_rebound_name_reads_nothing(client: FlaskClient, address: str) -> None:
    answer = client.get(address, headers={"Host": "evil.example:8080"})
    assert (answer.status_code, answer.json["error"]) == (421, "other_host")
    assert answer.json["message"].startswith("The table does not go by this name. Open it by its number")


def test_a_rebound_name_taps_nothing(client: FlaskClient, sitting: FakeSitting) -> None:
    headers = {"Host": "evil.example:8080", "Origin": "http://evil.example:8080", "Sec-Fetch-Site": "same-origin"}
    assert client.post("/call", json={"name": "pause"}, headers=headers).status_code == 421
    assert sitting.posted == []


def test_a_name_of_the_settings_is_answered(sitting: FakeSitting) -> None:
    client = create_app(sitting, access=Access(names=("table.example",))).test_client()
    assert client.get("/", headers={"Host": "table.example:8080"}).status_code == 200
