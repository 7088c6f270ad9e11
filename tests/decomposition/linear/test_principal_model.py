"""What models by principal axes share."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import multivariate_normal

from margin.decomposition import PCA

RNG = np.random.default_rng(0)
X = RNG.normal(size=(100, 5)) @ RNG.normal(size=(5, 5)) + 3


@pytest.mark.parametrize("whiten", [False, True])
@pytest.mark.parametrize("k", [0, 2, 5])
def test_density_is_that_of_the_covariance(whiten, k):
    model = PCA(k, whiten=whiten).fit(X)
    law = multivariate_normal(model.mean_, model.get_covariance())
    assert_allclose(model.score_samples(X), law.logpdf(X), rtol=1e-9)
    assert_allclose(model.get_precision() @ model.get_covariance(), np.eye(5), atol=1e-8)


def test_projection_and_reconstruction():
    """decomposition.01: y = F x + c; what lies in the span comes back, the rest is orthogonal."""
    model = PCA(2).fit(X)
    back = model.inverse_transform(model.transform(X))
    assert_allclose(model.components_ @ model.components_.T, np.eye(2), atol=1e-12)
    assert_allclose((X - back) @ model.components_.T, 0, atol=1e-12)
    assert_allclose(model.transform(back), model.transform(X), atol=1e-12)


def test_wrong_number_of_coordinates():
    with pytest.raises(ValueError, match="PCA: X must be of 2 columns"):
        PCA(2).fit(X).inverse_transform(np.ones((1, 3)))


def test_degenerate_rows_have_a_density():
    model = PCA(2).fit(np.outer(np.arange(5.0), np.ones(4)))
    assert np.isfinite(model.score_samples(np.ones((1, 4)))).all()
    assert np.isfinite(model.get_precision()).all()
