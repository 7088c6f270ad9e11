"""Logistic regression with a penalised intercept."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.sparse import csr_array
from sklearn import linear_model

from margin.linear import LogisticRegression


def table():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(120, 4)) * (rng.random((120, 4)) < 0.6)
    y = (X[:, 0] - X[:, 1] + rng.logistic(size=120) > -1).astype(int)
    return X, y, rng.uniform(0.5, 2.0, 120)


@pytest.mark.parametrize("kind", [np.asarray, csr_array])
@pytest.mark.parametrize("given", [{}, {"dual": True}, {"l1_ratio": 1.0}])
@pytest.mark.parametrize("scaling", [1.0, 7.0])
def test_same_minimum_as_scikit_learn(kind, given, scaling):
    X, y, weight = table()
    asked = {"solver": "liblinear", "intercept_scaling": scaling, "C": 0.3, **given}
    ours = LogisticRegression(**asked, tol=1e-9).fit(kind(X), y, weight)
    theirs = linear_model.LogisticRegression(**asked, tol=1e-10, max_iter=100_000)
    theirs.fit(X, y, weight)
    assert_allclose(ours.coef_, theirs.coef_, atol=1e-4)
    assert_allclose(ours.intercept_, theirs.intercept_, atol=1e-4)


def test_large_constant_frees_the_intercept():
    """Limit: the penalty no longer feels the weight of a very large constant."""
    X, y, _ = table()
    free = LogisticRegression(tol=1e-9).fit(X, y)
    bound = LogisticRegression(solver="liblinear", intercept_scaling=1e4, tol=1e-9).fit(X, y)
    assert_allclose(bound.intercept_, free.intercept_, rtol=1e-5)
    assert_allclose(bound.coef_, free.coef_, rtol=1e-5)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"C": np.inf}, "not supported for the liblinear solver"),
        ({"l1_ratio": 0.5}, "Only 'saga' solver supports elasticnet"),
        ({"intercept_scaling": 0}, "intercept_scaling must be"),
    ],
)
def test_refusals(given, words):
    X, y, _ = table()
    with pytest.raises(ValueError, match=words):
        LogisticRegression(solver="liblinear", **given).fit(X, y)


def test_huge_features_are_refused():
    with pytest.raises(ValueError, match="LogisticRegression: X must be rescaled: Using the 'libl"):
        LogisticRegression(solver="liblinear").fit([[0.0], [1e100]], [0, 1])
