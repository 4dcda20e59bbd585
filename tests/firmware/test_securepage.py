"""The secure page over real TLS: streams, large answers, both ports at once, and what is refused."""

from __future__ import annotations

import http.client
import os
import re
import resource
import signal
import socket
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
from click.testing import CliRunner
from flask import Flask, Response

from companion.views import Role
from companion.web import create_app
from companion.web.gate import Access, open_to
from companion.web.install import CERTIFICATE, create_guide_app, install_pages
from companion.web.ports import Ports, with_port
from companion.web.serve import PATIENCE
from firmware import authority as made
from firmware.authority import Authority, make_authority, open_authority
from firmware.cli import main
from firmware.securepage import all_addresses, authority_folder, served_both, this_authority, usable_authority
from firmware.tlsfront import CONNECTIONS
from tests.companion import tables
from tests.companion.tables import FakeSitting
from tests.companion.web.visitors import club, home, secret_for

ROOT = Path(__file__).parent.parent.parent
NOW = datetime.now(UTC)


@pytest.fixture
def authority(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Authority:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return make_authority(authority_folder(), "pi", NOW)


def app_of(sitting: FakeSitting, authority: Authority | None, access: Access | None = None) -> Flask:
    return create_app(sitting, [install_pages(authority)], access=access)


@contextmanager
def both(app: Flask, authority: Authority | None) -> Iterator[Ports]:
    with served_both(app, "127.0.0.1", 0, authority) as ports:
        yield ports


def trusting(authority: Authority) -> ssl.SSLContext:
    """A device that has installed the authority's certificate."""
    context = ssl.create_default_context(cadata=authority.pem.decode())
    assert len(context.get_ca_certs()) == 1
    return context


def connection(authority: Authority, port: int, name: str = "viewmat.local") -> ssl.SSLSocket:
    raw = socket.create_connection(("127.0.0.1", port), timeout=20)
    try:
        return trusting(authority).wrap_socket(raw, server_hostname=name)
    except BaseException:
        raw.close()
        raise


class Visit(http.client.HTTPSConnection):
    """A browser that goes to ``viewmat.local``."""

    def __init__(self, authority: Authority, port: int) -> None:
        super().__init__("viewmat.local", port, timeout=20, context=trusting(authority))
        self._authority = authority

    def connect(self) -> None:
        self.sock = connection(self._authority, self.port or 443)

    def asked(self, method: str, path: str, body: bytes | None = None, **headers: str) -> tuple[int, bytes, Any]:
        self.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
        answer = self.getresponse()
        return answer.status, answer.read(), answer.headers


def test_a_device_that_trusts_the_authority_gets_the_page(authority: Authority) -> None:
    with both(app_of(FakeSitting(), authority), authority) as ports:
        assert ports.secure is not None and ports.secure != ports.plain
        for name in ("viewmat.local", "127.0.0.1", "localhost"):
            with closing(connection(authority, ports.secure, name)) as line:
                assert line.version() in ("TLSv1.2", "TLSv1.3")
        with closing(Visit(authority, ports.secure)) as visit:
            status, page, headers = visit.asked("GET", "/")
            assert status == 200 and b'rel="manifest"' in page and "manifest-src 'self'" in headers["Content-Security-Policy"]
            status, told, headers = visit.asked("GET", "/app.webmanifest")
            assert (status, headers["Content-Type"]) == (200, "application/manifest+json") and b'"standalone"' in told
            status, _, headers = visit.asked("GET", "/worker.js")
            assert status == 200 and headers["Content-Type"].startswith("text/javascript")
        with pytest.raises(ssl.SSLCertVerificationError), socket.create_connection(("127.0.0.1", ports.secure)) as raw:
            ssl.create_default_context().wrap_socket(raw, server_hostname="viewmat.local")
        with pytest.raises(ssl.SSLCertVerificationError):
            connection(authority, ports.secure, "example.com")


def test_the_plain_page_has_nothing_that_needs_the_other(authority: Authority) -> None:
    client = app_of(FakeSitting(), authority).test_client()
    assert b"manifest" not in client.get("/").data and b"app.js" not in client.get("/").data
    for path in ("/app.webmanifest", "/worker.js"):
        assert client.get(path).status_code == 404


def test_a_stream_passes_at_once_and_ends_with_the_server(authority: Authority) -> None:
    sitting = FakeSitting()
    with both(app_of(sitting, authority), authority) as ports:
        assert ports.secure is not None
        line = connection(authority, ports.secure)
        line.sendall(b"GET /events HTTP/1.1\r\nHost: viewmat.local\r\n\r\n")
        stream = line.makefile("rb")
        for view in (None, tables.stolen(), tables.won()):
            if view is not None:
                sitting.show(view)
            told = next(part for part in stream if part.startswith(b"data: {"))
            assert f'"version": {sitting.shown.version},'.encode() in told, "each comes before the next one is there"
    assert [part for part in stream if part.startswith(b"data: {")] == [], "the connection has ended"
    stream.close()
    line.close()


def test_large_answers_pass_whole_and_a_slow_reader_holds_nobody_up(authority: Authority) -> None:
    app = app_of(FakeSitting(), authority)
    large = bytes(range(256)) * 40_000

    @open_to(tuple(Role))
    def download() -> Response:
        return Response(large, mimetype="application/octet-stream")

    app.add_url_rule("/large", view_func=download)
    with both(app, authority) as ports:
        assert ports.secure is not None
        with closing(connection(authority, ports.secure)) as slow:
            slow.sendall(b"GET /large HTTP/1.1\r\nHost: viewmat.local\r\n\r\n")
            assert slow.recv(10) == b"HTTP/1.1 2"
            with closing(Visit(authority, ports.secure)) as visit:
                assert visit.asked("GET", "/large")[:2] == (200, large)
                assert visit.asked("GET", "/state.json")[0] == 200


def test_what_is_no_tls_is_turned_away_and_others_go_on(authority: Authority, caplog: pytest.LogCaptureFixture) -> None:
    with both(app_of(FakeSitting(), authority), authority) as ports:
        assert ports.secure is not None
        with closing(socket.create_connection(("127.0.0.1", ports.secure), timeout=20)) as plain:
            plain.sendall(b"GET /?secret HTTP/1.1\r\nHost: viewmat.local\r\n\r\n")
            assert b"200" not in plain.recv(1000)
        with closing(socket.create_connection(("127.0.0.1", ports.secure), timeout=20)):
            pass
        half = connection(authority, ports.secure)
        half.sendall(b"GET / HT")
        half.close()
        with closing(Visit(authority, ports.secure)) as visit:
            assert visit.asked("GET", "/state.json")[0] == 200
    assert "secret" not in caplog.text


def test_posts_come_from_the_pages_own_scheme(authority: Authority) -> None:
    sitting = FakeSitting()
    with both(app_of(sitting, authority, home()), authority) as ports:
        assert ports.secure is not None
        with closing(Visit(authority, ports.secure)) as visit:

            def pause(origin: str) -> int:
                body = b'{"name": "pause"}'
                return visit.asked("POST", "/call", body, Content_Type="application/json", Origin=origin)[0]

            here = f"viewmat.local:{ports.secure}"
            assert pause(f"https://{here}") == 200
            assert [pause(origin) for origin in (f"http://{here}", f"http://viewmat.local:{ports.plain}", "null")] == [403] * 3
            assert visit.asked("GET", "/", Host="evil.example")[0] == 421
    assert len(sitting.posted) == 1


def test_links_for_phones_lead_to_the_plain_page_by_either_way(authority: Authority) -> None:
    with both(app_of(FakeSitting(), authority, home()), authority) as ports:
        assert ports.secure is not None
        with closing(Visit(authority, ports.secure)) as visit:
            for host, shown in (
                (f"viewmat.local:{ports.secure}", f"viewmat.local:{ports.plain}"),
                (f"10.0.0.3:{ports.secure}", f"10.0.0.3:{ports.plain}"),
                (f"localhost:{ports.secure}", f"192.168.1.7:{ports.plain}"),
                (f"[fd00::7]:{ports.secure}", f"[fd00::7]:{ports.plain}"),
            ):
                _, told, _ = visit.asked("POST", "/link", b'{"seat": 1}', Content_Type="application/json", Host=host)
                assert f'"link":"http://{shown}/join#'.encode() in told
                _, guide, _ = visit.asked("GET", "/install", Host=host)
                assert f"http://{shown}/install".encode() in guide
                assert f"https://{host}/".encode() in guide
    assert [with_port("pi.local:80", 443, 443), with_port("[::1]", 8443, 443)] == ["pi.local", "[::1]:8443"]


def cookies_of(headers: Any) -> dict[str, str]:
    parts = [line.split(";") for line in headers.get_all("Set-Cookie") or ()]
    return {part[0].split("=")[0]: ";".join(part) for part in parts}


def test_a_role_of_the_plain_page_counts_on_the_secure_one(authority: Authority) -> None:
    app = app_of(FakeSitting(), authority, club())
    ben, stale = secret_for(app, Role.SEAT, 1), "x" * 22
    with both(app, authority) as ports:
        assert ports.secure is not None
        with closing(Visit(authority, ports.secure)) as visit:

            def role(cookie: str) -> bytes:
                told = visit.asked("GET", "/state.json", Cookie=cookie)[1]
                return told.split(b'"role": "')[1].split(b'"')[0]

            assert role(f"viewmat-language=de; viewmat-{ports.plain}={ben}") == b"seat-1"
            assert role(f"viewmat-9={stale}; viewmat={ben}") == b"seat-1", "another table's cookie is no hindrance"
            assert role(f"viewmat-{ports.plain}={stale}") == b"spectator"
            referee = secret_for(app, Role.REFEREE)
            assert role(f"viewmat-{ports.plain}={ben}; viewmat-{ports.secure}={referee}") == b"referee", "its own comes first"
            status, _, headers = visit.asked(
                "POST", "/leave", b"{}", Content_Type="application/json", Cookie=f"viewmat-{ports.plain}={ben}"
            )
            assert status == 200
            taken = cookies_of(headers)
            assert set(taken) == {f"viewmat-{ports.plain}", f"viewmat-{ports.secure}"}
            assert role(f"viewmat-{ports.plain}={ben}") == b"spectator", "who leaves has left both"


def test_a_role_that_is_given_on_the_secure_page_stays_there(authority: Authority) -> None:
    app = app_of(FakeSitting(), authority, home())
    token = app.extensions["viewmat_gate"].access.keyring.invite(Role.SEAT, 1, "Ben")
    with both(app, authority) as ports:
        assert ports.secure is not None
        with closing(Visit(authority, ports.secure)) as visit:
            body = f'{{"token": "{token}"}}'.encode()
            status, _, headers = visit.asked("POST", "/join", body, Content_Type="application/json")
    (cookie,) = cookies_of(headers).values()
    assert status == 200 and cookie.startswith(f"viewmat-{ports.secure}=")
    assert "Secure" in cookie and "HttpOnly" in cookie and "SameSite=Strict" in cookie


def test_only_the_certificate_is_given_out(authority: Authority) -> None:
    client = app_of(FakeSitting(), authority).test_client()
    answer = client.get(CERTIFICATE)
    assert (answer.data, answer.mimetype) == (authority.pem, "application/x-x509-ca-cert")
    page = client.get("/install").get_data(as_text=True)
    assert all(f"<span>{pair}</span>" in page for pair in authority.fingerprint.split(":"))
    phone = client.get("/install", headers={"User-Agent": "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)"})
    assert '<details id="ios" name="device" open>' in phone.get_data(as_text=True)
    secret = (authority.folder / made.KEY_FILE).read_text().splitlines()[1]
    for rule in ("/install", CERTIFICATE, "/install/authority.key", "/static/../authority.key"):
        assert secret not in client.get(rule).get_data(as_text=True)
    without = app_of(FakeSitting(), None).test_client()
    assert without.get(CERTIFICATE).status_code == 404
    assert "<code>viewmat https</code> makes it possible" in without.get("/install").get_data(as_text=True)


def test_there_is_room_for_all_connections(authority: Authority) -> None:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (512, before[1]))
        with both(app_of(FakeSitting(), authority), authority):
            soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
            wanted = 2 * PATIENCE.connections + 2 * CONNECTIONS
            assert soft >= min(wanted, hard if hard != resource.RLIM_INFINITY else wanted)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


