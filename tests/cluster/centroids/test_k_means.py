"""k-means against brute force over all partitions, weights, bad input, threads."""

from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import adjusted_rand_score

from margin.cluster import KMeans, squared_error
from margin.native import _native


def least_error(X, k):
    """The least sum of squared errors over all partitions."""
    return min(
        squared_error(X, labels) for labels in product(range(k), repeat=len(X)) if labels[0] == 0
    )


@pytest.mark.parametrize("algorithm", ["lloyd", "elkan", "hamerly", "auto"])
def test_best_partition_of_few_rows(algorithm):
    """cluster.01: many starts find the optimum that enumeration finds."""
    X = np.random.default_rng(0).normal(size=(8, 2))
    model = KMeans(3, init="random", n_init=40, random_state=0, algorithm=algorithm).fit(X)
    assert model.inertia_ == pytest.approx(least_error(X, 3))
    assert squared_error(X, model.labels_) == pytest.approx(model.inertia_)


def test_known_labels_are_found():
    """cluster.03: agreement with the truth by the adjusted Rand index."""
    rng = np.random.default_rng(1)
    truth = np.repeat(np.arange(4), 50)
    X = rng.normal(size=(200, 2)) + 12 * np.array([[0, 0], [1, 0], [0, 1], [1, 1]])[truth]
    assert adjusted_rand_score(truth, KMeans(4, n_init=5, random_state=0).fit(X).labels_) == 1.0


def test_deterministic_from_the_first_rows():
    """cluster.02: given the order of the rows there is nothing random."""
    X = np.random.default_rng(2).normal(size=(50, 2))
    one, two = (KMeans(5, init="first", random_state=s).fit(X) for s in (0, 9))
    assert_array_equal(one.cluster_centers_, two.cluster_centers_)


@pytest.mark.parametrize("init", ["k-means++", "farthest"])
def test_weight_is_repetition(init):
    rng = np.random.default_rng(3)
    X, times = rng.normal(size=(60, 2)), rng.integers(0, 4, size=60)
    one = KMeans(4, init=init, random_state=5).fit(X, sample_weight=times)
    two = KMeans(4, init=init, random_state=5).fit(np.repeat(X, times, axis=0))
    if init == "k-means++":
        assert_allclose(one.cluster_centers_, two.cluster_centers_)
    assert_allclose(one.score(X, sample_weight=times), -one.inertia_)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("weighted", [False, True])
def test_sparse_single_and_weighted_together(dtype, weighted):
    rng = np.random.default_rng(4)
    X = np.where(rng.random((90, 5)) < 0.5, 0.0, rng.normal(size=(90, 5))).astype(dtype)
    weight = rng.random(90) + 0.1 if weighted else None
    start = X[:4].copy()
    dense = KMeans(4, init=start).fit(X, sample_weight=weight)
    sparse = KMeans(4, init=start).fit(csr_array(X), sample_weight=weight)
    assert dense.cluster_centers_.dtype == dtype
    assert_array_equal(dense.labels_, sparse.labels_)
    assert_allclose(dense.cluster_centers_, sparse.cluster_centers_, rtol=1e-4, atol=1e-5)
    assert_array_equal(dense.predict(X), dense.labels_)


def test_same_bits_for_any_number_of_threads(monkeypatch):
    X = np.random.default_rng(5).normal(size=(3000, 6))
    usual = _native.set_least_work(0.0)
    try:
        answers = []
        for n in (1, 2, 5):
            monkeypatch.setattr("margin.core.threads.count", lambda n_jobs=None, n=n: n)
            answers.append(KMeans(9, init="first").fit(X))
    finally:
        _native.set_least_work(usual)
    for other in answers[1:]:
        assert_array_equal(other.cluster_centers_, answers[0].cluster_centers_)
        assert other.inertia_ == answers[0].inertia_


@pytest.mark.parametrize("scale", [1e-120, 1e-9, 1e9, 1e120])
def test_units_do_not_matter(scale):
    X = np.random.default_rng(6).normal(size=(60, 2)) + np.repeat([[0, 0], [50, 9]], 30, axis=0)
    usual = KMeans(2, random_state=0).fit(X)
    assert_array_equal(KMeans(2, random_state=0).fit(X * scale).labels_, usual.labels_)


def test_awkward_tables():
    """Duplicate rows, a constant column, one row, NaN: an answer or a clear error."""
    with pytest.warns(ConvergenceWarning, match=r"KMeans: Number of distinct clusters \(1\)"):
        model = KMeans(3, random_state=0).fit(np.ones((6, 2)))
    assert model.inertia_ == 0.0
    X = np.column_stack([np.arange(6.0), np.full(6, 4.0)])
    assert KMeans(2, n_init=9, random_state=0).fit(X).inertia_ == pytest.approx(4.0)
    assert KMeans(1).fit([[2.0, 3.0]]).inertia_ == 0.0
    with pytest.raises(ValueError, match="NaN"):
        KMeans(2).fit([[0.0], [np.nan], [1.0]])


def test_report_tells_of_repairs_and_of_a_search_cut_short():
    X = np.random.default_rng(7).normal(size=(300, 2))
    with pytest.warns(ConvergenceWarning, match="KMeans: stopped after max_iter=2"):
        report = KMeans(20, init="first", max_iter=2).fit(X).fit_report_
    assert len(report.trace["objective"]) == 2
    far = np.vstack([X[:2], [[1e3, 1e3]]])
    model = KMeans(3, init=far).fit(X)
    assert "empty cluster 2 restarted" in model.fit_report_.repairs[0]
