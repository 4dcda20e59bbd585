"""The program on a mat's computer: what it loads, what it says, what it shows."""

from __future__ import annotations

import json
import subprocess
import sys

NEVER = (
    "onnxruntime", "scipy", "flask", "werkzeug", "jinja2", "babel", "waitress", "cryptography", "models", "companion.sitting",
    "companion.referee", "companion.tracker", "companion.games", "companion.web", "vision.reader", "vision.classifier_onnx",
    "vision.onnx_classifier", "vision.observe", "vision.calibrate", "vision.belief", "vision.synthetic", "firmware.table",
    "firmware.settings", "firmware.virtual",
)  # fmt: skip
PROBE = """
import json, sys
import firmware.commands.node, firmware.node, firmware.camera, firmware.camera_feed
import paho.mqtt.client
print(json.dumps(sorted(sys.modules)))
"""


def test_a_node_loads_camera_jpeg_transport_and_pins_and_nothing_that_knows_cards_or_rules() -> None:
    done = subprocess.run([sys.executable, "-c", PROBE], capture_output=True, text=True, check=True)
    loaded = json.loads(done.stdout)
    assert [name for name in loaded if any(name == one or name.startswith(f"{one}.") for one in NEVER)] == []
    assert {"cv2", "numpy", "gpiozero", "paho.mqtt.client"} <= set(loaded)
