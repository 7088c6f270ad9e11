"""Diagonals of an inverse that is never formed."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.gp.solvers import _conjugate
from margin.gp.solvers._conjugate import ConjugateGradients, KernelSystem
from margin.gp.solvers._interface import Observations
from margin.gp.solvers._iterative_posterior import diagonal_by_columns, stochastic_diagonal
from margin.kernels import RBF, White

RNG = np.random.default_rng(0)
X = RNG.uniform(-2, 2, size=(300, 2))
SEEN = Observations(X, RNG.normal(size=(300, 1)), np.full(300, 0.01), np.empty((300, 0)))
KERNEL = 1.5 * RBF(0.6) + White(0.2)


def system():
    return KernelSystem.of(ConjugateGradients(np.arange(0, 300, 10), 0.0), KERNEL, SEEN)


def test_columns_of_the_identity_are_exact():
    truth = np.diagonal(np.linalg.inv(KERNEL(X) + 0.01 * np.eye(300)))
    assert_allclose(diagonal_by_columns(system()), truth, rtol=1e-6)


def test_random_signs_state_their_error():
    truth = np.diagonal(np.linalg.inv(KERNEL(X) + 0.01 * np.eye(300)))
    made = system()
    with pytest.warns(UserWarning, match="300 rows are estimates .* relative standard error of"):
        found = stochastic_diagonal(
            made, made.rough.inverse_diagonal, made.noise, KERNEL.diag(X) + 0.01
        )
    assert np.median(np.abs(found / truth - 1.0)) < 0.03
    assert (found <= 1.0 / 0.21 + 1e-12).all()


def test_leave_one_out_of_many_rows_is_an_estimate(monkeypatch):
    """gp.05: exact where a factor is affordable, else by probes, and said so."""
    posterior = ConjugateGradients.of(KERNEL, SEEN).condition(KERNEL, SEEN)
    exact = posterior.leave_one_out()
    monkeypatch.setattr(_conjugate, "_FACTORED_ROWS", 10)
    with pytest.warns(UserWarning, match="standard error"):
        rough = posterior.leave_one_out()
    assert_allclose(rough.var, exact.var, rtol=0.3)
    assert np.corrcoef(rough.mean[:, 0], exact.mean[:, 0])[0, 1] > 0.95
