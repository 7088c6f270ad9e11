"""The line search of a leaf against a fine grid and order statistics (tree.15)."""

import numpy as np
import pytest

from margin.ensemble.boosting._leaf_values import best_constants, weighted_quantile
from margin.losses import Absolute, EpsilonInsensitive, Exponential, Gamma, Huber, Poisson, Quantile


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
