"""A desk: pins that only remember what was done to them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from firmware.gpio import Factories, desk_factories


@pytest.fixture
def desk() -> Iterator[Factories]:
    factories = desk_factories()
    yield factories
    factories.close()
