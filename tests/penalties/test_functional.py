"""Functionals of the function that coefficients make (penalties.06)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.losses import Squared
from margin.optim import LBFGS, LinearProblem, Newton, minimise
from margin.penalties import L2, RKHS, Functional, Quadratic
from margin.testing import PenaltyContract

RNG = np.random.default_rng(0)
BASIS = RNG.normal(size=(5, 6))


def half_square(u):
    return 0.5 * float(u @ u), u


def log_cosh(u):
    size = np.abs(u)
    return float(np.sum(size + np.log1p(np.exp(-2 * size)) - np.log(2))), np.tanh(u)


class TestFunctionalContract(PenaltyContract):
    shapes = ((6,), (6, 2))

    def make(self):
        return [Functional(half_square), Functional(log_cosh, BASIS, 0.7)]


def test_quadratic_forms_are_special_cases():
    """penalties.06: half the squared length of the basis' image, for one function and for two."""
    functional, form = Functional(half_square, BASIS, 0.3), Quadratic(BASIS.T @ BASIS, 0.3)
    for w in (RNG.normal(size=6), RNG.normal(size=(6, 2))):
        assert_allclose(functional.value(w), form.value(w))
        assert_allclose(functional.gradient(w), form.gradient(w))
        assert_allclose(functional.curvature(w), form.curvature(w), rtol=1e-6)
        assert_allclose(functional.prox(w, 0.5), form.prox(w, 0.5), atol=1e-8)
        direction = RNG.normal(size=w.shape)
        bent = functional.hessian_product(w, direction)
        assert_allclose(bent, form.hessian_product(w, direction), rtol=1e-6)


def test_the_norm_in_a_hilbert_space_is_one():
    """penalties.06: J(f) of values of a kernel expansion against the closed form."""
    X = RNG.normal(size=(6, 2))
    K = np.exp(-0.5 * ((X[:, None] - X) ** 2).sum(axis=2))
    root = np.linalg.cholesky(K).T
    w = RNG.normal(size=6)
    assert_allclose(Functional(half_square, root, 2.0).value(w), RKHS(K, 2.0).value(w))


@pytest.mark.parametrize("solver", [LBFGS(1e-9), Newton(1e-8)], ids=["LBFGS", "Newton"])
def test_solvers_minimise_a_loss_with_any_functional(solver):
    """penalties.06: the stationarity of loss plus J, by hand."""
    X, y = RNG.normal(size=(30, 6)), RNG.normal(size=30)
    penalty = Functional(log_cosh, BASIS, 2.0)
    w = minimise(LinearProblem(X, y, None, Squared(), penalty, intercept=False), solver).x
    slope = X.T @ (X @ w - y) + 2.0 * BASIS.T @ np.tanh(BASIS @ w)
    assert np.abs(slope).max() < 1e-6
    plain = LinearProblem(X, y, None, Squared(), L2(0.5), intercept=False)
    same = LinearProblem(X, y, None, Squared(), Functional(half_square, None, 0.5), intercept=False)
    assert_allclose(minimise(same, solver).x, minimise(plain, solver).x, atol=1e-6)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"functional": 3}, "functional must be a function"),
        ({"functional": half_square, "basis": [1.0]}, "basis must be a matrix of finite numbers"),
        ({"functional": half_square, "alpha": -1.0}, "alpha must be a number of at least 0"),
    ],
)
def test_bad_parameters_are_refused_by_name(given, message):
    with pytest.raises(ValueError, match=f"^Functional: {message}"):
        Functional(**given)
