import numpy as np
from scipy.stats import norm

from margin.linear._membership import Membership
from margin.linear.naive_bayes._gaussian_columns import (
    GaussianColumns,
    GaussianLikelihood,
    or_one,
    overall,
)


def test_log_prob_is_that_of_normals():
    """linear.43"""
    rng = np.random.default_rng(0)
    X, mean, var = rng.standard_normal((9, 3)), rng.standard_normal((2, 3)), rng.random((2, 3))
    expected = norm.logpdf(X[:, None, :], mean, np.sqrt(var)).sum(axis=2)
    np.testing.assert_allclose(GaussianLikelihood(mean, var).log_prob(X), expected, rtol=1e-12)


def test_overall_moments_are_those_of_all_rows_and_rounding_is_no_variance():
    rng = np.random.default_rng(1)
    X = np.column_stack([rng.standard_normal(50) + 1e6, np.full(50, 0.1)])
    mean, var = overall(Membership.hard(rng.integers(3, size=50), 3).moments(X))
    np.testing.assert_allclose(mean, X.mean(axis=0))
    np.testing.assert_allclose(var, [X[:, 0].var(), 0.0], rtol=1e-9)
    np.testing.assert_allclose(or_one(var)[1], 1.0)


def test_variance_is_drawn_towards_the_overall_one_by_as_many_rows_as_alpha():
    X, code = np.array([[0.0], [2.0], [10.0]]), np.array([0, 0, 1])
    members = Membership.hard(code, 2)
    model = GaussianColumns.of(X, None, 3.0)
    pooled = (np.array([[2.0], [0.0]]) + 3.0 * X.var()) / (np.array([[2.0], [1.0]]) + 3.0)
    np.testing.assert_allclose(model.fit(members.moments(X)).var, pooled)
    free = GaussianColumns.of(X, None, 0.0).fit(members.moments(X))
    np.testing.assert_allclose(free.var, [[1.0], [1e-9 * X.var()]])
