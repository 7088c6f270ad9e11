"""Matrices that would not fit."""

import pytest

from margin.core import memory
from margin.gp._capacity import fits


def test_too_large_a_matrix_is_refused_before_it_is_made(monkeypatch):
    monkeypatch.setattr(memory, "available", lambda: 10**9)
    with pytest.raises(MemoryError, match=r"^GP: an exact fit of 100000 rows needs about 240.0 GB"):
        fits("GP", 100_000)
    fits("GP", 1000)
    monkeypatch.setattr(memory, "available", lambda: None)
    fits("GP", 100_000)
    monkeypatch.setattr(memory, "available", lambda: 100)
    with pytest.raises(MemoryError, match="use fewer rows"):
        fits("GP", 10, "use fewer rows")
