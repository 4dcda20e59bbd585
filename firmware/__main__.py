"""``python -m firmware`` is the command ``viewmat``."""

from firmware.cli import main

main(prog_name="viewmat")
