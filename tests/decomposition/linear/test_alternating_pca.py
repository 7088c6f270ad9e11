"""Principal components of tables with gaps, by least squares."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.decomposition import PCA, AlternatingPCA

RNG = np.random.default_rng(0)
LOW = RNG.normal(size=(60, 2)) @ RNG.normal(size=(2, 8)) + RNG.normal(size=8)
NOISY = LOW + 0.3 * RNG.normal(size=LOW.shape)
HOLES = RNG.random(LOW.shape) < 0.3


def test_without_gaps_it_is_pca():
    """decomposition.05: the same plane, axes and variances."""
    ours = AlternatingPCA(n_components=2, tol=1e-14).fit(NOISY)
    theirs = PCA(2).fit(NOISY)
    assert_allclose(ours.components_, theirs.components_, atol=1e-5)
    assert_allclose(ours.explained_variance_, theirs.explained_variance_, rtol=1e-6)
    assert_allclose(ours.transform(NOISY), theirs.transform(NOISY), atol=1e-4)


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_a_table_of_low_rank_is_recovered(scale):
    """decomposition.05: three tenths missing, every entry right."""
    gaps = np.where(HOLES, np.nan, LOW) * scale
    model = AlternatingPCA(n_components=2, max_iter=5000).fit(gaps)
    assert_allclose(model.impute(gaps), LOW * scale, atol=1e-4 * scale)
    assert_allclose(model.components_ @ model.components_.T, np.eye(2), atol=1e-10)


def test_errors():
    with pytest.raises(ValueError, match="AlternatingPCA: n_components must be at most"):
        AlternatingPCA(n_components=9).fit(LOW)
    with pytest.raises(ValueError, match="NaN throughout column 3"):
        AlternatingPCA(n_components=1).fit(np.where(np.arange(8) == 3, np.nan, LOW))
    with pytest.raises(ValueError, match="at least 2 samples"):
        AlternatingPCA(n_components=1).fit(LOW[:1])
