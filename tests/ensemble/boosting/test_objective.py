"""Slopes by finite differences, starts by the sum of slopes."""

import numpy as np
import pytest

from margin import losses
from margin.ensemble.boosting._objective import (
    LogisticObjective,
    LossObjective,
    SquaredObjective,
)
from margin.ensemble.boosting._softmax_objective import SoftmaxObjective


def objectives(weight):
    rng = np.random.default_rng(0)
    labels, numbers = rng.integers(0, 2, 50), rng.gamma(2.0, size=50)
    return [
        SquaredObjective(numbers, weight),
        LogisticObjective(labels.astype(float), weight),
        SoftmaxObjective(rng.integers(0, 3, 50).astype(np.int32), weight, 3),
        LossObjective((losses.Poisson(),), numbers, weight),
        LossObjective((losses.Gamma(),), numbers, weight),
        LossObjective((losses.Huber(0.5),), numbers, weight),
        LossObjective((losses.Exponential(),), 2.0 * labels - 1, weight),
        LossObjective((losses.Quantile(0.2), losses.Quantile(0.7)), numbers, weight),
    ]


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("k", range(8))
def test_slopes_are_derivatives_and_vanish_at_the_start(k, weighted):
    rng = np.random.default_rng(k)
    weight = rng.uniform(0.5, 2.0, 50) if weighted else None
    objective = objectives(weight)[k]
    outputs = objective.n_outputs
    raw = rng.standard_normal((outputs, 50))
    slopes, moved = objective.slopes(50), objective.slopes(50)
    slopes.move(raw)
    for j in range(outputs):
        g, h = slopes.of(j, raw)
        assert (h is not None) == objective.has_curvature
        for i in range(0, 50, 7):
            step = np.zeros_like(raw)
            step[j, i] = 1e-6
            rise = moved.move(raw + step) - moved.move(raw - step)
            assert g[i] == pytest.approx(rise / 2e-6, abs=1e-4)
    start = np.repeat(objective.start()[:, None], 50, axis=1)
    slopes.move(start)
    if k < 7:
        sums = [slopes.of(j, start)[0].sum() for j in range(outputs)]
        np.testing.assert_allclose(sums, 0.0, atol=1e-4)


@pytest.mark.parametrize("k", range(8))
def test_sizes_of_rows_add_those_of_the_outputs(k):
    rng = np.random.default_rng(k)
    objective = objectives(rng.uniform(0.5, 2.0, 50))[k]
    raw = rng.standard_normal((objective.n_outputs, 50))
    slopes = objective.slopes(50)
    slopes.move(raw)
    total = np.zeros(50)
    for j in range(objective.n_outputs):
        g, h = slopes.of(j, raw)
        total += np.abs(g.astype(float) * (1.0 if h is None else h))
    np.testing.assert_allclose(slopes.sizes(raw), total, rtol=1e-6)


def test_leaves_of_newton_are_not_searched():
    squared, _, _, poisson, _, huber, _, _ = objectives(None)
    assert not squared.refits
    assert not poisson.refits
    assert huber.refits
    assert not huber.has_curvature
    with pytest.raises(ValueError, match="Newton"):
        squared.leaf_values(0, np.zeros((1, 50)), None, np.arange(50), np.array([0, 50]))


def test_hubers_limit_is_stated_anew():
    y = np.arange(20.0)
    stated = LossObjective((losses.Huber(1.0),), y, None, huber_level=0.75)
    raw = np.zeros((1, 20))
    assert stated.restated(raw).each == (losses.Huber(14.5),)
    assert stated.restated(raw).restated(0.5 * y[None, :]).each == (losses.Huber(7.25),)
    fixed = LossObjective((losses.Huber(1.0),), y, None)
    assert fixed.restated(raw) is fixed


def test_mean_losses_of_parts():
    rng = np.random.default_rng(0)
    y, weight, raw = rng.standard_normal(30), rng.uniform(1, 2, 30), rng.standard_normal((1, 30))
    whole = SquaredObjective(y, weight)
    first, rest = whole.part(np.arange(10)), whole.part(np.arange(10, 30))
    total = first.total_weight * first.mean_loss(np.ascontiguousarray(raw[:, :10]))
    total += rest.total_weight * rest.mean_loss(np.ascontiguousarray(raw[:, 10:]))
    assert total / whole.total_weight == pytest.approx(whole.mean_loss(raw))


@pytest.mark.parametrize("which", range(8))
def test_losses_of_rows_add_up(which):
    """What a line search sees is what the sweep sums, after a shift of one output."""
    objective = objectives(None)[which]
    rng = np.random.default_rng(0)
    raw = rng.normal(size=(objective.n_outputs, 50))
    if objective.calm == np.inf:
        return
    for k in range(objective.n_outputs):
        moved = raw.copy()
        moved[k] += 0.3
        each = objective.row_losses(k, raw, np.arange(50), np.full(50, 0.3))
        assert each.mean() == pytest.approx(objective.mean_loss(moved))
