import numpy as np
import pytest
from scipy.linalg import eigh
from sklearn import discriminant_analysis as peer
from sklearn.datasets import load_iris, load_wine

from margin.linear import LinearDiscriminantAnalysis, LogisticRegression


@pytest.mark.parametrize("load", [load_iris, load_wine])
@pytest.mark.parametrize("priors", [None, [0.2, 0.3, 0.5]])
def test_agrees_with_scikit_learn(load, priors):
    """linear.36"""
    X, y = load(return_X_y=True)
    ours = LinearDiscriminantAnalysis(priors=priors).fit(X, y)
    theirs = peer.LinearDiscriminantAnalysis(priors=priors).fit(X, y)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-10)
    np.testing.assert_allclose(abs(ours.transform(X)), abs(theirs.transform(X)), atol=1e-8)
    np.testing.assert_allclose(
        ours.explained_variance_ratio_, theirs.explained_variance_ratio_, atol=1e-10
    )


def test_posterior_of_two_classes_is_the_sigmoid_of_the_printed_form():
    """linear.36: intercept -(mu1 + mu0) beta / 2 + log(N1 / N0), also for unbalanced classes."""
    rng = np.random.default_rng(0)
    y = (rng.random(300) < 0.2).astype(int)
    X = rng.standard_normal((300, 3)) + 1.5 * y[:, None]
    model = LinearDiscriminantAnalysis().fit(X, y)
    m0, m1 = X[y == 0].mean(axis=0), X[y == 1].mean(axis=0)
    within = sum((X[y == k] - m).T @ (X[y == k] - m) for k, m in ((0, m0), (1, m1))) / 300
    beta = np.linalg.solve(within, m1 - m0)
    constant = -0.5 * (m1 + m0) @ beta + np.log(y.sum() / (1 - y).sum())
    np.testing.assert_allclose(model.coef_[0], beta)
    np.testing.assert_allclose(model.intercept_[0], constant)


def test_canonical_variates_solve_the_generalised_eigenproblem():
    """linear.40: directions of largest between-class scatter in units of within-class scatter."""
    X, y = load_wine(return_X_y=True)
    model = LinearDiscriminantAnalysis().fit(X, y)
    between = sum(
        np.mean(y == k) * np.outer(m - X.mean(axis=0), m - X.mean(axis=0))
        for k, m in enumerate(model.means_)
    )
    values = eigh(between, model.covariance_, eigvals_only=True)[::-1][:2]
    np.testing.assert_allclose(model.explained_variance_ratio_, values / values.sum(), rtol=1e-8)
    spread = np.cov(model.transform(X).T, bias=True)
    np.testing.assert_allclose(spread, np.diag(1 + values), atol=1e-8)


def test_singular_within_class_scatter():
    """linear.40: copies of columns and constant columns change nothing."""
    X, y = load_iris(return_X_y=True)
    plain = LinearDiscriminantAnalysis().fit(X, y)
    wide = np.hstack([X, X[:, :2] + X[:, 2:], np.ones((len(X), 1))])
    found = LinearDiscriminantAnalysis().fit(wide, y)
    assert found.rank_ == 4
    np.testing.assert_allclose(found.predict_proba(wide), plain.predict_proba(X), atol=1e-8)


@pytest.mark.parametrize("shrinkage", ["auto", 0.3, 1.0])
def test_shrinkage_helps_when_columns_outnumber_rows(shrinkage):
    rng = np.random.default_rng(5)
    y = np.arange(40) % 2
    X = rng.standard_normal((40, 80)) + 0.6 * y[:, None]
    test = rng.standard_normal((400, 80)) + 0.6 * (np.arange(400) % 2)[:, None]
    model = LinearDiscriminantAnalysis(shrinkage=shrinkage).fit(X, y)
    assert np.mean(model.predict(test) == np.arange(400) % 2) > 0.9


def test_fixed_shrinkage_keeps_the_mean_variance():
    X, y = load_iris(return_X_y=True)
    free, half = (
        LinearDiscriminantAnalysis(shrinkage=s).fit(X, y).covariance_ for s in (None, 0.4)
    )
    assert np.trace(half) == pytest.approx(np.trace(free))
    np.testing.assert_allclose(half[0, 1], 0.6 * free[0, 1])


def test_sampling_reproduces_the_model():
    """linear.36: sampling."""
    X, y = load_iris(return_X_y=True)
    model = LinearDiscriminantAnalysis(priors=[0.5, 0.3, 0.2]).fit(X, y)
    drawn, labels = model.sample(40_000, random_state=0)
    again = LinearDiscriminantAnalysis().fit(drawn, labels)
    np.testing.assert_allclose(again.priors_, model.priors_, atol=0.01)
    np.testing.assert_allclose(again.means_, model.means_, atol=0.03)
    np.testing.assert_allclose(again.covariance_, model.covariance_, atol=0.02)


def test_close_to_logistic_regression_when_the_model_is_right():
    """linear.36: LDA posterior is a sigmoid of a linear score."""
    rng = np.random.default_rng(2)
    y = np.arange(4000) % 2
    X = rng.standard_normal((4000, 2)) + y[:, None]
    lda = LinearDiscriminantAnalysis().fit(X, y)
    logistic = LogisticRegression(C=np.inf).fit(X, y)
    np.testing.assert_allclose(lda.coef_, logistic.coef_, atol=0.15)


def test_refusals():
    X, y = np.arange(6.0).reshape(3, 2), [0, 1, 2]
    with pytest.raises(ValueError, match="more samples than classes, got 3 samples of 3 classes"):
        LinearDiscriminantAnalysis().fit(X, y)
    with pytest.raises(ValueError, match="n_components must be at most 1 here, got 2"):
        LinearDiscriminantAnalysis(n_components=2).fit(np.eye(4), [0, 0, 1, 1])
    with pytest.raises(ValueError, match="sample_weight must be above 0 in every class"):
        LinearDiscriminantAnalysis().fit(np.eye(4), [0, 0, 1, 1], [1, 1, 0, 0])
    with pytest.raises(ValueError, match="shrinkage must be a number between 0 and 1, got 2"):
        LinearDiscriminantAnalysis(shrinkage=2).fit(np.eye(4), [0, 0, 1, 1])
