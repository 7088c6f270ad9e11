"""Intervals of scores and predictions."""

import numpy as np
import pandas as pd
import pytest
from scipy import optimize, stats
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler

from margin.evaluation import Metric, prediction_interval, score_interval, wilson_interval
from margin.evaluation.verdict._intervals import residual_quantiles

RNG = np.random.default_rng(0)


@pytest.mark.parametrize(("hits", "n"), [(8, 10), (0, 10), (10, 10), (437, 1000)])
def test_wilson_solves_its_defining_equation(hits, n):
    """evaluation.06: each end p satisfies (hits/n − p)² = z² p (1 − p) / n."""
    z = stats.norm.ppf(0.975)
    for end in wilson_interval(hits, n):
        squared = z**2 * end * (1 - end) / n
        assert (hits / n - end) ** 2 == pytest.approx(squared, rel=1e-10, abs=1e-15)


def test_wilson_agrees_with_scipy():
    ours = wilson_interval(37, 50, level=0.9)
    theirs = stats.binomtest(37, 50).proportion_ci(0.9, method="wilson")
    assert ours == pytest.approx((theirs.low, theirs.high), rel=1e-12)


def test_wilson_refuses_impossible_counts():
    with pytest.raises(ValueError, match="between 0 and n, got 11 of 10"):
        wilson_interval(11, 10)


def test_interval_of_balanced_accuracy_is_that_of_averaged_recalls():
    y = np.repeat([0, 1], [400, 100])
    predicted = y.copy()
    predicted[:40], predicted[400:430] = 1, 0
    low, high = score_interval(Metric("balanced accuracy"), y, predicted, seed=0)
    se = np.sqrt(0.9 * 0.1 / 400 + 0.7 * 0.3 / 100) / 2
    assert low == pytest.approx(0.8 - 1.96 * se, abs=0.006)
    assert high == pytest.approx(0.8 + 1.96 * se, abs=0.006)


@pytest.mark.parametrize("sure", [0.7, 0.9, 0.97])
def test_interval_of_balanced_accuracy_covers_with_few_rows_of_a_class(sure):
    metric, common, rare, share = Metric("balanced accuracy"), 60, 6, 0.85
    y, covered = np.repeat([0, 1], [common, rare]), 0.0
    for a in range(common + 1):
        for b in range(rare + 1):
            chance = stats.binom.pmf(a, common, share) * stats.binom.pmf(b, rare, sure)
            if chance > 1e-4:
                right = np.r_[np.arange(common) < a, np.arange(rare) < b]
                low, high = score_interval(metric, y, np.where(right, y, 1 - y), seed=0)
                covered += chance * (low <= (share + sure) / 2 <= high)
    assert covered > 0.92


def test_few_rows_that_are_all_right_prove_little():
    y = np.repeat([0, 1], [2000, 5])
    predicted = y.copy()
    predicted[:480] = 1
    low, high = score_interval(Metric("balanced accuracy"), y, predicted, seed=0)
    assert low < 0.88 - (1 - wilson_interval(5, 5)[0]) / 2 + 0.001
    assert 0.88 < high < 0.9


def test_interval_of_r2_covers_the_truth_about_as_often_as_it_says():
    truth, hits = 0.8, 0
    for seed in range(100):
        x, noise = np.random.default_rng(seed).normal(size=(2, 150))
        low, high = score_interval(Metric("R²"), 2 * x + noise, 2 * x, seed=seed)
        hits += low <= truth <= high
    assert 0.87 <= hits / 100 <= 0.99


@pytest.mark.parametrize("name", ["ROC AUC", "average precision"])
def test_interval_of_a_ranking_is_that_of_the_rows_drawn_again(name):
    rng = np.random.default_rng(4)
    y = np.repeat([0, 1], [150, 50])
    value = rng.normal(size=200) + y
    metric, answers = Metric(name, (0, 1), 1), np.column_stack([-value, value])
    drawn = [metric(y[rows], answers[rows]) for rows in rng.integers(200, size=(400, 200))]
    low, high = score_interval(metric, y, answers, seed=0)
    assert (low, high) == pytest.approx(tuple(np.quantile(drawn, [0.025, 0.975])), abs=0.03)
    assert score_interval(metric, y, answers, seed=0, resamples=50) == pytest.approx(
        (low, high), abs=0.05
    )


class Known:
    """A regression that knows its noise."""

    def fit(self, X, y):
        return self

    def predict(self, X):
        return np.asarray(X)[:, 0]

    def predict_dist(self, X):
        mean = self.predict(X)

        class Law:
            def quantile(self, q):
                return stats.norm.ppf(q, loc=mean, scale=2.0)

        return Law()


def test_prediction_interval_of_a_predictive_distribution():
    model = make_pipeline(FunctionTransformer(), Known())
    X = RNG.normal(size=(5, 1))
    interval = prediction_interval(model, X, level=0.9)
    z = stats.norm.ppf(0.95)
    np.testing.assert_allclose(interval, X + np.array([-2 * z, 2 * z]))


def test_prediction_interval_from_kept_residuals():
    x = RNG.normal(size=(4000, 1))
    y = 3 * x[:, 0] + RNG.exponential(size=4000)
    model = make_pipeline(StandardScaler(), LinearRegression()).fit(x[:2000], y[:2000])
    assert prediction_interval(model, x) is None
    model.residual_quantiles_ = residual_quantiles(y[:2000] - model.predict(x[:2000]))
    low, high = prediction_interval(model, x[2000:], level=0.8).T
    assert np.mean((low <= y[2000:]) & (y[2000:] <= high)) == pytest.approx(0.8, abs=0.03)
    assert np.mean(y[2000:] < low) == pytest.approx(0.1, abs=0.02)


def test_wilson_is_an_inverted_test():
    """The interval holds exactly the proportions that a score test would not reject."""
    z = stats.norm.ppf(0.975)

    def excess(p):
        return (0.3 - p) ** 2 - z**2 * p * (1 - p) / 40

    low, high = wilson_interval(12, 40)
    assert optimize.brentq(excess, 0.01, 0.3) == pytest.approx(low)
    assert optimize.brentq(excess, 0.3, 0.99) == pytest.approx(high)


def test_residual_quantiles_of_a_frame_column():
    kept = residual_quantiles(pd.Series(np.arange(1.0, 200.0)))
    np.testing.assert_allclose(kept, np.clip(np.arange(201.0), 1, 199))


def test_conformal_quantiles_hold_what_they_promise():
    """A new residual lies beyond that of rank ceil((n + 1) q) with probability 1 - q or less."""
    rng = np.random.default_rng(0)
    kept = [residual_quantiles(rng.normal(size=19))[[10, 190]] for _ in range(4000)]
    new = rng.normal(size=4000)
    low, high = np.transpose(kept)
    assert np.mean((low <= new) & (new <= high)) == pytest.approx(0.9, abs=0.015)
    assert residual_quantiles(np.arange(19.0))[[10, 190]].tolist() == [0.0, 18.0]
