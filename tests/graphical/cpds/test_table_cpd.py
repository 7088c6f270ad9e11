"""Conditional probability tables (graphical.01, graphical.02)."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from margin.graphical import TableCPD


def test_table_and_flat_table_agree():
    """graphical.01"""
    full = np.random.default_rng(0).dirichlet(np.ones(2), size=(2, 3))
    flat = TableCPD(full.reshape(6, 2))
    assert_array_equal(flat.table("t", 2, [2, 3]), full)
    assert_array_equal(TableCPD(full).table("t", 2, [2, 3]), full)
    assert flat.states_implied() == 2


@pytest.mark.parametrize(("card", "parents", "count"), [(2, [], 1), (3, [2, 4], 16), (1, [5], 0)])
def test_free_parameters(card, parents, count):
    """graphical.02: (C - 1) times the configurations of the parents."""
    table = np.full((*parents, card), 1 / card)
    assert TableCPD(table).n_parameters(card, parents) == count


def test_refusals():
    with pytest.raises(ValueError, match=r"must sum to 1, got 1\.1"):
        TableCPD([[0.5, 0.5], [0.5, 0.6]])
    with pytest.raises(ValueError, match=r"must have shape \(3, 2\), got \(2, 2\)"):
        TableCPD([[0.5, 0.5], [0.5, 0.5]]).table("table of 'x'", 2, [3])
    for bad in (1.0, [], [["a", "b"]], [[0.5, 0.5], [1.0]]):
        with pytest.raises(ValueError, match="TableCPD: values must"):
            TableCPD(bad)


def test_values_cannot_be_changed():
    source = np.array([0.5, 0.5])
    cpd = TableCPD(source)
    source[0] = 9.0
    assert cpd.values[0] == 0.5
    with pytest.raises(ValueError, match="read-only"):
        cpd.values[0] = 1.0
