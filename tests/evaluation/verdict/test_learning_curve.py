"""Would more rows help?"""

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.neighbors import KNeighborsRegressor

from margin.evaluation import learning_curve
from margin.evaluation.verdict._learning_curve import curve_verdict, nested_order

RNG = np.random.default_rng(0)


def test_gap_of_least_squares_follows_the_known_formula():
    """evaluation.08: with n rows, p Gaussian features and noise s², training error is s² (1 − p/n)
    and the excess test error s² p / (n − p − 1)."""
    n, p = 2000, 20
    X = RNG.normal(size=(n, p))
    y = RNG.normal(size=n)
    curve = learning_curve(LinearRegression(fit_intercept=False), X, y, shares=[0.04, 0.1, 1.0])
    for size, train, test in zip(curve.sizes, curve.train_mean, curve.test_mean, strict=True):
        assert 1 - train == pytest.approx(1 - p / size, abs=0.06)
        assert 1 - test == pytest.approx(1 + p / (size - p - 1), rel=0.12)
    assert curve.sizes == (64, 160, 1600)


def test_a_hungry_model_wants_more_rows():
    """evaluation.08"""
    X = RNG.uniform(size=(300, 2))
    y = np.sin(9 * X[:, 0]) * np.cos(7 * X[:, 1])
    curve = learning_curve(KNeighborsRegressor(3), X, y)
    assert curve.verdict.startswith("more rows would probably help")
    assert curve.test_mean[-1] > curve.test_mean[0]


def test_a_model_that_knows_enough_is_flat():
    """evaluation.08"""
    X = RNG.normal(size=(400, 2))
    curve = learning_curve(LinearRegression(), X, X @ [1.0, 2.0] + 0.1 * RNG.normal(size=400))
    assert curve.verdict.startswith("flattened")


def test_classes_stay_in_proportion_in_every_beginning():
    y = np.repeat([0, 1], [90, 30])
    order = nested_order(y, stratify=True, rng=RNG)
    assert sorted(order.tolist()) == list(range(120))
    for size in range(4, 121):
        assert abs(np.mean(y[order[:size]]) - 0.25) <= 1 / size


def test_sizes_that_cannot_be_fitted_are_left_out():
    X = RNG.normal(size=(100, 1))
    y = (np.arange(100) % 20 == 0).astype(int)
    curve = learning_curve(LogisticRegression(), X, y, shares=[0.05, 0.5, 1.0])
    assert curve.sizes == (40, 80)


def test_nothing_to_say_about_hardly_any_rows():
    assert (
        learning_curve(DummyClassifier(), np.zeros((8, 1)), np.arange(8) % 2, shares=[1.0]) is None
    )


def test_no_time_no_curve():
    X = RNG.normal(size=(60, 1))
    assert learning_curve(LinearRegression(), X, X[:, 0], deadline=0.0) is None


@pytest.mark.parametrize(
    ("gains", "beginning"),
    [
        ([0.05, 0.051, 0.049, 0.05, 0.05], "more rows would probably help"),
        ([0.002, 0.002, 0.002, 0.002, 0.0021], "flattened"),
        ([-0.01, 0.0, -0.02, 0.01, 0.0], "flattened"),
        ([0.3, -0.2, 0.1, -0.1, 0.2], "too noisy to say"),
        ([0.2, 0.01, 0.15, 0.02, 0.1], "more rows may help"),
        ([0.2, 0.2, 0.2, 0.2, 0.2], "more rows would probably help"),
    ],
)
def test_verdict(gains, beginning):
    scores = np.column_stack([np.zeros(5), np.full(5, 0.5), 0.5 + np.array(gains)])
    text = curve_verdict([10, 50, 100], scores, n_test=25)
    assert text.startswith(beginning)
    assert "from 50 to 100 rows" in text


def test_nothing_helps_at_a_perfect_score():
    scores = np.array([[0.99, 1.0], [0.98, 1.0], [0.99, 0.9999]])
    text = curve_verdict([50, 100], scores, n_test=25)
    assert text == "more rows cannot help: with 100 rows the score is 1.000, as good as perfect"


def test_a_small_gain_that_halves_the_error_is_worth_having():
    scores = np.array([[0.992, 0.996], [0.992, 0.9961], [0.992, 0.9959]])
    assert curve_verdict([50, 100], scores, n_test=25).startswith("more rows would probably help")


def test_a_gain_is_measured_by_the_error_that_is_left():
    scores = np.column_stack([np.full(5, -10.0), -9.8 + 1e-3 * np.arange(5)])
    assert curve_verdict([50, 100], scores, n_test=25, perfect=0.0).startswith("flattened")
    assert curve_verdict([50, 100], scores / 10 + 0.9, n_test=25, perfect=0.0).startswith("more")


def test_a_score_that_does_not_move_is_not_said_to_rise():
    scores = np.array([[0.9, 0.9], [0.91, 0.9099], [0.9, 0.9001]])
    assert "stayed the same (± 0.000)" in curve_verdict([50, 100], scores, n_test=25)
