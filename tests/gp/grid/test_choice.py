"""When a grid is seen, taken or refused."""

import numpy as np
import pytest

from margin.gp._inputs import Precomputed
from margin.gp.grid._choice import on_grid
from margin.gp.grid._conjugate import GridConjugate
from margin.gp.grid._process import GridProcess
from margin.gp.solvers._interface import Observations
from margin.kernels import RBF, Linear, Matern, White

KERNEL = 1.0 * RBF((1.0, 1.0)) + White(0.1)


def seen(*sizes, gaps=0, noise=None):
    axes = [np.linspace(0, 1, m) for m in sizes]
    X = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, len(sizes))
    X = np.random.default_rng(0).permutation(X)[gaps:]
    n = len(X)
    return Observations(
        X, np.ones((n, 1)), np.zeros(n) if noise is None else noise[:n], np.ones((n, 0))
    )


def auto(kernel, data):
    return on_grid("GP", "auto", kernel, data)


def test_auto_takes_a_grid_when_it_pays():
    """gp.11: more than a few hundred cells of a product kernel, few of them empty."""
    assert auto(KERNEL, seen(20, 20)).reason == "grid: 20 x 20 cells and a product kernel, exact"
    assert isinstance(auto(KERNEL, seen(20, 20, gaps=30)), GridProcess)
    assert auto(KERNEL, seen(10, 10)) is None
    assert auto(KERNEL, seen(20, 20, gaps=100)) is None
    assert auto(KERNEL, seen(20, 20, noise=np.linspace(0, 1, 400))) is None
    assert auto(Matern(1.0) + White(0.1), seen(20, 20)) is None
    assert auto(Precomputed(), seen(20, 20)) is None
    assert auto(2.0 * (RBF(1.0) + White(1.0)), seen(20, 20)) is None
    assert on_grid("GP", "exact", KERNEL, seen(20, 20)) is None


def test_auto_takes_a_regular_line_of_many_points():
    line = 1.0 * RBF(0.1) + White(0.1)
    assert auto(line, seen(2500)).reason == "grid: 2500 regular points on a line, exact"
    gappy = auto(line, seen(2500, gaps=20))
    assert len(gappy.layout.missing) == 20
    assert auto(line, seen(1500)) is None
    assert auto(Matern(0.1) + White(0.1), seen(2500)) is None  # linear time in state space
    assert auto(Linear() + White(0.1), seen(2500)) is None
    uneven = seen(2500)
    uneven.X[:] = uneven.X**2
    assert auto(line, uneven) is None


def test_what_is_asked_for_is_given_or_refused():
    assert isinstance(on_grid("GP", "grid", KERNEL, seen(3, 3)), GridProcess)
    assert isinstance(on_grid("GP", "grid", Matern(1.0), seen(3, 3)), GridProcess)
    many = on_grid("GP", "grid", KERNEL, seen(30, 30, gaps=300))
    assert isinstance(many, GridConjugate)
    assert "300 empty cells" in many.reason
    unequal = on_grid("GP", "grid", KERNEL, seen(3, 3, noise=np.linspace(0, 1, 9)))
    assert "noise that differs" in unequal.reason
    scattered = seen(6, 6)
    scattered.X[:] = np.random.default_rng(0).normal(size=(36, 2))
    with pytest.raises(ValueError, match="X must be a grid of column 0 and column 1, every cell"):
        on_grid("GP", "grid", KERNEL, scattered)
    with pytest.raises(ValueError, match="Gaussian process on a grid: kernel must be"):
        on_grid("GP", "grid", 2.0 * (RBF(1.0) + White(1.0)), seen(3, 3))
    with pytest.raises(ValueError, match="another than 'grid' unless X is a table"):
        on_grid("GP", "grid", Precomputed(), seen(3, 3))


def test_an_axis_that_would_not_fit_into_memory(monkeypatch):
    monkeypatch.setattr("margin.core.memory.available", lambda: 100)
    with pytest.raises(MemoryError, match="method='cg'"):
        on_grid("GP", "grid", KERNEL, seen(20, 20))
