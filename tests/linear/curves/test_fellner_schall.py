"""Strengths by steps without second derivatives, against brute force and Newton's method."""

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from margin import optim
from margin.core import Status
from margin.linear.curves._fellner_schall import fellner_schall
from margin.linear.curves._restricted_likelihood import RestrictedLikelihood


def likelihood(seed, n=120, sizes=(4, 5, 5, 5), noise=1.0):
    """Groups of columns of which every other one matters."""
    rng = np.random.default_rng(seed)
    group = np.repeat(np.arange(len(sizes)), sizes)
    Z = rng.normal(size=(n, len(group)))
    Z -= Z.mean(axis=0)
    y = Z @ np.where(group % 2, 0.0, rng.normal(size=len(group))) + noise * rng.normal(size=n)
    y -= y.mean()
    return RestrictedLikelihood(Z.T @ Z, Z.T @ y, float(y @ y), float(n), group)


@pytest.mark.parametrize("seed", range(4))
def test_one_group_by_brute_force(seed):
    model = likelihood(seed, sizes=(6,))
    best = minimize_scalar(
        lambda t: model.expand(np.array([t]))[0], bounds=(-15, 15), method="bounded"
    )
    solution = fellner_schall(model)
    assert solution.status is Status.CONVERGED
    assert solution.objective == pytest.approx(best.fun, abs=1e-5)
    assert solution.x.theta[0] == pytest.approx(best.x, abs=0.2)


@pytest.mark.parametrize("seed", range(6))
def test_no_worse_than_newton(seed):
    model = likelihood(seed)
    newton = optim.minimise(model.problem(), optim.Newton(1e-6, 100))
    solution = fellner_schall(model)
    assert solution.objective <= newton.objective + 2e-3
    value, slope = model.expand(solution.x.theta)
    assert value == pytest.approx(solution.objective, abs=1e-12)
    assert np.abs(slope).max() <= 3e-4
    np.testing.assert_allclose(
        solution.x.coef, model.solve(model.alpha(solution.x.theta)).coef, rtol=1e-9, atol=1e-12
    )


@pytest.mark.parametrize("seed", range(6))
def test_a_plateau_is_not_taken_for_the_minimum(seed):
    """Columns that a strong penalty left out come back where they matter."""
    model = likelihood(seed, noise=0.3)
    far = fellner_schall(model, np.full(4, 2.0))
    assert far.objective == pytest.approx(fellner_schall(model).objective, abs=2e-3)
    assert far.objective < far.trace["objective"][0] - 0.1


def test_a_target_that_columns_explain_and_one_that_nothing_does():
    exact = fellner_schall(likelihood(0, noise=0.0))
    assert exact.status is Status.CONVERGED
    model = likelihood(1)
    nothing = RestrictedLikelihood(
        model.gram, np.zeros(len(model.moment)), model.total, model.count, model.group
    )
    solution = fellner_schall(nothing)
    assert solution.status is Status.CONVERGED
    assert np.abs(solution.x.coef).max() == 0.0
