"""Histogram density estimation (neighbors.04)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margin.neighbors import HistogramDensity

RNG = np.random.default_rng(0)
X = RNG.normal(size=(400, 2))


@pytest.mark.parametrize("bins", [1, 7, [3, 8]])
def test_against_numpy(bins):
    """neighbors.04: the density of numpy.histogramdd."""
    density, edges = np.histogramdd(X, bins=bins, density=True)
    model = HistogramDensity(bins=bins).fit(X)
    for mine, theirs in zip(model.edges_, edges, strict=True):
        assert_allclose(mine, theirs)
    places = [
        np.minimum(np.searchsorted(e, x, "right") - 1, len(e) - 2)
        for e, x in zip(edges, X.T, strict=True)
    ]
    assert_allclose(np.exp(model.score_samples(X)), density[tuple(places)])
    assert_allclose(model.score(X), model.score_samples(X).sum())


def test_outside_of_the_box():
    model = HistogramDensity(bins=4, alpha=1.0).fit(X)
    assert model.score_samples([[50.0, 0.0]]) == -np.inf
    corner = [[e[0] for e in model.edges_]]
    assert np.isfinite(model.score_samples(corner))


def test_it_integrates_to_one():
    for params in ({"bins": 9, "alpha": 0.5}, {"bins": "fd"}, {}):
        model = HistogramDensity(**params).fit(X[:, :1])
        edges = model.edges_[0]
        middle = 0.5 * (edges[1:] + edges[:-1])
        assert_allclose(np.exp(model.score_samples(middle[:, None])) @ np.diff(edges), 1.0)


def test_draws_come_from_the_cells():
    model = HistogramDensity(bins=3).fit([[0.0], [0.1], [3.0]])
    draws = model.sample(3000, random_state=0)
    counts = np.histogram(draws, model.edges_[0])[0]
    assert counts[1] == 0
    assert_allclose(counts / 3000, [2 / 3, 0.0, 1 / 3], atol=0.03)
    spread = HistogramDensity(bins=3, alpha=100.0).fit([[0.0], [0.1], [3.0]]).sample(3000, 0)
    assert_allclose(np.histogram(spread, 3)[0] / 3000, 1 / 3, atol=0.03)


def test_weights_are_repetitions():
    weight = np.arange(400) % 3
    a = HistogramDensity().fit(X, sample_weight=weight)
    b = HistogramDensity().fit(np.repeat(X, weight, axis=0))
    assert_array_equal(a.n_bins_, b.n_bins_)
    assert_allclose(a.weight_, b.weight_)


@pytest.mark.parametrize("bins", [0, "other", [2], [2, 0], 1.5, True, []])
def test_refusals(bins):
    with pytest.raises(ValueError, match="HistogramDensity: bins must be"):
        HistogramDensity(bins=bins).fit(X)


@pytest.mark.parametrize("bins", [3, "auto"])
def test_cells_smaller_than_any_number(bins):
    X = np.random.default_rng(0).normal(size=(50, 3))
    usual, tiny = (HistogramDensity(bins=bins).fit(X * unit) for unit in (1.0, 1e-300))
    shift = -3 * np.log(1e-300)
    assert_allclose(tiny.score_samples(X * 1e-300), usual.score_samples(X) + shift, rtol=1e-9)
