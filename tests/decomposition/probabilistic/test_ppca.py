"""Probabilistic PCA."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import multivariate_normal

from margin.decomposition import PCA, ProbabilisticPCA

RNG = np.random.default_rng(0)
X = RNG.normal(size=(80, 2)) @ RNG.normal(size=(2, 5)) + 0.5 * RNG.normal(size=(80, 5)) + 4
GAPS = X.copy()
GAPS[RNG.random(X.shape) < 0.2] = np.nan


def test_closed_form():
    """decomposition.06: noise is the mean of the eigenvalues left out, divisor n."""
    model = ProbabilisticPCA(n_components=2).fit(X)
    values = np.linalg.eigvalsh(np.cov(X.T, bias=True))[::-1]
    assert_allclose(model.noise_variance_, values[2:].mean())
    assert_allclose(model.explained_variance_, values[:2])
    axes = model.components_ / np.linalg.norm(model.components_, axis=1, keepdims=True)
    assert_allclose(axes, PCA(2).fit(X).components_, atol=1e-10)
    exact = multivariate_normal(X.mean(axis=0), model.get_covariance()).logpdf(X)
    assert_allclose(model.score_samples(X), exact)
    assert_allclose(-model.fit_report_.objective, exact.sum())
    assert model.n_parameters_ == 5 * 2 + 1 - 1


def test_em_reaches_the_closed_form():
    """decomposition.06: span, noise and likelihood."""
    closed = ProbabilisticPCA(n_components=2).fit(X)
    climbed = ProbabilisticPCA(n_components=2, solver="em", tol=1e-13).fit(X)
    assert_allclose(climbed.components_, closed.components_, atol=1e-4)
    assert_allclose(climbed.score(X), closed.score(X), rtol=1e-9)
    assert (np.diff(climbed.fit_report_.trace["objective"]) < 1e-8).all()


def test_small_noise_is_pca():
    """decomposition.06: the limit of no noise gives the coordinates of PCA, whitened."""
    table = RNG.normal(size=(50, 2)) @ RNG.normal(size=(2, 5)) + 1e-4 * RNG.normal(size=(50, 5))
    ours = ProbabilisticPCA(n_components=2).fit_transform(table)
    theirs = PCA(2, whiten=True).fit_transform(table) * np.sqrt(50 / 49)
    assert_allclose(ours, theirs, rtol=1e-3, atol=1e-5)


@pytest.mark.parametrize("table", [X, GAPS])
def test_weights_are_repetitions(table):
    count = RNG.integers(0, 4, len(X))
    one = ProbabilisticPCA(n_components=2, tol=1e-12).fit(table, sample_weight=count)
    many = ProbabilisticPCA(n_components=2, tol=1e-12).fit(np.repeat(table, count, axis=0))
    assert_allclose(one.get_covariance(), many.get_covariance(), rtol=1e-6, atol=1e-7)
    assert_allclose(one.mean_, many.mean_, rtol=1e-7)


@pytest.mark.parametrize("table", [X, GAPS])
def test_blocks_equal_the_whole(table):
    whole = ProbabilisticPCA(n_components=2).fit(table)
    parts = ProbabilisticPCA(n_components=2).fit_blocks([table[:30], table[30:31], table[31:]])
    assert_allclose(parts.components_, whole.components_, rtol=1e-7, atol=1e-9)
    assert_allclose(parts.noise_variance_, whole.noise_variance_, rtol=1e-9)
    assert parts.n_samples_ == 80


def test_gaps_fit_better_than_filled_means():
    """decomposition.06: missing entries are integrated out, not made up."""
    truth = ProbabilisticPCA(n_components=2).fit(X)
    gaps = ProbabilisticPCA(n_components=2).fit(GAPS)
    filled = np.where(np.isnan(GAPS), np.nanmean(GAPS, axis=0), GAPS)
    naive = ProbabilisticPCA(n_components=2).fit(filled)
    distance = [np.abs(m.get_covariance() - truth.get_covariance()).max() for m in (gaps, naive)]
    assert distance[0] < 0.5 * distance[1]


def test_degenerate_tables():
    low = np.outer(np.arange(6.0), [1.0, 2.0, 0.0])
    model = ProbabilisticPCA(n_components=1).fit(low)
    assert model.noise_variance_ > 0
    assert "raised" in model.fit_report_.repairs[0]
    assert np.isfinite(model.score_samples(low)).all()
    with pytest.raises(ValueError, match="at least 2 samples"):
        ProbabilisticPCA().fit(X[:1])
    with pytest.raises(ValueError, match="ProbabilisticPCA: n_components must be None or an int"):
        ProbabilisticPCA(n_components=6).fit(X)
    never = np.column_stack([X, np.full(80, np.nan)])
    with pytest.raises(ValueError, match="NaN throughout column 5"):
        ProbabilisticPCA(n_components=1).fit(never)


def test_no_components_and_all():
    for k in (0, 5):
        model = ProbabilisticPCA(n_components=k).fit(X)
        assert model.transform(X).shape == (80, k)
        assert np.isfinite(model.score(X))


@pytest.mark.parametrize("solver", ["closed", "em"])
def test_batches_are_the_whole(solver):
    """Exact through the moments, weights and all; a fit begins anew."""
    rng = np.random.default_rng(4)
    rows = rng.normal(size=(400, 2)) @ rng.normal(size=(2, 6)) + rng.normal(size=(400, 6)) + 100
    weight = rng.uniform(0.5, 2.0, 400)
    options = {"n_components": 2, "solver": solver, "max_iter": 5000}
    model = ProbabilisticPCA(**options)
    whole = ProbabilisticPCA(**options).fit(rows, sample_weight=weight)
    for part in np.array_split(np.arange(400), 4):
        model.partial_fit(rows[part], sample_weight=weight[part])
    assert_allclose(model.mean_, whole.mean_)
    assert_allclose(model.score(rows), whole.score(rows), rtol=1e-9)
    assert_allclose(model.noise_variance_, whole.noise_variance_, rtol=1e-5)
    assert_allclose(model.fit(rows).partial_fit(rows[:40]).mean_, rows[:40].mean(axis=0))
    with pytest.raises(ValueError, match="X must be without NaN in partial_fit"):
        model.partial_fit(np.where(rows < 98, np.nan, rows))
