import numpy as np
import pytest
from scipy.optimize import nnls

from margin.native.factors.nonnegative import nonnegative_passes, nonnegative_rows


def twin(W, gram, product, l1, l2, passes):
    W, total = W.copy(), 0.0
    for count in range(passes):
        for t in range(len(W)):
            slope = gram[t] @ W - product[t] + l1 + l2 * W[t]
            if count == 0:
                total += np.abs(np.where(W[t] > 0, slope, np.minimum(slope, 0))).sum()
            if gram[t, t] + l2 > 0:
                W[t] = np.maximum(0, W[t] - slope / (gram[t, t] + l2))
    return W, total


@pytest.mark.parametrize("shape", [(1, 1), (3, 5), (4, 16), (7, 37)])
@pytest.mark.parametrize(("l1", "l2"), [(0.0, 0.0), (0.2, 0.3)])
def test_matches_its_twin(shape, l1, l2):
    rng = np.random.default_rng(0)
    k = shape[0]
    A = rng.normal(size=(k, k + 2))
    gram, product, W = A @ A.T, rng.normal(size=shape), np.abs(rng.normal(size=shape))
    expected, total = twin(W, gram, product, l1, l2, 2)
    found = W.copy()
    assert nonnegative_passes(found, gram, product, l1=l1, l2=l2, passes=2) == pytest.approx(total)
    np.testing.assert_allclose(found, expected, atol=1e-12)


def test_threads_do_not_change_the_answer():
    rng = np.random.default_rng(1)
    A = rng.normal(size=(5, 9))
    gram, product = A @ A.T, rng.normal(size=(5, 301))
    answers = []
    for n_threads in (1, 2, 3):
        W = np.ones((5, 301))
        total = nonnegative_passes(W, gram, product, passes=6, n_threads=n_threads)
        answers.append((total, W))
    for total, W in answers[1:]:
        assert total == answers[0][0]
        np.testing.assert_array_equal(W, answers[0][1])


def test_many_passes_reach_the_optimum():
    rng = np.random.default_rng(2)
    A = rng.normal(size=(4, 10))
    gram, product, W = A @ A.T, rng.normal(size=(4, 20)), np.zeros((4, 20))
    for _ in range(200):
        nonnegative_passes(W, gram, product, passes=20)
    slope = gram @ W - product
    assert slope.min() > -1e-8
    assert np.abs(slope * W).max() < 1e-8


def test_parts_without_size_and_empty_tables():
    W = np.ones((2, 3))
    nonnegative_passes(W, np.diag([0.0, 1.0]), np.full((2, 3), 5.0))
    np.testing.assert_array_equal(W, [[1, 1, 1], [5, 5, 5]])
    assert nonnegative_passes(np.ones((2, 0)), np.eye(2), np.ones((2, 0))) == 0
    with pytest.raises(ValueError, match="gram must be square"):
        nonnegative_passes(W, np.eye(3), np.ones((2, 3)))
    with pytest.raises(ValueError, match="product must be of the shape"):
        nonnegative_passes(W, np.eye(2), np.ones((2, 4)))


@pytest.mark.parametrize(("k", "n"), [(1, 3), (4, 8), (9, 50), (30, 17)])
@pytest.mark.parametrize("signed", [False, True])
def test_rows_against_an_active_set(k, n, signed):
    rng = np.random.default_rng(k)
    A = rng.normal(size=(k, k + 4)) if signed else rng.random((k, k + 4))
    X = rng.normal(size=(n, k + 4))
    W, done = nonnegative_rows(A @ A.T, X @ A.T)
    assert done.all()
    for w, x in zip(W, X, strict=True):
        np.testing.assert_allclose(w, nnls(A.T, x)[0], atol=1e-9)


def test_a_row_does_not_see_its_neighbours_or_the_threads():
    rng = np.random.default_rng(3)
    A = rng.random((12, 14))
    gram, product = A @ A.T, rng.normal(size=(2000, 14)) @ A.T
    W, done = nonnegative_rows(gram, product)
    for n_threads in (2, 3):
        np.testing.assert_array_equal(nonnegative_rows(gram, product, n_threads)[0], W)
    for i in (0, 7, 8, 1999):
        alone, told = nonnegative_rows(gram, product[i : i + 1])
        np.testing.assert_array_equal(alone[0], W[i])
        assert told[0] == done[i]


def test_rows_that_are_told_done_are_optimal_however_alike_the_parts():
    rng = np.random.default_rng(4)
    A = rng.random((1, 9)) + 1e-5 * rng.random((6, 9))
    gram, product = A @ A.T + 1e-12 * np.eye(6), rng.random((40, 9)) @ A.T
    W, done = nonnegative_rows(gram, product)
    slope = W @ gram - product
    assert (slope[done] >= -1e-9).all()
    assert (np.abs(slope[done] * W[done]) <= 1e-9 * (1 + W[done])).all()
    assert (W >= 0).all()


def test_rows_of_nothing_and_of_wrong_shapes():
    W, done = nonnegative_rows(np.eye(2), np.array([[0.0, 0.0], [-1.0, -2.0]]))
    assert done.all()
    assert not W.any()
    assert nonnegative_rows(np.eye(3), np.empty((0, 3)))[0].shape == (0, 3)
    assert nonnegative_rows(np.empty((0, 0)), np.empty((2, 0)))[1].all()
    with pytest.raises(ValueError, match="gram must be square"):
        nonnegative_rows(np.eye(3), np.ones((2, 2)))
