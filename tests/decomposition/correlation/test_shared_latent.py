import numpy as np
import pytest
from scipy.stats import multivariate_normal

from margin.decomposition.correlation._shared_latent import (
    closed_form_fit,
    conditionals,
    em_fit,
    groups_of,
)

RNG = np.random.default_rng(0)
SHARED = RNG.normal(size=(200, 2))
D = np.hstack([SHARED @ RNG.normal(size=(2, 3)), SHARED @ RNG.normal(size=(2, 2))])
D = D + 0.7 * RNG.normal(size=D.shape)


def log_likelihood(model, D):
    total = 0.0
    for row in D:
        o = ~np.isnan(row)
        C = model.covariance[np.ix_(o, o)]
        total += multivariate_normal(model.mean[o], C).logpdf(row[o])
    return total


def test_em_reaches_the_closed_form():
    """decomposition.11: on a complete table both engines find the same maximum."""
    exact = closed_form_fit(D, 3, 2, 1e-9)
    start = closed_form_fit(D + RNG.normal(size=D.shape), 3, 2, 1e-3)
    found = em_fit(groups_of(D), start, 1e-9, tol=1e-13, max_iter=20_000).x
    np.testing.assert_allclose(found.covariance, exact.covariance, rtol=1e-3, atol=1e-3)
    np.testing.assert_allclose(found.mean, exact.mean, atol=1e-6)


def test_likelihood_of_gaps_rises_and_is_the_marginal_one():
    holes = np.where(RNG.random(D.shape) < 0.2, np.nan, D)
    start = closed_form_fit(np.where(np.isnan(holes), 0, holes), 3, 2, 1e-6)
    solution = em_fit(groups_of(holes), start, 1e-12, tol=1e-9, max_iter=2000)
    assert solution.extras["smallest_step"] >= -1e-7
    assert -solution.objective == pytest.approx(log_likelihood(solution.x, holes), rel=1e-6)
    parts = list(conditionals(solution.x, holes))
    total = sum(part.log_prob.sum() for part in parts)
    assert total == pytest.approx(log_likelihood(solution.x, holes), rel=1e-9)


def test_means_given_some_columns_are_the_conditional_ones():
    model = closed_form_fit(D, 3, 1, 1e-9)
    row = np.array([[1.0, np.nan, -0.5, np.nan, np.nan]])
    (part,) = conditionals(model, row)
    C, o = model.covariance, [0, 2]
    gain = C[:, o] @ np.linalg.inv(C[np.ix_(o, o)])
    np.testing.assert_allclose(part.columns[0], model.mean + gain @ (row[0, o] - model.mean[o]))


def test_groups_hold_all_rows():
    holes = np.where(RNG.random(D.shape) < 0.3, np.nan, D)
    groups = groups_of(holes)
    assert sum(g.weight for g in groups) == len(D)
    for g in groups:
        assert g.square.shape == (len(g.columns), len(g.columns))
