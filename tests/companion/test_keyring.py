"""The keys of one installation: kept, shared with commands, and never readable by others."""

from __future__ import annotations

import json
import stat
import threading
from pathlib import Path

import pytest

from companion.keyring import Keyring, KeyringError
from companion.keys import LINK_SECONDS, LinkError, PinError, TriesError
from companion.views import Role

PIN = "846210"


class Clock:
    """Elapsed seconds, as a test lets them pass."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "keys.json"


def test_without_a_file_keys_last_as_long_as_the_ring() -> None:
    ring = Keyring()
    secret, bearer = ring.join(ring.invite(Role.SEAT, 1, "Ben"))
    assert ring.bearer(secret) == bearer
    assert Keyring().bearer(secret) is None


def test_phones_are_known_after_a_restart(file: Path, clock: Clock) -> None:
    ring = Keyring(file, clock)
    secret, _ = ring.join(ring.invite(Role.SEAT, 1, "Ben"))
    token = ring.invite(Role.SEAT, 2, "Cat")
    ring.set_pin(PIN)
    again = Keyring(file, Clock())
    found = again.bearer(secret)
    assert found is not None
    assert (found.role, found.seat, found.name) == (Role.SEAT, 1, "Ben")
    assert again.join(token)[1].seat == 2
    again.check_pin(PIN)


def test_the_file_is_its_owners_and_holds_no_secret(file: Path, clock: Clock) -> None:
    ring = Keyring(file, clock)
    token = ring.invite(Role.SEAT, 1, "Ben")
    secret, _ = ring.admit(Role.REFEREE)
    ring.set_pin(PIN)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    text = "".join(each.read_text() for each in file.parent.iterdir())
    assert not any(hidden in text for hidden in (token, secret, PIN))


def test_what_another_process_does_is_taken_over(file: Path, clock: Clock) -> None:
    running, command = Keyring(file, clock), Keyring(file, clock)
    secret, _ = running.admit(Role.REFEREE)
    command.set_pin(PIN)
    running.check_pin(PIN)
    token = command.invite(Role.REFEREE)
    mine, _ = running.join(token)
    command.reset()
    assert running.bearer(secret) is None
    assert running.bearer(mine) is None
    with pytest.raises(PinError):
        running.check_pin(PIN)


def test_a_link_of_a_command_ages_from_when_it_is_seen(file: Path, clock: Clock) -> None:
    running = Keyring(file, clock)
    token = Keyring(file, lambda: 5.0).invite(Role.REFEREE)
    assert len(running.keys.links) == 1
    clock.now += LINK_SECONDS + 1
    running.invite(Role.SEAT, 0, "Ann")
    with pytest.raises(LinkError):
        running.join(token)


def test_joining_ends_what_the_phone_was_before(clock: Clock) -> None:
    ring = Keyring(None, clock)
    first, _ = ring.join(ring.invite(Role.SEAT, 1, "Ben"))
    second, _ = ring.join(ring.invite(Role.SEAT, 2, "Cat"), leaving=first)
    assert (ring.bearer(first), second != first) == (None, True)
    with pytest.raises(LinkError):
        ring.join("nonsense", leaving=second)
    assert ring.bearer(second) is not None, "a bad link costs nothing"


def test_waits_after_wrong_pins_survive_a_restart(file: Path, clock: Clock) -> None:
    ring = Keyring(file, clock)
    ring.set_pin(PIN)
    for _ in range(4):
        with pytest.raises(PinError):
            ring.check_pin("846211")
        clock.now += 10.0
    with pytest.raises(PinError):
        ring.check_pin("846211")
    later = Clock()
    again = Keyring(file, later)
    with pytest.raises(TriesError) as refused:
        again.check_pin(PIN)
    assert refused.value.seconds == 21, "five wrong ones: twenty seconds, from the start anew"
    later.now += 20.0
    again.check_pin(PIN)
    assert again.keys.failed == 0


def test_many_tries_at_once_are_counted_one_by_one(clock: Clock) -> None:
    ring = Keyring(None, clock)
    ring.set_pin(PIN)
    outcomes: list[type[Exception]] = []

    def guess() -> None:
        try:
            ring.check_pin("846211")
        except (PinError, TriesError) as error:
            outcomes.append(type(error))

    threads = [threading.Thread(target=guess) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert outcomes.count(PinError) == 3
    assert outcomes.count(TriesError) == 9


def test_a_poor_pin_changes_nothing(clock: Clock) -> None:
    ring = Keyring(None, clock)
    ring.set_pin(PIN)
    with pytest.raises(PinError):
        ring.set_pin("111111")
    ring.check_pin(PIN)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"form": 2}', '{"form": 1, "links": [["king", 1, "", ""]]}', "\xff"])
def test_a_damaged_file_is_named(file: Path, clock: Clock, text: str) -> None:
    file.parent.mkdir()
    file.write_bytes(text.encode("latin-1"))
    with pytest.raises(KeyringError, match=r"keys\.json: is no file of keys; `viewmat referee reset` makes a new one"):
        Keyring(file, clock)


def test_a_file_that_is_damaged_meanwhile_opens_nothing(file: Path, clock: Clock, caplog: pytest.LogCaptureFixture) -> None:
    ring = Keyring(file, clock)
    secret, _ = ring.admit(Role.TABLE)
    file.write_text("{")
    assert ring.bearer(secret) is not None
    assert ring.bearer("other") is None
    assert "damaged" in caplog.text
    ring.invite(Role.SEAT, 0, "Ann")
    assert json.loads(file.read_text())["links"][0][1] == 0, "the next change writes it whole"


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path, clock: Clock) -> None:
    (tmp_path / "file").write_text("")
    ring = Keyring(tmp_path / "file" / "keys.json", clock)
    with pytest.raises(KeyringError, match=r"keys\.json: cannot be written"):
        ring.admit(Role.TABLE)
    assert ring.keys.bearers == ()
