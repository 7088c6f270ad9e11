"""The quadratic rule of few rows is that of their covariances."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.linear.discriminant._quadratic_rule import quadratic_rule
from margin.linear.discriminant._span_rule import span_rule

RNG = np.random.default_rng(1)
SIZES, P = (4, 7, 3), 30
ROWS = [RNG.normal(size=(n, P)) * (1 + np.arange(P)) + 3 * k for k, n in enumerate(SIZES)]
MEANS = np.stack([part.mean(axis=0) for part in ROWS])
CENTRED = tuple(part - mean for part, mean in zip(ROWS, MEANS, strict=True))
TOTALS = np.array(SIZES, dtype=float)
COVARIANCES = np.stack([part.T @ part / len(part) for part in CENTRED])
PRIORS = TOTALS / TOTALS.sum()
X = RNG.normal(size=(9, P)) * 10


@pytest.mark.parametrize("tol", [1e-2, 0.3])
def test_equal_to_the_rule_of_whole_matrices(tol):
    rule = span_rule(MEANS, CENTRED, TOTALS, COVARIANCES, PRIORS, tol)
    whole = quadratic_rule(MEANS, COVARIANCES, PRIORS, tol)
    scatter = COVARIANCES * TOTALS[:, None, None]
    assert_allclose(rule.log_density(X), whole.log_density(X), rtol=1e-9)
    assert_allclose(rule.covariances, whole.covariances, rtol=1e-9, atol=1e-9)
    assert_allclose(rule.log_det, whole.log_det, rtol=1e-12)
    assert_allclose(rule.misfit(scatter), whole.misfit(scatter), rtol=1e-9)
    assert rule.ranks.tolist() == whole.ranks.tolist()


def test_rows_with_holes():
    rule = span_rule(MEANS, CENTRED, TOTALS, COVARIANCES, PRIORS, 1e-2)
    whole = quadratic_rule(MEANS, COVARIANCES, PRIORS, 1e-2)
    holes = X.copy()
    holes[0, 3] = holes[4, :20] = np.nan
    assert_allclose(rule.log_density(holes), whole.log_density(holes), rtol=1e-8)
