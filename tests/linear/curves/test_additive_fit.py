"""The fit of a sum of smooth functions (linear.21)."""

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from margin import optim
from margin.core import Status
from margin.linear.curves import _additive_fit
from margin.linear.curves._additive_fit import (
    additive_columns,
    additive_likelihood,
    column_blocks,
    fit_additive,
)

NEWTON = optim.Newton(1e-6, 100)


def sample(n=120, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.uniform(size=(n, 3))
    X[:, 2] = 0.5
    y = np.sin(6 * X[:, 0]) + X[:, 1] + 0.1 * rng.normal(size=n)
    return X, y, rng.random(n) + 0.5


def test_coefficients_solve_the_penalised_equations():
    """linear.21: with given strengths, the normal equations written out."""
    X, y, s = sample()
    fit = fit_additive(X, y, s, np.array([0.3, 2.0, 1.0]), 6, NEWTON)
    Z = additive_columns(fit.bases, X)
    level = s @ y / s.sum()
    parts = [
        np.append(1e-8 * s.sum(), np.full(basis.n_columns - 1, a))
        for basis, a in zip(fit.bases[:2], fit.alpha[:2], strict=True)
    ]
    penalty = np.concatenate(parts)
    wanted = np.linalg.solve(Z.T @ (s[:, None] * Z) + np.diag(penalty), Z.T @ (s * (y - level)))
    assert_allclose(fit.coef, wanted, atol=1e-7)
    assert fit.level == level
    assert fit.solution.solver == "one linear system"
    hat = np.linalg.solve(Z.T @ (s[:, None] * Z) + np.diag(penalty), Z.T @ (s[:, None] * Z))
    blocks = column_blocks(fit.bases)
    assert_allclose(fit.dof, [np.trace(hat[b, b]) for b in blocks], atol=1e-6)


def test_a_constant_feature_has_no_columns():
    X, y, s = sample()
    fit = fit_additive(X, y, s, None, 6, NEWTON)
    assert fit.solution.status is Status.CONVERGED
    assert fit.bases[2].n_columns == 0
    assert fit.dof[2] == 0.0
    assert column_blocks(fit.bases)[2] == slice(len(fit.coef), len(fit.coef))


def test_a_constant_target_needs_no_search():
    X, _, s = sample()
    fit = fit_additive(X, np.full(120, 3.0), s, None, 6, NEWTON)
    assert_array_equal(fit.coef, 0.0)
    assert_allclose(fit.level, 3.0)
    assert fit.noise_variance == 0.0


def test_sums_over_the_rows_come_in_chunks(monkeypatch):
    X, y, s = sample()
    bases = fit_additive(X, y, s, None, 6, NEWTON).bases
    whole = additive_likelihood(bases, X, y, s)
    monkeypatch.setattr(_additive_fit, "_CHUNK", 7)
    parts = additive_likelihood(bases, X, y, s)
    assert_allclose(parts.gram, whole.gram, rtol=1e-10, atol=1e-12)
    assert_allclose(parts.moment, whole.moment, rtol=1e-10, atol=1e-12)
    assert_array_equal(np.unique(whole.group), [0, 1, 2])
