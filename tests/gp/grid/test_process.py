"""The grid against the dense matrix: the same process, axis by axis."""

import numpy as np
import pytest

from margin.gp import GaussianProcessRegressor
from margin.gp.grid import _toeplitz as _grid_toeplitz
from margin.gp.grid._kernel import grid_kernel
from margin.gp.grid._layout import layout
from margin.gp.grid._process import GridProcess, covariance
from margin.gp.grid._spectrum import GridSpectrum
from margin.gp.grid._toeplitz import GridToeplitz
from margin.gp.solvers._exact import Exact
from margin.gp.solvers._interface import Observations
from margin.kernels import RBF, BSpline, Matern, Periodic, RationalQuadratic, White, on_columns

SPACE = on_columns(Matern(1.0), [0, 2]) * on_columns(
    2.0 * Periodic(1.0, 2.0) + RationalQuadratic(1.0, 2.0), [1]
)
CASES = {
    "scales": (2.0 * RBF((1.0, 0.5)) + White(0.1), (6, 7), 0),
    "one scale": (2.0 * RBF(0.7) + White(0.1), (6, 9), 0),
    "gaps": (2.0 * RBF(0.7) + White(0.1), (6, 7), 5),
    "three axes": ((1.5 * RBF((0.7, 0.6, 0.5))).fix("length_scale[1]"), (4, 7, 3), 3),
    "space and time": (SPACE + White(0.1) + White(0.2), (3, 8, 2), 2),
    "compact": (BSpline((2.0, 1.5)), (4, 9), 0),
    "a line": (2.0 * RBF(0.4) + White(0.1), (40,), 0),
    "a line with gaps": (2.0 * Matern(0.4, nu=2.5) + White(0.1), (40,), 6),
}


def observed(sizes, gaps, rank, targets):
    rng = np.random.default_rng(sum(sizes))
    axes = [np.linspace(0, 3, m) for m in sizes]
    X = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, len(sizes))
    X = rng.permutation(X)[gaps:]
    Y = np.sin(X.sum(axis=1))[:, None] + 0.1 * rng.normal(size=(len(X), targets))
    H = np.linalg.qr(np.column_stack([np.ones(len(X)), X]))[0][:, :rank]
    return Observations(X, Y, np.full(len(X), 0.03), H)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize(("rank", "targets"), [(0, 1), (2, 3)])
@pytest.mark.parametrize("basis", ["eigenvectors", "toeplitz"])
def test_same_as_the_dense_matrix(monkeypatch, name, rank, targets, basis):
    """gp.11: likelihood, gradient, mean, variance, covariance, leave-one-out."""
    monkeypatch.setattr(_grid_toeplitz, "_LONG", 1 if basis == "toeplitz" else 10**9)
    monkeypatch.setattr(_grid_toeplitz, "_RATIO", 0)
    kernel, sizes, gaps = CASES[name]
    seen = observed(sizes, gaps, rank, targets)
    parts = grid_kernel(kernel, len(sizes))
    found = layout(parts.groups, seen.X, complete=name == "a line with gaps")
    assert bool(len(found.missing)) == bool(gaps)
    mine, dense = GridProcess(found), Exact()
    made = covariance(parts, found, 0.1)
    assert isinstance(made, GridToeplitz if basis == "toeplitz" else GridSpectrum)
    left, right = mine.evaluate(kernel, seen), dense.evaluate(kernel, seen)
    assert left.value == pytest.approx(right.value, abs=1e-8)
    np.testing.assert_allclose(left.gradient, right.gradient, atol=1e-8)
    a, b = mine.condition(kernel, seen), dense.condition(kernel, seen)
    np.testing.assert_allclose(a.coefficients, b.coefficients, atol=1e-8)
    rng = np.random.default_rng(1)
    new = np.concatenate([rng.uniform(-1, 4, size=(9, len(sizes))), seen.X[:3]])
    H = rng.normal(size=(len(new), rank))
    for one, two in zip(
        a.predict(kernel, new, H, kernel.diag(new)),
        b.predict(kernel, new, H, kernel.diag(new)),
        strict=True,
    ):
        np.testing.assert_allclose(one, two, atol=1e-8)
    np.testing.assert_allclose(
        a.predict(kernel, new, H, None)[0], b.predict(kernel, new, H, None)[0]
    )
    one, two = (p.covariance(kernel, new, H, kernel(new)) for p in (a, b))
    np.testing.assert_allclose(one, two, atol=1e-8)
    held, dense_held = a.leave_one_out(), b.leave_one_out()
    np.testing.assert_allclose(held.mean, dense_held.mean, atol=1e-8)
    np.testing.assert_allclose(held.var, dense_held.var, atol=1e-8)


def test_new_rows_in_blocks(monkeypatch):
    kernel, sizes, gaps = CASES["gaps"]
    seen = observed(sizes, gaps, 1, 1)
    solver = GridProcess(layout(grid_kernel(kernel, 2).groups, seen.X))
    new, H = np.random.default_rng(0).uniform(0, 3, size=(11, 2)), np.ones((11, 1))
    whole = solver.condition(kernel, seen).predict(kernel, new, H, kernel.diag(new))
    monkeypatch.setattr("margin.gp.grid._process._BLOCK", 20)
    parts = solver.condition(kernel, seen).predict(kernel, new, H, kernel.diag(new))
    for one, two in zip(whole, parts, strict=True):
        np.testing.assert_allclose(one, two, atol=1e-12)


def field(m, rng):
    axis = np.linspace(0, 10, m)
    X = np.stack(np.meshgrid(axis, axis, indexing="ij"), axis=-1).reshape(-1, 2)
    return X, np.sin(X[:, 0]) * np.cos(0.7 * X[:, 1]) + 0.1 * rng.standard_normal(len(X))


def test_a_field_of_ten_thousand_cells_is_learned():
    """gp.11: noise and smoothness of a field that no dense matrix would take."""
    X, y = field(100, np.random.default_rng(0))
    model = GaussianProcessRegressor(kernel=1.0 * RBF((1.0, 1.0)) + White(0.1)).fit(X, y)
    assert "method grid: 100 x 100 cells" in model.fit_report_.notes[0]
    assert model.fit_report_.certificate.holds
    assert np.exp(model.kernel_.theta[-1]) == pytest.approx(0.01, rel=0.05)
    new = np.random.default_rng(1).uniform(0, 10, size=(50, 2))
    truth = np.sin(new[:, 0]) * np.cos(0.7 * new[:, 1])
    dist = model.predict_dist(new, latent=True)
    assert np.abs(dist.mean - truth).max() < 5 * dist.var.max() ** 0.5 < 0.1
    assert model.sample_y(new[:4], 3).shape == (4, 3)


def test_without_noise_the_cells_are_interpolated():
    """gp.02 on a grid; nothing is added where nothing is lost."""
    X, _ = field(8, np.random.default_rng(0))
    y = np.sin(X[:, 0] + X[:, 1])
    model = GaussianProcessRegressor(kernel=RBF(1.0), alpha=0.0, optimizer=None, method="grid").fit(
        X, y
    )
    mean, std = model.predict(X, return_std=True)
    np.testing.assert_allclose(mean, y, atol=1e-9)
    assert std.max() < 1e-5
    assert not model.fit_report_.repairs


def test_jitter_is_said():
    X, y = field(12, np.random.default_rng(0))
    model = GaussianProcessRegressor(kernel=RBF(30.0), alpha=0.0, optimizer=None, method="grid")
    assert "tensor product" in model.fit(X, y).fit_report_.repairs[0]
