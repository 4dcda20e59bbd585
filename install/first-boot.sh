#!/usr/bin/env bash
# The first start of a node: takes program and settings from the boot partition and installs them.  Run once, by cloud-init.
set -euo pipefail

FOLDER="${VIEWMAT_BOOT:-/boot/firmware/viewmat}"
SOURCE="${VIEWMAT_SOURCE:-/usr/local/src/viewmat}"
ETC="${VIEWMAT_ETC:-/etc/viewmat}"
SERIAL="${VIEWMAT_SERIAL:-/sys/firmware/devicetree/base/serial-number}"

for name in viewmat.tar.gz node.toml; do
    [ -f "$FOLDER/$name" ] || { printf 'first-boot: %s is missing\n' "$FOLDER/$name" >&2; exit 1; }
done
mkdir -p "$SOURCE"
tar -xzf "$FOLDER/viewmat.tar.gz" -C "$SOURCE" --strip-components=1
install -d -m 0750 "$ETC"
# What was set on the node itself stays.
[ -e "$ETC/node.toml" ] || install -m 0640 "$FOLDER/node.toml" "$ETC/node.toml"
# One card for all nodes: the board's serial number tells them apart.
name=node
[ ! -r "$SERIAL" ] || name="node-$(tr -d '\0\n' <"$SERIAL" | tail -c 6)"
exec bash "$SOURCE/install.sh" --node --name "$name"
