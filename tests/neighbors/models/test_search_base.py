"""What all estimators over neighbours check and keep."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse
from sklearn.metrics import DistanceMetric
from sklearn.neighbors import BallTree, KDTree

from margin.kernels import RBF, Spectrum
from margin.neighbors import KNeighborsClassifier, NearestNeighbors
from margin.neighbors.models._search_base import vector_of

X = np.random.default_rng(0).normal(size=(60, 3))


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"algorithm": "tree"}, "algorithm must be one of"),
        ({"leaf_size": 0}, "leaf_size must be an integer of at least 1, got 0"),
        ({"metric": 3}, "metric must be a name, a Kernel or a callable, got 3"),
        ({"metric": "word"}, "metric must be a kernel, a callable or one of"),
        ({"p": -1}, "p must be a number above 0, got -1"),
        ({"metric_params": 3}, "metric_params must be None or a dict, got 3"),
        ({"algorithm": "kd_tree", "metric": "canberra"}, "not valid for algorithm 'kd_tree'"),
        ({"algorithm": "ball_tree", "p": 0.5}, "does not support 0 < p < 1"),
    ],
)
def test_bad_parameters(params, message):
    with pytest.raises(ValueError, match=f"NearestNeighbors: .*{message}"):
        NearestNeighbors(**params).fit(X)


def test_simplest_terms_of_the_metric():
    for p, name in ((1, "manhattan"), (2, "euclidean"), (np.inf, "chebyshev")):
        assert NearestNeighbors(p=p).fit(X).effective_metric_ == name
    model = NearestNeighbors(p=3).fit(X)
    assert model.effective_metric_ == "minkowski"
    assert model.effective_metric_params_ == {"p": 3, "w": None}
    with pytest.warns(SyntaxWarning, match="is ignored"):
        model = NearestNeighbors(metric_params={"p": 1}).fit(X)
    assert model.effective_metric_ == "manhattan"


def test_trees_and_fitted_estimators_for_rows():
    expected = NearestNeighbors().fit(X).kneighbors(X)[0]
    for source in (KDTree(X), BallTree(X), NearestNeighbors().fit(X)):
        assert_allclose(NearestNeighbors().fit(source).kneighbors(X)[0], expected)


def test_sparse_and_dense_in_any_combination():
    expected = NearestNeighbors().fit(X).kneighbors(X[:9])[0]
    for train in (X, sparse.csr_matrix(X), sparse.csc_array(X)):
        for queries in (X[:9], sparse.csr_matrix(X[:9])):
            answer = NearestNeighbors().fit(train).kneighbors(queries)[0]
            assert_allclose(answer, expected, atol=1e-12)
    with pytest.warns(UserWarning, match="cannot use tree with sparse input"):
        NearestNeighbors(algorithm="kd_tree").fit(sparse.csr_matrix(X))


def test_given_distances_must_be_a_square_without_negative_entries():
    with pytest.raises(ValueError, match="must be square"):
        NearestNeighbors(metric="precomputed").fit(np.abs(X))
    with pytest.raises(ValueError, match="Negative values"):
        NearestNeighbors(metric="precomputed").fit(-np.ones((3, 3)))


def test_missing_values():
    """Refused, unless the metric knows what to do with them."""
    holes = X.copy()
    holes[0, 0] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        NearestNeighbors().fit(holes)
    with pytest.raises(ValueError, match="infinity"):
        NearestNeighbors().fit(np.where(np.isnan(holes), np.inf, holes))
    model = NearestNeighbors(metric="nan_euclidean").fit(holes)
    distance = np.sqrt(1.5 * ((X[0, 1:] - X[:, 1:]) ** 2).sum(axis=1))
    assert_allclose(model.kneighbors(holes[:1])[0][0], np.sort(distance)[:5], atol=1e-15)


def test_kernels_of_tables_and_of_strings():
    by_kernel = NearestNeighbors(metric=RBF(1.0)).fit(X).kneighbors(X, return_distance=False)
    plain = NearestNeighbors().fit(X).kneighbors(X, return_distance=False)
    assert (by_kernel == plain).all()
    words = ["abab", "baba", "zzzz", "zzyz"]
    model = KNeighborsClassifier(1, metric=Spectrum(2)).fit(words, [0, 0, 1, 1])
    assert model.predict(["ababa", "zzzzz"]).tolist() == [0, 1]


def test_metric_objects_and_small_powers():
    euclidean = DistanceMetric.get_metric("euclidean")
    for algorithm in ("auto", "kd_tree"):
        model = NearestNeighbors(metric=euclidean, algorithm=algorithm).fit(X)
        assert_allclose(model.kneighbors(X)[0], NearestNeighbors().fit(X).kneighbors(X)[0])
    with pytest.warns(UserWarning, match="not distance metrics"):
        model = NearestNeighbors(p=0.5).fit(X)
    expected = (np.sqrt(np.abs(X[0] - X)).sum(axis=1)) ** 2
    assert_allclose(model.kneighbors(X[:1])[0][0], np.sort(expected)[:5])


def test_formats_that_lose_zeros_are_refused():
    with pytest.raises(TypeError, match="handling of explicit zeros"):
        NearestNeighbors(metric="precomputed").fit(sparse.dok_matrix(np.eye(3)))


def test_vector_of():
    assert vector_of(2, 3).tolist() == [2.0, 2.0, 2.0]
    assert vector_of(np.array([1, 2]), 2).tolist() == [1.0, 2.0]
