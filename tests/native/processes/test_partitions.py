"""Sweeps over clusters: bookkeeping, degenerate rows, seeds."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margin.distributions import NormalInverseWishart
from margin.native.processes import partitions

RNG = np.random.default_rng(0)
X = RNG.normal(size=(200, 3)) @ RNG.normal(size=(3, 3))
LOWER = np.linalg.cholesky(np.diag([1.0, 2.0, 0.5]))
START = np.full(200, -1, dtype=np.int32)


def swept(X, label=START, n_sweeps=20, seed=1, log_alpha=0.5):
    return partitions.normal_sweeps(X, label, LOWER, 0.2, 5.0, log_alpha, n_sweeps, seed, 0)


def test_evidence_after_many_changes_is_that_of_the_rows():
    """Factors changed by one rank thousands of times lead to the partition's own evidence."""
    label, value = swept(X)
    prior = NormalInverseWishart(np.zeros(3), 0.2, np.diag([1.0, 2.0, 0.5]), 5.0)
    truth = sum(prior.log_evidence(X[label == k]) for k in range(label.max() + 1))
    assert_allclose(value, truth, rtol=1e-10)
    first = [np.flatnonzero(label == k)[0] for k in range(label.max() + 1)]
    assert (np.diff(first) > 0).all()


def test_conditional_law_of_one_row():
    """A table of three rows, two of which never move: shares of the choices of the third."""
    rows = np.array([[0.0], [0.1], [0.6]])
    lower = np.array([[0.5]])
    prior = NormalInverseWishart([0.0], 0.5, [[0.25]], 3.0)
    joint = {}
    for z in ([0, 0, 0], [0, 0, 1], [0, 1, 0], [0, 1, 1], [0, 1, 2]):
        z = np.array(z)
        sizes = np.bincount(z)
        value = sum(prior.log_evidence(rows[z == k]) for k in range(z.max() + 1))
        joint[tuple(z)] = value + np.log([max(s - 1, 1) for s in sizes]).sum()
    weight = np.exp(list(joint.values()))
    label, seen = np.zeros(3, dtype=np.int32), []
    for step in range(6000):
        label, _ = partitions.normal_sweeps(rows, label, lower, 0.5, 3.0, 0.0, 1, 5, step)
        seen.append(tuple(label))
    shares = [np.mean([s == z for s in seen]) for z in joint]
    assert_allclose(shares, weight / weight.sum(), atol=0.03)


def test_seeds_and_what_was_given():
    start = START.copy()
    one, two, other = swept(X, start), swept(X, start), swept(X, start, seed=2)
    assert_array_equal(one[0], two[0])
    assert one[1] == two[1] != other[1]
    assert_array_equal(start, START)


def test_no_new_clusters_without_concentration():
    label, _ = swept(X, np.zeros(200, dtype=np.int32), log_alpha=-np.inf)
    assert (label == 0).all()


def test_an_outlier_leaves_no_broken_factor():
    """Its removal cancels all digits: the cluster is then built anew."""
    far = X.copy()
    far[0] = 1e9
    label, value = swept(far, np.zeros(200, dtype=np.int32), n_sweeps=5)
    assert np.isfinite(value)
    assert (label[1:] != label[0]).all()


def test_columns_of_wide_tables_and_refusals():
    with pytest.raises(ValueError, match="one label per row"):
        swept(X, START[:5])
    with pytest.raises(ValueError, match="label out of range"):
        swept(X, np.full(200, 200, dtype=np.int32))
    wide = RNG.normal(size=(30, 20))
    label, value = partitions.normal_sweeps(wide, START[:30], np.eye(20), 1.0, 25.0, 0.0, 3, 0, 0)
    assert label.min() == 0
    assert np.isfinite(value)
    kind, first = np.array([2], dtype=np.int32), np.array([0, 2])
    states = np.array([[0.0], [2.0]])
    with pytest.raises(ValueError, match="state out of range"):
        partitions.column_sweeps(states, START[:2], kind, first, np.ones(2), 0.0, 1, 0, 0)
    with pytest.raises(ValueError, match="unknown kind"):
        partitions.column_sweeps(states, START[:2], kind + 5, first, np.ones(2), 0.0, 1, 0, 0)


def test_empty_table():
    label, value = partitions.normal_sweeps(
        np.zeros((0, 2)), START[:0], np.eye(2), 1.0, 3.0, 0.0, 2, 0, 0
    )
    assert len(label) == 0
    assert value == 0.0
