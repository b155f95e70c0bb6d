"""What tests share."""

from pathlib import Path

import pytest


@pytest.fixture
def clone():
    """The root of the clone."""
    return Path(__file__).resolve().parents[3]
