"""Kernels of compact support: the same process, by a sparse matrix."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.core import FitError, Status
from margin.gp import GaussianProcessRegressor
from margin.gp.compact import _process as _compact
from margin.gp.compact._matrix import CompactMatrix
from margin.gp.compact._process import Compact, too_large
from margin.gp.solvers._exact import Exact
from margin.gp.solvers._interface import Observations
from margin.kernels import RBF, Triangle, Wendland, White

RNG = np.random.default_rng(0)
N = 250
X = RNG.uniform(size=(N, 2))
NEW = RNG.uniform(-0.2, 1.2, size=(20, 2))
KERNELS = [
    1.5 * Wendland(0.2, dimension=2) + White(0.04),
    Triangle((0.15, 0.3)) + White(0.1),
    RBF(0.5) * Wendland(0.3) + White(0.1),
]


def observed(rank=0, targets=1):
    Y = np.sin(5 * X[:, :1]) + 0.2 * RNG.normal(size=(N, targets))
    H = np.linalg.qr(np.hstack([np.ones((N, 1)), X]))[0][:, :rank]
    return Observations(X, Y, RNG.uniform(0.01, 0.05, N), H)


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
@pytest.mark.parametrize(("rank", "targets"), [(0, 1), (2, 3)])
@pytest.mark.parametrize("direct", [True, False])
def test_same_as_the_dense_matrix(kernel, rank, targets, direct):
    """gp.05: dense Cholesky, sparse Cholesky and sparse conjugate gradients agree."""
    seen = observed(rank, targets)
    mine, dense = Compact(direct), Exact()
    if direct:
        a, b = mine.evaluate(kernel, seen), dense.evaluate(kernel, seen)
        assert a.value == pytest.approx(b.value, rel=1e-10)
        assert_allclose(a.gradient, b.gradient, rtol=1e-7, atol=1e-7)
    atol = 1e-9 if direct else 1e-6
    a, b = mine.condition(kernel, seen), dense.condition(kernel, seen)
    assert_allclose(a.coefficients, b.coefficients, atol=atol)
    H = RNG.normal(size=(len(NEW), rank))
    pairs = zip(
        a.predict(kernel, NEW, H, kernel.diag(NEW)),
        b.predict(kernel, NEW, H, kernel.diag(NEW)),
        strict=True,
    )
    for left, right in pairs:
        assert_allclose(left, right, atol=atol)
    whole = kernel(NEW)
    assert_allclose(
        a.covariance(kernel, NEW, H, whole), b.covariance(kernel, NEW, H, whole), atol=atol
    )
    assert_allclose(a.leave_one_out().mean, b.leave_one_out().mean, atol=atol)
    assert_allclose(a.leave_one_out().var, b.leave_one_out().var, atol=atol)


def test_learning_finds_what_the_exact_method_finds():
    y = np.sin(5 * X[:, 0]) + 0.1 * RNG.normal(size=N)
    kernel = 1.0 * Wendland(0.3, dimension=2) + White(0.1)
    exact, found = (
        GaussianProcessRegressor(kernel=kernel, method=method, mean="constant").fit(X, y)
        for method in ("exact", "compact")
    )
    assert found.log_marginal_likelihood_value_ == pytest.approx(
        exact.log_marginal_likelihood_value_, abs=1e-5
    )
    assert_allclose(found.predict(NEW), exact.predict(NEW), atol=1e-3)
    assert any("sparse Cholesky" in note for note in found.fit_report_.notes)


def test_chosen_for_many_rows_when_the_matrix_is_sparse():
    """kernels.25: the reason is in the report."""
    line = np.sort(RNG.uniform(0, 100, 2500))[:, None]
    y = np.sin(line[:, 0])
    model = GaussianProcessRegressor(
        kernel=Wendland(2.0, dimension=1) + White(0.01), optimizer=None
    ).fit(line, y)
    assert "of the kernel matrix are not zero" in model.fit_report_.notes[0]
    at = np.linspace(1, 99, 50)[:, None]
    assert np.abs(model.predict(at) - np.sin(at[:, 0])).max() < 0.05
    dense = GaussianProcessRegressor(
        kernel=Wendland(80.0, dimension=1) + White(0.01), optimizer=None, n_inducing=20
    ).fit(line, y)
    assert "variational" in dense.fit_report_.notes[0]


def test_products_take_over_where_the_factor_is_too_large(monkeypatch):
    monkeypatch.setattr(_compact, "_OPERATIONS", 10.0)
    y = np.sin(5 * X[:, 0])
    model = GaussianProcessRegressor(
        kernel=Wendland(0.2, dimension=2) + White(0.1), optimizer=None, method="compact"
    ).fit(X, y)
    notes = " ".join(model.fit_report_.notes)
    assert "products with" in notes
    assert "a factor has" in notes
    assert "standard error" in notes
    assert model.fit_report_.status is Status.CONVERGED
    seen = observed()
    assert too_large(CompactMatrix.of(KERNELS[0], seen).plan())
    with pytest.raises(FitError, match="no longer sparse"):
        Compact(True).evaluate(KERNELS[0], seen)
    assert Compact().settled(KERNELS[0], seen).direct is False
    assert Compact(False).resolution(100) > Compact(True).resolution(100) == 0.0


def test_a_choice_is_made_once_and_its_reason_kept(monkeypatch):
    """Where products were chosen no factor is planned again, not even for the report."""
    seen = observed()
    with monkeypatch.context() as scarce:
        scarce.setattr(_compact, "_OPERATIONS", 10.0)
        solver = Compact().settled(KERNELS[0], seen)
    assert solver.why.startswith("a factor has")
    plans = []
    monkeypatch.setattr(CompactMatrix, "plan", lambda self: plans.append(self))
    solver.evaluate(KERNELS[0], seen)
    assert solver.why in solver.condition(KERNELS[0], seen).notes[0]
    assert "asked for" in Compact(False).condition(KERNELS[0], seen).notes[0]
    assert not plans


@pytest.mark.parametrize(
    "kernel", [RBF(1.0), 2.0 * (Wendland(1.0) + White(0.1)), "precomputed"], ids=str
)
def test_refusals(kernel):
    model = GaussianProcessRegressor(kernel=kernel, method="compact")
    with pytest.raises(ValueError, match=r"compact support|precomputed"):
        model.fit(np.eye(5), np.arange(5.0))


def test_twins_without_noise_are_mended_and_said():
    model = GaussianProcessRegressor(
        kernel=Wendland(1.0), alpha=0.0, optimizer=None, method="compact"
    ).fit([[0.0], [0.5], [0.5]], [0.0, 1.0, 1.0])
    assert "kernel matrix of Wendland" in model.fit_report_.repairs[0]
    assert_allclose(model.predict([[0.0], [0.5]]), [0.0, 1.0], atol=1e-5)
