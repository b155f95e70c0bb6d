"""What tests share."""

import signal
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def ctrl_c():
    """Ctrl-C as it was, whatever a solver made of it."""
    handler = signal.getsignal(signal.SIGINT)
    yield
    signal.signal(signal.SIGINT, handler)


@pytest.fixture
def clone():
    """The root of the clone."""
    return Path(__file__).resolve().parents[3]
