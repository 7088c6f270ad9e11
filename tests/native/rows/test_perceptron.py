"""The perceptron's corrections against a NumPy twin (linear.29, linear.31)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse

from margin.native.rows.perceptron import perceptron_epoch


def sample(n_classes, n=60, p=4, seed=0):
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(n, p)), 1)
    X[rng.random(size=X.shape) < 0.3] = 0.0
    return X, rng.integers(0, n_classes, size=n), rng.uniform(0.5, 2.0, size=n)


def twin(X, code, weight, order, rate, w, intercept):
    n, k = len(X), len(w)
    w, dual, mistakes, made = w.copy(), np.zeros((n, k)), np.zeros(n, dtype=int), 0
    history = []
    for i in order:
        x = np.append(X[i], float(intercept))
        scores = w @ x
        change = np.zeros(k)
        if k == 1:
            sign = 2 * code[i] - 1
            if sign * scores[0] <= 0:
                change[0] = sign
        else:
            rivals = np.delete(np.arange(k), code[i])
            best = scores[rivals].max()
            if scores[code[i]] <= best:
                tied = rivals[scores[rivals] == best]
                change[code[i]] = 1.0
                change[tied] = -1.0 / len(tied)
        if change.any():
            change *= rate[made] * (1.0 if weight is None else weight[i])
            w += np.outer(change, x)
            dual[i] += change
            mistakes[i] += 1
            made += 1
        history.append(w.copy())
    return w, dual, mistakes, made, np.mean(history, axis=0)


@pytest.mark.parametrize("n_classes", [2, 3, 5])
@pytest.mark.parametrize("storage", ["dense", "sparse"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("weighted", [True, False])
def test_epoch_agrees_with_its_twin(n_classes, storage, dtype, intercept, weighted):
    X, code, weight = sample(n_classes)
    X = X.astype(dtype)
    weight = weight if weighted else None
    k = 1 if n_classes == 2 else n_classes
    order = np.random.default_rng(1).integers(0, 60, size=150)
    rate = 1.0 / np.arange(1.0, 151.0)
    w, dual, mistakes = np.zeros((k, 5)), np.zeros((60, k)), np.zeros(60, dtype=np.int64)
    total, dual_total = np.zeros((k, 5)), np.zeros((60, k))
    stored = sparse.csr_array(X) if storage == "sparse" else X
    made = perceptron_epoch(
        stored, code, weight, order, rate, intercept, w, dual, mistakes,
        total=total, dual_total=dual_total,
    )  # fmt: skip
    wanted = twin(X.astype(float), code, weight, order, rate, np.zeros((k, 5)), intercept)
    assert_allclose(w, wanted[0], rtol=1e-10, atol=1e-12)
    assert_allclose(dual, wanted[1], rtol=1e-10, atol=1e-12)
    assert_array_equal(mistakes, wanted[2])
    assert made == wanted[3] > 0
    assert_allclose(w - total / 150, wanted[4], rtol=1e-9, atol=1e-12)
    design = np.column_stack([X.astype(float), np.full(60, float(intercept))])
    assert_allclose(dual.T @ design, w, rtol=1e-9, atol=1e-12)
    assert_allclose((dual - dual_total / 150).T @ design, wanted[4], rtol=1e-9, atol=1e-12)


def test_a_start_at_zero_is_left():
    """linear.29: a score of zero is a mistake, or learning would never begin."""
    w = np.zeros((1, 2))
    state = np.zeros((1, 1)), np.zeros(1, dtype=np.int64)
    made = perceptron_epoch(
        np.ones((1, 1)), np.array([1]), None, np.array([0]), np.ones(1), True, w, *state
    )
    assert made == 1
    assert_array_equal(w, [[1.0, 1.0]])


def test_no_rows():
    w = np.ones((3, 5))
    made = perceptron_epoch(
        np.zeros((0, 4)), np.empty(0, dtype=np.int64), None, np.empty(0, dtype=np.int64),
        np.empty(0), True, w, np.zeros((0, 3)), np.empty(0, dtype=np.int64),
    )  # fmt: skip
    assert made == 0
    assert_array_equal(w, np.ones((3, 5)))


def test_refuses_what_does_not_fit():
    X, code, weight = sample(3)
    good = {
        "X": X, "code": code, "weight": weight, "order": np.arange(60), "rate": np.ones(60),
        "intercept": True, "w": np.zeros((3, 5)), "dual": np.zeros((60, 3)),
        "mistakes": np.zeros(60, dtype=np.int64),
    }  # fmt: skip
    for change, text in (
        ({"code": code + 1}, "class out of range"),
        ({"code": code - 1}, "class out of range"),
        ({"order": np.arange(60) + 1}, "row out of range"),
        ({"code": code[1:]}, "different shape"),
        ({"weight": weight[1:]}, "different shape"),
        ({"rate": np.ones(59)}, "different shape"),
        ({"w": np.zeros((3, 4))}, "different shape"),
        ({"dual": np.zeros((60, 2))}, "different shape"),
        ({"total": np.zeros((3, 4))}, "different shape"),
        ({"dual_total": np.zeros((59, 3))}, "different shape"),
        ({"mistakes": np.zeros(59, dtype=np.int64)}, "different shape"),
    ):
        with pytest.raises(ValueError, match=text):
            perceptron_epoch(**{**good, **change})
