"""The installation: what can be checked of its files at once, and the whole of it in a Debian system in a folder."""

from __future__ import annotations

import os
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest

from tests.debian_root import Root, make_root, missing

ROOT = Path(__file__).parent.parent
UNITS = ("viewmat.service", "viewmat-node.service")
INSTALL = ("bash", "/usr/local/src/viewmat/install.sh")


def tool(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is missing")
    return found


def test_shellcheck_has_nothing_to_say():
    scripts = ["install.sh", "install/first-boot.sh", "run"]
    done = subprocess.run([tool("shellcheck"), *scripts], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout == ""
    assert done.returncode == 0


def verified(text: str, folder: Path, name: str) -> str:
    """What systemd has to say of a unit whose program is there."""
    (folder / name).write_text(text.replace("/opt/viewmat/current/bin/viewmat", "/bin/true"))
    done = subprocess.run(
        [tool("systemd-analyze"), "verify", "--man=no", folder / name], capture_output=True, text=True, check=False
    )
    return done.stdout + done.stderr


@pytest.mark.parametrize("name", UNITS)
def test_systemd_accepts_the_units(name, tmp_path):
    text = (ROOT / "install" / name).read_text()
    assert verified(text, tmp_path, name) == ""
    assert "'WatchdogSeconds' in section [Service]" in verified(text.replace("WatchdogSec=", "WatchdogSeconds="), tmp_path, name)


@pytest.mark.parametrize("name", UNITS)
def test_the_units_are_well_hardened(name):
    done = subprocess.run(
        [tool("systemd-analyze"), "security", "--offline=true", "--threshold=25", ROOT / "install" / name],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if "unrecognized option" in done.stderr:
        pytest.skip("this systemd cannot judge units offline")
    assert done.returncode == 0, done.stdout[-600:]


def entries(name: str) -> dict[str, str]:
    lines = (ROOT / "install" / name).read_text().splitlines()
    return dict(line.split("=", 1) for line in lines if "=" in line and not line.startswith("#"))


def test_the_units_start_commands_that_there_are():
    programs = [entries(name)["ExecStart"].split() for name in UNITS]
    assert programs[0] == ["/opt/viewmat/current/bin/viewmat", "run"]
    assert programs[1] == ["/opt/viewmat/current/bin/viewmat", "node", "--config", "/etc/viewmat/node.toml"]
    assert (ROOT / "firmware" / "commands" / "run.py").is_file()


def test_units_are_watched_and_restarted():
    for name in UNITS:
        found = entries(name)
        assert [found[key] for key in ("Type", "Restart", "WatchdogSec", "User", "NotifyAccess")] == [
            "notify", "always", "30", "viewmat", "main",
        ]  # fmt: skip


@pytest.mark.parametrize(
    ("options", "status", "words"),
    [
        (["--help"], 0, "sudo ./install.sh [option]...      installs, or brings up to date, the hub of a table"),
        (["--sideways"], 2, "install: there is no option --sideways"),
        (["--name"], 2, "install: --name needs a name"),
        (["--purge"], 1, "install: --purge goes with --uninstall only"),
        (
            ["--name", "Our Table"],
            1,
            "install: --name Our Table: small letters, digits and hyphens are expected, at most 63 of them",
        ),
    ],
)
def test_the_script_refuses_what_it_does_not_know_before_it_does_anything(options, status, words):
    done = subprocess.run(["bash", ROOT / "install.sh", *options], capture_output=True, text=True, check=False)
    assert (done.returncode, (done.stdout + done.stderr).splitlines()[0]) == (status, words)


def boot_folder(folder: Path) -> dict[str, str]:
    """A boot partition with a program that only tells how it was called, and where the script may write."""
    (folder / "tree" / "viewmat").mkdir(parents=True)
    (folder / "tree" / "viewmat" / "install.sh").write_text('echo "installed with $*"\n')
    (folder / "boot").mkdir()
    with tarfile.open(folder / "boot" / "viewmat.tar.gz", "w:gz") as archive:
        archive.add(folder / "tree" / "viewmat", "viewmat")
    (folder / "boot" / "node.toml").write_text('hub = "table.local"\n')
    (folder / "serial").write_bytes(b"00000000abcdef12\0")
    places = {"BOOT": "boot", "SOURCE": "source", "SERIAL": "serial", "ETC": "etc"}
    return {**os.environ, **{f"VIEWMAT_{name}": str(folder / place) for name, place in places.items()}}


def first_boot(surroundings: dict[str, str]) -> subprocess.CompletedProcess[str]:
    script = ["bash", ROOT / "install" / "first-boot.sh"]
    return subprocess.run(script, env=surroundings, capture_output=True, text=True, check=False)


def test_the_first_start_of_a_node_installs_it_under_a_name_of_its_own(tmp_path):
    surroundings = boot_folder(tmp_path)
    done = first_boot(surroundings)
    assert (done.returncode, done.stdout, done.stderr) == (0, "installed with --node --name node-cdef12\n", "")
    assert (tmp_path / "etc" / "node.toml").read_text() == 'hub = "table.local"\n'


def test_a_second_first_start_keeps_the_settings_of_the_node(tmp_path):
    surroundings = boot_folder(tmp_path)
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc" / "node.toml").write_text("# mine\n")
    assert first_boot(surroundings).returncode == 0
    assert (tmp_path / "etc" / "node.toml").read_text() == "# mine\n"


def test_a_boot_partition_without_settings_is_told(tmp_path):
    surroundings = boot_folder(tmp_path)
    (tmp_path / "boot" / "node.toml").unlink()
    done = first_boot(surroundings)
    assert (done.returncode, done.stderr) == (1, f"first-boot: {tmp_path}/boot/node.toml is missing\n")


# ---- in a system of its own --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    """A Debian 13 with the checkout in it; made once, in about three minutes."""
    why = missing()
    if why:
        pytest.skip(why)
    packages = ("systemd", "python3", "python3-venv", "ca-certificates", "cloud-init", "python3-pytest", "python3-hypothesis")
    root = make_root(tmp_path_factory.mktemp("debian") / "root", packages)
    source = root.path("/usr/local/src/viewmat")
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in tracked.split("\0"):
        if name and (ROOT / name).is_file():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, source / name)
    return root


def state(root: Root) -> dict[str, str]:
    """Everything that the installation makes: files by their content, links by their target."""
    found = {}
    for top in (
        "/opt/viewmat",
        "/etc/systemd",
        "/etc/avahi/services",
        "/etc/viewmat",
        "/var/lib/viewmat",
        "/etc/hosts",
        "/etc/hostname",
    ):
        place = root.path(top)
        for path in sorted(place.rglob("*")) if place.is_dir() else [place]:
            if path.is_symlink():
                found[str(path.relative_to(root.folder))] = f"-> {path.readlink()}"
            elif path.is_file() and "site-packages" not in path.parts:
                found[str(path.relative_to(root.folder))] = f"{path.stat().st_mode:o} {path.stat().st_mtime_ns}"
    return found


def accounts(root: Root) -> tuple[str, str]:
    return root.text("/etc/passwd"), root.text("/etc/group")


@pytest.mark.long
def test_the_whole_life_of_an_installation(root):
    """One test in steps, since each stands on the one before: install, again, upgrade, failed upgrade, uninstall, purge."""
    told = root.run(*INSTALL, "--name", "table").stdout
    assert told.endswith("install: done: open http://table.local:8080\n")
    program = "/opt/viewmat/current/bin/"
    where = "import cv2, numpy, scipy; print(*sorted(m.__file__.split('/dist-packages/')[0] for m in (cv2, numpy, scipy)))"
    assert root.run(f"{program}python", "-c", where).stdout == "/usr/lib/python3 /usr/lib/python3 /usr/lib/python3\n"
    assert '"winner": 0' in root.run(f"{program}viewmat", "rank", "AS KS QS JS TS", "9h 9d 2c 4s 5d", "--json").stdout
    enabled = root.path("/etc/systemd/system/multi-user.target.wants/viewmat.service")
    assert str(enabled.readlink()) == "/etc/systemd/system/viewmat.service"
    assert "viewmat:" in root.text("/etc/passwd")

    before = state(root), accounts(root)
    told = root.run(*INSTALL, "--name", "table").stdout
    assert told.endswith("install: this version is installed already\n")
    assert (state(root), accounts(root)) == before

    game = root.path("/var/lib/viewmat/games/evening.sqlite")
    game.parent.mkdir()
    game.write_bytes(b"a game")
    root.path("/etc/viewmat/table.toml").write_text("# our table\n")
    first = root.path("/opt/viewmat/current").readlink()
    module = root.path("/usr/local/src/viewmat/firmware/version.py")
    module.write_text(module.read_text() + "\n# newer\n")
    told = root.run(*INSTALL).stdout
    second = root.path("/opt/viewmat/current").readlink()
    assert second != first
    assert (game.read_bytes(), root.text("/etc/viewmat/table.toml")) == (b"a game", "# our table\n")
    (kept,) = root.path("/var/backups/viewmat").glob("before-*.tar.gz")
    assert kept.stat().st_mode & 0o777 == 0o600
    with tarfile.open(kept) as archive:
        assert {"var/lib/viewmat/games/evening.sqlite", "etc/viewmat/table.toml"} <= set(archive.getnames())

    # A version that spoils the data and then does not start: the one before comes back, and the data with it.
    module.write_text(module.read_text() + "\n# newest\n")
    spoil = root.path("/spoil")
    spoil.write_text(
        f'#!/bin/sh\n[ "$(readlink /opt/viewmat/current)" = {second} ] && exit 0\n'
        "echo spoilt >/var/lib/viewmat/games/evening.sqlite\nexit 1\n"
    )
    spoil.chmod(0o755)
    done = root.run(*INSTALL, check=False, VIEWMAT_START_TEST="/spoil")
    assert done.returncode == 1
    assert done.stdout.endswith("install: the new version did not start: the one before runs again, with its data\n")
    assert root.path("/opt/viewmat/current").readlink() == second
    assert game.read_bytes() == b"a game"
    (failed,) = root.path("/var/backups/viewmat").glob("failed-*")
    assert (failed / "data/games/evening.sqlite").read_text() == "spoilt\n"

    told = root.run(*INSTALL, "--uninstall").stdout
    assert told == (
        "install: program and services are gone; games are in /var/lib/viewmat, settings in /etc/viewmat, "
        "backups in /var/backups/viewmat\n"
    )
    assert not root.path("/opt/viewmat").exists() and not enabled.is_symlink()
    assert game.read_bytes() == b"a game"
    assert root.run(*INSTALL, "--uninstall").returncode == 0

    root.run(*INSTALL, "--uninstall", "--purge")
    left = [
        path for path in ("/var/lib/viewmat", "/etc/viewmat", "/var/backups/viewmat", "/opt/viewmat") if root.path(path).exists()
    ]
    assert left == []
    assert "viewmat" not in root.text("/etc/passwd") + root.text("/etc/group")


@pytest.mark.long
def test_a_node_is_installed_without_what_it_does_not_need(root):
    root.run(*INSTALL, "--node", "--name", "node-1")
    assert root.path("/etc/systemd/system/multi-user.target.wants/viewmat-node.service").is_symlink()
    found = root.run("/opt/viewmat/current/bin/python", "-m", "pip", "list", "--local", "--format", "freeze").stdout
    names = {line.split("==")[0].lower() for line in found.splitlines()}
    assert names & {"onnxruntime", "flask", "numpy", "scipy", "opencv-python-headless"} == set()
    assert {"viewmat", "click", "pydantic"} <= names
    root.run(*INSTALL, "--uninstall", "--purge")


@pytest.mark.long
def test_cloud_init_accepts_the_first_start(root):
    told = root.run("cloud-init", "schema", "--config-file", "/usr/local/src/viewmat/install/user-data").stdout
    assert "Valid schema" in told


@pytest.mark.long
def test_the_eyes_see_as_well_with_the_opencv_of_debian(root):
    """All short tests of `vision`, with Debian's python3-opencv and numpy, as on a Raspberry Pi."""
    root.run(*INSTALL)
    python = "/opt/viewmat/current/bin/python"
    assert root.run(python, "-c", "import cv2; print(cv2.__file__)").stdout.startswith("/usr/lib/python3/dist-packages/")
    program = f"cd /usr/local/src/viewmat && {python} -m pytest -q -p no:cacheprovider -m 'not long' tests/vision"
    done = root.run("sh", "-c", program, check=False, OMP_NUM_THREADS="1")
    assert done.returncode == 0, done.stdout[-6000:]
