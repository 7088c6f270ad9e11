import numpy as np
import pytest

from margin.decomposition import SparseRandomProjection
from margin.decomposition.manifold._sparse_projection import _successes

X = np.random.default_rng(0).normal(size=(5, 400))


def test_entries_have_their_law():
    """decomposition.17: zero, or one size with either sign, as often as the density says."""
    model = SparseRandomProjection(200, density=0.1, random_state=0).fit(X)
    R = model.components_.toarray()
    size = 1 / np.sqrt(0.1 * 200)
    assert set(np.unique(R.round(12))) == {-round(size, 12), 0.0, round(size, 12)}
    assert np.mean(R != 0) == pytest.approx(0.1, abs=0.005)
    assert np.mean(np.sign(R[R != 0])) == pytest.approx(0, abs=0.05)
    assert SparseRandomProjection(3, random_state=0).fit(X).density_ == 1 / 20


def test_gaps_between_successes_are_trials():
    rng = np.random.default_rng(0)
    hits = np.zeros(6)
    for _ in range(3000):
        hits[_successes(6, 0.3, rng)] += 1
    np.testing.assert_allclose(hits / 3000, 0.3, atol=0.04)
    assert _successes(4, 1.0, rng).tolist() == [0, 1, 2, 3]


def test_bad_density():
    for density in (0, 1.5, "some", True):
        with pytest.raises(ValueError, match="SparseRandomProjection: density must be"):
            SparseRandomProjection(2, density=density).fit(X)
