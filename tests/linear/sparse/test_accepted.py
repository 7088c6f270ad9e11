"""Parameters that change nothing: accepted, checked, and without effect."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse

from margin.linear import ElasticNet, ElasticNetCV, Lasso, LassoCV, enet_path, lasso_path


def sample():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 5))
    return X, X[:, 0] - X[:, 1] + rng.normal(size=40)


@pytest.mark.parametrize("kind", [Lasso, ElasticNet, LassoCV, ElasticNetCV])
@pytest.mark.parametrize("precompute", [True, False, "products"])
def test_no_effect(kind, precompute):
    X, y = sample()
    X -= X.mean(axis=0)
    precompute = X.T @ X if precompute == "products" else precompute
    model = kind(precompute=precompute, copy_X=False, random_state=0, selection="random").fit(X, y)
    assert_array_equal(model.coef_, kind().fit(X, y).coef_)
    assert_array_equal(kind.path(X, y, alphas=[0.1])[1], kind().path(X, y, alphas=[0.1])[1])


@pytest.mark.parametrize("kind", [Lasso, ElasticNet, LassoCV, ElasticNetCV])
def test_refusals(kind):
    X, y = sample()
    with pytest.raises(ValueError, match=f"{kind.__name__}: selection must be one of"):
        kind(selection="greedy").fit(X, y)
    with pytest.raises(ValueError, match=f"{kind.__name__}: precompute must be of shape"):
        kind(precompute=np.eye(3)).fit(X, y)
    with pytest.raises(ValueError, match=f"{kind.__name__}: precompute must be True, False"):
        kind(precompute="always").fit(X, y)


@pytest.mark.parametrize("kind", [Lasso, ElasticNet, LassoCV, ElasticNetCV])
@pytest.mark.parametrize("storage", [np.asarray, sparse.csr_array])
def test_products_of_other_data_are_refused(kind, storage):
    X, y = sample()
    wrong = X.T @ X + 0.1
    with pytest.raises(ValueError, match="did not pass validation"):
        kind(precompute=wrong, fit_intercept=False).fit(storage(X), y)
    with pytest.warns(UserWarning, match="X was centered to fit intercept"):
        kind(precompute=wrong).fit(storage(X), y)


def test_products_may_be_weighted():
    X, y = sample()
    weight = np.arange(1.0, 41.0)
    X -= weight @ X / weight.sum()
    gram = (X * (weight / weight.mean())[:, None]).T @ X
    model = Lasso(0.1, precompute=gram).fit(X, y, sample_weight=weight)
    assert_array_equal(model.coef_, Lasso(0.1).fit(X, y, sample_weight=weight).coef_)


def test_first_parameter_by_position_and_input_unchecked():
    X, y = sample()
    for kind in (Lasso, ElasticNet):
        first = kind(0.3).fit(X, y, check_input=False)
        assert_array_equal(first.coef_, kind(alpha=0.3).fit(X, y).coef_)


@pytest.mark.parametrize("path", [lasso_path, enet_path])
def test_paths(path):
    X, y = sample()
    plain = path(X, y, alphas=[0.1, 0.01])[1]
    full = path(X, y, alphas=[0.1, 0.01], precompute=X.T @ X, Xy=X.T @ y, copy_X=False, verbose=1)
    assert_array_equal(full[1], plain)
    with pytest.raises(ValueError, match=r"alphas\[1\] == -1"):
        path(X, y, alphas=[1, -1])
