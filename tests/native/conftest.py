"""The NumPy twins that several modules share lie beside the tests."""

import sys
from pathlib import Path

import pytest

from margin.native import _native

HERE = str(Path(__file__).resolve().parent)
if HERE not in sys.path:
    sys.path.insert(0, HERE)


@pytest.fixture(autouse=True)
def threads_on_small_problems():
    """Any work is enough for threads, so that loops asked to share it do."""
    usual = _native.set_least_work(0.0)
    yield
    _native.set_least_work(usual)
