"""Families for mixed columns (distributions.37)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from margin.distributions import (
    Categorical,
    MultivariateNormal,
    Normal,
    NormalInverseGamma,
    Poisson,
    ProductFamily,
)


def table(n=80, seed=0):
    rng = np.random.default_rng(seed)
    X = np.column_stack(
        [rng.normal(size=(n, 2)), rng.integers(0, 3, size=n), rng.poisson(4.0, size=n)]
    )
    return X, rng.dirichlet(np.ones(2), size=n)


def test_members_are_the_fits_of_the_parts():
    """distributions.37: batches add up, and each group is fitted by its own family."""
    X, R = table()
    kinds = [{"covariance_type": "tied"}, {}, {}]
    family = ProductFamily([MultivariateNormal, Categorical, Poisson], [[0, 1], [2], [3]], kinds)
    stacked = family.statistics(X[:30], R[:30]) + family.statistics(X[30:], R[30:])
    members = family.fit(stacked)
    assert members.shape == (2,)
    normal = MultivariateNormal.fit(
        MultivariateNormal.statistics(X[:, :2], R), covariance_type="tied"
    )
    assert_allclose(members.parts[0].covariance, normal.covariance)
    for j in range(2):
        assert_allclose(members[j].mean[3], R[:, j] @ X[:, 3] / R[:, j].sum())
        share = np.bincount(X[:, 2].astype(int), R[:, j]) / R[:, j].sum()
        assert_allclose(members[j].parts[1].probabilities[0], share)
    again = members.expected_statistics(X, R)
    assert_allclose(again.parts[0].scatter, stacked.parts[0].scatter)
    assert_allclose(stacked[1].parts[2].weight, R[:, 1].sum())
    assert stats.norm.pdf(0.0) > 0


def test_priors_and_refusals():
    X, _ = table()
    family = ProductFamily([Normal, Poisson], [[0, 1], [2]])
    prior = NormalInverseGamma([0.0, 0.0], 1.0, 1.0, 1.0)
    fit = family.fit(X[:, [0, 1, 3]], [prior, None])
    assert_allclose(fit.parts[0].mean, Normal.fit(X[:, :2], prior).mean)
    with pytest.raises(ValueError, match=r"ProductFamily: X must be of shape \(n, 3\)"):
        family.statistics(X)
    with pytest.raises(ValueError, match="ProductFamily: columns must be a group for each of 2"):
        ProductFamily([Normal, Poisson], [[0]])
