"""What LinearRegression and Ridge share."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.exceptions import ConvergenceWarning

from margin.core import Status
from margin.linalg import RidgeFit
from margin.linear import LinearRegression, Ridge
from margin.linear.regression._least_squares_fit import (
    normal_equations_solution,
    strength_groups,
)


def fit(residual, objective=1.0):
    zeros, name = np.zeros((1, 1)), f"method {residual}"
    return RidgeFit(zeros, np.zeros(1), name, 1, residual, 2, objective, np.ones(1), None)


def test_the_worst_target_decides_the_status():
    good = normal_equations_solution([fit(1e-12), fit(1e-9)])
    assert good.status is Status.CONVERGED
    assert good.certificate.value == 1e-9
    assert good.objective == 2.0
    assert good.n_iter == 3
    bad = normal_equations_solution([fit(1e-12), fit(1e-3)])
    assert bad.status is Status.STALLED
    assert bad.solver == "method 0.001"
    assert "hold only to 0.001; scale the features" in bad.message


def test_a_perfect_fit_of_zeros_is_converged():
    assert normal_equations_solution([fit(1.0, objective=0.0)]).status is Status.CONVERGED


def test_stalled_solutions_warn(monkeypatch):
    """STALLED becomes a warning that names the estimator, and the model is there."""
    monkeypatch.setattr(
        "margin.linear.regression._least_squares_fit.ridge", lambda *a, **k: fit(1e-3), raising=True
    )
    model = LinearRegression()
    with pytest.warns(ConvergenceWarning, match="LinearRegression: the normal equations hold only"):
        model.fit([[1.0], [2.0]], [1.0, 2.0])
    assert model.fit_report_.status is Status.STALLED


def test_targets_with_one_strength_share_a_factorisation():
    groups = strength_groups(np.array([2.0, 1.0, 2.0]), 3)
    assert [strength for strength, _ in groups] == [1.0, 2.0]
    assert_array_equal(groups[0][1], [1])
    assert_array_equal(groups[1][1], [0, 2])
    assert len(strength_groups(np.array([5.0]), 3)) == 1


@pytest.mark.parametrize("model", [LinearRegression(), Ridge()])
def test_shapes_of_what_is_stored(model):
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(20, 3)), rng.normal(size=(20, 2))
    model.fit(X, Y[:, 0])
    assert model.coef_.shape == (3,)
    assert np.ndim(model.intercept_) == 0
    assert model.n_iter_ == model.fit_report_.n_iter >= 1
    model.fit(X, Y)
    assert model.coef_.shape == (2, 3)
    assert model.intercept_.shape == (2,)
    assert_allclose(model.predict(X), X @ model.coef_.T + model.intercept_)


@pytest.mark.parametrize("model", [LinearRegression(), Ridge()])
@pytest.mark.parametrize("value", [0.1, 1 / 3, 1e8 + 0.1])
def test_constant_data_raise_no_alarm(model, value):
    """No warning and the plain answer, for constant targets and constant features."""
    X = np.random.default_rng(0).normal(size=(50, 3))
    model.fit(X, np.full(50, value))
    assert_array_equal(model.coef_, np.zeros(3))
    assert model.intercept_ == value
    model.fit(np.full((50, 3), value), X[:, 0])
    assert_array_equal(model.coef_, np.zeros(3))
    assert_allclose(model.intercept_, X[:, 0].mean(), rtol=1e-12)
    assert model.rank_ == 0


@pytest.mark.parametrize("model", [LinearRegression(), Ridge()])
def test_strided_and_read_only_input(model):
    rng = np.random.default_rng(0)
    X, y, s = rng.normal(size=(40, 6)), rng.normal(size=40), rng.random(40)
    wanted = model.fit(X[:, ::2].copy(), y, sample_weight=s).coef_
    for array in (X, y, s):
        array.flags.writeable = False
    found = model.fit(X[:, ::2], np.repeat(y, 2)[::2], sample_weight=np.repeat(s, 2)[::2]).coef_
    assert_allclose(found, wanted, rtol=1e-12)
    assert_allclose(model.fit(X[:, ::2].tolist(), y.tolist(), s.tolist()).coef_, wanted, rtol=1e-12)
