"""Principal components of batches."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.sparse import csr_array

from margin.decomposition import PCA, IncrementalPCA

RNG = np.random.default_rng(0)
X = RNG.normal(size=(90, 6)) @ RNG.normal(size=(6, 6)) + 2
NAMES = ("components_", "explained_variance_", "explained_variance_ratio_", "singular_values_")


def _same(one, two):
    for name in NAMES:
        assert_allclose(getattr(one, name), getattr(two, name), rtol=1e-9, atol=1e-10)
    assert_allclose(one.noise_variance_, two.noise_variance_, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("size", [7, 30, 1000])
@pytest.mark.parametrize("k", [None, 2])
def test_equals_pca_whatever_the_batches(size, k):
    """decomposition.02: exact, not only close."""
    _same(IncrementalPCA(k, batch_size=size).fit(X), PCA(k).fit(X))
    _same(IncrementalPCA(k, batch_size=size).fit(csr_array(X)), PCA(k).fit(X))


def test_partial_fits_equal_pca():
    model = IncrementalPCA(2).partial_fit(X[:3])
    for row in X[3:]:
        model.partial_fit(row[None])
    _same(model, PCA(2).fit(X))
    assert model.n_samples_seen_ == 90
    assert_allclose(model.var_, X.var(axis=0))


def test_weights_are_repetitions():
    count = RNG.integers(0, 4, len(X))
    one = IncrementalPCA(2, batch_size=8).fit(X, sample_weight=count)
    many = IncrementalPCA(2).fit(np.repeat(X, count, axis=0))
    assert_allclose(one.components_, many.components_, atol=1e-9)
    assert_allclose(one.explained_variance_, many.explained_variance_)


def test_a_first_row_alone():
    model = IncrementalPCA(1).partial_fit(X[:1])
    assert_allclose(model.explained_variance_, 0)
    assert_allclose(model.partial_fit(X[1:]).components_, PCA(1).fit(X).components_, atol=1e-10)


def test_errors():
    with pytest.raises(ValueError, match="IncrementalPCA: n_components=7 invalid"):
        IncrementalPCA(7).fit(X)
    with pytest.raises(ValueError, match="IncrementalPCA: n_components must be 2"):
        IncrementalPCA(2).fit(X).set_params(n_components=3).partial_fit(X)
    with pytest.raises(ValueError, match="at least 2 samples"):
        IncrementalPCA().fit(X[:1])


def test_weights_of_batches_are_those_of_the_table():
    """decomposition.02: a weight of two is the row twice, batch by batch."""
    weight = np.random.default_rng(5).integers(0, 3, len(X)).astype(float)
    weight[:3] = 2.0
    whole = PCA(2).fit(X, sample_weight=weight)
    model = IncrementalPCA(2)
    for part in (slice(0, 3), slice(3, len(X))):
        model.partial_fit(X[part], sample_weight=weight[part])
    assert_allclose(model.components_, whole.components_, atol=1e-9)
    assert_allclose(model.explained_variance_, whole.explained_variance_)
    with pytest.raises(ValueError, match="IncrementalPCA: sample_weight must be"):
        model.partial_fit(X, sample_weight=-weight)
