"""Every metric by its name against SciPy, and refusals."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse
from scipy.spatial.distance import cdist
from sklearn.metrics import pairwise_distances

from margin.kernels import RBF, Linear
from margin.neighbors.search._build import index_of
from margin.neighbors.search._choice import Choice
from margin.neighbors.search._names import NAMES, Asked, metric_of

RNG = np.random.default_rng(0)
X, Q = RNG.normal(size=(120, 4)), RNG.normal(size=(25, 4))
WEIGHT = np.array([1.0, 2.0, 0.5, 0.0])
PARAMS = {
    "minkowski": {"p": 3.0, "w": WEIGHT},
    "p": {"p": 1.5},
    "seuclidean": {"V": np.array([1.0, 2.0, 0.5, 3.0])},
    "mahalanobis": {"VI": np.linalg.inv(np.cov(X.T))},
}
SCIPY = {
    "l1": "cityblock",
    "manhattan": "cityblock",
    "l2": "euclidean",
    "infinity": "chebyshev",
    "p": "minkowski",
}
BINARY = ("dice", "jaccard", "rogerstanimoto", "russellrao", "sokalsneath", "yule")


def nearest(metric, A, B, params, method="brute"):
    chosen = metric_of("Model", Asked(metric, params), A, sparse.issparse(A))
    return index_of(A, chosen, Choice(method, ""), 30, 1).nearest(B, 5, 1)[0]


@pytest.mark.parametrize(
    "name", [n for n in NAMES if n not in ("precomputed", "haversine", "nan_euclidean")]
)
def test_names(name):
    A, B = (X > 0, Q > 0) if name in BINARY else (X, Q)
    if name == "hamming":
        A, B = X.round(), Q.round()
    D = cdist(B, A, SCIPY.get(name, name), **PARAMS.get(name, {}))
    answer = nearest(name, A, B, PARAMS.get(name, {}))
    assert_allclose(answer, np.sort(D, axis=1)[:, :5], rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("name", ["haversine", "nan_euclidean"])
def test_names_of_scikit_learn(name):
    A, B = X[:, :2], Q[:, :2].copy()
    if name == "nan_euclidean":
        B[0, 1] = np.nan
    D = pairwise_distances(B, A, metric=name)
    assert_allclose(nearest(name, A, B, {}), np.sort(D, axis=1)[:, :5], rtol=1e-9)


@pytest.mark.parametrize("method", ["brute", "kd_tree", "ball_tree"])
@pytest.mark.parametrize("name", ["cosine", "mahalanobis", "seuclidean", "sqeuclidean"])
def test_trees_serve_what_is_euclidean_after_a_map(method, name):
    D = cdist(Q, X, name, **PARAMS.get(name, {}))
    answer = nearest(name, X, Q, PARAMS.get(name, {}), method)
    assert_allclose(answer, np.sort(D, axis=1)[:, :5], rtol=1e-9, atol=1e-12)


def test_parameters_that_the_data_give():
    for name, params in (
        ("seuclidean", {"V": np.var(X, axis=0, ddof=1)}),
        ("mahalanobis", {"VI": np.linalg.inv(np.cov(X.T))}),
    ):
        assert_allclose(nearest(name, X, Q, {}), nearest(name, X, Q, params), rtol=1e-12)


def test_kernels_are_distances():
    """Of a linear kernel the Euclidean, of any kernel the distance in feature space."""
    assert_allclose(nearest(Linear(), X, Q, {}), nearest("euclidean", X, Q, {}), rtol=1e-6)
    kernel = RBF(0.7)
    D = np.sqrt(2.0 - 2.0 * kernel(Q, X))
    assert_allclose(nearest(kernel, X, Q, {}), np.sort(D, axis=1)[:, :5], rtol=1e-12)


def test_callables_and_sparse_rows():
    def largest(a, b):
        return np.abs(a - b).max()

    assert_allclose(nearest(largest, X, Q, {}), nearest("chebyshev", X, Q, {}))
    for name in ("euclidean", "manhattan", "cosine", "sqeuclidean"):
        answer = nearest(name, sparse.csr_array(X), sparse.csr_array(Q), {})
        assert_allclose(answer, nearest(name, X, Q, {}), rtol=1e-12)
    minkowski = nearest("minkowski", sparse.csr_array(X), sparse.csr_array(Q), {"p": 1})
    assert_allclose(minkowski, nearest("manhattan", X, Q, {}), rtol=1e-12)


@pytest.mark.parametrize(
    ("metric", "params", "message"),
    [
        ("nothing", {}, "metric must be a kernel, a callable or one of"),
        ("minkowski", {"p": 0}, "p must be a number above 0, got 0"),
        ("minkowski", {"w": [1.0]}, "w must be one number for each of 4 columns"),
        ("minkowski", {"w": [1.0, -1.0, 1.0, 1.0]}, "w must be at least 0 everywhere"),
        ("mahalanobis", {"VI": np.eye(3)}, "VI must be a matrix of 4 rows"),
        ("haversine", {}, "latitude and longitude"),
    ],
)
def test_refusals(metric, params, message):
    with pytest.raises(ValueError, match=message):
        metric_of("Model", Asked(metric, params), X, False)
    with pytest.raises(ValueError, match="not valid for sparse input"):
        metric_of("Model", Asked("canberra", {}), sparse.csr_array(X), True)


@pytest.mark.parametrize("rows", [X[:3], X])
def test_a_function_that_gives_no_numbers_is_refused(rows):
    with pytest.raises(ValueError, match="metric must be a function whose answers are numbers"):
        nearest(lambda a, b: np.nan, np.repeat(rows, 4, axis=0), Q, {})
