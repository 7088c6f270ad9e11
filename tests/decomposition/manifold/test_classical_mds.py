import numpy as np
import pytest
from scipy.spatial.distance import pdist, squareform
from sklearn.decomposition import PCA

from margin.decomposition import ClassicalMDS

X = np.random.default_rng(0).normal(size=(25, 3)) * [3.0, 2.0, 1.0]


def test_euclidean_distances_are_reproduced():
    """decomposition.13: points in k dimensions come back up to a rigid motion."""
    D = squareform(pdist(X))
    model = ClassicalMDS(3, metric="precomputed").fit(D)
    np.testing.assert_allclose(squareform(pdist(model.embedding_)), D, atol=1e-10)
    assert model.negative_share_ < 1e-12
    assert model.fit_report_.objective < 1e-12


def test_it_is_pca():
    """decomposition.13: with Euclidean distances the map is that of principal components."""
    ours, theirs = ClassicalMDS(2).fit_transform(X), PCA(2).fit_transform(X)
    np.testing.assert_allclose(np.abs(ours), np.abs(theirs), atol=1e-9)
    values = ClassicalMDS(2).fit(X).eigenvalues_
    np.testing.assert_allclose(values, 24 * PCA(2).fit(X).explained_variance_)


@pytest.mark.parametrize("k", [2, 5])
def test_few_columns_take_the_way_of_the_rows(k):
    """decomposition.13: the same map as from the distances alone, without n^3 operations."""
    rows = np.vstack([X, X[:3]]) @ np.eye(3)[:, [0, 1, 2, 0]] + 1e3
    ours = ClassicalMDS(k).fit(rows)
    other = ClassicalMDS(k, metric="precomputed").fit(squareform(pdist(rows)))
    np.testing.assert_allclose(np.abs(ours.embedding_), np.abs(other.embedding_), atol=1e-6)
    np.testing.assert_allclose(ours.eigenvalues_, other.eigenvalues_, atol=1e-8)
    np.testing.assert_allclose(ours.embedding_[:, 3:], 0.0, atol=1e-12)
    assert ours.negative_share_ == 0.0
    np.testing.assert_allclose(ours.fit_report_.objective, other.fit_report_.objective, atol=1e-9)
    np.testing.assert_allclose(ours.transform(rows), ours.embedding_, atol=1e-8)


def test_new_rows_get_the_places_they_would_have():
    model = ClassicalMDS(3).fit(X)
    np.testing.assert_allclose(model.transform(X), model.embedding_, atol=1e-9)
    new = np.random.default_rng(1).normal(size=(4, 3))
    placed = model.transform(new)
    for z, x in zip(placed, new, strict=True):
        expected = np.linalg.norm(X - x, axis=1)
        np.testing.assert_allclose(np.linalg.norm(model.embedding_ - z, axis=1), expected)
    given = ClassicalMDS(3, metric="precomputed").fit(squareform(pdist(X)))
    distances = np.linalg.norm(new[:, None] - X, axis=2)
    np.testing.assert_allclose(np.abs(given.transform(distances)), np.abs(placed), atol=1e-8)


def test_distances_that_are_not_euclidean():
    star = 2.0 - 2.0 * np.eye(4)
    star[0, 1:] = star[1:, 0] = 1.0
    model = ClassicalMDS(3, metric="precomputed").fit(star)
    assert model.negative_share_ > 0.01
    assert np.isfinite(model.embedding_).all()
    with pytest.raises(ValueError, match="n_components must be at most the 4 samples"):
        ClassicalMDS(5, metric="precomputed").fit(star)


def test_distances_whose_squares_are_no_numbers_are_refused():
    X = np.random.default_rng(0).normal(size=(6, 2))
    model = ClassicalMDS().fit(X)
    told = "^ClassicalMDS: X must be of rows whose squared distances are finite numbers"
    with np.errstate(all="ignore"):
        with pytest.raises(ValueError, match=told):
            model.transform(1e200 * X)
        with pytest.raises(ValueError, match=told):
            ClassicalMDS().fit(1e200 * X)
