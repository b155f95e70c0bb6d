"""What tests share."""

import signal
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def ctrl_c():
    """Ctrl-C as Python has it, whatever a solver made of it, and also where it was ignored from the beginning."""
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, handler)


@pytest.fixture
def clone():
    """The root of the clone."""
    return Path(__file__).resolve().parents[3]
