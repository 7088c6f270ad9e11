"""Compiled schedules are kept, and tables go in and come out in order (inference.20)."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from margin.inference import MemoryLimitError
from margin.inference.exact._programs import _CACHED, Programs
from margin.native.junction.junction import HIDDEN, SLICED

SCOPES = ((0, 1), (1, 2), ())


def make_programs(limit=1e9):
    return Programs("JunctionTree", (2, 3, 2), SCOPES, "min-fill", (), limit)


def roles(*sliced, n=3):
    found = np.full(n, HIDDEN, dtype=np.uint8)
    found[list(sliced)] = SLICED
    return found


def test_a_schedule_is_compiled_once_per_question():
    programs = make_programs()
    first = programs.get(roles(), (), False)
    assert programs.get(roles(), (), False) is first
    assert programs.get(roles(1), (), False) is not first
    assert programs.get(roles(), (0, 2), False) is not first
    assert programs.get(roles(), (), True) is not first
    assert programs.get(roles(), (), False, (0,)) is not first


def test_the_schedule_unused_for_longest_is_dropped():
    n = 8
    programs = Programs("JunctionTree", (2,) * n, ((0, 1),), "min-fill", (), 1e9)
    first = programs.get(roles(n=n), (), False)
    second = programs.get(roles(0, n=n), (), False)
    patterns = [[v for v in range(n) if k >> v & 1] for k in range(2, 2 + _CACHED - 1)]
    for k, pattern in enumerate(patterns):
        programs.get(roles(*pattern, n=n), (), False)
        if k == 0:
            assert programs.get(roles(n=n), (), False) is first
    assert programs.get(roles(n=n), (), False) is first
    assert programs.get(roles(0, n=n), (), False) is not second


def test_tables_are_flattened_in_order_and_split_back():
    programs = make_programs()
    tables = [np.arange(6.0).reshape(2, 3), np.arange(6.0, 12.0).reshape(3, 2), np.array(12.0)]
    assert_array_equal(programs.flat(tables), np.arange(13.0))
    assert_array_equal(programs.flat(tables, (1,)), np.arange(6.0, 12.0))
    for table, again in zip(tables, programs.split(np.arange(13.0)), strict=True):
        assert_array_equal(table, again)
    with pytest.raises(ValueError, match="JunctionTree: tables must be 3 arrays, got 2"):
        programs.flat(tables[:2])
    with pytest.raises(ValueError, match=r"tables\[1\] must be of shape \(3, 2\)"):
        programs.flat([tables[0], np.ones(5), tables[2]])


def test_over_the_limit_a_schedule_is_described_but_not_given_out():
    programs = make_programs(limit=8)
    assert programs.get(roles(), (), False, refuse=False).describe()["cliques"]
    with pytest.raises(MemoryLimitError, match="memory_limit must be at least"):
        programs.get(roles(), (), False)
