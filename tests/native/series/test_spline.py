import numpy as np
import pytest

from margin.native.series.spline import smoothing_spline


def dense(gap, y, weight, strength):
    n = len(y)
    Q, R = np.zeros((n, n - 2)), np.zeros((n - 2, n - 2))
    for j in range(n - 2):
        Q[j : j + 3, j] = 1 / gap[j], -1 / gap[j] - 1 / gap[j + 1], 1 / gap[j + 1]
        R[j, j] = (gap[j] + gap[j + 1]) / 3
        if j:
            R[j, j - 1] = R[j - 1, j] = gap[j] / 6
    hat = np.linalg.solve(np.diag(weight) + strength * Q @ np.linalg.solve(R, Q.T), np.diag(weight))
    fitted = hat @ y
    return fitted, np.concatenate([[0], np.linalg.solve(R, Q.T @ fitted), [0]]), np.diag(hat)


@pytest.mark.parametrize("n", [3, 4, 5, 20])
@pytest.mark.parametrize("strength", [1e-8, 1e-3, 10.0])
def test_matches_its_dense_twin(n, strength):
    rng = np.random.default_rng(n)
    gap, y, weight = rng.random(n - 1) + 0.1, rng.standard_normal(n), rng.random(n) + 0.5
    for found, expected in zip(
        smoothing_spline(gap, y, weight, strength), dense(gap, y, weight, strength), strict=True
    ):
        np.testing.assert_allclose(found, expected, atol=1e-9)


def test_refuses_too_few_knots_and_wrong_lengths():
    two = np.ones(2)
    with pytest.raises(ValueError, match="at least 3 knots"):
        smoothing_spline(np.ones(1), two, two, 1.0)
    with pytest.raises(ValueError, match="different length"):
        smoothing_spline(np.ones(3), np.ones(3), np.ones(3), 1.0)


def test_nan_is_not_hidden():
    y = np.array([0.0, np.nan, 1.0, 2.0])
    assert np.isnan(smoothing_spline(np.ones(3), y, np.ones(4), 1.0)[0]).all()
