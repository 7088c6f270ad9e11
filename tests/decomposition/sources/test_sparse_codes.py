import numpy as np
import pytest
from sklearn.decomposition import sparse_encode
from sklearn.linear_model import orthogonal_mp

from margin.decomposition.sources._sparse_codes import Coding, sparse_codes

RNG = np.random.default_rng(0)
D = RNG.normal(size=(9, 6))
D /= np.linalg.norm(D, axis=1, keepdims=True)
X = RNG.normal(size=(20, 6))


@pytest.mark.parametrize("algorithm", ["lasso_lars", "lasso_cd"])
@pytest.mark.parametrize("positive", [False, True])
def test_conditions_of_the_lasso(algorithm, positive):
    """decomposition.15: codes of an over-complete dictionary are optimal."""
    codes, cut = sparse_codes(X, D, Coding(algorithm, 0.3, positive=positive))
    assert cut == 0
    slope = (X - codes @ D) @ D.T
    top = slope if positive else np.abs(slope)
    assert top.max() <= 0.3 + 1e-9
    used = codes != 0
    np.testing.assert_allclose(slope[used], 0.3 * np.sign(codes[used]), atol=1e-9)
    assert used.mean() < 0.8


def test_pursuit_against_scikit_learn():
    codes, _ = sparse_codes(X, D, Coding("omp", n_nonzero=3))
    theirs = orthogonal_mp(D.T, X.T, n_nonzero_coefs=3).T
    np.testing.assert_allclose(codes, theirs, atol=1e-9)
    within, _ = sparse_codes(X, D, Coding("omp", alpha=0.5))
    errors = ((X - within @ D) ** 2).sum(axis=1)
    assert errors.max() <= 0.5 + 1e-9
    assert not sparse_codes(np.zeros((2, 6)), D, Coding("omp", n_nonzero=2))[0].any()


def test_least_angles_and_thresholds_against_scikit_learn():
    theirs = sparse_encode(X, D, algorithm="lars", n_nonzero_coefs=3)
    np.testing.assert_allclose(
        sparse_codes(X, D, Coding("lars", n_nonzero=3))[0], theirs, atol=1e-9
    )
    theirs = sparse_encode(X, D, algorithm="threshold", alpha=0.4)
    np.testing.assert_allclose(sparse_codes(X, D, Coding("threshold", 0.4))[0], theirs)


def test_paths_that_are_cut_are_counted():
    assert sparse_codes(X, D, Coding("lasso_lars", 1e-6, max_iter=1))[1] > 0
