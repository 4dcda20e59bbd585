"""The secure page in a real Chromium that has installed the table's authority, and the plain page beside it."""

from __future__ import annotations

import ipaddress
import os
import shutil
import subprocess
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding
from playwright.sync_api import Browser, BrowserContext, Page, expect

from companion.views import Role
from companion.web import create_app
from companion.web.install import install_pages
from firmware import authority as made
from firmware.authority import Authority, make_authority
from firmware.securepage import authority_folder, served_both
from firmware.tlsfront import TlsFront
from tests.browser import ARGUMENTS, CHROMIUM, PATIENCE_MS, engine, needs_chromium
from tests.companion import tables
from tests.companion.tables import FakeSitting
from tests.companion.web.visitors import home, keyring_of

HOST, STRANGER = "viewmat.local", "shop.example"
pytestmark = [
    needs_chromium,
    pytest.mark.skipif(shutil.which("certutil") is None, reason="certutil (libnss3-tools) is not installed"),
]


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Authority]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        yield make_authority(authority_folder(), "pi", datetime.now(UTC))


@pytest.fixture(scope="module")
def browser(authority: Authority, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A browser of somebody who has followed the guide."""
    folder = tmp_path_factory.mktemp("home")
    store = folder / ".pki" / "nssdb"
    store.mkdir(parents=True)
    subprocess.run(["certutil", "-d", f"sql:{store}", "-N", "--empty-password"], check=True)
    trusted = ["-A", "-t", "C,,", "-n", "table", "-i", str(authority.folder / made.CERTIFICATE_FILE)]
    subprocess.run(["certutil", "-d", f"sql:{store}", *trusted], check=True)
    rules = f"--host-resolver-rules=MAP {HOST} 127.0.0.1,MAP {STRANGER} 127.0.0.1"
    opened = engine().chromium.launch(
        executable_path=CHROMIUM, args=[*ARGUMENTS, rules], env={**os.environ, "HOME": str(folder)}
    )  # fmt: skip
    yield opened
    opened.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    made_context = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    made_context.set_default_timeout(PATIENCE_MS)
    made_context.grant_permissions(["screen-wake-lock"])
    yield made_context
    made_context.close()


def faults_of(page: Page) -> list[str]:
    """What the page complains of from now on."""
    found: list[str] = []
    page.on("console", lambda line: found.append(line.text) if line.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: found.append(str(error)))
    return found


def keep_on(page: Page, how: str) -> None:
    """Open the menu and have the screen kept on; `how` it is."""
    page.locator(".menu summary").click()
    page.locator("#awake button").click()
    expect(page.locator("#awake")).to_have_attribute("data-means", how)
    expect(page.locator("#awake button")).to_have_attribute("aria-pressed", "true")


def test_the_plain_page_needs_nothing_that_it_cannot_have(authority: Authority, context: BrowserContext) -> None:
    sitting = FakeSitting()
    with served_both(create_app(sitting, [install_pages(authority)]), "127.0.0.1", 0, authority) as ports:
        page = context.new_page()
        faults = faults_of(page)
        page.goto(f"http://{HOST}:{ports.plain}/")
        missing = "[isSecureContext, 'serviceWorker' in navigator, 'wakeLock' in navigator, !!(crypto.subtle)]"
        assert page.evaluate(missing) == [False] * 4
        expect(page.locator("link[rel=manifest]")).to_have_count(0)
        keep_on(page, "film")
        film = page.locator("video")
        expect(film).to_have_js_property("paused", False)
        assert film.evaluate("one => [one.muted, one.loop, one.duration]") == [False, True, 8]
        sitting.show(tables.stolen())
        expect(page.locator(".happened")).to_be_visible()

        page.reload()
        page.locator("h1").click()  # a film begins by a tap alone, and any tap is one
        expect(page.locator("#awake")).to_have_attribute("data-means", "film")
        page.locator(".menu summary").click()
        page.locator("#awake button").click()
        expect(page.locator("video")).to_have_count(0)
        expect(page.locator("#awake button")).to_have_attribute("aria-pressed", "false")
        assert faults == []

        page.route("**/awake.mp4", lambda route: route.abort())
        page.locator("#awake button").click()
        expect(page.locator("#awake .how")).to_contain_text("choose the longest time before the screen turns off")
        expect(page.locator("#awake button")).to_have_attribute("aria-pressed", "false")


def test_the_app_is_there_on_the_secure_page_and_waits_for_the_table(authority: Authority, context: BrowserContext) -> None:
    sitting = FakeSitting()
    page = context.new_page()
    faults = faults_of(page)
    with served_both(create_app(sitting, [install_pages(authority)]), "127.0.0.1", 0, authority) as ports:
        address = f"https://{HOST}:{ports.secure}/"
        page.goto(f"http://{HOST}:{ports.plain}/install")
        page.get_by_role("link", name="Open the secure page").click()
        expect(page).to_have_url(address)
        assert page.evaluate("isSecureContext")
        scope = page.evaluate("navigator.serviceWorker.ready.then((one) => [one.scope, one.active.scriptURL])")
        assert scope == [address, f"{address}worker.js"]
        manifest = context.new_cdp_session(page).send("Page.getAppManifest")
        assert (manifest["url"], manifest["errors"]) == (f"{address}app.webmanifest", [])
        keep_on(page, "lock")
        sitting.show(tables.stolen())
        expect(page.locator(".happened")).to_be_visible()
        page.goto(f"{address}disputes")
        page.goto(address)
        kept = page.evaluate("caches.open('viewmat-shell-1').then((one) => one.keys()).then((all) => all.map((one) => one.url))")
        assert sorted(url.removeprefix(address) for url in kept) == [
            "offline", "static/bench.css", "static/icon.svg", "static/install.css", "static/offline.js",
        ]  # fmt: skip
        assert page.evaluate("caches.keys()") == ["viewmat-shell-1"], "nothing of the table is kept"
        assert faults == []
    page.goto(address)
    expect(page.locator("h1")).to_have_text("The table cannot be reached")
    expect(page.locator("section")).to_have_count(3)
    again = create_app(FakeSitting(tables.won()), [install_pages(authority)])
    with served_both(again, "127.0.0.1", 0, authority, ports.secure):
        expect(page.locator("h1")).to_have_text("Anna wins!")


def test_a_phone_that_has_joined_stays_who_it_is_on_the_secure_page(authority: Authority, context: BrowserContext) -> None:
    app = create_app(FakeSitting(), [install_pages(authority)], access=home())
    token = keyring_of(app).invite(Role.SEAT, 1, "Ben")
    with served_both(app, "127.0.0.1", 0, authority) as ports:
        page = context.new_page()
        page.goto(f"http://{HOST}:{ports.plain}/join#{token}")
        expect(page.locator("#whose")).to_have_text("This phone is Ben's.")
        page.goto(f"http://{HOST}:{ports.plain}/install")
        page.get_by_role("link", name="Open the secure page").click()
        expect(page).to_have_url(f"https://{HOST}:{ports.secure}/")
        expect(page.locator("#whose")).to_have_text("This phone is Ben's.")


def test_a_page_that_comes_back_after_a_sleep_says_so(authority: Authority, context: BrowserContext) -> None:
    context.add_init_script(
        "const real = Date.now; window.slept = 0; Date.now = () => real() + window.slept;"
        "delete window.SharedWorker; window.away = false;"
        "Object.defineProperty(document, 'hidden', { get: () => window.away });"
        "Object.defineProperty(document, 'visibilityState', { get: () => (window.away ? 'hidden' : 'visible') });"
    )
    sitting = FakeSitting()
    with served_both(create_app(sitting), "127.0.0.1", 0, None) as ports:
        page = context.new_page()
        page.goto(f"http://{HOST}:{ports.plain}/")
        expect(page.locator("body[data-version]")).to_be_attached()
        look = "document.dispatchEvent(new Event('visibilitychange'))"
        page.evaluate(f"window.away = true; {look}")
        sitting.show(tables.stolen())
        page.evaluate(f"window.slept = 600000; window.away = false; {look}")
        expect(page.locator("#back")).to_have_text("This screen was away. It shows the table as it is now.")
        expect(page.locator(".happened")).to_be_visible()
        expect(page.locator("#lost")).to_be_hidden()


def test_whoever_has_the_key_vouches_for_no_other_site(authority: Authority, context: BrowserContext, tmp_path: Path) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    names = x509.SubjectAlternativeName(
        [x509.DNSName(STRANGER), x509.DNSName(HOST), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
    )
    signed = made._signed_page(authority, key, names, datetime.now(UTC), made.PAGE_DAYS)
    (tmp_path / "forged.pem").write_bytes(made._pem_of(key) + signed.public_bytes(Encoding.PEM))
    front = TlsFront("127.0.0.1", 0, 9, lambda: tmp_path / "forged.pem")
    thread = threading.Thread(target=front.run)
    thread.start()
    try:
        with pytest.raises(Exception, match="ERR_CERT_"):
            context.new_page().goto(f"https://{STRANGER}:{front.port}/")
    finally:
        front.close()
        thread.join()
