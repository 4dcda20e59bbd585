"""Opens the bus of a table as its settings describe it."""

from __future__ import annotations

from collections.abc import Callable
from secrets import token_hex
from time import monotonic

from firmware.bus.broker import hub_user
from firmware.bus.desk import Desk
from firmware.bus.hub import SESSION_S, Hub
from firmware.bus.link import Link, Said
from firmware.bus.topics import Topics
from firmware.camera_rig import CameraRig
from firmware.placement import load_setup
from firmware.settings import Settings
from firmware.settings_bus import BrokerPart, BusPart, node_plans
from firmware.settings_camera import camera_plans


def open_hub(bus: BusPart, broker: BrokerPart) -> Hub:
    """Connect; raise `SettingsError` or `BusError` where that cannot even be tried."""
    topics, login = Topics(bus.table), broker.broker()

    def connect(heard: Callable[[str, bytes], None], will: Said) -> Link:
        # A name of its own for every start: the broker lets only one of a name in, so two hubs would drive away each other.
        return Link(login, f"{hub_user(bus.table)}-{token_hex(4)}", topics.for_hub(), heard, will, SESSION_S)

    return Hub(topics, connect, bus.places(), monotonic)


def camera_rig(settings: Settings, desk: Desk) -> CameraRig:
    """The cameras of a table, those of nodes among them."""
    own = camera_plans(settings.camera, settings.tray)
    setup = load_setup(plan.name for plan in own)
    return CameraRig((*map(setup.locked, own), *node_plans(settings.bus, settings.camera)), desk.open_source)
