import numpy as np
import pytest
from scipy.linalg import eigh
from scipy.stats import multivariate_normal
from sklearn import discriminant_analysis as peer
from sklearn.datasets import load_iris, load_wine

from margin.core import UnservedError
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
    model = LinearDiscriminantAnalysis().fit(wide, y)
    assert model.rank_ == 4
    np.testing.assert_allclose(model.predict_proba(wide), plain.predict_proba(X), atol=1e-8)


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


def with_holes(X, share=0.2, seed=0):
    rng = np.random.default_rng(seed)
    return np.where(rng.random(X.shape) < share, np.nan, X)


def test_nan_is_unobserved():
    """linear.36: fit, probabilities and score with a fifth of the values missing."""
    X, y = load_iris(return_X_y=True)
    holed = with_holes(X)
    model = LinearDiscriminantAnalysis().fit(holed, y)
    whole = LinearDiscriminantAnalysis().fit(X, y)
    assert model.score(holed, y) > 0.92
    assert model.score(X, y) > 0.96
    np.testing.assert_allclose(model.means_, whole.means_, atol=0.12)
    np.testing.assert_allclose(model.covariance_, whole.covariance_, atol=0.05)
    assert model.fit_report_.solver == "expectation maximisation"
    np.testing.assert_allclose(model.predict_proba(np.full((1, 4), np.nan))[0], model.priors_)


@pytest.mark.parametrize("classes", [2, 3])
def test_posterior_of_rows_with_holes_is_the_marginal_one(classes):
    """linear.36: against densities of the observed columns."""
    X, y = load_iris(return_X_y=True)
    X, y = X[y < classes], y[y < classes]
    holed = with_holes(X, 0.4)
    model = LinearDiscriminantAnalysis().fit(holed, y)
    wanted = []
    for x in holed:
        o = ~np.isnan(x)
        sub = model.covariance_[np.ix_(o, o)]
        pdf = [multivariate_normal(m[o], sub).pdf(x[o]) if o.any() else 1.0 for m in model.means_]
        wanted.append(model.priors_ * pdf / (model.priors_ @ pdf))
    np.testing.assert_allclose(model.predict_proba(holed), wanted, atol=1e-9)
    complete = ~np.isnan(holed).any(axis=1)
    again = model.predict_proba(holed[complete])
    np.testing.assert_allclose(again, np.array(wanted)[complete], atol=1e-9)


def test_projection_of_rows_with_holes():
    """linear.40: complete rows as ever, others at their expected place."""
    X, y = load_iris(return_X_y=True)
    model = LinearDiscriminantAnalysis().fit(X, y)
    holed = with_holes(X, 0.1)
    complete = ~np.isnan(holed).any(axis=1)
    placed = model.transform(holed)
    np.testing.assert_array_equal(placed[complete], model.transform(X)[complete])
    off = np.linalg.norm(placed - model.transform(X), axis=1)
    filled = np.where(np.isnan(holed), X.mean(axis=0), holed)
    naive = np.linalg.norm(model.transform(filled) - model.transform(X), axis=1)
    assert 0 < off.sum() < 0.7 * naive.sum()


def test_automatic_shrinkage_asks_for_complete_rows():
    X, y = load_iris(return_X_y=True)
    words = "shrinkage must be None or a number where X holds NaN, got 'auto'"
    with pytest.raises(ValueError, match=words):
        LinearDiscriminantAnalysis(shrinkage="auto").fit(with_holes(X), y)
    assert LinearDiscriminantAnalysis(shrinkage=0.2).fit(with_holes(X), y).score(X, y) > 0.9


def test_parameters_by_position_as_in_scikit_learn():
    model = LinearDiscriminantAnalysis("eigen", 0.5, None, 1, True, 1e-3, None)
    assert model.get_params() == {
        "solver": "eigen",
        "shrinkage": 0.5,
        "priors": None,
        "n_components": 1,
        "store_covariance": True,
        "tol": 1e-3,
        "covariance_estimator": None,
        "n_jobs": None,
    }


def test_priors_of_another_sum_are_scaled_with_a_warning():
    X, y = load_iris(return_X_y=True)
    with pytest.warns(UserWarning, match="LinearDiscriminantAnalysis: priors of the sum 2 are"):
        model = LinearDiscriminantAnalysis(priors=[1.0, 0.5, 0.5]).fit(X, y)
    np.testing.assert_allclose(model.priors_, [0.5, 0.25, 0.25])


def test_least_squares_by_name_does_not_project():
    X, y = load_iris(return_X_y=True)
    model = LinearDiscriminantAnalysis(solver="lsqr").fit(X, y)
    with pytest.raises(UnservedError, match=r"solver must be .* not implemented for 'lsqr'"):
        model.transform(X)
