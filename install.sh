#!/usr/bin/env bash
# Installs the table companion on Raspberry Pi OS Trixie: as the hub of a table or as a mat's node; safe to run again.
set -euo pipefail

HERE="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
OPT=/opt/viewmat
ETC=/etc/viewmat
DATA=/var/lib/viewmat
BACKUPS=/var/backups/viewmat
ACCOUNT=viewmat
KEEP=3 # releases and backups
STARTS_WITHIN="${VIEWMAT_STARTS_WITHIN:-120}"

# numpy, OpenCV and scipy come from apt alone: picamera2 is built for that numpy, and pip's OpenCV brings another one.
FROM_APT=(python3-numpy python3-opencv python3-scipy)
PACKAGES_BOTH=("${FROM_APT[@]}" python3-venv python3-setuptools python3-picamera2 python3-lgpio python3-gpiozero python3-spidev avahi-daemon ca-certificates)
PACKAGES_HUB=(python3-cryptography espeak-ng mosquitto)
PACKAGES_NODE=()

say() { printf 'install: %s\n' "$*"; }
fail() { printf 'install: %s\n' "$*" >&2; exit 1; }

usage() {
    cat <<'EOT'
sudo ./install.sh [option]...      installs, or brings up to date, the hub of a table
    --node          a mat's node instead of the hub
    --name NAME     gives this machine a name on the network: http://NAME.local:8080
    --leave-system  leaves log, swap and the board's watchdog as they are
    --uninstall     takes program and services away; games, settings and backups stay
    --purge         with --uninstall: games, settings, backups and the user go, too
    --help          this text

Run it again after `git pull`. Before anything is changed the data are copied to /var/backups/viewmat; a version that does not
start is taken back, and its data with it.
EOT
}

role=hub name="" uninstall=no purge=no care=yes
while [ $# -gt 0 ]; do
    case "$1" in
        --node) role=node ;;
        --name) [ $# -gt 1 ] || { printf 'install: --name needs a name\n\n' >&2; usage >&2; exit 2; }; name=$2; shift ;;
        --leave-system) care=no ;;
        --uninstall) uninstall=yes ;;
        --purge) purge=yes ;;
        -h | --help) usage; exit 0 ;;
        *) printf 'install: there is no option %s\n\n' "$1" >&2; usage >&2; exit 2 ;;
    esac
    shift
done
[ "$purge" = no ] || [ "$uninstall" = yes ] || fail "--purge goes with --uninstall only"
[ -z "$name" ] || [[ "$name" =~ ^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$ ]] \
    || fail "--name $name: small letters, digits and hyphens are expected, at most 63 of them"
[ "$(id -u)" = 0 ] || fail "this changes the system: run it with sudo"

unit_of() { [ "$1" = node ] && echo viewmat-node.service || echo viewmat.service; }
running_systemd() { [ -d /run/systemd/system ]; }
control() { ! running_systemd || systemctl "$@"; }

check_system() {
    local codename=""
    # shellcheck source=/dev/null
    [ ! -r /etc/os-release ] || codename="$(. /etc/os-release && echo "${VERSION_CODENAME:-}")"
    [ "$codename" = trixie ] || fail "Raspberry Pi OS Trixie (or Debian 13) is expected, found ${codename:-an unknown system}"
    [ "$(getconf LONG_BIT)" = 64 ] || fail "a 64-bit system is needed: onnxruntime has no 32-bit wheels"
    grep -qsa 'Raspberry Pi' /proc/device-tree/model || say "this is no Raspberry Pi: cameras on a ribbon and pins will be missing"
}

