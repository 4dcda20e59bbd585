"""What a node's work costs here: `python -m tests.firmware.bus.budget` prints the figures of docs/nodes.md."""

from __future__ import annotations

import subprocess
import sys
from time import process_time

import numpy as np

from firmware.bus.canvas import mark_boxes, window_boxes
from firmware.bus.cutting import Allowance, Cutter
from firmware.bus.messages import Wanted
from vision.calibrate import register
from vision.frame import Frame, Image
from vision.layout import mat_layout
from vision.synthetic.condition import condition
from vision.synthetic.decks import STYLES, draw_deck
from vision.synthetic.optics import BoardCamera
from vision.synthetic.scene import empty_scene

ROUNDS = 200
LOADED = """
import resource, firmware.commands.node, paho.mqtt.client
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""


def cost(cutter: Cutter, pictures: list[Image], began: float) -> tuple[float, int]:
    """Milliseconds of the processor and bytes for each picture."""
    start, sent = process_time(), 0
    for number in range(ROUNDS):
        news = cutter.look(Frame("mat0", began + 0.1 * number, number, pictures[number % len(pictures)]))
        sent += 0 if news is None else sum(len(crop.jpeg) for crop in news.crops)
    return (process_time() - start) * 1000 / ROUNDS, sent // ROUNDS


def main() -> None:
    loaded = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, check=True).stdout.strip()
    layout = mat_layout(0)
    camera = BoardCamera(layout, draw_deck(STYLES[0]), 1, condition("normal", np.random.default_rng(1)))
    quiet = [camera.render(empty_scene(layout), 0.1 * number) for number in range(4)]
    found = register(quiet[0], layout)
    wanted = Wanted(window_boxes(found), mark_boxes(found), "h-1")
    rng = np.random.default_rng(0)
    busy = [np.clip(quiet[0] + rng.integers(-60, 60, (9, 48, 3)).repeat(32, 0).repeat(32, 1), 0, 255).astype(np.uint8)
            for _ in range(4)]  # fmt: skip
    cutter = Cutter(Allowance(1e9, 1e9))
    cutter.follow(wanted)
    cost(cutter, quiet, 0.0)
    rows = [("nothing changes", *cost(cutter, quiet, 100.0)), ("all five windows change", *cost(cutter, busy, 200.0))]
    pixels = quiet[0].shape[0] * quiet[0].shape[1]
    print(f"program loaded: {loaded} MB; a picture: {pixels * 3 / 1e6:.2f} MB; windows: "
          f"{sum(box.width * box.height for box in wanted.windows) * 3 / 1e6:.2f} MB")  # fmt: skip
    for what, milliseconds, sent in rows:
        print(f"{what}: {milliseconds:.2f} ms and {sent} bytes a picture")


if __name__ == "__main__":
    sys.exit(main())
