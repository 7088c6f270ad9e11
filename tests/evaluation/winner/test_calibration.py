"""Calibrated probabilities."""

import numpy as np
import pytest

from margin.evaluation import Calibration, calibrated

RNG = np.random.default_rng(0)
TWO = np.array([0, 1])


def drawn(n=4000):
    p = RNG.random(n)
    return p, (RNG.random(n) < p).astype(int)


def both(q):
    return np.column_stack([1 - q, q])


def test_right_probabilities_stay():
    p, y = drawn()
    mended = calibrated(y, both(p), TWO)
    assert mended.method == "none"
    np.testing.assert_array_equal(mended(both(p)), both(p))
    assert "left as they are" in mended.text


def test_a_line_of_log_odds_is_undone():
    p, y = drawn()
    odds = 3 * np.log(p / (1 - p)) - 1
    mended = calibrated(y, both(1 / (1 + np.exp(-odds))), TWO)
    assert mended.method == "sigmoid"
    assert mended.knots[0][0][0] == pytest.approx(1 / 3, rel=0.1)
    assert mended.knots[0][1][0] == pytest.approx(1 / 3, abs=0.1)
    assert mended.loss_after < mended.loss_before


def test_any_rising_map_is_undone():
    p, y = drawn(8000)
    odd = np.where(p < 0.5, 0.2 * p, 0.9 + 0.2 * (p - 0.5))
    mended = calibrated(y, both(odd), TWO)
    assert mended.method == "isotonic"
    q = mended(both(odd))
    np.testing.assert_allclose(q.sum(axis=1), 1.0)
    assert np.abs(q[:, 1] - p).mean() < 0.04
    order = np.argsort(odd)
    assert (np.diff(q[order, 1]) >= -1e-12).all()


def test_three_classes_sum_to_one():
    logits = RNG.normal(size=(3000, 3))
    p = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    y = np.array([RNG.choice(3, p=row) for row in p])
    sure = p**4 / (p**4).sum(axis=1, keepdims=True)
    mended = calibrated(y, sure, np.arange(3))
    assert mended.method != "none"
    q = mended(sure)
    np.testing.assert_allclose(q.sum(axis=1), 1.0)
    assert np.abs(q - p).mean() < 0.6 * np.abs(sure - p).mean()


def test_too_few_rows_teach_nothing():
    assert (
        calibrated(np.r_[np.zeros(50), np.ones(5)].astype(int), both(RNG.random(55)), TWO)
        == Calibration()
    )


def test_an_order_is_never_turned_round():
    p, y = drawn(500)
    mended = calibrated(y, both(1 - p), TWO)
    q = mended(both(np.array([0.1, 0.9])))[:, 1]
    assert q[0] <= q[1] + 1e-12


@pytest.mark.parametrize(
    "mapping",
    [
        Calibration("isotonic", (((0.0, 0.4, 1.0), (0.1, 0.1, 0.8)),)),
        Calibration("sigmoid", (((0.0,), (-2.0,)),)),
    ],
)
def test_rows_that_differ_stay_apart(mapping):
    p = np.linspace(1e-8, 1 - 1e-8, 2000)
    q = mapping(np.column_stack([1 - p, p]))[:, 1]
    assert (np.diff(q) > 0).all()
    assert (q > 0).all()
    assert (q < 1).all()