install_packages() {
    local wanted=("${PACKAGES_BOTH[@]}") missing=() package
    if [ "$role" = hub ]; then wanted+=("${PACKAGES_HUB[@]}"); else wanted+=("${PACKAGES_NODE[@]}"); fi
    for package in "${wanted[@]}"; do
        [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    say "installing with apt: ${missing[*]}"
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq
    apt-get install -qq -y --no-install-recommends "${missing[@]}" >/dev/null
    # The broker is the table's affair: it is started by nothing but its own settings.
    [ "$role" != hub ] || [ -e "$ETC/mosquitto.conf" ] || control disable --now mosquitto >/dev/null 2>&1 || true
}

make_account() {
    getent passwd "$ACCOUNT" >/dev/null \
        || useradd --system --user-group --home-dir "$DATA" --no-create-home --shell /usr/sbin/nologin "$ACCOUNT"
    local group
    for group in gpio video spi i2c audio render; do
        ! getent group "$group" >/dev/null || usermod --append --groups "$group" "$ACCOUNT"
    done
    install -d -o "$ACCOUNT" -g "$ACCOUNT" -m 0750 "$ETC"
    install -d -o "$ACCOUNT" -g "$ACCOUNT" -m 0700 "$DATA"
    install -d -m 0700 "$BACKUPS"
}

# What tells two states of program and system apart.
stamp() {
    local part
    {
        echo "$role"
        python3 -c 'import sys; print(sys.version)'
        for part in "${FROM_APT[@]}"; do dpkg-query -W "$part"; done
        cd "$HERE"
        find pyproject.toml install.sh companion vision firmware models -type f \
            -not -path '*/__pycache__/*' -print0 | LC_ALL=C sort -z | xargs -0 sha256sum
    } | sha256sum | cut -c 1-16
}

# The dependencies of pyproject.toml without those that apt has to bring; a node reads no cards and serves no page.
requirements() {
    python3 - "$HERE/pyproject.toml" "$role" <<'PY'
import re, sys, tomllib
apt = {"numpy", "opencv-python-headless", "scipy"}
if sys.argv[2] == "node":
    apt |= {"onnxruntime", "flask", "flask-babel", "segno", "waitress", "cryptography"}
with open(sys.argv[1], "rb") as file:
    wanted = tomllib.load(file)["project"]["dependencies"]
print("\n".join(one for one in wanted if re.split(r"[^A-Za-z0-9._-]", one)[0].lower() not in apt))
PY
}

# Whatever pip wants, numpy stays the one of apt.
constraints() { python3 -c 'import numpy; print("numpy==" + numpy.__version__)'; }

make_release() {
    local release="$1" pip
    rm -rf "$release.part"
    python3 -m venv --system-site-packages "$release.part"
    pip=("$release.part/bin/python" -m pip install --quiet --disable-pip-version-check --no-cache-dir)
    requirements >"$release.part/requirements.txt"
    constraints >"$release.part/constraints.txt"
    say "installing with pip (a few minutes on a Zero 2 W)"
    "${pip[@]}" --constraint "$release.part/constraints.txt" --requirement "$release.part/requirements.txt"
    # A copy: pip builds in the folder itself, which may be read-only or somebody else's.
    local copy
    copy="$(mktemp -d)"
    (cd "$HERE" && tar -cf - --exclude=__pycache__ pyproject.toml README.md LICENSE companion vision firmware models) | tar -xf - -C "$copy"
    "${pip[@]}" --no-deps --no-build-isolation "$copy"
    rm -rf "$copy"
    check_release "$release.part"
    # The scripts of a venv name its folder.
    find "$release.part/bin" -type f -exec sed -i "s|$release\\.part|$release|g" {} +
    mv "$release.part" "$release"
}

# A version that cannot even do this never becomes the current one.
check_release() {
    local found
    (cd / && "$1/bin/python" -) <<'PY' || fail "numpy and OpenCV do not come from apt: nothing was changed"
import sys
import cv2, numpy, scipy
sys.exit(any(not module.__file__.startswith("/usr/lib/python3/") for module in (cv2, numpy, scipy)))
PY
    found="$(cd / && "$1/bin/python" -m firmware rank "AS KS QS JS TS" "9h 9d 2c 4s 5d" --json)" || fail "the new version does not work: nothing was changed"
    [[ "$found" == *'"winner": 0'* ]] || fail "the new version answers wrongly: nothing was changed"
}

back_up() {
    local file
    file="$BACKUPS/before-$(date -u +%Y%m%d-%H%M%S)-$1.tar.gz"
    (umask 077 && tar -czf "$file.part" -C / "${DATA#/}" "${ETC#/}")
    mv "$file.part" "$file"
    echo "$file"
}

put_back() {
    local file="$1" aside
    aside="$BACKUPS/failed-$(date -u +%Y%m%d-%H%M%S)"
    mkdir -p "$aside"
    mv "$DATA" "$aside/data"
    cp -a "$ETC" "$aside/settings"
    tar -xzpf "$file" -C /
    say "what the new version had made of the data lies in $aside"
}

point_to() { ln -sfn "$1" "$OPT/current.new" && mv -T "$OPT/current.new" "$OPT/current"; }

# Whether the service is up; where no systemd runs, whether the program is.
starts() {
    if ! running_systemd; then
        "$OPT/current/bin/viewmat" --version >/dev/null && { [ -z "${VIEWMAT_START_TEST:-}" ] || "$VIEWMAT_START_TEST"; }
        return
    fi
    # Type=notify: this returns when the program has said that it is up, or has failed.
    timeout "$STARTS_WITHIN" systemctl restart "$1" && systemctl is-active --quiet "$1"
}

write_if_new() {
    cmp -s "$1" "$2" || { install -D -m 0644 "$1" "$2" && changed=yes; }
}

install_units() {
    changed=no
    write_if_new "$HERE/install/$unit" "/etc/systemd/system/$unit"
    if [ "$role" = hub ]; then write_if_new "$HERE/install/avahi.service" /etc/avahi/services/viewmat.service; fi
    if [ "$care" = yes ]; then
        write_if_new "$HERE/install/journald.conf" /etc/systemd/journald.conf.d/viewmat.conf
        write_if_new "$HERE/install/watchdog.conf" /etc/systemd/system.conf.d/viewmat.conf
        [ ! -d /etc/rpi ] || write_if_new "$HERE/install/swap.conf" /etc/rpi/swap.conf.d/viewmat.conf
    fi
    [ "$changed" = no ] || control daemon-reload
    systemctl enable --quiet "$unit"
}

name_machine() {
    [ -n "$name" ] || return 0
    [ "$(cat /etc/hostname 2>/dev/null)" != "$name" ] || return 0
    say "this machine is now called $name"
    echo "$name" >/etc/hostname
    if grep -qs '^127\.0\.1\.1' /etc/hosts; then
        sed -i "s/^127\.0\.1\.1.*/127.0.1.1\t$name/" /etc/hosts
    else
        printf '127.0.1.1\t%s\n' "$name" >>/etc/hosts
    fi
    ! running_systemd || hostnamectl set-hostname "$name"
}

# Keeps the newest of what $1... are, and the release that is in use.
forget_old() {
    local path count=0
    while IFS= read -r path; do
        count=$((count + 1))
        [ "$count" -le "$KEEP" ] || [ "$path" -ef "$OPT/current" ] || rm -rf "$path"
    done < <(ls -1dt "$@" 2>/dev/null)
}

do_install() {
    check_system
    install_packages
    make_account
    unit="$(unit_of "$role")"
    local release before="" saved=""
    release="$OPT/releases/$(stamp)"
    mkdir -p "$OPT/releases"
    [ ! -L "$OPT/current" ] || before="$(readlink -f "$OPT/current")"
    [ -x "$release/bin/viewmat" ] || make_release "$release"
    name_machine
    install_units
    if [ "$before" = "$release" ]; then
        say "this version is installed already"
        ! running_systemd || systemctl is-active --quiet "$unit" || starts "$unit" || fail "$unit does not start: journalctl -u $unit"
        return 0
    fi
    control stop "$unit" 2>/dev/null || true
    [ -z "$before" ] || saved="$(back_up "$(basename "$before")")"
    point_to "$release"
    if starts "$unit"; then
        touch "$release"
        forget_old "$OPT"/releases/*
        forget_old "$BACKUPS"/before-*.tar.gz
        [ -z "$saved" ] || say "the data as they were before lie in $saved"
        say "done: $(done_words)"
        return 0
    fi
    [ -n "$before" ] || fail "$unit does not start: journalctl -u $unit"
    control stop "$unit" 2>/dev/null || true
    point_to "$before"
    put_back "$saved"
    rm -rf "$release"
    starts "$unit" || fail "the new version did not start, and neither does the one before: journalctl -u $unit"
    fail "the new version did not start: the one before runs again, with its data"
}

done_words() {
    if [ "$role" = node ]; then
        [ -e "$ETC/node.toml" ] && echo "this mat looks for its hub" || echo "write $ETC/node.toml, then: systemctl restart viewmat-node"
    else
        echo "open http://$(cat /etc/hostname 2>/dev/null || echo localhost).local:8080"
    fi
}

do_uninstall() {
    local unit
    for unit in viewmat.service viewmat-node.service; do
        [ -e "/etc/systemd/system/$unit" ] || continue
        control stop "$unit" 2>/dev/null || true
        systemctl disable --quiet "$unit" 2>/dev/null || true
        rm -f "/etc/systemd/system/$unit"
    done
    rm -f /etc/avahi/services/viewmat.service /etc/systemd/journald.conf.d/viewmat.conf
    rm -f /etc/systemd/system.conf.d/viewmat.conf /etc/rpi/swap.conf.d/viewmat.conf
    control daemon-reload
    rm -rf "$OPT"
    if [ "$purge" = yes ]; then
        rm -rf "$DATA" "$ETC" "$BACKUPS"
        ! getent passwd "$ACCOUNT" >/dev/null || userdel "$ACCOUNT"
        ! getent group "$ACCOUNT" >/dev/null || groupdel "$ACCOUNT"
        say "everything is gone, games and settings too; packages of apt stay"
    else
        say "program and services are gone; games are in $DATA, settings in $ETC, backups in $BACKUPS"
    fi
}

changed=no unit=""
if [ "$uninstall" = yes ]; then do_uninstall; else do_install; fi
