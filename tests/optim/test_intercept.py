"""Three ways to treat an intercept (penalties.10, linear.27)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse
from sklearn.linear_model import Ridge

from margin.losses import Logistic, Squared
from margin.optim import Newton, minimise, with_intercept
from margin.penalties import L2, Quadratic

RNG = np.random.default_rng(0)
X = RNG.normal(size=(30, 3)) + 2.0
Y = X @ [1.0, -2.0, 0.5] + 3.0 + RNG.normal(size=30)
W = RNG.random(30)


def fit(how, X=X, y=Y, loss=None, penalty=None, weight=W):
    model = with_intercept(X, y, weight, loss or Squared(), penalty or L2(2.0), how)
    return model.unpack(minimise(model.problem, Newton(1e-10)).x)


def test_golden_numbers_of_the_penalised_intercept():
    """penalties.10: x = 0, 1, 2 and y = 1, 2, 4 with lambda = 1 give (.8, 1.26666667)."""
    coef, b = fit(
        "penalised", np.array([[0.0], [1], [2]]), np.array([1.0, 2, 4]), None, L2(1.0), None
    )
    assert_allclose([b, coef[0]], [0.8, 1.26666667], atol=1e-8)


@pytest.mark.parametrize("penalty", [L2(0.5), Quadratic(np.diag([1.0, 2.0, 3.0]))])
def test_centring_equals_a_free_intercept_for_squares(penalty):
    """penalties.10: the same coefficients and constant, weighted."""
    free, centred = fit("free", penalty=penalty), fit("centred", penalty=penalty)
    assert_allclose(free[0], centred[0], atol=1e-8)
    assert_allclose(free[1], centred[1], atol=1e-8)


def test_free_is_that_of_scikit_learn():
    peer = Ridge(alpha=2.0).fit(X, Y, sample_weight=W)
    coef, b = fit("free")
    assert_allclose(coef, peer.coef_, rtol=1e-7)
    assert_allclose(b, peer.intercept_, rtol=1e-7)


def test_only_a_free_intercept_follows_a_shift_of_the_target():
    """penalties.10: where the two conventions of the texts differ."""
    for how, follows in (("free", True), ("centred", True), ("penalised", False), ("none", False)):
        before, after = fit(how), fit(how, y=Y + 100.0)
        moved = (X @ after[0] + after[1]) - (X @ before[0] + before[1])
        assert np.allclose(moved, 100.0, atol=1e-6) is follows


@pytest.mark.parametrize("storage", [np.asarray, sparse.csr_array])
def test_penalised_is_a_column_of_ones(storage):
    """linear.27: the bias as a feature, shrunk with the rest; logistic loss too."""
    y = (Y.mean() < Y).astype(float)
    coef, b = fit("penalised", storage(X), y, Logistic())
    ones = np.column_stack([X, np.ones(30)])
    joint, none = fit("none", ones, y, Logistic())
    assert none == 0.0
    assert_allclose(np.append(coef, b), joint, atol=1e-8)


def test_what_cannot_be_centred_is_refused():
    with pytest.raises(ValueError, match="with_intercept: intercept must be 'free', 'penalised'"):
        fit("centred", loss=Logistic())
    with pytest.raises(ValueError, match="a sparse X, which centring would fill"):
        fit("centred", sparse.csr_array(X))
    with pytest.raises(ValueError, match="with_intercept: intercept must be one of 'free'"):
        fit("yes")
