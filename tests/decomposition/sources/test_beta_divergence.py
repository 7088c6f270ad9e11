import numpy as np
import pytest

from margin.decomposition.sources._beta_divergence import beta_divergence, order_of

RNG = np.random.default_rng(0)
X, Y = RNG.random((4, 3)) + 0.1, RNG.random((4, 3)) + 0.1


@pytest.mark.parametrize("beta", [0.0, 1.0, 2.0])
def test_special_cases_are_limits(beta):
    near = beta_divergence(X, Y, beta + 1e-6)
    assert beta_divergence(X, Y, beta) == pytest.approx(near, rel=1e-4)
    assert beta_divergence(X, X, beta) == pytest.approx(0, abs=1e-12)


def test_masks_and_zeros():
    seen = RNG.random((4, 3)) < 0.5
    total = sum(
        beta_divergence(X[i : i + 1, j : j + 1], Y[i : i + 1, j : j + 1], 1.0)
        for i, j in np.argwhere(seen)
    )
    assert beta_divergence(X, Y, 1.0, seen) == pytest.approx(total)
    assert np.isfinite(beta_divergence(np.zeros((2, 2)), np.zeros((2, 2)), 1.0))
    assert order_of("itakura-saito") == 0
