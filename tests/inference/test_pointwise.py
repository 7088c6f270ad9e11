"""Error bars, and maxima one by one against the best whole (inference.22)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margin.inference import FactorModel, JunctionTree, error_bars, pointwise_best


def test_mean_and_deviation():
    p = np.random.default_rng(0).dirichlet(np.ones(5), size=3)
    values = np.array([-1.0, 0.0, 2.0, 3.0, 10.0])
    mean, deviation = error_bars(p, values)
    assert_allclose(mean, p @ values)
    assert_allclose(deviation**2, p @ values**2 - mean**2, atol=1e-12)
    with pytest.raises(ValueError, match="values must be of shape"):
        error_bars([0.5, 0.5], [1.0])


def test_pointwise_maxima_may_be_impossible_together():
    """inference.22: with .4 on (0, 0), .3 on (1, 1) and (1, 2), the single winners never meet."""
    joint = np.array([[0.4, 0.0, 0.0], [0.0, 0.3, 0.3]])
    model = FactorModel((2, 3), ((0, 1),), (joint,))
    tree = JunctionTree.compile(model.cardinalities, model.scopes)
    _, marginals = tree.marginals(model.tables)
    alone = pointwise_best(marginals)
    assert_array_equal(alone, [[1, 0]])
    assert model.log_prob(alone)[0] == -np.inf
    value, states = tree.mpe(model.tables)
    assert_array_equal(states, [[0, 0]])
    assert_allclose(np.exp(value), [0.4])
