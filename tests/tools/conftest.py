"""Tests of the repository's own tools, which are not installed."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))


@pytest.fixture
def root() -> Path:
    """The repository."""
    return ROOT
