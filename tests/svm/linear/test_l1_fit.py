"""Linear machines with few weights (svm.09)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import minimize
from scipy.sparse import csr_array
from sklearn import svm as peer
from sklearn.datasets import make_classification

from margin.svm import LinearSVC
from margin.svm.linear._l1_fit import solve_l1

X, Y = make_classification(120, 8, n_informative=4, n_classes=3, random_state=0)


def objective(model, sign):
    loss = np.maximum(0.0, 1.0 - sign * (X @ model.coef_[0] + model.intercept_[0])) ** 2
    size = np.abs(model.coef_).sum() + np.abs(model.intercept_ / model.intercept_scaling).sum()
    return size + model.C * loss.sum()


@pytest.mark.parametrize("scaling", [1.0, 10.0, np.inf])
def test_at_least_as_low_as_liblinear(scaling):
    sign = np.where(Y == 0, 1.0, -1.0)
    ours = LinearSVC("l1", C=0.1, intercept_scaling=scaling).fit(X, sign)
    reach = min(scaling, 1e3)
    theirs = peer.LinearSVC("l1", dual=False, C=0.1, tol=1e-6, max_iter=10**6, random_state=0)
    theirs.set_params(intercept_scaling=reach).fit(X, sign)
    assert objective(ours, sign) <= objective(theirs, sign) * (1 + 1e-6)
    assert_allclose(ours.coef_, theirs.coef_, atol=1e-3)
    assert ours.fit_report_.objective == pytest.approx(objective(ours, sign))
    assert (ours.coef_ == 0).any()


def test_smooth_problem_in_halves():
    """The same minimum from positive and negative parts of the weights, by a general method."""
    sign = np.where(Y == 0, 1.0, -1.0)

    def halves(v):
        slack = np.maximum(0.0, 1.0 - sign * (X @ (v[:8] - v[8:])))
        slope = X.T @ (-0.2 * sign * slack)
        return v.sum() + 0.1 * slack @ slack, 1.0 + np.concatenate([slope, -slope])

    lowest = minimize(halves, np.zeros(16), jac=True, bounds=[(0, None)] * 16, tol=1e-12)
    solution, beta = solve_l1(X, sign, np.full(120, 0.1), 0.0, tol=1e-9, max_iter=1000)
    assert solution.objective == pytest.approx(lowest.fun, rel=1e-6)
    assert solution.x[-1] == 0.0
    assert np.abs(X.T @ beta).max() <= 1.0 + 1e-6


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_sparse_rows_weights_and_classes(dtype):
    weight = np.arange(120) % 3
    dense = LinearSVC("l1", C=0.1, class_weight="balanced")
    dense.fit(X.astype(dtype), Y, sample_weight=weight)
    thin = LinearSVC("l1", C=0.1, class_weight="balanced")
    thin.fit(csr_array(X.astype(dtype)), Y, sample_weight=weight)
    assert dense.coef_.shape == (3, 8)
    assert dense.coef_.dtype == dtype
    assert_allclose(thin.coef_, dense.coef_, atol=1e-4)
    twice = np.repeat(np.arange(120), weight)
    again = LinearSVC("l1", C=0.1, class_weight="balanced").fit(X[twice], Y[twice])
    assert_allclose(dense.coef_, again.coef_, atol=1e-4)


@pytest.mark.parametrize("given", [{"loss": "hinge"}, {"dual": True}])
def test_what_l1_does_not_go_with(given):
    with pytest.raises(ValueError, match="LinearSVC: Unsupported set of arguments: penalty='l1'"):
        LinearSVC("l1", **given).fit(X, Y)


def test_coefficients_as_a_sparse_matrix():
    model = LinearSVC("l1", C=0.1).fit(X, Y)
    scores, many = model.decision_function(X), model.coef_
    assert model.sparsify().coef_.nnz == np.count_nonzero(many)
    assert_allclose(model.decision_function(X), scores)
    assert_allclose(model.densify().coef_, many)
