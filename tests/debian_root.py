"""A Debian system in a folder, for tests that change one: made by debootstrap, with stand-ins for what Debian lacks."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

SUITE = "trixie"
NEEDED = ("debootstrap", "unshare", "chroot", "dpkg-deb")
STAND_INS = {"python3-picamera2": "picamera2", "python3-lgpio": "lgpio"}
"""Packages of Raspberry Pi OS alone, and the Python module that each brings."""


def missing() -> str:
    """Why no system can be made here; empty where it can."""
    if os.geteuid() != 0:
        return "only root may make a Debian system in a folder"
    tools = [tool for tool in NEEDED if shutil.which(tool) is None]
    return f"{', '.join(tools)} missing (on Debian: apt install debootstrap)" if tools else ""


@dataclass(frozen=True, slots=True)
class Root:
    """A Debian system in a folder."""

    folder: Path

    def run(self, *command: str, check: bool = True, **surroundings: str) -> subprocess.CompletedProcess[str]:
        """Run a command in it, in mounts of its own that vanish with it; both its outputs together."""
        inside = 'mount -t proc proc $0/proc && mount --rbind /dev $0/dev && exec chroot $0 "$@"'
        told = {
            "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive",
            **surroundings,
        }  # fmt: skip
        if self.certificates.exists():
            told |= {"PIP_CERT": "/etc/ssl/test-certificates.crt", "SSL_CERT_FILE": "/etc/ssl/test-certificates.crt"}
        done = subprocess.run(
            ["unshare", "--mount", "--propagation", "private", "sh", "-c", inside, str(self.folder), *command],
            env=told, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        if check and done.returncode != 0:
            raise AssertionError(f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout[-6000:]}")
        return done

    @property
    def certificates(self) -> Path:
        """Those that this machine trusts beside the usual ones, if it says so."""
        return self.folder / "etc/ssl/test-certificates.crt"

    def path(self, inside: str) -> Path:
        """Where a file of the system lies from outside."""
        return self.folder / inside.lstrip("/")

    def text(self, inside: str) -> str:
        return self.path(inside).read_text(encoding="utf-8")


def make_root(folder: Path, packages: Iterable[str] = ()) -> Root:
    """A fresh system with these packages, from where debootstrap takes them by itself."""
    subprocess.run(
        ["debootstrap", "--variant=minbase", SUITE, folder], check=True, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL
    )
    root = Root(folder)
    shutil.copy("/etc/resolv.conf", root.path("/etc/resolv.conf"))
    if trusted := os.environ.get("PIP_CERT"):
        root.certificates.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(trusted, root.certificates)
    # No daemon of a package is started in a folder.
    root.path("/usr/sbin/policy-rc.d").write_text("#!/bin/sh\nexit 101\n")
    root.path("/usr/sbin/policy-rc.d").chmod(0o755)
    root.path("/etc/apt/sources.list.d/stand-ins.list").write_text("deb [trusted=yes] file:/stand-ins ./\n")
    write_stand_ins(root.path("/stand-ins"), STAND_INS)
    root.run("apt-get", "update", "-qq")
    wanted = tuple(packages)
    if wanted:
        root.run("apt-get", "install", "-qq", "-y", "--no-install-recommends", *wanted)
    return root


def write_stand_ins(folder: Path, modules: Mapping[str, str]) -> None:
    """A repository of packages that hold an empty Python module each."""
    folder.mkdir()
    listed = []
    for package, module in modules.items():
        tree = folder / "tree"
        place = tree / "usr/lib/python3/dist-packages" / module
        place.mkdir(parents=True)
        (place / "__init__.py").write_text('"""A stand-in."""\n')
        (tree / "DEBIAN").mkdir()
        control = f"Package: {package}\nVersion: 0.1\nArchitecture: all\nMaintainer: nobody\nDescription: stand-in\n"
        (tree / "DEBIAN/control").write_text(control)
        file = folder / f"{package}_0.1_all.deb"
        subprocess.run(["dpkg-deb", "--build", "--root-owner-group", tree, file], check=True, stdout=subprocess.DEVNULL)
        shutil.rmtree(tree)
        data = file.read_bytes()
        listed.append(f"{control}Filename: ./{file.name}\nSize: {len(data)}\nSHA256: {hashlib.sha256(data).hexdigest()}\n")
    (folder / "Packages").write_text("\n".join(listed))