def test_without_an_authority_there_is_the_plain_page_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert this_authority() is None
    with both(app_of(FakeSitting(), None), None) as ports:
        assert ports == Ports(ports.plain, None)
        assert all_addresses("0.0.0.0", ports)[-1] == f"http://localhost:{ports.plain}/"
    assert all_addresses("10.0.0.1", Ports(80, 443)) == ("http://10.0.0.1:80/", "https://10.0.0.1/")


def test_a_secure_page_that_cannot_be_keeps_no_table_from_playing(authority: Authority, caplog: pytest.LogCaptureFixture) -> None:
    for damaged in (authority.folder.glob("page*")):
        damaged.unlink()
    (authority.folder / "page.pem").mkdir()
    with both(app_of(FakeSitting(), authority), authority) as ports:
        assert ports == Ports(ports.plain, None)
    assert "there is no secure page: " in caplog.text
    (authority.folder / "authority.crt").write_text("half")
    assert usable_authority() is None


def test_a_port_that_is_taken_is_said_and_the_plain_page_goes_on(authority: Authority, caplog: pytest.LogCaptureFixture) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        expected = f"port {port} of 127.0.0.1 cannot be had for the secure page: Address already in use; choose another"
        with served_both(app_of(FakeSitting(), authority), "127.0.0.1", 0, authority, port) as ports:
            assert ports == Ports(ports.plain, None)
            with closing(urlopen(f"http://127.0.0.1:{ports.plain}/", timeout=20)) as answer:
                assert answer.status == 200
    assert f"there is no secure page: {expected}" in caplog.text


