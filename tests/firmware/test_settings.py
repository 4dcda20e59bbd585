"""The settings file: what it says, and the text of every refusal."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.sitting import Seat, Steadiness, Timing
from firmware.errors import SettingsError
from firmware.pins import COLOUR_HUB, PinMap, SeatPins
from firmware.settings import TOO_DEEP, Settings, load_settings

Load = Callable[[str], Settings]

SEATS = """
[[seat]]
name = "Ann"
[[seat]]
name = "Bob"
source = "mat"
[[seat]]
name = "Cid"
source = "bot"
"""


OWN = SEATS + """
[gpio]
pins = "own"
[gpio.map]
buzzer = 13
gives_up = ["serial"]
[[gpio.map.seat]]
button = 4
lamp = [22, 23]
"""
TAKEN = OWN.replace('"own"', '"A"')


@pytest.fixture
def load(tmp_path: Path) -> Load:
    def write(text: str) -> Settings:
        (tmp_path / "table.toml").write_text(text)
        return load_settings(tmp_path / "table.toml")

    return write


def test_the_least_that_a_file_says(load: Load) -> None:
    found = load(SEATS)
    assert found.seats() == (Seat("Ann", "tap"), Seat("Bob", "mat"), Seat("Cid", "bot"))
    assert (found.game, found.rig, found.tray, found.page.port, found.gpio.pins) == ("steal", "taps", "none", 8080, "none")
    assert found.timings() == Timing()
    assert found.steady() == Steadiness()
    assert found.language == "en"


def test_everything_that_a_file_can_say(load: Load) -> None:
    found = load(
        'language = "hu"\ngame = "steal"\nrig = "virtual"\ntray = "mat"\n' + SEATS +
        '[options]\nhard_mode = true\n[page]\nhost = "127.0.0.1"\nport = 8081\n[gpio]\npins = "A"\nchip = 4\n'
        '[access]\npreset = "club"\nphone_peek = true\n'
        '[voice]\nspeaker = "espeak-ng"\nvolume = 35\nsays = "all"\n'
        "[timing]\ntidy = 6.0\nhold = 90\n[steadiness]\nsettle = 0.5\nsightings = 3\n"
    )  # fmt: skip
    assert (found.tray, found.options, found.page.host, found.page.port) == ("mat", {"hard_mode": True}, "127.0.0.1", 8081)
    assert (found.gpio.pins, found.gpio.chip, found.language) == ("A", 4, "hu")
    assert (found.access.preset, found.access.phone_peek) == ("club", True)
    assert (found.voice.speaker, found.voice.volume, found.voice.says) == ("espeak-ng", 35, "all")
    assert found.timings() == Timing(tidy=6.0, hold=90.0)
    assert repr(found.steady()) == repr(Steadiness(settle=0.5, sightings=3))


UNSHOWN = "a name has only characters that can be shown; found control, direction or unassigned ones"


NO_HOST = r"string should match pattern '^[A-Za-z0-9:%_-]{1,63}(\.[A-Za-z0-9:%_-]{1,63})*$'"
TOO_MANY_DIGITS = (
    "is no TOML: Exceeds the limit (4300 digits) for integer string conversion: value has 5000 digits; "
    "use sys.set_int_max_str_digits() to increase the limit"
)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("colour = 3" + SEATS, f"colour = 3: there is no such key; allowed: {', '.join(Settings.model_fields)}"),
        (SEATS + 'sauce = "mat"', "seat 3.sauce = 'mat': there is no such key; allowed: name, source, place"),
        (SEATS + "[page]\npotr = 80", "page.potr = 80: there is no such key; allowed: host, names, port, https_port, shutdown"),
        (SEATS + "[page]\nport = 70000", "page.port = 70000: input should be less than or equal to 65535"),
        (SEATS + '[page]\nport = "80"', "page.port = '80': input should be a valid integer"),
        (SEATS + '[[seat]]\nname = "Dan"\nsource = "cam"', "seat 4.source = 'cam': input should be 'mat', 'tap' or 'bot'"),
        (SEATS + '[[seat]]\nsource = "mat"', "seat 4.name is missing"),
        (SEATS + '[[seat]]\nname = "D\\u001b[2Jan"', rf"seat 4.name = 'D\x1b[2Jan': {UNSHOWN}"),
        (SEATS + '[[seat]]\nname = "\\u202enaD"', rf"seat 4.name = '\u202enaD': {UNSHOWN}"),
        (SEATS + '[[seat]]\nname = "  "',
         "seat 4.name = '  ': a name has at least one character that can be seen; found blanks alone"),
        (SEATS + '[[seat]]\nname = "Ann"', "seat.name = 'Ann': 2 seats have this name"),
        (SEATS + '[gpio]\npins = "Z"', "gpio.pins = 'Z': there is no such pin map; allowed: N, A, B, P, own, none"),
        (SEATS + "[gpio]\nbrightness = 0", "gpio.brightness = 0: input should be greater than or equal to 1"),
        (SEATS + "[gpio]\npixel_bits = 4", "gpio.pixel_bits = 4: input should be 3 or 8"),
        (SEATS + '[gpio]\npins = "own"', "gpio.pins = 'own': there is no [gpio.map] that says which pins"),
        (TAKEN, "gpio.pins = 'A': [gpio.map] is written, and this does not take it; allowed beside it: own"),
        (OWN + "led = 3", "gpio.map.seat 1.led = 3: there is no such key; allowed: button, lamp, slots"),
        (OWN.replace("ton = 4", "ton = 23"), "gpio.map: GPIO 23 is used 2 times, by green of seat 1 and the button of seat 1"),
        (OWN.replace("buzzer = 13", "buzzer = 1"), "gpio.map: the buzzer is on GPIO 1, which belongs to eeprom"),
        (OWN.replace("buzzer = 13", "buzzer = 28"), "gpio.map: the buzzer is on GPIO 28, but the header has GPIO 0 to 27"),
        (OWN.replace("lamp = [22, 23]", "lamp = [22]"),
         "gpio.map: seat 1: a seat lamp has 2 pins (red, green) or 3 (red, green, blue), not 1"),
        ('language = "tlh"' + SEATS, "language = 'tlh': there is no such language; allowed: en, de, hu"),
        (SEATS + '[access]\npreset = "pub"', "access.preset = 'pub': input should be 'home' or 'club'"),
        (SEATS + "[access]\npin = 123456", "access.pin = 123456: there is no such key; allowed: preset, phone_peek"),
        (SEATS + "[voice]\nvolume = 101", "voice.volume = 101: input should be less than or equal to 100"),
        (SEATS + '[voice]\nspeaker = "say"', "voice.speaker = 'say': input should be 'none' or 'espeak-ng'"),
        (SEATS + "[voice]\nloud = 5", "voice.loud = 5: there is no such key; allowed: speaker, volume, says"),
        (SEATS + "[options]\nhard_mode = [1]", "options.hard_mode = [1]: text, a whole number, true or false is expected"),
        (SEATS + "[timing]\ntidy = 0", "timing.tidy = 0: input should be greater than 0"),
        (SEATS + "[timing]\ntidy = inf", "timing.tidy = inf: input should be a finite number"),
        (SEATS + "[steadiness]\nsightings = 2.5", "steadiness.sightings = 2.5: a whole number is expected"),
        (SEATS + '[bus]\ntable = "club"', "bus.table = 'club': this name is taken by the program; another one is expected"),
        (SEATS + '[page]\nhost = "a\\u0000"', rf"page.host = 'a\x00': {NO_HOST}"),
        (SEATS + '[broker]\nhost = "a..b"', f"broker.host = 'a..b': {NO_HOST}"),
        (SEATS + '[broker]\nca = "none.pem"',
         "broker.ca = 'none.pem': a file with a certificate is expected: [Errno 2] No such file or directory"),
        (SEATS + '[broker]\npassword_file = "a\\u0000"', r"broker.password_file = 'a\x00': cannot be read: embedded null byte"),
        (SEATS + '[[camera]]\nplace = 1\nkind = "virtual"\ncrop = [0, 0, 0, 0]',
         "camera 1.crop = [0, 0, 0, 0]: width and height of at least 1 are expected"),
        (SEATS + "[bus]\nnodes = {hub = 1}", "bus.nodes: hub is taken by the program; another name is expected"),
        ("x = " + "1" * 5000 + SEATS, TOO_MANY_DIGITS),
        (".".join(["a"] * 3000) + " = 1", TOO_DEEP),
        ("x = " + "[" * 3000, TOO_DEEP),
        ("x = [\n" * 30_000, "is too long: at most 100000 characters are expected, found 180000"),
        ("", "seat is missing"),
        ("seat = []", "seat = []: list should have at least 1 item after validation, not 0"),
    ],
)
def test_what_is_refused(load: Load, tmp_path: Path, text: str, sentence: str) -> None:
    with pytest.raises(SettingsError) as refused:
        load(text)
    assert str(refused.value) == f"{tmp_path / 'table.toml'}: {sentence}"


def test_an_unknown_time_is_refused_with_those_that_are_known(load: Load) -> None:
    with pytest.raises(SettingsError, match=r": timing\.tidi = 3\.0: there is no such key; allowed: confirm, .*, tidy, "):
        load(SEATS + "[timing]\ntidi = 3.0")


def test_every_problem_has_its_line(load: Load) -> None:
    with pytest.raises(SettingsError) as refused:
        load(SEATS + "[page]\nport = 0\n[gpio]\nchip = -1")
    assert [line.split(": ", 1)[1] for line in str(refused.value).splitlines()] == [
        "page.port = 0: input should be greater than or equal to 1",
        "gpio.chip = -1: input should be greater than or equal to 0",
    ]


def test_a_pin_map_of_ones_own(load: Load) -> None:
    found = load(OWN + 'slots = [17, 27, 24, 25, 5]\n[[gpio.map.seat]]\nbutton = 14\nlamp = [16, 20, 21]\n')
    seats = (SeatPins((22, 23), 4, (17, 27, 24, 25, 5)), SeatPins((16, 20, 21), 14))
    assert found.gpio.pin_map() == PinMap("own", seats, buzzer=13, gives_up=("serial",))
    pixels = load(OWN.replace("lamp = [22, 23]", "").replace("buzzer = 13", 'slots = "pixels"\nlight = 18\ncamera = 25'))
    assert pixels.gpio.pin_map() == PinMap(
        "own", (SeatPins((), 4),), light=18, camera=25, pixels=True, gives_up=("serial",)
    )
    assert (load(SEATS).gpio.pin_map(), load(SEATS + '[gpio]\npins = "B"').gpio.pin_map()) == (None, COLOUR_HUB)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"none\.toml: cannot be read: No such file or directory$"):
        load_settings(tmp_path / "none.toml")


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "table.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SettingsError, match=r"table\.toml: cannot be read: 'utf-8' codec"):
        load_settings(tmp_path / "table.toml")


def test_a_file_of_an_editor_that_writes_a_mark_before_the_text(tmp_path: Path) -> None:
    (tmp_path / "table.toml").write_bytes(b"\xef\xbb\xbf" + SEATS.encode().replace(b"\n", b"\r\n"))
    assert len(load_settings(tmp_path / "table.toml").seat) == 3


def test_a_file_that_is_no_toml(load: Load) -> None:
    with pytest.raises(SettingsError, match=r"table\.toml: is no TOML: .*line 1"):
        load("port 80")
    with pytest.raises(SettingsError, match=r"table\.toml: nests too deeply"):
        load("names = " + "[" * 40_000 + "]" * 40_000)


def test_a_queue_is_no_settings_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "table.toml")
    with pytest.raises(SettingsError, match="it is no file"):
        load_settings(tmp_path / "table.toml")
