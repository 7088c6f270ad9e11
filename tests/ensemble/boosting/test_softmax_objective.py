"""Slopes of one class at a time against those of all classes at once."""

import numpy as np
import pytest

from margin.ensemble import GradientBoostingClassifier
from margin.ensemble.boosting._softmax_objective import SoftmaxObjective
from margin.losses import Softmax


@pytest.mark.parametrize("weighted", [False, True])
def test_classes_in_turn_while_scores_of_others_go_on(weighted):
    """The slopes of a class are those at the start of the stage, whatever came before it."""
    rng = np.random.default_rng(0)
    y, raw = rng.integers(0, 3, 40).astype(np.int32), rng.standard_normal((3, 40))
    weight = rng.random(40) if weighted else None
    objective = SoftmaxObjective(y, weight, 3)
    slopes, w = objective.slopes(40), 1.0 if weight is None else weight
    slopes.move(raw)
    at = np.ascontiguousarray(raw.T)
    for k in range(3):
        g, h = slopes.of(k, raw)
        np.testing.assert_allclose(g, w * Softmax().slope(at, y)[:, k], rtol=1e-6, atol=1e-7)
        np.testing.assert_allclose(h, 1.5 * w * Softmax().curvature(at, y)[:, k], rtol=1e-6)
        raw[k] += rng.standard_normal(40)


def test_many_classes_cost_no_more_than_their_scores():
    """Two passes over ten and over thirty classes hold the same slopes."""
    for classes in (10, 30):
        y = np.arange(60, dtype=np.int32) % classes
        slopes = SoftmaxObjective(y, None, classes).slopes(60)
        held = [part for part in vars(slopes).values() if isinstance(part, np.ndarray)]
        assert sum(part.nbytes for part in held) == 16 * 60


def test_weights_are_repeated_rows():
    rng = np.random.default_rng(1)
    X, times = rng.standard_normal((150, 3)), rng.integers(0, 3, 150)
    y = np.digitize(X[:, 0] + X[:, 1], [-0.7, 0.7])
    settings = {"n_estimators": 6, "min_samples_leaf": 1, "min_child_weight": 1.0}
    rows = np.repeat(np.arange(150), times)
    one = GradientBoostingClassifier(**settings).fit(X, y, sample_weight=times)
    many = GradientBoostingClassifier(**settings).fit(X[rows], y[rows])
    np.testing.assert_allclose(one.predict_proba(X), many.predict_proba(X), rtol=1e-5)
