"""Solutions, the mean's coefficients and the log-determinant put together."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.core import FitError
from margin.gp.solvers import _iterative
from margin.gp.solvers._conjugate import ConjugateGradients, KernelSystem
from margin.gp.solvers._exact import Exact
from margin.gp.solvers._interface import Observations
from margin.gp.solvers._iterative import Projection, evaluate, log_det_by_probes
from margin.kernels import RBF, White

RNG = np.random.default_rng(0)
X = RNG.uniform(-2, 2, size=(50, 2))
H = np.linalg.qr(np.hstack([np.ones((50, 1)), X]))[0]
SEEN = Observations(X, RNG.normal(size=(50, 2)), RNG.uniform(0.1, 0.3, 50), H)
KERNEL = 1.3 * RBF(0.7) + White(0.05)


def test_projection_is_that_of_the_exact_solver():
    """gp.01: the coefficients of the mean are integrated out."""
    C = KERNEL(X) + np.diag(SEEN.noise)
    made = Projection.of(SEEN, np.linalg.solve(C, np.hstack([SEEN.Y, H])))
    exact = Exact().condition(KERNEL, SEEN)
    assert_allclose(made.alpha, exact.alpha, atol=1e-10)
    assert_allclose(made.spread, exact.spread, atol=1e-10)
    assert_allclose(made.coefficients, exact.coefficients, atol=1e-10)
    value = made.value(SEEN, np.linalg.slogdet(C)[1])
    assert value == pytest.approx(Exact().evaluate(KERNEL, SEEN).value)


def test_probes_are_the_same_every_time():
    system = KernelSystem.of(ConjugateGradients.of(KERNEL, SEEN), KERNEL, SEEN)
    first, second = (log_det_by_probes(system, SEEN)[1].value for _ in range(2))
    assert first == second


def test_many_probes_come_close(monkeypatch):
    """gp.05: value and gradient are unbiased, whatever the preconditioner."""
    monkeypatch.setattr(_iterative, "PROBES", 4000)
    exact = Exact().evaluate(KERNEL, SEEN)
    system = KernelSystem.of(ConjugateGradients(np.arange(5), 0.01), KERNEL, SEEN)
    there = evaluate(system, SEEN, gradient=True)
    assert abs(there.value - exact.value) < 4 * there.error
    assert there.error < 0.3
    assert_allclose(there.gradient, exact.gradient, atol=0.5)


def test_a_matrix_that_is_not_definite_names_its_kernel():
    system = KernelSystem.of(ConjugateGradients.of(KERNEL, SEEN), KERNEL, SEEN)
    system.__dict__["_kept"] = -np.eye(50)
    with pytest.raises(FitError, match="RBF"):
        system.solve(SEEN.Y, 1e-6)
