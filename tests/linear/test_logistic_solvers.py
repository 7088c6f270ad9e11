"""Solvers of logistic regression with absolute values in the penalty (penalties.02, linear.32)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse
from scipy.special import expit
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression as Peer

from margin.core import Status
from margin.linear import LogisticRegression
from margin.linear._logistic_solvers import SOLVERS


def sample(n=150, p=12, n_classes=2, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) * np.geomspace(0.3, 3.0, p) * (rng.random((n, p)) < 0.7)
    scores = X @ rng.normal(size=(p, n_classes)) + rng.gumbel(size=(n, n_classes))
    return X, scores.argmax(axis=1), rng.random(n) + 0.1


def violation(X, y, weight, model, C, l1_ratio):
    """Largest violation of an optimality condition of scikit-learn's objective, over the mean."""
    total = weight.sum()
    slope = weight * (model.predict_proba(X)[:, 1] - y) / total
    w, l1, l2 = model.coef_[0], l1_ratio / (C * total), (1 - l1_ratio) / (C * total)
    g = X.T @ slope + l2 * w
    conditions = np.where(w == 0, np.maximum(np.abs(g) - l1, 0), np.abs(g + l1 * np.sign(w)))
    return max(conditions.max(), abs(slope.sum()))


@pytest.mark.parametrize("solver", ["auto", "coordinate-descent", "fista"])
@pytest.mark.parametrize("l1_ratio", [1.0, 0.5])
@pytest.mark.parametrize("C", [0.1, 1.0])
@pytest.mark.parametrize("storage", [np.asarray, sparse.csr_array])
def test_optimality_conditions(solver, l1_ratio, C, storage):
    """penalties.02, penalties.03: whatever the solver, with weights and an intercept."""
    X, y, weight = sample()
    tol = 1e-7 if solver == "fista" else 1e-10
    model = LogisticRegression(C=C, l1_ratio=l1_ratio, solver=solver, tol=tol, max_iter=50_000).fit(
        storage(X), y, weight
    )
    assert violation(X, y, weight, model, C, l1_ratio) < 1e-5
    assert model.fit_report_.certificate.holds


def test_agrees_with_scikit_learn():
    X, y, weight = sample()
    ours = LogisticRegression(C=0.5, l1_ratio=0.7, tol=1e-12).fit(X, y, weight)
    peer = Peer(C=0.5, l1_ratio=0.7, solver="saga", tol=1e-10, max_iter=200_000)
    peer.fit(X, y, weight)
    assert_allclose(ours.coef_, peer.coef_, atol=1e-4)
    assert_allclose(ours.intercept_, peer.intercept_, atol=1e-4)
    assert ((ours.coef_ == 0) == (peer.coef_ == 0)).all()


def test_several_classes_by_proximal_gradients():
    X, y, weight = sample(n_classes=3)
    ours = LogisticRegression(C=0.3, l1_ratio=1.0, tol=1e-8).fit(X, y, weight)
    peer = Peer(C=0.3, l1_ratio=1.0, solver="saga", tol=1e-9, max_iter=200_000).fit(X, y, weight)
    assert_allclose(ours.coef_, peer.coef_, atol=2e-3)
    assert_allclose(ours.predict_proba(X), peer.predict_proba(X), atol=1e-3)
    assert "fista" in ours.fit_report_.notes[0]
    with pytest.raises(ValueError, match="solver must be 'fista' for more than two classes"):
        LogisticRegression(l1_ratio=1.0, solver="coordinate-descent").fit(X, y)


@pytest.mark.parametrize("solver", [s for s in SOLVERS if s != "gradient-descent"])
def test_every_solver_of_the_smooth_penalty_agrees(solver):
    """linear.32: coordinate descent and FISTA solve it as well."""
    X, y, weight = sample()
    model = LogisticRegression(C=0.5, solver=solver, tol=1e-9, max_iter=50_000).fit(X, y, weight)
    newton = LogisticRegression(C=0.5, solver="newton", tol=1e-10).fit(X, y, weight)
    assert_allclose(model.coef_, newton.coef_, atol=1e-4)


def test_no_feature_enters_below_the_least_strength():
    """penalties.02: from C = 1 / max |X'(y - mean)| down, only the intercept is fitted."""
    X, y, _ = sample()
    least = 1 / np.abs(X.T @ (y - y.mean())).max()
    empty = LogisticRegression(C=0.999 * least, l1_ratio=1.0).fit(X, y)
    assert not empty.coef_.any()
    assert_allclose(expit(empty.intercept_), y.mean(), rtol=1e-6)
    assert LogisticRegression(C=1.01 * least, l1_ratio=1.0).fit(X, y).coef_.any()


def test_kinks_need_a_solver_that_can():
    X, y, _ = sample()
    with pytest.raises(ValueError, match="LogisticRegression: solver must be 'auto' or one of"):
        LogisticRegression(l1_ratio=0.5, solver="newton").fit(X, y)
    with pytest.raises(ValueError, match="l1_ratio must be a number between 0 and 1"):
        LogisticRegression(l1_ratio=-0.5).fit(X, y)


@pytest.mark.parametrize("solver", ["auto", "coordinate-descent"])
def test_separable_data_without_penalty_are_said(solver):
    X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), [0, 0, 1, 1]
    with pytest.warns(ConvergenceWarning, match="separable"):
        model = LogisticRegression(C=np.inf, solver=solver).fit(X, y)
    assert model.fit_report_.status is Status.STALLED
