import numpy as np

from margin.decomposition import FastICA, fastica

X = np.random.default_rng(0).laplace(size=(400, 3)) @ np.random.default_rng(1).normal(size=(3, 3))


def test_it_is_the_model():
    """decomposition.16: the function and the class give the same sources."""
    K, W, S, mean, n_iter = fastica(X, random_state=0, return_X_mean=True, return_n_iter=True)
    model = FastICA(random_state=0).fit(X)
    np.testing.assert_allclose(W @ K, model.components_)
    np.testing.assert_allclose(mean, X.mean(axis=0))
    np.testing.assert_allclose(S, model.transform(X))
    assert n_iter == model.n_iter_
    assert fastica(X, random_state=0, compute_sources=False)[2] is None
    white = model.transform(X)
    assert fastica(white, whiten=False, random_state=0)[0] is None
