"""What every test gets: nothing may be left running, and what is drawn at random is the same in every short run."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from time import monotonic

import pytest
from hypothesis import settings

# A short run says the same of the same sources, everywhere; the long run goes on looking for what nobody has thought of.
settings.register_profile("steady", derandomize=True, deadline=None)


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("markexpr") == "not long":
        settings.load_profile("steady")


def pytest_sessionfinish() -> None:
    """Whatever browser was opened is closed; where no test has wanted one its module was never loaded."""
    if "tests.browser" in sys.modules:
        sys.modules["tests.browser"].close_browsers()


@pytest.fixture(autouse=True)
def no_thread_is_left() -> Iterator[None]:
    """A thread that a test starts has ended when the test has."""
    before = set(threading.enumerate())
    yield
    started = [thread for thread in threading.enumerate() if thread not in before]
    patience = monotonic() + 5
    for thread in started:
        threading.Thread.join(thread, timeout=max(0.0, patience - monotonic()))
    assert [thread.name for thread in started if thread.is_alive()] == []
