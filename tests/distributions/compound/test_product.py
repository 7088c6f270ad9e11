"""Products for mixed columns."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from margin.distributions import (
    Bernoulli,
    Categorical,
    MultivariateNormal,
    Normal,
    Poisson,
    Product,
)
from margin.testing import DistributionContract

JOINT = MultivariateNormal([0.0, 1.0], [[1.0, 0.5], [0.5, 2.0]])


class TestContract(DistributionContract):
    """Everything a distribution promises, for continuous columns."""

    def make(self):
        return [Product([Normal([0.0, 3.0], [1.0, 2.0]), JOINT], [[0, 3], [2, 1]])]


def test_rows_of_unlike_columns():
    """Log densities, moments and draws are those of the parts."""
    row = Product([JOINT, Categorical([[0.3, 0.7]]), Poisson([4.0])], [[3, 0], [1], [2]])
    x = row.sample(2000, 0)
    wanted = JOINT.log_prob(x[:, [3, 0]]) + Categorical([0.3, 0.7]).log_prob(x[:, 1])
    wanted += Poisson(4.0).log_prob(x[:, 2])
    assert_allclose(row.log_prob(x), wanted)
    assert_allclose(row.log_prob_rows(x), wanted)
    assert_allclose(row.mean, [1.0, 0.7, 4.0, 0.0])
    assert_allclose(row.mode, [1.0, 1.0, 4.0, 0.0])
    assert_allclose(x.mean(axis=0), row.mean, atol=0.2)
    assert_allclose(row.entropy, JOINT.entropy + row.parts[1].entropy[0] + row.parts[2].entropy[0])
    assert_allclose(row.kl(row), 0.0, atol=1e-12)


def test_marginal_and_condition_cross_the_parts():
    row = Product([JOINT, Bernoulli([0.3, 0.8])], [[3, 0], [1, 2]])
    part = row.marginal([2, 3])
    assert_allclose(part.mean, [0.8, 0.0])
    given = row.condition([3, 1], [1.0, 1.0])
    assert_allclose(given.mean, [1.5, 0.8])
    assert_allclose(given.var[0], 1.75)


def test_arrays_of_products():
    members = Product([Normal(np.zeros((3, 2))), Poisson([[1.0], [2.0], [3.0]])], [[0, 1], [2]])
    X = np.array([[0.0, 1.0, 2.0], [np.nan, 0.0, np.nan]])
    table = members.log_prob_rows(X)
    assert table.shape == (2, 3)
    for j in range(3):
        assert_allclose(table[:, j], members[j].log_prob(X))


def test_refusals():
    with pytest.raises(ValueError, match="Product: columns must be 0, …, D - 1"):
        Product([Normal([0.0])], [[1]])
    with pytest.raises(ValueError, match="Product: parts must be of 2 columns"):
        Product([Normal([0.0])], [[0, 1]])
    with pytest.raises(ValueError, match="Product: parts must be arrays of one shape"):
        Product([Normal([[0.0], [1.0]]), Normal([0.0])], [[0], [1]])
    assert stats.norm.cdf(0.0) == Product([Normal([0.0])], [[0]]).cdf([0.0])[0]
