import numpy as np
import pytest
from scipy import stats

from margin.search import FisherZ, Moments, partial_correlation


def test_against_regression_residuals():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((60, 5)) @ rng.standard_normal((5, 5))
    data = Moments.of("Test", X)
    Z = np.column_stack([np.ones(60), X[:, 2:]])
    left = X[:, :2] - Z @ np.linalg.lstsq(Z, X[:, :2], rcond=None)[0]
    r = np.corrcoef(left.T)[0, 1]
    assert partial_correlation(data, 0, 1, [2, 3, 4]) == pytest.approx(r, rel=1e-9)
    found = FisherZ(data)(0, 1, [2, 3, 4])
    z = np.sqrt(60 - 3 - 3) * abs(np.arctanh(r))
    assert found.statistic == pytest.approx(z)
    assert found.p_value == pytest.approx(2 * stats.norm.sf(z))


def test_level_under_independence():
    rng = np.random.default_rng(1)
    p_values = [
        FisherZ(Moments.of("Test", rng.standard_normal((25, 4))))(0, 1, [2, 3]).p_value
        for _ in range(400)
    ]
    assert stats.kstest(p_values, "uniform").pvalue > 1e-3


def test_too_few_rows_and_determined_columns():
    X = np.random.default_rng(2).standard_normal((5, 4))
    assert not FisherZ(Moments.of("Test", X))(0, 1, [2, 3]).reliable
    X = np.random.default_rng(3).standard_normal((50, 2))
    data = Moments.of("Test", np.column_stack([X, X[:, 0] + X[:, 1]]))
    assert FisherZ(data)(0, 2, [1]).p_value < 1e-10
    doubled = Moments.of("Test", np.column_stack([X, X[:, 0]]))
    assert partial_correlation(doubled, 0, 1, [2]) == 0.0
