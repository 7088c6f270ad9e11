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


@pytest.mark.parametrize("algorithm", ["randomized", "arpack"])
@pytest.mark.parametrize("make", [np.asarray, csr_array])
@pytest.mark.parametrize("weighted", [False, True])
def test_blocks_are_the_table(algorithm, make, weighted):
    """decomposition.03: from products of blocks, without a table of all columns by all columns."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 8)) * (rng.random((60, 8)) < 0.4) + 1.0
    weight = rng.uniform(0, 2, 60) if weighted else np.ones(60)
    given = {"sample_weight": weight} if weighted else {}
    whole = TruncatedSVD(3, algorithm=algorithm, random_state=0).fit(make(X), **given)
    parts = [(make(X[p]), weight[p]) for p in (slice(0, 1), slice(1, 33), slice(33, 60))]
    model = TruncatedSVD(3, algorithm=algorithm, random_state=0).fit_blocks(parts)
    for name in ("components_", "singular_values_", "explained_variance_ratio_"):
        assert_allclose(getattr(model, name), getattr(whole, name), rtol=1e-8, atol=1e-10)
    assert model.fit_report_.objective == pytest.approx(whole.fit_report_.objective)


def test_bad_blocks_are_refused():
    with pytest.raises(ValueError, match="TruncatedSVD: n_components must be at most 2"):
        TruncatedSVD(3).fit_blocks([np.ones((1, 4)), np.ones((1, 4))])
    with pytest.raises(ValueError, match="TruncatedSVD: sample_weight must be above 0"):
        TruncatedSVD(1).fit_blocks([(np.eye(3), np.zeros(3))])
    with pytest.raises(ValueError, match="TruncatedSVD: blocks must be of 3 features"):
        TruncatedSVD(1).fit_blocks([np.eye(3), np.eye(4)])
