"""Two-class processes: evidence, gradient and posterior from the engines (gp.12)."""

import numpy as np
import pytest

from margin.gp.classification._binary import ExpectationPropagation, Laplace
from margin.gp.classification._latent import Labels
from margin.inference import (
    LogisticLikelihood,
    ProbitLikelihood,
    expectation_propagation,
    laplace,
)
from margin.kernels import RBF

RNG = np.random.default_rng(0)
X = RNG.normal(size=(15, 2))
CODES = (X[:, 0] + 0.5 * RNG.normal(size=15) > 0).astype(np.intp)
SEEN = Labels(X, CODES, 2)
KERNEL = 4.0 * RBF((1.0, 0.7))
WAYS = [
    approximation(likelihood)
    for approximation in (Laplace, ExpectationPropagation)
    for likelihood in (LogisticLikelihood(), ProbitLikelihood())
]


@pytest.mark.parametrize("solver", WAYS, ids=repr)
def test_gradient(solver):
    def value(theta):
        return solver.evaluate(KERNEL.with_theta(theta), SEEN, gradient=False).value

    h = 1e-4
    numeric = [
        (value(KERNEL.theta + h * e) - value(KERNEL.theta - h * e)) / (2 * h) for e in np.eye(3)
    ]
    there = solver.evaluate(KERNEL, SEEN)
    assert there.value == value(KERNEL.theta)
    np.testing.assert_allclose(there.gradient, numeric, rtol=1e-5, atol=1e-7)
    assert solver.extra().size == 0
    assert solver.label == solver.name


def test_posterior_of_the_mode():
    mode = laplace(KERNEL(X), ProbitLikelihood(), SEEN.signs())
    mean, var = (
        Laplace(ProbitLikelihood()).condition(KERNEL, SEEN).predict(KERNEL, X, KERNEL.diag(X))
    )
    np.testing.assert_allclose(mean, mode.f, atol=1e-9)
    cov = np.linalg.inv(np.linalg.inv(KERNEL(X)) + np.diag(-mode.local.second))
    np.testing.assert_allclose(var, np.diagonal(cov), rtol=1e-5)


def test_posterior_agrees_with_the_sites():
    solver = ExpectationPropagation(ProbitLikelihood())
    mean, var = solver.condition(KERNEL, SEEN).predict(KERNEL, X, KERNEL.diag(X))
    sites = expectation_propagation(KERNEL(X), ProbitLikelihood(), SEEN.signs()).sites
    np.testing.assert_allclose(mean, sites.mean, atol=1e-9)
    np.testing.assert_allclose(var, sites.var, rtol=1e-7)


def test_swapping_the_classes_flips_the_latent_function():
    one = Laplace(LogisticLikelihood(), 1).condition(KERNEL, SEEN)
    two = Laplace(LogisticLikelihood(), 0).condition(KERNEL, SEEN)
    np.testing.assert_allclose(one.dual, -two.dual, atol=1e-12)
