import numpy as np
import pandas as pd
import pytest
from sklearn import decomposition

from margin.decomposition import SparseCoder

RNG = np.random.default_rng(0)
D = RNG.normal(size=(12, 8))
D /= np.linalg.norm(D, axis=1, keepdims=True)
X = RNG.normal(size=(15, 8))


@pytest.mark.parametrize(
    ("algorithm", "settings"),
    [
        ("omp", {"transform_n_nonzero_coefs": 3}),
        ("lasso_lars", {"transform_alpha": 0.2}),
        ("lars", {"transform_n_nonzero_coefs": 3}),
        ("threshold", {"transform_alpha": 0.2}),
    ],
)
def test_against_scikit_learn(algorithm, settings):
    """decomposition.15: sparse codes as those of the reference."""
    ours = SparseCoder(D, transform_algorithm=algorithm, **settings)
    theirs = decomposition.SparseCoder(D, transform_algorithm=algorithm, **settings)
    np.testing.assert_allclose(ours.transform(X), theirs.transform(X), atol=1e-8)


def test_it_needs_no_fit_and_knows_its_shape():
    coder = SparseCoder(D)
    assert (coder.n_components_, coder.n_features_in_) == (12, 8)
    assert coder.fit(X) is coder
    assert coder.fit_transform(X).shape == (15, 12)
    assert coder.get_feature_names_out()[0] == "sparsecoder0"
    with pytest.raises(ValueError, match="different numbers of features"):
        coder.fit(X[:, :5])


@pytest.mark.parametrize("method", ["fit", "transform", "inverse_transform"])
def test_columns_that_share_a_name_are_refused(method):
    width = 12 if method == "inverse_transform" else 8
    frame = pd.DataFrame(np.ones((3, width)), columns=["c"] * width)
    with pytest.raises(ValueError, match=r"^SparseCoder: X must be a frame with a name of its own"):
        getattr(SparseCoder(D), method)(frame)
