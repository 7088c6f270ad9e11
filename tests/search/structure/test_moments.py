import numpy as np
import pandas as pd
import pytest

from margin.search import Moments


def test_complete_rows():
    X = np.random.default_rng(0).standard_normal((30, 3))
    found = Moments.of("Test", X)
    np.testing.assert_allclose(found.covariance, np.cov(X.T, bias=True))
    np.testing.assert_allclose(found.correlation, np.corrcoef(X.T))
    assert found.n_rows == 30


def test_weights_are_copies():
    rng = np.random.default_rng(1)
    X, copies = rng.standard_normal((20, 2)), rng.integers(1, 4, 20)
    X[3, 0] = np.nan
    heavy = Moments.of("Test", X, sample_weight=copies)
    long = Moments.of("Test", np.repeat(X, copies, axis=0))
    np.testing.assert_allclose(heavy.covariance, long.covariance, rtol=1e-6)
    assert heavy.n_rows == long.n_rows


def test_unknown_values_reach_a_stationary_point_of_the_likelihood():
    rng = np.random.default_rng(2)
    X = rng.standard_normal((80, 3)) @ rng.standard_normal((3, 3))
    X[rng.random(X.shape) < 0.2] = np.nan
    found = Moments.of("Test", X, tol=1e-11, max_iter=5000)

    def likelihood(mean, cov):
        total = 0.0
        for row in X:
            s = ~np.isnan(row)
            if s.any():
                d, C = row[s] - mean[s], cov[np.ix_(s, s)]
                total -= 0.5 * (np.linalg.slogdet(C)[1] + d @ np.linalg.solve(C, d))
        return total

    best = likelihood(found.mean, found.covariance)
    for _ in range(40):
        noise = rng.standard_normal((3, 3)) * 1e-2
        other = found.covariance + noise @ noise.T * 0.1 + 1e-3 * (noise + noise.T)
        assert likelihood(found.mean + 1e-2 * rng.standard_normal(3), other) < best
    assert found.n_rows < 80


@pytest.mark.parametrize(
    ("X", "message"),
    [
        ([["a", "b"]], "numbers"),
        ([[np.inf, 1.0]], "finite"),
        ([[np.nan, 1.0]], "observed somewhere"),
        (np.zeros((0, 2)), "at least one row"),
    ],
)
def test_bad_input(X, message):
    with pytest.raises(ValueError, match=message):
        Moments.of("Test", X)


def test_names_and_constant_columns():
    found = Moments.of("Test", pd.DataFrame({"u": [1.0, 2.0], "v": [3.0, 3.0]}))
    assert found.names == ("u", "v")
    np.testing.assert_array_equal(found.correlation, np.eye(2))
