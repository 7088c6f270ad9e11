"""Slopes, curvatures and sums of losses against those of ``margin.losses``."""

import numpy as np
import pytest
from scipy.special import logsumexp

from margin.losses import Logistic, Softmax, Squared
from margin.native.trees.boosting import (
    class_slopes,
    logistic_slopes,
    softmax_losses,
    squared_slopes,
)


@pytest.mark.parametrize("n", [0, 1, 5, 9000])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("n_threads", [1, 2])
def test_two_classes(n, weighted, n_threads):
    rng = np.random.default_rng(n)
    y, raw = rng.integers(0, 2, n).astype(float), 8 * rng.standard_normal(n)
    raw[: n // 10] *= 200
    weight = rng.random(n) if weighted else None
    g, h = np.empty(n, dtype=np.float32), np.empty(n, dtype=np.float32)
    loss = logistic_slopes(y, raw, weight, g, h, n_threads)
    w = np.ones(n) if weight is None else weight
    np.testing.assert_allclose(g, w * Logistic().slope(raw, y), rtol=1e-6, atol=1e-30)
    np.testing.assert_allclose(h, w * Logistic().curvature(raw, y), rtol=1e-5, atol=1e-30)
    assert loss == pytest.approx(float(w @ Logistic().value(raw, y)), rel=1e-12)


@pytest.mark.parametrize("n", [0, 1, 9000])
@pytest.mark.parametrize("weighted", [False, True])
def test_squares(n, weighted):
    rng = np.random.default_rng(n)
    y, raw = rng.standard_normal(n), rng.standard_normal(n)
    weight = rng.random(n) if weighted else None
    w = np.ones(n) if weight is None else weight
    g, h = np.empty(n, dtype=np.float32), np.empty(n, dtype=np.float32)
    loss = squared_slopes(y, raw, weight, g, h, 2)
    np.testing.assert_allclose(g, w * (raw - y), rtol=1e-6)
    np.testing.assert_allclose(h, w, rtol=1e-6)
    assert loss == pytest.approx(float(w @ Squared().value(raw, y)), rel=1e-12)
    assert squared_slopes(y, raw, weight, g, None, 1) == loss


@pytest.mark.parametrize("n", [0, 1, 300, 9000])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("n_threads", [1, 2])
def test_many_classes(n, weighted, n_threads):
    rng = np.random.default_rng(n)
    y, raw = rng.integers(0, 4, n).astype(np.int32), 5 * rng.standard_normal((4, n))
    raw[0, : n // 5] = 900.0
    weight = rng.random(n) if weighted else None
    w = np.ones(n) if weight is None else weight
    log_sum = np.empty(n)
    loss = softmax_losses(y, raw, weight, log_sum, n_threads)
    np.testing.assert_allclose(log_sum, logsumexp(raw, axis=0), rtol=1e-14, atol=1e-14)
    scores = np.ascontiguousarray(raw.T)
    assert loss == pytest.approx(float(w @ Softmax().value(scores, y)), rel=1e-11)
    g, h = np.empty(n, dtype=np.float32), np.empty(n, dtype=np.float32)
    for k in range(4):
        class_slopes(k, y, raw[k], log_sum, weight, 0.5, g, h, n_threads)
        np.testing.assert_allclose(g, w * Softmax().slope(scores, y)[:, k], rtol=1e-6, atol=1e-12)
        bend = Softmax().curvature(scores, y)[:, k]
        np.testing.assert_allclose(h, 0.5 * w * bend, rtol=1e-6, atol=1e-12)


def test_scores_that_are_no_numbers_are_not_hidden():
    raw, log_sum = np.array([[0.0, 1.0], [np.nan, 2.0]]), np.empty(2)
    y, g, h = np.zeros(2, dtype=np.int32), *np.zeros((2, 2), dtype=np.float32)
    assert np.isnan(softmax_losses(y, raw, None, log_sum, 1))
    class_slopes(0, y, raw[0], log_sum, None, 1.0, g, h, 1)
    assert np.isnan(g[0])
    assert g[1] == pytest.approx(1 / (1 + np.e) - 1)


def test_wrong_calls_are_refused():
    g = np.empty(3, dtype=np.float32)
    with pytest.raises(ValueError, match="different lengths"):
        logistic_slopes(np.zeros(3), np.zeros(2), None, g, g, 1)
    with pytest.raises(ValueError, match="no such class"):
        softmax_losses(np.full(3, 2, dtype=np.int32), np.zeros((2, 3)), None, np.empty(3), 1)
    labels = np.zeros(3, dtype=np.int32)
    with pytest.raises(ValueError, match="different lengths"):
        softmax_losses(labels, np.zeros((2, 3)), None, np.empty(2), 1)
    with pytest.raises(ValueError, match="different lengths"):
        class_slopes(0, labels, np.zeros(3), np.zeros(2), None, 1.0, g, g, 1)
