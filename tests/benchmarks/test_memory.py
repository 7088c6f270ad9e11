import sys
from pathlib import Path

import pytest
from synthetic_cases import CASES

from benchmarks import memory

CASE = CASES[0]
SIZE = CASE.sizes[0]


@pytest.fixture
def source(monkeypatch):
    """The module of the synthetic cases, findable by a child process."""
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).resolve().parent))
    return "synthetic_cases"


@pytest.mark.skipif(sys.platform != "linux", reason="the mark cannot be lowered elsewhere")
def test_the_child_sees_what_a_fit_allocates(source):
    lean = memory.measure(CASE, SIZE, CASE.contestant("margin"), {}, source)
    hog = memory.measure(CASE, SIZE, CASE.contestant("hog"), {}, source)
    wasted = 8_000_000 * 8 / 2**20
    assert lean < 4
    # The warm-up has paid for the first allocation, and the memory was given back.
    assert hog == pytest.approx(wasted, abs=4)


def test_the_setting_travels_to_the_child(source):
    assert memory.measure(CASE, SIZE, CASE.contestant("ladder"), {"tol": 1e-3}, source) >= 0
    assert memory.measure(CASE, SIZE, CASE.contestant("ladder"), {"wrong": 1}, source) is None


def test_a_child_that_fails_gives_none(source):
    assert memory.measure(CASE, SIZE, CASE.contestant("broken"), {}, source) is None
    assert memory.measure(CASE, SIZE, CASE.contestant("absent"), {}, source) is None
