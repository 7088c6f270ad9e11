"""Tests of the benchmark harness, which is not installed."""

import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
for folder in (HERE, HERE.parents[1]):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))


@pytest.fixture
def hasty(monkeypatch):
    """Run the harness without its pauses, extra rounds, and children."""
    from benchmarks import memory, timing

    monkeypatch.setattr(memory, "measure", lambda *_: 1.25)
    monkeypatch.setattr(timing, "PAUSE", 0.0)
    monkeypatch.setattr(timing, "MIN_SECONDS", 0.0)
    monkeypatch.setattr(timing.gc, "collect", lambda: 0)
