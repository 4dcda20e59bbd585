"""The power goes at any moment: whatever the disk keeps, every acknowledged entry is there, none twice, and the chain holds."""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

import pytest

from companion.journal import Draft, Entry, Journal, Stamp, game_file, read_entries, rescue
from tests.companion.journal.keeping import GAME
from tests.companion.power.disk import Request, State, durable, lay_down, power_cuts, record

STAMP = Stamp(9.0, datetime(2027, 1, 1, tzinfo=UTC))

WRITER = """
import os, sys
from datetime import UTC, datetime
from pathlib import Path
from companion.journal import Draft, Journal, Stamp, game_file

folder, appends = Path(sys.argv[1]), eval(sys.argv[2])
notes = os.open(folder / "notes", os.O_WRONLY | os.O_CREAT)
path, stamp = game_file(folder, "game"), Stamp(1.0, datetime(2027, 1, 1, tzinfo=UTC))

def noted(word, number):
    os.pwrite(notes, f"{word} {number}\\n".encode(), 0)

noted("begun", 1)
journal = Journal.create(path, "game", {"seats": 3}, stamp)
noted("done", 1)
for index, sizes in enumerate(appends):
    if sizes is None:
        journal.close()
        journal = Journal.open(path)
        continue
    number = journal.next_number
    noted("begun", number + len(sizes) - 1)
    journal.append(Draft("turn", stamp, {"append": index, "size": size}, os.urandom(size)) for size in sizes)
    noted("done", number + len(sizes) - 1)
if sys.argv[3] == "close":
    journal.close()
os._exit(0)
"""
"""Appends entries with sealed parts of the sizes in its second argument; None closes the journal and opens it again."""


def recorded(recorder: Path, folder: Path, appends: str, end: str) -> tuple[tuple[Request, ...], tuple[Entry, ...]]:
    """What the writer asked of the disk, and the entries that it wrote."""
    folder.mkdir()
    requests = record(recorder, folder, WRITER, appends, end)
    return requests, read_entries(game_file(folder, "game"))


def moments(requests: tuple[Request, ...]) -> Iterator[tuple[int, int, int]]:
    """After how many requests the power may go; the last entry that was acknowledged by then, and the last that was begun."""
    done = begun = 0
    for index, request in enumerate(requests):
        if request.path.endswith("/notes") and request.what == "w":
            word, number = request.data.split()
            done, begun = (int(number), begun) if word == b"done" else (done, int(number))
            continue
        yield index + 1, done, begun


def check_recovery(left: State, folder: Path, into: Path, history: tuple[Entry, ...], done: int, begun: int) -> None:
    """What is left opens to a whole number of appends, with all that was acknowledged; and the game can go on."""
    into.mkdir()
    lay_down(left, folder, into)
    path = game_file(into, "game")
    if not path.exists():
        assert done == 0, "a journal that was acknowledged is gone"
        with Journal.create(path, "game", {}, STAMP) as journal:
            assert len(journal.entries()) == 1
        shutil.rmtree(into)
        return
    with Journal.open(path) as journal:
        found = journal.entries()
        assert found == history[: len(found)]
        assert done <= len(found) <= max(begun, 1)
        assert found[-1].more == 0, "half an append is there"
        (added,) = journal.append([Draft("more", STAMP)])
    assert read_entries(path) == (*found, added)
    # Thousands of these would fill the real disk.
    shutil.rmtree(into)


def fingerprint(left: State, promised: str) -> bytes:
    """A hash of what is left and of what had been promised by then."""
    found = sha256(promised.encode())
    for path, content in sorted(left.items()):
        found.update(sha256(path.encode()).digest() + sha256(content).digest())
    return found.digest()


def run_through(recorder: Path, folder: Path, appends: str, end: str, subsets: int) -> int:
    """Cut the power after every request; gives how many different disks were left."""
    requests, history = recorded(recorder, folder, appends, end)
    seen: set[bytes] = set()
    for cut, done, begun in moments(requests):
        for left in power_cuts(requests, cut, 7, subsets):
            files = {path: content for path, content in left.items() if not path.endswith(("/notes", ".lock"))}
            key = fingerprint(files, f"{done} {begun}")
            if key not in seen:
                seen.add(key)
                if len(seen) % 3 == 0 and str(game_file(folder, "game")) in files:
                    # The index of the log is never synced: anything may stand in it.
                    files[f"{game_file(folder, 'game')}-shm"] = random.Random(len(seen)).randbytes(32768)
                check_recovery(files, folder, folder.with_name(f"left-{len(seen)}"), history, done, begun)
    return len(seen)


def test_no_acknowledged_entry_is_lost(recorder: Path, tmp_path: Path) -> None:
    assert run_through(recorder, tmp_path / "disk", "[[10], [0, 9000, 0], None, [5], [7, 7]]", "kill", subsets=2) > 60