def test_the_guide_stands_by_itself(authority: Authority) -> None:
    client = create_guide_app(authority).test_client()
    assert client.get("/").headers["Location"] == "/install"
    page = client.get("/install", headers={"Accept-Language": "hu"}).get_data(as_text=True)
    assert "Telepítés alkalmazásként" in page and 'href="/"' not in page
    assert client.get(CERTIFICATE).data == authority.pem
    assert client.get("/state.json", headers={"Accept": "text/html"}).status_code == 404
    assert client.get("/install", headers={"Host": "evil.example"}).status_code == 421


def test_a_real_table_is_served_by_both_ways(tmp_path: Path) -> None:
    """As in `docs/secure-page.md`: `viewmat https`, then `viewmat run`, which tells both addresses."""
    environment = {**os.environ, "XDG_DATA_HOME": str(tmp_path), "PYTHONUNBUFFERED": "1"}
    (tmp_path / "table.toml").write_text("".join(f'[[seat]]\nname = "{name}"\n' for name in ("Ann", "Bob", "Cid")))
    viewmat = [sys.executable, "-m", "firmware"]
    subprocess.run([*viewmat, "https", "--no-guide"], cwd=ROOT, env=environment, check=True, capture_output=True)
    command = [*viewmat, "run", "--port", "0", "--config", str(tmp_path / "table.toml")]
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as table:
        assert table.stdout is not None
        ports: dict[str, int] = {}
        for line in table.stdout:
            if found := re.match(r"The table is at (https?)://.*?:(\d+)/", line):
                ports[found[1]] = int(found[2])
            if "Stop with" in line:
                break
        authority = open_authority(tmp_path / "viewmat" / "https")
        assert authority is not None
        with closing(Visit(authority, ports["https"])) as visit:
            assert visit.asked("GET", "/state.json")[0] == 200
        table.send_signal(signal.SIGTERM)
        assert table.wait(30) == 0


