"""graphical.23: log-linear families."""

from itertools import product

import numpy as np
import pytest

from margin.graphical.learning.markov._log_linear import LogLinear


@pytest.fixture
def family():
    design = np.array([[1.0, 0, 0, 0, 1, 0], [0.0, 1, 2, 0, 1, 2]])
    return LogLinear((2, 3, 2), ((0, 1), (1, 2), (2,)), (design, None, None))


def enumerate_all(family, weights):
    """Log mass of every joint state by the definition."""
    logs = family.log_tables(weights)
    states = list(product(*(range(c) for c in family.cards)))
    mass = [
        sum(t[tuple(x[v] for v in s)] for t, s in zip(logs, family.scopes, strict=True))
        for x in states
    ]
    return np.array(states), np.array(mass)


def test_expectations_by_enumeration(family):
    """graphical.23: features of cliques."""
    weights = np.random.default_rng(0).standard_normal(family.size)
    states, mass = enumerate_all(family, weights)
    log_z, expected = family.expectation(weights)
    assert log_z == pytest.approx(np.log(np.exp(mass).sum()))
    assert family.log_partition(family.tables(weights)) == pytest.approx(log_z)
    p = np.exp(mass - log_z)
    np.testing.assert_allclose(expected, family.statistics(family.counts(states, p)))


def test_large_weights_do_not_overflow(family):
    weights = np.full(family.size, 800.0)
    log_z, expected = family.expectation(weights)
    assert np.isfinite(log_z)
    assert np.isfinite(expected).all()


def test_sizes_and_cells(family):
    assert family.size == 2 + 6 + 2
    rows = np.array([[1, 2, 0], [0, 0, 1]])
    assert [c.tolist() for c in family.cells(rows)] == [[5, 0], [4, 1], [0, 1]]
    assert sum(c.sum() for c in family.counts(rows, np.ones(2))) == 6


def test_cliques_too_wide_have_no_partition_function():
    wide = LogLinear((2,) * 60, tuple((i, j) for i in range(60) for j in range(i)), (None,) * 1770)
    assert wide.log_partition([np.ones((2, 2))] * 1770) is None