def test_closing_is_safe_too(recorder: Path, tmp_path: Path) -> None:
    assert run_through(recorder, tmp_path / "disk", "[[4000], None]", "close", subsets=4) > 60


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3))
def test_no_acknowledged_entry_is_lost_over_whole_games(recorder: Path, tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    appends = [
        [rng.choice([0, 50, 4000, 30000]) for _ in range(rng.randint(1, 4))] if rng.random() < 0.9 else None for _ in range(40)
    ]
    assert run_through(recorder, tmp_path / "disk", repr(appends), rng.choice(["kill", "close"]), subsets=6) > 2000


def test_the_log_is_folded_into_the_file_in_the_middle_of_a_game(recorder: Path, tmp_path: Path) -> None:
    """More is written than the log may hold; the cuts are around that moment only."""
    folder = tmp_path / "disk"
    requests, history = recorded(recorder, folder, repr([[30_000]] * 40), "kill")
    file = str(game_file(folder, "game"))
    folded = [index for index, request in enumerate(requests) if request.what == "s" and request.path == file]
    assert folded, "nothing was folded"
    for cut, done, begun in moments(requests):
        if any(-2 < cut - index <= 2 for index in folded):
            for number, left in enumerate(power_cuts(requests, cut, 1, subsets=6, prefixes=6)):
                check_recovery(left, folder, tmp_path / f"left-{cut}-{number}", history, done, begun)


def test_every_append_is_synced_before_it_is_acknowledged(recorder: Path, tmp_path: Path) -> None:
    """Nothing that was written is still open when an append returns, and the name of the file is durable as well."""
    requests, _ = recorded(recorder, tmp_path / "disk", "[[1], [2, 3], None, [4]]", "kill")
    acknowledged = [index for index, request in enumerate(requests) if request.data.startswith(b"done")]
    assert len(acknowledged) == 4
    for index in acknowledged:
        done = requests[:index]
        safe = durable(done)
        loose = [r.path for number, r in enumerate(done) if number not in safe and r.what in "wr" and "sqlite" in r.path]
        assert [path for path in loose if not path.endswith(".lock")] == []


def test_a_disk_that_forgets_a_sync_would_be_found_out(recorder: Path, tmp_path: Path) -> None:
    """The check itself: without the last sync before an acknowledgement, a cut loses what was acknowledged."""
    folder = tmp_path / "disk"
    requests, history = recorded(recorder, folder, "[[1], [2]]", "kill")
    last = max(index for index, request in enumerate(requests) if request.data.startswith(b"done"))
    forgetful = tuple(r for index, r in enumerate(requests[: last + 1]) if not (r.what == "s" and index > last - 4))
    (left, *_) = power_cuts(forgetful, len(forgetful), 0, 0)
    with pytest.raises(AssertionError):
        check_recovery(left, folder, tmp_path / "left", history, len(history), len(history))


MIGRATION = """
import os, sys
from pathlib import Path
from companion.journal import Journal
from companion.journal.places import sync_folder
from tests.companion.journal.keeping import begun_in_version_1

path = begun_in_version_1(Path(sys.argv[1]), '{"n":1}', '{"n":2}')
sync_folder(path.parent)
os.close(os.open(path.parent / "notes", os.O_WRONLY | os.O_CREAT))
Journal.open(path)
os._exit(0)
"""


def disturbed(requests: tuple[Request, ...], folder: Path) -> Iterator[Path]:
    """A folder for everything that may be left when the power goes after the file of notes was made."""
    start = next(index for index, request in enumerate(requests) if request.path.endswith("/notes"))
    seen = []
    for cut in range(start, len(requests) + 1):
        for left in power_cuts(requests, cut, 3, subsets=1, prefixes=3):
            if left not in seen:
                seen.append(left)
                into = folder.with_name(f"left-{len(seen)}")
                into.mkdir()
                lay_down(left, folder, into)
                yield into


def test_a_migration_is_done_wholly_or_not_at_all(recorder: Path, tmp_path: Path) -> None:
    folder = tmp_path / "disk"
    folder.mkdir()
    requests = record(recorder, folder, MIGRATION)
    path = game_file(folder, GAME)
    history = read_entries(path)
    assert len(history) == 3
    for into in disturbed(requests, folder):
        with Journal.open(game_file(into, GAME)) as journal:
            assert journal.entries() == history
            journal.append([Draft("more", STAMP), Draft("more", STAMP)])


RESCUE = """
import os, sys
from pathlib import Path
from companion.journal import rescue
from companion.journal.places import sync_folder
from tests.companion.journal.keeping import begun, draft

path = begun(Path(sys.argv[1]), *([draft("turn", bytes(3000), n=n)] for n in range(8)))
torn = os.open(path, os.O_RDWR)
os.ftruncate(torn, path.stat().st_size - 4096)
os.fsync(torn)
sync_folder(path.parent)
os.close(os.open(path.parent / "notes", os.O_WRONLY | os.O_CREAT))
rescue(path)
os._exit(0)
"""


def test_a_rescue_loses_nothing_either(recorder: Path, tmp_path: Path) -> None:
    folder = tmp_path / "disk"
    folder.mkdir()
    requests = record(recorder, folder, RESCUE)
    path = game_file(folder, GAME)
    saved = read_entries(path)
    torn = path.with_name(f"{path.name}.damaged-1").read_bytes()
    assert 1 < len(saved) < 9
    for into in disturbed(requests, folder):
        found = game_file(into, GAME)
        assert torn in [file.read_bytes() for file in into.iterdir()], "the damaged file is gone"
        if found.read_bytes() == torn:
            rescue(found)
        assert read_entries(found) == saved
