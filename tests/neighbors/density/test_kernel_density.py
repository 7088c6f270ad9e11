"""Kernel density estimation (neighbors.03)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import gaussian_kde
from sklearn.neighbors import KernelDensity as Reference

from margin.neighbors import KernelDensity
from margin.neighbors.density._kernel_constants import KERNELS

RNG = np.random.default_rng(0)
X, Q = RNG.normal(size=(200, 3)), RNG.normal(size=(40, 3))
WEIGHT = RNG.uniform(0.5, 2.0, size=200)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("algorithm", ["auto", "kd_tree", "ball_tree"])
@pytest.mark.parametrize("weight", [None, WEIGHT])
def test_against_scikit_learn(kernel, algorithm, weight):
    """neighbors.03: every kernel, tree and weighting."""
    models = [
        m(kernel=kernel, bandwidth=1.2, algorithm=algorithm).fit(X, sample_weight=weight)
        for m in (KernelDensity, Reference)
    ]
    ours, theirs = (m.score_samples(Q) for m in models)
    assert_allclose(ours, theirs, rtol=1e-9)
    assert_allclose(models[0].score(Q), ours.sum())


@pytest.mark.parametrize("kernel", KERNELS)
def test_it_integrates_to_one(kernel):
    x = np.linspace(-40, 40, 40_001)
    model = KernelDensity(kernel=kernel, bandwidth=0.8).fit(X[:, :1])
    assert_allclose(np.exp(model.score_samples(x[:, None])).sum() * (x[1] - x[0]), 1.0, rtol=1e-4)


def test_against_scipy_far_away():
    """Where a density underflows its logarithm does not."""
    scipy = gaussian_kde(X[:, 0], bw_method=0.5 / X[:, 0].std(ddof=1))
    model = KernelDensity(bandwidth=0.5).fit(X[:, :1])
    x = np.array([[0.0], [5.0], [500.0]])
    assert_allclose(model.score_samples(x)[:2], scipy.logpdf(x[:2, 0]), rtol=1e-10)
    assert np.isfinite(model.score_samples(x)[2])


@pytest.mark.parametrize("tolerance", [{"rtol": 1e-3}, {"atol": 1e-4}])
def test_tolerances(tolerance):
    points = RNG.normal(size=(4000, 2))
    exact = np.exp(KernelDensity(bandwidth=0.3).fit(points).score_samples(Q[:, :2]))
    rough = np.exp(KernelDensity(bandwidth=0.3, **tolerance).fit(points).score_samples(Q[:, :2]))
    allowed = tolerance.get("atol", 0) + tolerance.get("rtol", 0) * exact
    assert (np.abs(rough - exact) <= allowed * (1 + 1e-9)).all()


def test_widths():
    assert_allclose(KernelDensity(bandwidth="scott").fit(X).bandwidth_, 200 ** (-1 / 7))
    model = KernelDensity(bandwidth="cv").fit(X)
    assert 0.2 < model.bandwidth_ < 1.0
    assert len(model.fit_report_.trace["mean log-density left out"]) == 25


@pytest.mark.parametrize("kernel", KERNELS)
def test_draws(kernel):
    """Their mean and variance are those of the rows, plus the variance of the kernel."""
    model = KernelDensity(kernel=kernel, bandwidth=0.1).fit(X, sample_weight=WEIGHT)
    draws = model.sample(20_000, random_state=0)
    assert_allclose(draws.mean(axis=0), np.average(X, axis=0, weights=WEIGHT), atol=0.05)
    assert_allclose(draws, model.sample(20_000, random_state=0))


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"bandwidth": 0.0}, "bandwidth must be a number above 0, got 0.0"),
        ({"bandwidth": "wide"}, "bandwidth must be a number above 0 or one of"),
        ({"kernel": "other"}, "kernel must be one of"),
        ({"rtol": -1}, "rtol must be a number of at least 0"),
        ({"metric": "braycurtis"}, "no tree can serve it"),
        ({"metric": "canberra", "algorithm": "kd_tree"}, "not valid for algorithm 'kd_tree'"),
        ({"metric_params": 3}, "metric_params must be None or a dict"),
    ],
)
def test_refusals(params, message):
    with pytest.raises(ValueError, match=f"KernelDensity: .*{message}"):
        KernelDensity(**params).fit(X)
    with pytest.raises(ValueError, match="sample needs the Euclidean metric"):
        KernelDensity(metric="manhattan").fit(X).sample()


def test_the_tree_is_grown_when_asked_and_of_the_rows_of_the_fit():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 3))
    expected = KernelDensity(bandwidth=0.5).fit(X).score_samples(X[:20])
    Q = X[:20].copy()
    model = KernelDensity(bandwidth=0.5).fit(X)
    assert "tree" not in vars(model._kernel_sums)
    X *= 7.0
    np.testing.assert_array_equal(model.score_samples(Q), expected)
    assert model.tree_ is model._kernel_sums.tree
    assert not hasattr(KernelDensity(), "tree_")
