"""Singular values of tables that are not centred."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.sparse import csr_array

from margin.decomposition import TruncatedSVD

RNG = np.random.default_rng(0)
X = RNG.normal(size=(40, 8)) * 0.6 ** np.arange(8) + 1


@pytest.mark.parametrize("algorithm", ["randomized", "arpack"])
@pytest.mark.parametrize("sparse", [False, True])
def test_against_svd(algorithm, sparse):
    """decomposition.03: the best table of low rank."""
    model = TruncatedSVD(3, algorithm=algorithm, n_iter=20, random_state=0)
    Z = model.fit_transform(csr_array(X) if sparse else X)
    left, values, right = np.linalg.svd(X, full_matrices=False)
    assert_allclose(model.singular_values_, values[:3], rtol=1e-8)
    best = (left[:, :3] * values[:3]) @ right[:3]
    assert_allclose(model.inverse_transform(Z), best, atol=1e-7)
    assert_allclose(model.fit_report_.objective, np.sum(values[3:] ** 2) / 40, rtol=1e-8)
    assert_allclose(model.explained_variance_, Z.var(axis=0), rtol=1e-10)


def test_weights_are_repetitions():
    count = RNG.integers(0, 3, 40)
    one = TruncatedSVD(2, algorithm="arpack", random_state=0).fit(X, sample_weight=count)
    many = TruncatedSVD(2, algorithm="arpack", random_state=0).fit(np.repeat(X, count, axis=0))
    for name in ("components_", "singular_values_", "explained_variance_ratio_"):
        assert_allclose(getattr(one, name), getattr(many, name), rtol=1e-8)


def test_too_many_components():
    with pytest.raises(ValueError, match="TruncatedSVD: n_components must be at most 8"):
        TruncatedSVD(9).fit(X)
    with pytest.raises(ValueError, match="TruncatedSVD: n_components must be at most 7"):
        TruncatedSVD(8, algorithm="arpack").fit(X)
