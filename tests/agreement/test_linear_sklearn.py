"""The linear models against scikit-learn's, at several shapes and storages."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse
from sklearn import linear_model as peer
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler, scale

from margin.linear import BayesianLinearRegression, LinearRegression, LogisticRegression, Ridge

SHAPES = [(200, 5), (30, 30), (20, 100), (1000, 40)]


def regression(n, p, k=None, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) + rng.normal(size=p)
    shape = (p,) if k is None else (p, k)
    return X, X @ rng.normal(size=shape) + rng.normal(size=(n, *shape[1:])), rng.random(n) + 0.1


def classes(n, p, n_classes, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p))
    scores = 2 * X @ rng.normal(size=(p, n_classes)) / np.sqrt(p) + rng.gumbel(size=(n, n_classes))
    return X, scores.argmax(axis=1), rng.random(n) + 0.1


def storages(X):
    return [X, np.asfortranarray(X), sparse.csr_array(X)]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("k", [None, 3])
def test_linear_regression(shape, weighted, k):
    """linear.03, linear.05: predictions; coefficients where they are unique."""
    X, y, s = regression(*shape, k)
    weight = s if weighted else None
    theirs = peer.LinearRegression().fit(X, y, sample_weight=weight)
    for A in storages(X):
        ours = LinearRegression().fit(A, y, sample_weight=weight)
        assert_allclose(ours.predict(A), theirs.predict(X), rtol=1e-6, atol=1e-6)
        if shape[0] > shape[1] + 1:
            assert_allclose(ours.coef_, theirs.coef_, rtol=1e-7, atol=1e-8)
            assert_allclose(ours.intercept_, theirs.intercept_, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("alpha", [0.01, 1.0, 1e3])
@pytest.mark.parametrize("k", [None, 3])
def test_ridge(shape, alpha, k):
    """linear.13: weighted, with an unpenalised intercept."""
    X, y, s = regression(*shape, k)
    theirs = peer.Ridge(alpha=alpha, solver="svd").fit(X, y, sample_weight=s)
    for A in storages(X):
        ours = Ridge(alpha=alpha).fit(A, y, sample_weight=s)
        assert_allclose(ours.coef_, theirs.coef_, rtol=1e-7, atol=1e-9)
        assert_allclose(ours.intercept_, theirs.intercept_, rtol=1e-7, atol=1e-8)


def test_ridge_with_one_strength_per_target():
    X, Y, _ = regression(100, 6, 3)
    alpha = np.array([0.1, 10.0, 1.0])
    theirs = peer.Ridge(alpha=alpha).fit(X, Y)
    assert_allclose(Ridge(alpha=alpha).fit(X, Y).coef_, theirs.coef_, rtol=1e-9)


@pytest.mark.parametrize("shape", [(300, 6), (200, 40), (60, 120)])
@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("C", [0.1, 10.0])
def test_logistic_regression(shape, n_classes, C):
    """linear.32, linear.35: coefficients at a tight tolerance, dense and sparse, weighted."""
    X, y, s = classes(*shape, n_classes)
    theirs = peer.LogisticRegression(C=C, tol=1e-10, max_iter=10_000).fit(X, y, sample_weight=s)
    for A in storages(X):
        ours = LogisticRegression(C=C, tol=1e-9).fit(A, y, sample_weight=s)
        assert_allclose(ours.coef_, theirs.coef_, atol=1e-4)
        assert_allclose(ours.predict_proba(A), theirs.predict_proba(X), atol=1e-5)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("options", [{"fit_intercept": False}, {"class_weight": "balanced"}])
def test_logistic_regression_options(n_classes, options):
    X, y, s = classes(300, 6, n_classes)
    theirs = peer.LogisticRegression(tol=1e-10, max_iter=10_000, **options)
    theirs.fit(X, y, sample_weight=s)
    ours = LogisticRegression(tol=1e-9, **options).fit(X, y, sample_weight=s)
    assert_allclose(ours.coef_, theirs.coef_, atol=1e-4)
    assert_allclose(ours.intercept_, theirs.intercept_, atol=1e-4)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_logistic_regression_without_penalty(n_classes):
    """linear.32: maximum likelihood of classes that overlap."""
    X, y, _ = classes(400, 5, n_classes)
    theirs = peer.LogisticRegression(C=np.inf, tol=1e-10, max_iter=10_000).fit(X, y)
    ours = LogisticRegression(C=np.inf, tol=1e-9).fit(X, y)
    assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-4)
    assert_allclose(
        ours.coef_ - ours.coef_.mean(axis=0) * (n_classes > 2),
        theirs.coef_ - theirs.coef_.mean(axis=0) * (n_classes > 2),
        atol=1e-3,
    )


@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer])
def test_logistic_regression_on_real_data(load):
    """linear.32, linear.35: the objective is never above scikit-learn's."""
    X, y = load(return_X_y=True)
    X = scale(X)
    ours = LogisticRegression(tol=1e-8).fit(X, y)
    theirs = peer.LogisticRegression(tol=1e-8, max_iter=10_000).fit(X, y)

    def objective(model):
        log_p = model.predict_log_proba(X)[np.arange(len(y)), y]
        return -log_p.sum() + 0.5 * np.sum(model.coef_**2)

    assert objective(ours) <= objective(theirs) + 1e-6
    assert_allclose(ours.fit_report_.objective * len(y), objective(ours), rtol=1e-9)
    assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-4)


