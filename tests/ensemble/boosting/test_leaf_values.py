"""The line search of a leaf against a fine grid and order statistics (tree.15)."""

import numpy as np
import pytest

from margin.core import FitError
from margin.ensemble.boosting._leaf_values import best_constants, weighted_quantile
from margin.losses import (
    Absolute,
    EpsilonInsensitive,
    Exponential,
    Gamma,
    Huber,
    Poisson,
    Quantile,
    SquaredHinge,
    Tukey,
)


@pytest.mark.parametrize(
    "loss",
    [Absolute(), Quantile(0.3), Huber(0.7), Poisson(), Gamma(), EpsilonInsensitive(0.2)],
)
@pytest.mark.parametrize("weighted", [False, True])
def test_no_other_constant_is_better(loss, weighted):
    rng = np.random.default_rng(0)
    y, raw = rng.gamma(2.0, size=90), rng.standard_normal(90)
    weight = rng.random(90) if weighted else None
    rows, starts = rng.permutation(90), np.array([0, 7, 40, 90])
    best = best_constants(loss, y, raw, weight, rows, starts)
    w = np.ones(90) if weight is None else weight
    for k, beta in enumerate(best):
        own = rows[starts[k] : starts[k + 1]]
        total = w[own] @ loss.value(raw[own] + beta, y[own])
        for other in beta + np.linspace(-2, 2, 81):
            assert total <= w[own] @ loss.value(raw[own] + other, y[own]) + 1e-9


def test_margins():
    y, zero = np.array([1.0, 1.0, 1.0, -1.0]), np.zeros(4)
    beta = best_constants(Exponential(), y, zero, None, np.arange(4), np.array([0, 4]))
    assert beta[0] == pytest.approx(0.5 * np.log(3))


def test_quantiles_of_weights_are_those_of_repetitions():
    rng = np.random.default_rng(1)
    values, times = rng.standard_normal(40), rng.integers(0, 4, 40)
    for level in (0.1, 0.25, 0.5, 0.9):
        repeated = weighted_quantile(np.repeat(values, times), None, level)
        assert weighted_quantile(values, times.astype(float), level) == pytest.approx(repeated)
        plain = np.quantile(values, level, method="averaged_inverted_cdf")
        assert weighted_quantile(values, None, level) == pytest.approx(plain)


@pytest.mark.parametrize("scale", [1e-15, 1e-3, 1.0, 1e18])
@pytest.mark.parametrize("loss", [Huber, EpsilonInsensitive])
def test_any_scale(loss, scale):
    """Targets and the parameter of the loss times a number: so is the best constant."""
    rng = np.random.default_rng(0)
    y, rows, starts = rng.standard_normal(60), np.arange(60), np.array([0, 20, 60])
    plain = best_constants(loss(0.5), y, np.zeros(60), None, rows, starts)
    scaled = best_constants(loss(0.5 * scale), scale * y, np.zeros(60), None, rows, starts)
    np.testing.assert_allclose(scaled, scale * plain, rtol=1e-9)


def test_the_middle_of_equal_constants():
    y = np.array([0.0, 1.0])
    best = best_constants(
        EpsilonInsensitive(0.7), y, np.zeros(2), None, np.arange(2), np.array([0, 2])
    )
    assert best[0] == pytest.approx(0.5)


def test_margins_of_one_sign():
    """Hinges are flat from 1 on; a loss that falls for ever is followed while it matters."""
    one, rows, starts = np.ones(3), np.arange(3), np.array([0, 3])
    for sign in (1.0, -1.0):
        hinge = best_constants(SquaredHinge(), sign * one, np.zeros(3), None, rows, starts)
        assert hinge[0] == pytest.approx(sign)
        far = best_constants(Exponential(), sign * one, np.zeros(3), None, rows, starts)
        assert 15 < sign * far[0] < 50


def test_a_loss_with_two_valleys():
    rng = np.random.default_rng(0)
    y = np.concatenate([rng.normal(0.0, 0.1, 60), rng.normal(50.0, 0.1, 40)])
    best = best_constants(Tukey(1.0), y, np.zeros(100), None, np.arange(100), np.array([0, 100]))
    grid = np.linspace(-1, 51, 5201)
    totals = [Tukey(1.0).value(np.full(100, b), y).sum() for b in grid]
    assert Tukey(1.0).value(np.full(100, best[0]), y).sum() <= min(totals) + 1e-9


def test_targets_that_are_no_numbers():
    y = np.array([1.0, np.nan, 2.0])
    with pytest.raises(FitError, match="Huber: no constant minimises it"):
        best_constants(Huber(), y, np.zeros(3), None, np.arange(3), np.array([0, 3]))
