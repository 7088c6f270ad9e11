"""Passes of k-means against distances written out."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.distance import cdist

from margin.native import _native
from margin.native.cluster import centres


@pytest.fixture(autouse=True)
def threads_on_small_problems():
    usual = _native.set_least_work(0.0)
    yield
    _native.set_least_work(usual)


def twin(X, C, weight):
    D = cdist(X.astype(float), C, "sqeuclidean")
    label = D.argmin(axis=1)
    hot = (label[:, None] == np.arange(len(C))) * weight[:, None]
    return label, hot.T @ X.astype(float), hot.sum(axis=0), (weight * D.min(axis=1)).sum()


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize(("n", "p", "k"), [(1, 1, 1), (33, 2, 5), (700, 9, 40), (100, 130, 11)])
@pytest.mark.parametrize("packed", [True, False])
def test_labels_and_sums(n, p, k, dtype, packed):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, p)).astype(dtype)
    weight, C = rng.random(n) + 0.1, rng.normal(size=(k, p))
    label, sums, mass, inertia = twin(X, C, weight)
    for n_threads in (1, 3):
        found = centres.centre_pass(centres.table(X, weight, packed=packed), C, n_threads=n_threads)
        assert_array_equal(found.label, label)
        assert_allclose(found.sums, sums, atol=1e-9)
        assert_allclose(found.mass, mass)
        assert found.inertia == pytest.approx(inertia)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("offset", [0.0, 1e6, 1e30])
def test_labels_alone_are_those_of_a_pass_wherever_rows_lie(dtype, offset):
    rng = np.random.default_rng(2)
    X = rng.normal(size=(1500, 5))
    X[::7] += offset
    X = X.astype(dtype)
    C = rng.normal(size=(9, 5))
    label = centres.centre_pass(centres.table(X), C).label
    for n_threads in (1, 3):
        assert_array_equal(centres.nearest_labels(X, C, n_threads), label)


def test_labels_alone_of_one_centre_and_of_no_rows():
    X = np.ones((3, 2))
    assert_array_equal(centres.nearest_labels(X, X[:1]), [0, 0, 0])
    assert_array_equal(centres.nearest_labels(X[:0], X), [])
    with pytest.raises(ValueError, match="different shape"):
        centres.nearest_labels(X, np.ones((2, 3)))


@pytest.mark.parametrize("scale", [1e-150, 1e-9, 1.0, 1e9, 1e120])
@pytest.mark.parametrize("shift", [0.0, 1e5])
def test_exact_at_any_scale_with_ties(scale, shift):
    """Equal distances go to the first centre; far clusters leave single precision no digits."""
    rng = np.random.default_rng(1)
    X = scale * (rng.integers(0, 4, size=(300, 3)) + shift * rng.integers(0, 2, size=(300, 1)))
    C = X[rng.permutation(300)[:30]]
    D = ((X[:, None] - C) ** 2).sum(axis=2) if scale > 1e-100 else None
    found = centres.centre_pass(centres.table(X, packed=True), C)
    if D is not None:
        assert_array_equal(found.label, D.argmin(axis=1))
    again = centres.centre_pass(centres.table(X), C)
    assert_array_equal(found.label, again.label)


def test_far_centres_fall_back_to_double_precision():
    X = np.arange(40.0)[:, None]
    C = np.array([[1e60], [3.0], [20.0]])
    label = centres.centre_pass(centres.table(X, packed=True), C).label
    assert_array_equal(label, np.where(np.arange(40) <= 11, 1, 2))


def test_bounds_change_no_label():
    """Hamerly's and Elkan's bounds along a path of moving centres."""
    rng = np.random.default_rng(2)
    X, C = rng.normal(size=(500, 4)), rng.normal(size=(9, 4))
    rows, lower = centres.table(X), np.empty(500)
    found = centres.centre_pass(rows, C, lower=lower)
    label, bounds = np.full(500, -1, np.int32), np.zeros((500, 9))
    centres.elkan_labels(X, C, cdist(C, C), np.zeros(9), label, bounds)
    assert_array_equal(label, found.label)
    skipped = 0
    for _ in range(8):
        D, moved = C + 0.03 * rng.normal(size=C.shape), None
        moved = np.linalg.norm(D - C, axis=1)
        between = cdist(D, D)
        apart = between + np.diag(np.full(9, np.inf))
        others = np.where(np.arange(9) == moved.argmax(), np.sort(moved)[-2], moved.max())
        C = D
        found = centres.centre_pass(
            rows, C, found.label, lower=lower, half=apart.min(axis=1) / 2, move=others
        )
        centres.elkan_labels(X, C, between, moved, label, bounds)
        wanted = cdist(X, C).argmin(axis=1)
        assert_array_equal(found.label, wanted)
        assert_array_equal(label, wanted)
        skipped += 500 - found.searched
    assert skipped > 1000


def test_running_minimum():
    X = np.arange(5.0)[:, None]
    assert_array_equal(
        centres.nearer(X, np.array([3.0]), np.full(5, 2.0), n_threads=2), [2, 2, 1, 0, 1]
    )


def test_shapes_are_checked():
    rows = centres.table(np.zeros((3, 2)))
    with pytest.raises(ValueError, match="different shape"):
        centres.centre_pass(rows, np.zeros((2, 3)))
    with pytest.raises(ValueError, match="without a centre"):
        centres.centre_pass(
            rows, np.zeros((2, 2)), np.full(3, 7, np.int32),
            lower=np.zeros(3), half=np.zeros(2), move=np.zeros(2),
        )  # fmt: skip
    with pytest.raises(ValueError, match="different shape"):
        centres.nearer(np.zeros((3, 2)), np.zeros(3), np.zeros(3))
    with pytest.raises(ValueError, match="different shape"):
        centres.elkan_labels(
            np.zeros((3, 2)), np.zeros((1, 2)), np.zeros((1, 1)), np.zeros(2),
            np.zeros(3, np.int32), np.zeros((3, 1)),
        )  # fmt: skip
