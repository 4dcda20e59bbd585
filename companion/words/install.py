"""Words of the page that helps a device to trust the table's secure page, of the app, and of the screen that stays on."""

from __future__ import annotations

from dataclasses import dataclass

from companion.words.translator import ENGLISH, Translator, mark

_LABELS: dict[str, str] = {
    "install": mark("Install as an app"),
    "lead": mark("Two minutes for each device, once. Then the table opens like an app, and its screen can stay on."),
    "none": mark(
        "This table has no secure page yet. At the machine, `viewmat https` makes it possible; then start the table again."
    ),
    "scan": mark("On another device, scan this to open the guide."),
    "which": mark("Which device is it?"),
    "download": mark("Get the table's certificate"),
    "open_secure": mark("Open the secure page"),
    "secure_here": mark("This is the secure page."),
    "check": mark("Check before you trust"),
    "check_how": mark(
        "The device shows the certificate's fingerprint (SHA-256). Compare it with what `viewmat https` shows at the machine, not"
        " only with this page: whoever could forge the certificate could forge the page, too."
    ),
    "may": mark("What the certificate can do"),
    "may_what": mark(
        "It vouches for pages in your own network: names such as viewmat.local, and private addresses. It says of itself that it"
        " is good for nothing else. The key to it never leaves the table's machine."
    ),
    "remove": mark("Take it off again"),
    "to_table": mark("To the table"),
    "offline": mark("The table cannot be reached"),
    "offline_lead": mark("This page goes on by itself when the table is there again."),
    "awake": mark("Keep the screen on"),
    "awake_on": mark("The screen stays on while the table is shown."),
    "awake_film": mark("The screen stays on while a small silent film plays. Some tablets turn it off all the same."),
    "awake_failed": mark(
        "This browser does not let the page keep the screen on. In the tablet's own settings, under display, choose the longest"
        " time before the screen turns off."
    ),
    "was_away": mark("This screen was away. It shows the table as it is now."),
}


def install_label(name: str, say: Translator = ENGLISH, /) -> str:
    """The text called `name`; raises `KeyError` for one that there is not."""
    return say(_LABELS[name])


@dataclass(frozen=True, slots=True)
class Device:
    """How one kind of device comes to trust the table."""

    key: str
    name: str
    steps: tuple[str, ...]
    remove: str


# The names of systems are the same in every language.
_DEVICES: tuple[tuple[str, str, tuple[str, ...], str], ...] = (
    (
        "ios",
        mark("iPhone or iPad"),
        (
            mark("In Safari, get the table's certificate and allow it."),
            mark("Settings, General, VPN & Device Management: tap it and install it."),
            mark("Settings, General, About, Certificate Trust Settings: switch it on."),
            mark("Open the secure page in Safari. Share, Add to Home Screen."),
        ),
        mark("Settings, General, VPN & Device Management: remove the profile."),
    ),
    (
        "android",
        "Android",
        (
            mark("In Chrome, get the table's certificate."),
            mark('In Settings, search for "CA certificate". Install anyway, and choose the file from the downloads.'),
            mark("Open the secure page in Chrome. In its menu: Add to Home screen."),
        ),
        mark('In Settings, search for "User credentials" and remove it.'),
    ),
    (
        "windows",
        "Windows",
        (
            mark("Get the table's certificate and open the file: Install Certificate, Current User."),
            mark('Choose the store "Trusted Root Certification Authorities".'),
            mark("Start Chrome or Edge again and open the secure page. At the right of the address: Install."),
        ),
        mark("Run certmgr.msc, Trusted Root Certification Authorities, and delete it."),
    ),
    (
        "mac",
        "Mac",
        (
            mark("Get the table's certificate and open the file: it goes into the keychain."),
            mark("In Keychain Access open it, and under Trust choose Always Trust."),
            mark("Open the secure page. In Safari: File, Add to Dock."),
        ),
        mark("Delete it in Keychain Access."),
    ),
    (
        "linux",
        "Linux",
        (
            mark("Get the table's certificate."),
            mark("In Chrome: Settings, Privacy and security, Security, Manage certificates: import it as trusted."),
            mark("In Firefox: Settings, Certificates, View Certificates, Authorities, Import: trust it for websites."),
            mark("Open the secure page. In Chrome, at the right of the address: Install."),
        ),
        mark("Delete it where you imported it."),
    ),
)


def device_words(say: Translator = ENGLISH) -> tuple[Device, ...]:
    """The guide for every kind of device."""
    return tuple(Device(key, say(name), tuple(map(say, steps)), say(remove)) for key, name, steps, remove in _DEVICES)
