"""The seal: a key that stays with its owner, parts of one size, bound to their entry, and opened only unchanged."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import SealError
from companion.seal import KEY_FILE, About, Seal

ROOT = Path(__file__).parents[2]
ABOUT = About("0123456789abcdef", 7, "reading")
SEAL = Seal(bytes(range(32)))


@given(st.binary(max_size=4096))
def test_what_was_sealed_opens_again(data: bytes) -> None:
    assert SEAL.decrypt(SEAL.encrypt(data, ABOUT), ABOUT) == data


def test_the_size_tells_nothing() -> None:
    sizes = {len(SEAL.encrypt(bytes(size), ABOUT)) for size in (0, 1, 100, 4095, 4096)}
    assert sizes == {12 + 4 + 4096 + 16}
    assert len(SEAL.encrypt(b"", ABOUT, room=100)) == len(SEAL.encrypt(bytes(100), ABOUT, room=100)) == 132


def test_what_has_no_room_is_refused_and_not_shown() -> None:
    with pytest.raises(SealError) as caught:
        SEAL.encrypt(b"Td" * 51, ABOUT, room=101)
    assert str(caught.value) == "entry 7 (reading) of game 0123456789abcdef: at most 101 bytes can be sealed in one piece"


def test_the_same_reading_never_looks_the_same() -> None:
    assert len({SEAL.encrypt(b"Td", ABOUT) for _ in range(200)}) == 200


def test_nothing_of_what_is_hidden_shows() -> None:
    sealed = SEAL.encrypt(b"ten of diamonds " * 256, ABOUT)
    assert b"ten" not in sealed
    assert len({sealed[start : start + 16] for start in range(0, len(sealed), 16)}) == len(range(0, len(sealed), 16))


@pytest.mark.parametrize(
    "about", [About("fedcba9876543210", 7, "reading"), About(ABOUT.game, 8, "reading"), About(ABOUT.game, 7, "readin")]
)
def test_a_part_that_was_moved_elsewhere_does_not_open(about: About) -> None:
    with pytest.raises(SealError) as caught:
        SEAL.decrypt(SEAL.encrypt(b"Td", ABOUT), about)
    assert str(caught.value) == f"{about} does not open: it was changed, or sealed with another key"


@given(st.integers(0, 131), st.integers(0, 7))
def test_a_part_of_which_any_bit_was_turned_does_not_open(byte: int, bit: int) -> None:
    spoilt = bytearray(SEAL.encrypt(b"Td", ABOUT, room=100))
    spoilt[byte] ^= 1 << bit
    with pytest.raises(SealError, match="does not open"):
        SEAL.decrypt(bytes(spoilt), ABOUT)


@pytest.mark.parametrize("sealed", [b"", b"short", bytes(11), bytes(12), bytes(27), bytes(28), bytes(200)])
def test_what_is_no_sealed_part_does_not_open(sealed: bytes) -> None:
    with pytest.raises(SealError, match="does not open"):
        SEAL.decrypt(sealed, ABOUT)


def test_another_key_opens_nothing() -> None:
    with pytest.raises(SealError, match="sealed with another key"):
        Seal(bytes(32)).decrypt(SEAL.encrypt(b"Td", ABOUT), ABOUT)


def test_a_seal_shows_no_key() -> None:
    assert repr(SEAL) == str(SEAL) == "Seal(...)"
    with pytest.raises(SealError, match="a key has 32 bytes; found 31"):
        Seal(bytes(31))


def test_a_nonce_comes_from_the_chance_that_is_handed_in() -> None:
    fixed = Seal(bytes(32), lambda size: b"\7" * size)
    assert fixed.encrypt(b"Td", ABOUT) == fixed.encrypt(b"Td", ABOUT)
    assert fixed.encrypt(b"Td", ABOUT)[:12] == b"\7" * 12


# ---- the key ------------------------------------------------------------------------------------------------------


def test_the_key_is_made_once_and_belongs_to_its_owner(tmp_path: Path) -> None:
    folder = tmp_path / "data" / "viewmat"
    sealed = Seal.load_or_create(folder).encrypt(b"Td", ABOUT)
    assert os.listdir(folder) == [KEY_FILE]
    assert stat.S_IMODE((folder / KEY_FILE).stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert Seal.load_or_create(folder).decrypt(sealed, ABOUT) == b"Td"
    with pytest.raises(SealError):
        Seal.load_or_create(tmp_path / "other").decrypt(sealed, ABOUT)


def test_programs_that_start_together_share_the_key(tmp_path: Path) -> None:
    program = "import sys; from pathlib import Path; from companion.seal import Seal; "
    program += "print(Seal.load_or_create(Path(sys.argv[1]))._key.hex())"
    arguments = [sys.executable, "-c", program, str(tmp_path)]
    started = [subprocess.Popen(arguments, cwd=ROOT, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    keys = {one.communicate()[0] for one in started}
    assert [one.returncode for one in started] == [0] * 4
    assert len(keys) == 1
    assert os.listdir(tmp_path) == [KEY_FILE]


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o644])
def test_a_key_that_others_may_use_is_refused(mode: int, tmp_path: Path) -> None:
    Seal.load_or_create(tmp_path)
    (tmp_path / KEY_FILE).chmod(mode)
    with pytest.raises(SealError, match=f"others than its owner may use the key: expected mode 600, found {mode:o}; change it"):
        Seal.load_or_create(tmp_path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is no key: expected a line 'viewmat seal 1' and one of 64 hexadecimal digits"),
        (b"viewmat seal 1\nabc\n", "is no key: expected a line"),
        (b"viewmat seal 1\n" + b"ab" * 31 + b"\n", "is no key: expected 64 hexadecimal digits, found 62"),
        (b"viewmat seal 2\n" + b"ab" * 32 + b"\n", "is no key: expected a line"),
        (b"viewmat seal 1\n" + b"ab" * 32, "is no key: expected a line"),
        (b"\xff\xfe", "is no key: expected a line"),
    ],
)
def test_a_damaged_key_is_refused_never_replaced_and_never_shown(content: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / KEY_FILE
    path.write_bytes(content)
    path.chmod(0o600)
    with pytest.raises(SealError) as caught:
        Seal.load_or_create(tmp_path)
    assert str(caught.value).startswith(f"{path} {message}")
    assert "abab" not in str(caught.value)
    assert path.read_bytes() == content


def test_a_key_that_is_a_link_or_a_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / KEY_FILE).symlink_to("/dev/zero")
    (tmp_path / "b" / KEY_FILE).mkdir(parents=True)
    (tmp_path / "c").write_text("")
    for name in "abc":
        told = "is a link to /dev/zero: expected the key itself" if name == "a" else r": the key can be neither read nor made: "
        with pytest.raises(SealError, match=told):
            Seal.load_or_create(tmp_path / name)


def test_a_queue_in_place_of_the_key_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / KEY_FILE, 0o600)
    with pytest.raises(SealError, match="is no file"):
        Seal.load_or_create(tmp_path)