# ---- the command ---------------------------------------------------------------------------------------------------


def test_the_command_makes_it_once_and_shows_the_fingerprint(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr("firmware.commands.https.host_name", lambda: "pi")
    first = CliRunner().invoke(main, ["https", "--no-guide", "--name", "pi.fritz.box"])
    authority = this_authority()
    assert first.exit_code == 0 and authority is not None, first.output
    assert f"Made the table's authority in {tmp_path}/viewmat/https." in first.output
    assert authority.fingerprint.replace(":", "") in first.output.replace(" ", "").replace("\n", "")
    assert authority.may_vouch_for("pi.fritz.box")
    again = CliRunner().invoke(main, ["https", "--no-guide", "--name", "other.fritz.box"])
    assert again.exit_code == 0
    assert "stays as it is" in again.output and "It cannot vouch for other.fritz.box" in again.output
    kept = this_authority()
    assert kept is not None and kept.certificate == authority.certificate
    made_by = authority.folder / made.KEY_FILE
    made_by.chmod(0o644)
    refused = CliRunner().invoke(main, ["https", "--no-guide"])
    assert refused.exit_code == 1 and "others may read it (mode 0644)" in refused.output


def test_where_the_table_runs_already_it_leads_there(authority: Authority) -> None:
    with socket.create_server(("0.0.0.0", 0)) as taken:
        port = taken.getsockname()[1]
        told = CliRunner().invoke(main, ["https", "--port", str(port)])
    assert told.exit_code == 0
    assert f":{port}/install\n" in told.output
    assert "if that is the table, start it again" in told.output
