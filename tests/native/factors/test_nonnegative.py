import numpy as np
import pytest

from margin.native.factors.nonnegative import nonnegative_passes


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
