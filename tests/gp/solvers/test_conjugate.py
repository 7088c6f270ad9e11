"""Conjugate gradients against the dense factorisation."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.exceptions import ConvergenceWarning

from margin.core import Status, memory
from margin.gp import GaussianProcessRegressor
from margin.gp.solvers import _conjugate
from margin.gp.solvers._conjugate import ConjugateGradients, KernelSystem
from margin.gp.solvers._exact import Exact
from margin.gp.solvers._interface import Observations
from margin.kernels import RBF, Linear, Matern, Spectrum, White

RNG = np.random.default_rng(0)
N = 120
X = RNG.uniform(-2, 2, size=(N, 3))
NEW = np.concatenate([RNG.uniform(-3, 3, size=(15, 3)), X[:2]])
KERNELS = [
    1.5 * RBF((1.0, 0.8, 2.0)) + White(0.04),
    2.0 * Matern(0.8, nu=1.5) + Linear() + White(0.1),
    (0.7 * RBF(0.5) + White(0.02)).fix("k1.factor"),
]


def observed(rank=0, targets=1):
    Y = np.sin(2 * X[:, :1]) + 0.2 * RNG.normal(size=(N, targets))
    H = np.linalg.qr(np.hstack([np.ones((N, 1)), X]))[0][:, :rank]
    return Observations(X, Y, RNG.uniform(0.01, 0.1, N), H)


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
@pytest.mark.parametrize(("rank", "targets"), [(0, 1), (2, 3)])
@pytest.mark.parametrize("kept", [True, False])
def test_posterior_is_that_of_the_dense_matrix(kernel, rank, targets, kept, monkeypatch):
    """gp.05: mean, variance, covariance and leave-one-out, to the tolerance."""
    if not kept:
        monkeypatch.setattr(memory, "available", lambda: 100)
    monkeypatch.setattr(_conjugate, "RANK", 20)
    seen = observed(rank, targets)
    a = ConjugateGradients.of(kernel, seen).condition(kernel, seen)
    b = Exact().condition(kernel, seen)
    assert not a.failure
    assert ("made again" in a.notes[0]) is not kept
    assert_allclose(a.coefficients, b.coefficients, atol=1e-6)
    H = RNG.normal(size=(len(NEW), rank))
    pairs = zip(
        a.predict(kernel, NEW, H, kernel.diag(NEW)),
        b.predict(kernel, NEW, H, kernel.diag(NEW)),
        strict=True,
    )
    for left, right in pairs:
        assert_allclose(left, right, rtol=1e-5, atol=1e-6)
    whole = kernel(NEW)
    assert_allclose(
        a.covariance(kernel, NEW, H, whole), b.covariance(kernel, NEW, H, whole), atol=1e-6
    )
    if kept:
        assert_allclose(a.leave_one_out().mean, b.leave_one_out().mean, atol=1e-6)
        assert_allclose(a.leave_one_out().var, b.leave_one_out().var, rtol=1e-6)


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_full_rank_leaves_no_random_error(kernel, monkeypatch):
    """gp.05: with the whole matrix as preconditioner value and gradient are exact."""
    monkeypatch.setattr(_conjugate, "_FLOOR", 0.0)
    seen = observed(1, 2)
    solver = ConjugateGradients(np.arange(N), 0.0)
    found, exact = solver.evaluate(kernel, seen), Exact().evaluate(kernel, seen)
    assert found.value == pytest.approx(exact.value, abs=1e-3)
    assert_allclose(found.gradient, exact.gradient, atol=2e-2)


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_low_rank_is_right_within_its_error(kernel, monkeypatch):
    monkeypatch.setattr(_conjugate, "RANK", 25)
    seen = observed(1)
    solver = ConjugateGradients.of(kernel, seen)
    found, exact = solver.evaluate(kernel, seen), Exact().evaluate(kernel, seen)
    error = found.error
    assert abs(found.value - exact.value) < 5 * error + 1e-3
    assert np.abs(found.gradient - exact.gradient).max() < 0.1 * N
    assert solver.evaluate(kernel, seen, gradient=False).value == found.value


def test_learning_ends_near_the_exact_optimum():
    y = np.sin(2 * X[:, 0]) + 0.1 * RNG.normal(size=N)
    kernel = 1.0 * RBF(1.0) + White(0.1)
    exact, found = (
        GaussianProcessRegressor(kernel=kernel, method=method, mean="constant").fit(X, y)
        for method in ("exact", "cg")
    )
    assert found.fit_report_.status is Status.CONVERGED
    there = exact.log_marginal_likelihood(found.kernel_.theta)
    assert there > exact.log_marginal_likelihood_value_ - 0.5
    notes = " ".join(found.fit_report_.notes)
    assert "standard error" in notes
    assert "iterations, relative residual" in notes


def test_start_from_some_of_the_rows(monkeypatch):
    monkeypatch.setattr("margin.gp.regression._start._START_ROWS", 60)
    y = np.sin(2 * X[:, 0]) + 0.1 * RNG.normal(size=N)
    model = GaussianProcessRegressor(
        kernel=1.0 * RBF(1.0) + White(0.1), method="cg", random_state=0
    ).fit(X, y)
    assert any("exact fit to 60 rows" in note for note in model.fit_report_.notes)


def test_tolerance_that_is_not_reached_is_said_with_the_kernel(monkeypatch):
    monkeypatch.setattr("margin.gp.solvers._iterative.MAX_ITER", 2)
    model = GaussianProcessRegressor(kernel=RBF(0.9), alpha=1e-6, optimizer=None, method="cg")
    with pytest.warns(ConvergenceWarning, match=r"kernel RBF\(0.9\).*raise alpha"):
        model.fit(X, X[:, 0])
    assert model.fit_report_.status is Status.MAX_ITER
    with pytest.warns(ConvergenceWarning, match="upper bound"):
        model.predict(NEW, return_std=True)


def test_objects_that_are_no_vectors():
    words = ["".join(RNG.choice(list("abc"), 6)) for _ in range(30)]
    y = np.array([word.count("a") for word in words], dtype=float)
    fits = [
        GaussianProcessRegressor(
            kernel=Spectrum(2) + White(0.1), optimizer=None, method=method
        ).fit(words, y)
        for method in ("exact", "cg")
    ]
    assert_allclose(fits[1].predict(words[:5]), fits[0].predict(words[:5]), atol=1e-6)


def test_noise_that_cannot_be_separated_is_refused():
    model = GaussianProcessRegressor(kernel=2.0 * (RBF(1.0) + White(0.1)), method="cg")
    with pytest.raises(ValueError, match="without White"):
        model.fit(X, X[:, 0])


def test_one_row_and_twins_without_noise():
    one = GaussianProcessRegressor(kernel=RBF(1.0), alpha=0.1, optimizer=None, method="cg")
    assert one.fit([[0.0]], [1.0]).predict([[2.0**0.5]])[0] == pytest.approx(0.33443586)
    twins = GaussianProcessRegressor(kernel=RBF(1.0), alpha=0.0, optimizer=None, method="cg")
    twins.fit([[0.0], [1.0], [1.0]], [0.0, 1.0, 1.0])
    assert_allclose(twins.predict([[0.0], [1.0]]), [0.0, 1.0], atol=1e-6)


def test_the_matrix_is_not_saved():
    seen = observed()
    system = KernelSystem.of(ConjugateGradients.of(KERNELS[0], seen), KERNELS[0], seen)
    product = system.apply(seen.Y)
    assert "_kept" in vars(system)
    again = pickle.loads(pickle.dumps(system))
    assert "_kept" not in vars(again)
    assert_allclose(again.apply(seen.Y), product)
