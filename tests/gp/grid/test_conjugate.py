"""Empty cells and different noise, by conjugate gradients with products along the axes."""

import numpy as np
import pytest

from margin.gp import GaussianProcessRegressor
from margin.gp.grid._conjugate import GridConjugate, GridSystem
from margin.gp.grid._kernel import grid_kernel
from margin.gp.grid._layout import layout
from margin.gp.solvers._conjugate import ConjugateGradients, KernelSystem
from margin.gp.solvers._exact import Exact
from margin.gp.solvers._interface import Observations
from margin.kernels import RBF, Matern, Periodic, White, on_columns

CASES = {
    "plane": (2.0 * RBF((1.0, 0.5)) + White(0.1), (14, 15), 60),
    "space and time": (
        on_columns(Matern(1.0), [0, 2]) * on_columns(2.0 * Periodic(1.0, 2.0), [1]) + White(0.1),
        (4, 7, 5),
        40,
    ),
}


def observed(sizes, gaps):
    rng = np.random.default_rng(0)
    axes = [np.sort(rng.uniform(0, 3, m)) for m in sizes]
    X = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, len(sizes))
    X = rng.permutation(X)[gaps:]
    Y = np.sin(X.sum(axis=1))[:, None] + 0.1 * rng.normal(size=(len(X), 2))
    H = np.linalg.qr(np.column_stack([np.ones(len(X)), X]))[0][:, :2]
    return Observations(X, Y, rng.uniform(0.01, 0.2, len(X)), H)


@pytest.mark.parametrize("name", CASES)
def test_same_as_the_dense_matrix(name):
    """gp.11: products and derivatives to rounding, mean and variance to the tolerance."""
    kernel, sizes, gaps = CASES[name]
    seen = observed(sizes, gaps)
    found = layout(grid_kernel(kernel, len(sizes)).groups, seen.X)
    inner = ConjugateGradients.of(kernel, seen)
    mine, plain = GridSystem.on(found, inner, kernel, seen), KernelSystem.of(inner, kernel, seen)
    rng = np.random.default_rng(1)
    V, W = rng.normal(size=(2, seen.n, 3))
    np.testing.assert_allclose(mine.apply(V), plain.apply(V), atol=1e-11)
    np.testing.assert_allclose(mine.slopes(V, W), plain.slopes(V, W), atol=1e-10)
    solver = GridConjugate(found).at(kernel, seen)
    left, right = solver.evaluate(kernel, seen), Exact().evaluate(kernel, seen)
    assert left.value == pytest.approx(right.value, abs=2.0)
    np.testing.assert_allclose(left.gradient, right.gradient, atol=2.0)
    a, b = solver.condition(kernel, seen), Exact().condition(kernel, seen)
    assert f"{gaps} empty" in a.notes[0]
    new = rng.uniform(-1, 4, size=(7, len(sizes)))
    H = rng.normal(size=(7, 2))
    for one, two in zip(
        a.predict(kernel, new, H, kernel.diag(new)),
        b.predict(kernel, new, H, kernel.diag(new)),
        strict=True,
    ):
        np.testing.assert_allclose(one, two, atol=1e-5)
    held, dense = a.leave_one_out(), b.leave_one_out()
    np.testing.assert_allclose(held.mean, dense.mean, atol=1e-5)
    np.testing.assert_allclose(held.var, dense.var, atol=1e-5)


def test_a_picture_with_a_third_of_it_missing():
    rng = np.random.default_rng(0)
    axis = np.linspace(0, 5, 30)
    X = np.stack(np.meshgrid(axis, axis, indexing="ij"), axis=-1).reshape(-1, 2)
    truth = np.sin(X[:, 0]) * np.cos(X[:, 1])
    kept = rng.permutation(900)[:600]
    y = truth + 0.1 * rng.standard_normal(900)
    model = GaussianProcessRegressor(kernel=1.0 * RBF((1.0, 1.0)) + White(0.1), method="grid")
    model.fit(X[kept], y[kept])
    assert any("300 empty" in note for note in model.fit_report_.notes)
    assert np.exp(model.kernel_.theta[-1]) == pytest.approx(0.01, rel=0.2)
    assert np.abs(model.predict(X) - truth).max() < 0.15
