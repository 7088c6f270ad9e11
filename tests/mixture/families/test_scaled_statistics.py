"""Statistics of rows that count more or less than once."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.distributions import (
    Bernoulli,
    Categorical,
    Gamma,
    Laplace,
    MultivariateNormal,
    Normal,
    Poisson,
    ProductFamily,
    Uniform,
)
from margin.mixture.families._family_steps import FamilyStatistics
from margin.mixture.families._scaled_statistics import (
    blended_families,
    keeps_rows,
    scaled_statistics,
)

X = np.array([[1.0, 0.0], [2.0, 1.0], [4.0, 1.0]])


def leaves(stats):
    if hasattr(stats, "parts"):
        return [leaf for part in stats.parts for leaf in leaves(part)]
    return [np.asarray(value, dtype=float) for value in vars(stats).values()]


@pytest.mark.parametrize(
    ("family", "rows"),
    [
        (Normal, X), (MultivariateNormal, X), (Poisson, X), (Gamma, X[:, :1]), (Uniform, X),
        (Bernoulli, X[:, 1:]), (Categorical, X[:, 1:]),
        (ProductFamily([Normal, Bernoulli], [[0], [1]]), X),
    ],
)  # fmt: skip
def test_scaled_statistics_are_those_of_scaled_weights(family, rows):
    one = scaled_statistics(family.statistics(rows, np.ones(3)), 2.5)
    two = family.statistics(rows, np.full(3, 2.5))
    for a, b in zip(leaves(one), leaves(two), strict=True):
        assert_allclose(a, b, rtol=1e-12)


def test_rows_that_are_kept_are_found():
    assert keeps_rows(Laplace.statistics(X[:, 0]))
    assert keeps_rows(ProductFamily([Normal, Laplace], [[0], [1]]).statistics(X))
    assert not keeps_rows(Normal.statistics(X))
    assert scaled_statistics((), 2.0) == ()


def test_a_blend_has_the_weight_of_both():
    def of(rows, weight):
        total = np.full(1, float(len(rows)))
        return FamilyStatistics(-1.0, weight, total, (Normal.statistics(rows),))

    both = blended_families(of(X, 3.0), of(X[:1], 1.0), 0.25)
    assert_allclose(both.weight, 4.0)
    assert_allclose(both.members[0].mean, np.concatenate([X, X[:1]]).mean(axis=0))
