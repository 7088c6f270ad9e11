import numpy as np
import pytest

from margin.decomposition import NMF, non_negative_factorization

X = np.random.default_rng(0).random((20, 8))


def test_it_is_the_model():
    """decomposition.15: the function and the class give the same factors."""
    W, H, n_iter = non_negative_factorization(
        X, n_components=3, random_state=0, tol=1e-2, max_iter=1000
    )
    model = NMF(3, random_state=0, tol=1e-2, max_iter=1000)
    np.testing.assert_array_equal(W, model.fit_transform(X))
    np.testing.assert_array_equal(H, model.components_)
    assert n_iter == model.n_iter_
    weights, parts, _ = non_negative_factorization(X, H=H, update_H=False)
    np.testing.assert_allclose(weights, model.transform(X))
    assert parts is not None
    with pytest.raises(ValueError, match="H must be given where update_H is False"):
        non_negative_factorization(X, update_H=False)