@pytest.mark.parametrize("shape", [(200, 5), (60, 30)])
def test_bayesian_linear_regression(shape):
    """linear.16: evidence maximisation reaches at least the evidence of scikit-learn's loop."""
    X, y, _ = regression(*shape)
    theirs = peer.BayesianRidge(max_iter=3000, tol=1e-10, compute_score=True).fit(X, y)
    ours = BayesianLinearRegression(tol=1e-9).fit(X, y)
    assert_allclose(ours.coef_, theirs.coef_, rtol=2e-2, atol=2e-2)
    same = BayesianLinearRegression(
        prior_precision=theirs.lambda_, noise_variance=1 / theirs.alpha_
    ).fit(X, y)
    assert_allclose(same.coef_, theirs.coef_, rtol=1e-6, atol=1e-8)
    assert_allclose(same.covariance_, theirs.sigma_, rtol=1e-6, atol=1e-10)
    assert ours.log_evidence_ >= same.log_evidence_ - 1e-4


def test_diabetes_regression():
    """All three regressors on real data."""
    X, y = load_diabetes(return_X_y=True)
    pairs = [
        (LinearRegression(), peer.LinearRegression()),
        (Ridge(alpha=0.5), peer.Ridge(alpha=0.5)),
        (BayesianLinearRegression(tol=1e-9), peer.BayesianRidge(tol=1e-10, max_iter=3000)),
    ]
    for ours, theirs in pairs:
        tolerance = 1e-2 if isinstance(ours, BayesianLinearRegression) else 1e-8
        found, wanted = ours.fit(X, y).predict(X), theirs.fit(X, y).predict(X)
        assert_allclose(found, wanted, rtol=tolerance)


def test_inside_pipelines_and_searches():
    """A grid search over C gives the same choice and the same scores."""
    X, y, _ = classes(150, 5, 3)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = [
            GridSearchCV(
                make_pipeline(StandardScaler(), model),
                {f"{type(model).__name__.lower()}__C": [0.01, 1.0, 100.0]},
                scoring="neg_log_loss",
                cv=3,
            ).fit(X, y)
            for model in (
                LogisticRegression(tol=1e-8),
                peer.LogisticRegression(tol=1e-8, max_iter=5000),
            )
        ]
    assert found[0].best_params_ == found[1].best_params_
    assert_allclose(
        found[0].cv_results_["mean_test_score"], found[1].cv_results_["mean_test_score"], atol=1e-5
    )
