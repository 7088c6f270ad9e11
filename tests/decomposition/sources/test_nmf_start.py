import numpy as np
import pytest

from margin.decomposition.sources._nmf_start import NAMES, start_factors

X = np.abs(np.random.default_rng(0).normal(size=(12, 8)))


@pytest.mark.parametrize("name", NAMES)
def test_starts_are_not_negative(name):
    W, H = start_factors(X, 3, name, np.random.default_rng(0))
    assert W.shape == (12, 3)
    assert H.shape == (3, 8)
    assert W.min() >= 0
    assert H.min() >= 0
    if name in ("nndsvda", "random"):
        assert W.min() > 0


def test_one_component_is_the_best_approximation_of_rank_one():
    W, H = start_factors(X, 1, "nndsvd", np.random.default_rng(0))
    U, S, Vt = np.linalg.svd(X)
    np.testing.assert_allclose(W @ H, S[0] * np.outer(U[:, 0], Vt[0]), atol=1e-5)
    assert start_factors(np.zeros((3, 2)), 2, "nndsvd", np.random.default_rng(0))[0].any() == 0
