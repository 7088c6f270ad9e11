"""Long regular axes."""

import numpy as np
import pytest

from margin.gp import GaussianProcessRegressor
from margin.gp.grid._kernel import grid_kernel
from margin.gp.grid._layout import layout
from margin.gp.grid._toeplitz import is_toeplitz, long_axis
from margin.kernels import RBF, Linear, White, on_columns


def axis_of(kernel):
    return grid_kernel(kernel, 1).axes[0]


def test_what_is_toeplitz():
    x = np.linspace(3, 7, 100)[:, None]
    assert is_toeplitz(axis_of(RBF(1.0)), x)
    assert not is_toeplitz(axis_of(RBF(1.0)), x**2)
    assert not is_toeplitz(axis_of(Linear()), x)
    assert not is_toeplitz(axis_of(RBF(1.0)), np.hstack([x, x]))


@pytest.mark.parametrize(
    ("shape", "axis"), [((4, 300), 1), ((300, 4), 0), ((200, 200), None), ((3, 10), None)]
)
def test_which_axis_is_long(shape, axis):
    X = np.stack(np.meshgrid(*map(np.arange, shape), indexing="ij"), axis=-1).reshape(-1, 2)
    parts = grid_kernel(RBF((1.0, 2.0)), 2)
    assert long_axis(parts, layout(parts.groups, X)) == axis
    other = grid_kernel(on_columns(Linear(), [0]) * on_columns(Linear(), [1]), 2)
    assert long_axis(other, layout(other.groups, X)) is None


def test_a_long_series_is_learned_and_interpolated():
    """gp.11: regular points of a smooth function, some of them missing."""
    rng = np.random.default_rng(0)
    x = np.linspace(0, 60, 3000)
    kept = np.sort(rng.permutation(3000)[:2995])
    y = np.sin(x) + 0.1 * rng.standard_normal(3000)
    model = GaussianProcessRegressor(kernel=1.0 * RBF(1.0) + White(0.1), max_iter=30)
    model.fit(x[kept, None], y[kept])
    assert "grid: 3000 regular points on a line" in model.fit_report_.notes[0]
    assert np.exp(model.kernel_.theta[-1]) == pytest.approx(0.01, rel=0.1)
    assert np.abs(model.predict(x[:, None]) - np.sin(x)).max() < 0.06


def test_jitter_is_said():
    x = np.linspace(0, 1, 150)[:, None]
    model = GaussianProcessRegressor(kernel=RBF(2.0), alpha=0.0, optimizer=None, method="grid")
    model.fit(x, np.sin(x[:, 0]))
    assert "Toeplitz matrix" in model.fit_report_.repairs[0]
    np.testing.assert_allclose(model.predict(x), np.sin(x[:, 0]), atol=1e-4)
