"""Histograms of any dimension."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margin.neighbors.density._cells import Grid, Histogram, best_bins, box, risk

RNG = np.random.default_rng(0)


@pytest.mark.parametrize("p", [1, 2, 3])
def test_counts_against_numpy(p):
    X, weight = RNG.normal(size=(300, p)), RNG.random(300)
    grid = Grid(*box(X), np.full(p, 5))
    histogram = Histogram.of(X, weight, grid)
    counts, _ = np.histogramdd(X, bins=5, weights=weight)
    assert_allclose(counts[tuple(histogram.cells.T)], histogram.weight)
    assert_allclose(counts.sum(), histogram.weight.sum())
    density, _ = np.histogramdd(X, bins=5, weights=weight, density=True)
    assert_allclose(np.exp(histogram.log_density(X, 0.0)), density[tuple(grid.cells(X)[0].T)])


def test_risk_is_what_leaving_rows_out_gives():
    """The integral of the square, less twice the mean density of rows among the others."""
    X = np.append(RNG.random(38), [0.0, 1.0])[:, None]
    histogram = Histogram.of(X, np.ones(40), Grid(*box(X), np.array([6])))
    cells = histogram.grid.cells(X)[0].ravel()
    counts, volume = np.bincount(cells, minlength=6), 1 / 6
    square = ((counts / 40) ** 2).sum() / volume
    left_out = np.mean((counts[cells] - 1) / (39 * volume))
    assert_allclose(risk(histogram), square - 2 * left_out)


def test_best_bins():
    X = np.concatenate([RNG.normal(-4, 0.3, size=500), RNG.normal(4, 0.3, size=500)])[:, None]
    best, tried, risks = best_bins(X, np.ones(1000))
    assert best == tried[np.argmin(risks)]
    assert best > 10
    assert best_bins(RNG.random((1000, 1)), np.ones(1000))[0] < 10
    assert best_bins(np.ones((1, 2)), np.ones(1))[0] == 1


def test_constant_columns_have_a_width():
    low, high = box(np.full((3, 1), 7.0))
    assert_array_equal([low, high], [[6.5], [7.5]])
    low, high = box(np.full((3, 1), 1e12))
    assert (high > low).all()


def test_huge_weights_have_an_end():
    X = np.array([[0.0], [1.0], [3.0]])
    best, tried, risks = best_bins(X, np.full(3, 1e300))
    assert tried.max() <= 100_000
    assert best in tried
    assert np.isfinite(risks).all()
