"""Counts of corrections, whole or in blocks."""

import numpy as np
import pytest

from margin.svm import KernelPerceptron
from margin.svm.online._kernel_counts import Corrections


def blobs(n=90, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    return X, np.digitize(X[:, 0] + 0.3 * rng.normal(size=n), [-0.5, 0.5])


@pytest.mark.parametrize("slope", [0.0, 0.01])
@pytest.mark.parametrize("block", [1, 7, 200])
def test_blocks_take_the_same_steps(slope, block):
    """svm.11, svm.14: a matrix that is not held gives the counts of one that is."""
    X, y = blobs()
    _, problem = KernelPerceptron(gamma=1.0)._problem(X, y, None)
    whole, parts = (Corrections(problem, average=True, block=b) for b in (None, block))
    rng, chosen = np.random.default_rng(0), np.array([0, 2])
    for machines in (np.arange(3), chosen):
        order = rng.integers(0, 90, size=200)
        for state in (whole, parts):
            state.visit(order, machines, slope)
    assert whole.t == parts.t == 400
    assert np.array_equal(whole.counts, parts.counts)
    assert np.array_equal(whole.late, parts.late)
    assert np.allclose(whole.values, parts.values)
    assert np.allclose(whole.values, (whole.counts * problem.signs) @ problem.gram.matrix)
