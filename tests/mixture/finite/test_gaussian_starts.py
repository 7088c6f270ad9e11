"""Starts of Gaussian mixtures."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.cluster import KMeans

from margin.mixture.finite._gaussian_starts import INITS, GaussianStarts, Given, first_seed

RNG = np.random.default_rng(0)
X = np.concatenate([RNG.normal(6 * k, 1, (30, 2)) for k in range(3)])


def starts(init, rows=X, given=None, weight=None, kind="full"):
    scale = np.nanvar(rows, axis=0)
    return GaussianStarts(rows, weight, 3, kind, 1e-6, init, given or Given(), scale, 0)


@pytest.mark.parametrize("init", INITS)
@pytest.mark.parametrize("kind", ["full", "tied", "diag", "spherical"])
def test_every_way_gives_proper_parameters(init, kind):
    gaps = np.where(RNG.random(X.shape) < 0.2, np.nan, X)
    for rows in (X, gaps):
        weight = RNG.integers(0, 3, size=len(X)).astype(float)
        for w in (None, weight):
            found = list(starts(init, rows, weight=w, kind=kind).draw(2, np.random.default_rng(0)))
            assert len(found) == 2
            for start in found:
                assert_allclose(start.weights.sum(), 1)
                assert np.isfinite(start.roots).all()


def test_clusters_are_those_of_k_means():
    start = next(starts("kmeans").draw(1, np.random.default_rng(0)))
    theirs = KMeans(3, n_init=1, random_state=0).fit(X)
    assert_allclose(start.means, theirs.cluster_centers_)
    assert_array_equal(starts("kmeans").shares(np.random.default_rng(0)).sum(axis=1), 1)


def test_rows_are_chosen_among_those_with_weight():
    weight = np.zeros(90)
    weight[:5] = 1.0
    for init in ("k-means++", "random_from_data"):
        start = next(starts(init, weight=weight).draw(1, np.random.default_rng(0)))
        for mean in start.means:
            assert np.isclose(mean, X[:5]).all(axis=1).any()


def test_what_is_given_is_kept():
    given = Given(np.array([0.2, 0.3, 0.5]), np.ones((3, 2)), np.stack([2 * np.eye(2)] * 3))
    assert given.complete
    (start,) = starts("random", given=given).draw(5, np.random.default_rng(0))
    assert_allclose(start.weights, given.weights)
    assert_allclose(start.covariances, np.stack([0.5 * np.eye(2)] * 3))
    part = Given(means=np.zeros((3, 2)))
    assert not part.complete
    assert_allclose(starts("kmeans", given=part).one(np.random.default_rng(0)).means, 0)


def test_only_whole_numbers_are_seeds():
    assert first_seed(True) is None
    assert first_seed(np.int64(4)) == 4
