import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.linear_model import RidgeClassifier

from margin.linear import FisherDiscriminant, LeastSquaresClassifier


@pytest.mark.parametrize("load", [load_breast_cancer, load_iris])
@pytest.mark.parametrize("alpha", [0.1, 10.0])
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_agrees_with_scikit_learn(load, alpha, fit_intercept):
    """linear.38"""
    X, y = load(return_X_y=True)
    X = (X - X.mean(axis=0)) / X.std(axis=0) + 1.0
    weight = np.random.default_rng(0).random(len(y))
    options = {"alpha": alpha, "fit_intercept": fit_intercept}
    ours = LeastSquaresClassifier(**options).fit(X, y, weight)
    theirs = RidgeClassifier(**options, solver="cholesky").fit(X, y, weight)
    np.testing.assert_allclose(ours.coef_, np.atleast_2d(theirs.coef_), rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-9)
    assert (ours.predict(X) == theirs.predict(X)).all()


def test_two_classes_give_the_direction_of_fisher():
    """linear.38: least squares on -1 and 1 points along the linear discriminant."""
    X, y = load_breast_cancer(return_X_y=True)
    X = X[:, :5]
    w = LeastSquaresClassifier().fit(X, y).coef_[0]
    direction = FisherDiscriminant().fit(X, y).direction_
    assert abs(w @ direction) / np.linalg.norm(w) == pytest.approx(1.0, abs=1e-9)


def test_normal_equations_hold_and_sparse_is_dense():
    rng = np.random.default_rng(1)
    X, y = rng.standard_normal((60, 4)) * (rng.random((60, 4)) < 0.5), rng.integers(3, size=60)
    model = LeastSquaresClassifier().fit(X, y)
    residual = np.where(y[:, None] == np.arange(3), 1.0, -1.0) - model.decision_function(X)
    np.testing.assert_allclose(X.T @ residual, 0.0, atol=1e-10)
    np.testing.assert_allclose(residual.sum(axis=0), 0.0, atol=1e-10)
    assert model.fit_report_.objective == pytest.approx(0.5 * np.sum(residual**2))
    assert model.fit_report_.certificate.holds
    thin = LeastSquaresClassifier().fit(sparse.csr_array(X), y)
    np.testing.assert_allclose(thin.coef_, model.coef_, atol=1e-6)
