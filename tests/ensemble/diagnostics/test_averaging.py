"""What averaging does to the spread of its members (tree.05)."""

import numpy as np
import pytest

from margin.ensemble import member_spread, variance_of_mean


@pytest.mark.parametrize(("rho", "n"), [(0.0, 10), (0.3, 4), (1.0, 7), (-0.25, 5)])
def test_formula_against_the_covariance_matrix(rho, n):
    """tree.05: the quadratic form of an equally correlated covariance matrix."""
    covariance = 2.5 * (rho * np.ones((n, n)) + (1 - rho) * np.eye(n))
    mean = np.full(n, 1 / n)
    assert variance_of_mean(2.5, rho, n) == pytest.approx(mean @ covariance @ mean)


def test_formula_holds_for_the_spread_that_is_measured():
    """tree.05, tree.06: bagged members on repeated data."""
    rng = np.random.default_rng(0)
    answers = []
    for _ in range(60):
        x = rng.normal(size=40)
        answers.append([[rng.choice(x, 40).mean()] for _ in range(12)])
    spread = member_spread(answers)
    assert spread.predicted == pytest.approx(spread.measured, rel=1e-9)
    assert 0.2 < spread.correlation < 0.8  # two bootstrap means of the same rows: one half
    assert spread.measured < spread.variance


def test_refusals():
    with pytest.raises(ValueError, match=r"between -0\.5 and 1, got -0\.9"):
        variance_of_mean(1.0, -0.9, 3)
    with pytest.raises(ValueError, match="n_members must be at least 1, got 0"):
        variance_of_mean(1.0, 0.0, 0)
    with pytest.raises(ValueError, match="at least two repeats"):
        member_spread(np.zeros((1, 3, 2)))
