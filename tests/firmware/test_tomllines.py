"""On which lines keys stand, however a file is written."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest
import tomlkit

from firmware.tomllines import LONGEST_VALUE, line_of, lines_of, values_of

FILE = '''\
# ours
game = "steal"
options.hard_mode = true

[[seat]]
name = "Ann"   # [not a table]
[[seat]]
name = """
[page]
port = 3
"""
place = 2
[page]
names = [
  "a",  # one
  "b",
]
port = 8080
[gpio.map]
buzzer = 13
[[gpio.map.seat]]
button = 4
[[gpio.map.seat]]
button = 5
lamp = [1, 2]
'''


def test_every_key_of_a_file() -> None:
    assert lines_of(FILE) == {
        ("game",): 2, ("options",): 3, ("options", "hard_mode"): 3,
        ("seat",): 5, ("seat", 0): 5, ("seat", 0, "name"): 6, ("seat", 1): 7, ("seat", 1, "name"): 8, ("seat", 1, "place"): 12,
        ("page",): 13, ("page", "names"): 14, ("page", "names", 0): 14, ("page", "names", 1): 14, ("page", "port"): 18,
        ("gpio", "map"): 19, ("gpio", "map", "buzzer"): 20,
        ("gpio", "map", "seat"): 21, ("gpio", "map", "seat", 0): 21, ("gpio", "map", "seat", 0, "button"): 22,
        ("gpio", "map", "seat", 1): 23, ("gpio", "map", "seat", 1, "button"): 24, ("gpio", "map", "seat", 1, "lamp"): 25,
        ("gpio", "map", "seat", 1, "lamp", 0): 25, ("gpio", "map", "seat", 1, "lamp", 1): 25,
    }  # fmt: skip


def at(told: Any, place: tuple[int | str, ...]) -> Any:
    for key in place:
        told = told[key]
    return told


def test_its_values_are_those_that_toml_has() -> None:
    told = tomllib.loads(FILE)
    values = values_of(FILE)
    leaves = {place: value for place, value in values.items() if not isinstance(value, dict) and value != []}
    assert leaves == {place: at(told, place) for place in leaves}
    assert len(leaves) == 15


def test_tables_in_a_row_stand_on_its_line() -> None:
    text = 'game = "x"\nseat = [{name = "Ann", place = 2}, {name = "Bob"}]\n'
    assert (lines_of(text)["seat", 0, "place"], lines_of(text)["seat", 1, "name"]) == (2, 2)


def test_what_is_missing_stands_where_its_table_begins() -> None:
    lines = lines_of(FILE)
    assert (line_of(lines, ("seat", 1, "source")), line_of(lines, ("voice", "volume")), line_of(lines, ())) == (7, None, None)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('[access]\npreset = "club"\n[page\nport = ', {("access",): {}, ("access", "preset"): "club"}),
        ('names = [\n"a"\n[page]\nport = 3\n', {("page",): {}, ("page", "port"): 3}),
        ("\0\nport 80\nport = 81", {("port",): 81}),
        ("names = " + "[" * 5000, {}),
        ("", {}),
    ],
)
def test_of_a_file_that_is_none_what_can_be_read(text: str, found: dict[tuple[int | str, ...], Any]) -> None:
    assert values_of(text) == found


def test_a_long_value_is_found_and_one_without_end_given_up() -> None:
    long = "names = [\n" + '"a",\n' * (LONGEST_VALUE - 2) + "]\nport = 3\n"
    assert lines_of(long)["port",] == LONGEST_VALUE + 1
    assert ("names",) not in lines_of("names = [\n" + '"a",\n' * LONGEST_VALUE + "]\n")


def test_a_file_of_ours_is_read_as_it_was_written() -> None:
    document = tomlkit.document()
    document["seat"] = tomlkit.aot()
    for name in ("Ann", "Bob"):
        table = tomlkit.table()
        table["name"] = name
        document["seat"].append(table)
    text = tomlkit.dumps(document)
    lines = text.splitlines()
    found = lines_of(text)
    assert [lines[found["seat", number, "name"] - 1] for number in (0, 1)] == ['name = "Ann"', 'name = "Bob"']
