"""Newton models by columns against explicit quadratics."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse

from margin.native.columns.coordinate import gram_descent
from margin.optim.columns import _newton_model
from margin.optim.columns._newton_model import DenseModel, SparseModel, newton_model
from margin.optim.columns._squares import Shrinkage


def data(n=80, p=10, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) * (rng.random((n, p)) < 0.6)
    return X, rng.random(n) / n + 0.01, rng.normal(size=n) / n, rng.normal(size=p)


def reference(X, w, h, v, penalty, intercept, index):
    """The model over the index, written as matrices and solved by the compiled descent."""
    Z, total = X[:, index], h.sum()
    mean = h @ Z / total if intercept else np.zeros(len(index))
    A = (Z.T * h) @ Z - total * np.outer(mean, mean) * intercept
    slope = Z.T @ v - v.sum() * mean
    found = w[index].copy()
    gram_descent(
        A,
        A @ found - slope,
        found,
        slope,
        0.0,
        penalty.l1,
        penalty.l2,
        positive=False,
        max_epochs=10_000,
        gap_tol=-1.0,
        slope_tol=1e-14,
    )
    return found, -(v.sum() / total + mean @ (found - w[index])) * intercept


@pytest.mark.parametrize("kind", ["gram", "columns", "sparse"])
@pytest.mark.parametrize("intercept", [False, True])
def test_step_minimises_the_model(kind, intercept, monkeypatch):
    X, h, v, w = data()
    penalty = Shrinkage(0.02, 0.01)
    index = np.array([1, 4, 7])
    if kind == "columns":
        monkeypatch.setattr(_newton_model, "_SMALL_GRAM", 1)
    model = newton_model(sparse.csc_array(X) if kind == "sparse" else X, intercept=intercept)
    assert isinstance(model, SparseModel if kind == "sparse" else DenseModel)
    monkeypatch.setattr(_newton_model, "_MOST_EPOCHS", 5000)
    step = model.step(index, w, h, v, penalty, 1e-13)
    found, shift = reference(X, w, h, v, penalty, float(intercept), index)
    assert_allclose(step.w, found, atol=1e-8)
    assert_allclose(step.shift, shift, atol=1e-8)
    assert_allclose(step.image, X[:, index] @ (step.w - w[index]) + step.shift, atol=1e-10)
    assert step.violation > 0
    assert step.epochs > 0


@pytest.mark.parametrize("storage", [np.asarray, np.asfortranarray, np.float32, sparse.csc_array])
def test_correlate(storage):
    X, _, v, _ = data()
    model = newton_model(storage(X), intercept=True)
    assert_allclose(model.correlate(v), X.T @ v, atol=1e-6 if storage is np.float32 else 1e-14)


def test_columns_are_gathered_once(monkeypatch):
    """Working sets that grow in several rounds see the same columns."""
    monkeypatch.setattr(_newton_model, "_SMALL_GRAM", 1)
    X, h, v, w = data(p=40)
    model = DenseModel(X, intercept=True)
    for index in ([5, 6], [5, 7, 30], list(range(20))):
        model.step(np.array(index), w, h, v, Shrinkage(0.02), 1e-6)
    held = np.flatnonzero(model.position >= 0)
    assert len(held) == model.held == 21
    assert_allclose(model.columns[model.position[held]], X[:, held].T)
