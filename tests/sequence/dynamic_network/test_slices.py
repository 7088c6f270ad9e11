import numpy as np
import pytest
from networks import network

from margin.sequence.dynamic_network._slices import contract, indicators, slices


def test_interface_and_scopes():
    s, _ = network("through a neighbour")
    assert s.interface == (0, 2)
    assert s.before == (3, 5)
    assert s.scopes[0] == (3, 1, 0)
    assert s.moving == (0, 1)
    assert not s.separable


def test_too_many_labels_are_refused():
    names = tuple(range(30))
    with pytest.raises(ValueError, match="at most 49 variables"):
        slices("Network", names, (2,) * 30, [], [(v, v) for v in names])


def test_contract_has_the_batch_in_front():
    rng = np.random.default_rng(0)
    a, b = rng.random((3, 2)), rng.random((4, 2))
    answer = contract([a, b], [(0, 1), (9, 1)], (0,), 9)
    np.testing.assert_allclose(answer, b @ a.T)


def test_indicators_leave_out_what_is_never_seen():
    tables, seen = indicators(np.array([[1, -1], [-1, -1]]), (2, 3))
    assert seen == [0]
    np.testing.assert_array_equal(tables[0], [[0, 1], [1, 1]])
