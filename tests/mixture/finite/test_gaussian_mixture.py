"""Gaussian mixtures by expectation maximisation."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import logsumexp
from scipy.stats import multivariate_normal
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning
from sklearn.mixture import GaussianMixture as Theirs

from margin.core import FitError
from margin.mixture import GaussianMixture

KINDS = ("full", "tied", "diag", "spherical")


def clouds(n=60, d=3, seed=0):
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(3, d, d))
    return np.concatenate([rng.normal(size=(n, d)) @ root[k] + 6 * k for k in range(3)])


def with_gaps(X, share=0.25, seed=1):
    holes = np.random.default_rng(seed).random(X.shape) < share
    return np.where(holes, np.nan, X)


def brute_log_prob(model, X):
    """Densities of what was observed, row by row and component by component."""
    at = model._parameters()
    table = np.zeros((len(X), len(at.weights)))
    for i, row in enumerate(X):
        o = np.flatnonzero(~np.isnan(row))
        for k in range(len(at.weights)):
            table[i, k] = np.log(at.weights[k])
            if len(o):
                law = multivariate_normal(at.means[k, o], at.matrices[k][np.ix_(o, o)])
                table[i, k] += law.logpdf(row[o])
    return table


def test_one_step_of_the_worked_example():
    """mixture.02: x = (0, 1, 4, 5), means (0, 5), even weights, unit variances."""
    x = np.array([[0.0], [1.0], [4.0], [5.0]])
    start = {"weights_init": [0.5, 0.5], "means_init": [[0.0], [5.0]]}
    model = GaussianMixture(
        2, covariance_type="spherical", precisions_init=[1.0, 1.0], max_iter=0, reg_covar=0, **start
    ).fit(x)
    assert_allclose(4 * model.score(x), -7.44722954, atol=5e-9)
    model.set_params(max_iter=1, tol=0.0)
    with pytest.warns(ConvergenceWarning):
        model.fit(x)
    assert_allclose(model.means_[:, 0], [0.50083848, 4.49916152], atol=5e-9)
    assert_allclose(4 * model.score(x), -5.67593642, atol=5e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_agrees_with_scikit_learn_from_the_same_start(kind):
    """mixture.02: weights, means, covariances and the likelihood."""
    X = clouds()
    start = GaussianMixture(3, covariance_type=kind, max_iter=0, random_state=0).fit(X)
    given = {
        "weights_init": start.weights_,
        "means_init": start.means_,
        "precisions_init": start.precisions_,
    }
    options = {"covariance_type": kind, "tol": 1e-10, "max_iter": 2000, **given}
    ours, theirs = GaussianMixture(3, **options).fit(X), Theirs(3, **options).fit(X)
    assert_allclose(ours.score(X), theirs.score(X), rtol=1e-8)
    for name in ("weights_", "means_", "covariances_", "precisions_", "precisions_cholesky_"):
        assert_allclose(getattr(ours, name), getattr(theirs, name), rtol=1e-3, atol=1e-4)
    assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-4)
    assert_allclose(ours.bic(X), theirs.bic(X), rtol=1e-6)
    assert_allclose(ours.aic(X), theirs.aic(X), rtol=1e-6)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("reg_covar", [0.0, 1e-6, 0.1])
def test_no_step_lowers_the_bound(kind, reg_covar):
    """mixture.02, mixture.03: with gaps, weights and whatever variance is added."""
    X = with_gaps(clouds())
    weight = np.random.default_rng(2).integers(1, 4, size=len(X))
    model = GaussianMixture(
        3, covariance_type=kind, reg_covar=reg_covar, tol=1e-9, max_iter=500, random_state=0
    ).fit(X, sample_weight=weight)
    assert model.converged_
    assert np.diff(model.lower_bounds_).min() > -1e-10
    penalty = 0.5 * reg_covar * model._parameters().traces.max()
    assert (
        -penalty - 1e-6
        <= model.lower_bound_ - np.average(model.score_samples(X), weights=weight)
        <= 1e-9
    )


@pytest.mark.parametrize("kind", KINDS)
def test_gaps_are_integrated_out(kind):
    """Against scipy's density of the observed part of every row; all of a row may be missing."""
    X = with_gaps(clouds(20))
    X[3] = np.nan
    model = GaussianMixture(2, covariance_type=kind, random_state=0).fit(X)
    table = brute_log_prob(model, X)
    assert_allclose(model.score_samples(X), logsumexp(table, axis=1), atol=1e-8)
    assert_allclose(
        model.predict_proba(X), np.exp(table - logsumexp(table, axis=1, keepdims=True)), atol=1e-8
    )
    assert_array_equal(model.predict(X), table.argmax(axis=1))
    assert_allclose(model.predict_proba(X)[3], model.weights_)


@pytest.mark.parametrize("kind", KINDS)
def test_the_fit_with_gaps_is_a_maximum_of_the_observed_likelihood(kind):
    """Moving any mean or width lowers the brute-force likelihood."""
    X = with_gaps(clouds(25, d=2))
    model = GaussianMixture(
        2, covariance_type=kind, reg_covar=0, tol=1e-12, max_iter=5000, random_state=0
    ).fit(X)
    best = model.score(X)
    for step in (-1e-3, 1e-3):
        for k in range(2):
            for j in range(2):
                moved = GaussianMixture(2, covariance_type=kind, max_iter=0)
                means = model.means_.copy()
                means[k, j] += step
                moved.set_params(
                    means_init=means,
                    weights_init=model.weights_,
                    precisions_init=model.precisions_,
                )
                assert moved.fit(X).score(X) < best
        wider = GaussianMixture(2, covariance_type=kind, max_iter=0, means_init=model.means_)
        wider.set_params(
            weights_init=model.weights_, precisions_init=model.precisions_ * (1 + step)
        )
        assert wider.fit(X).score(X) < best


@pytest.mark.parametrize("kind", KINDS)
def test_blocks_are_the_whole(kind):
    """Memory or blocks, with gaps and weights: equal to rounding."""
    X = with_gaps(clouds())
    weight = np.random.default_rng(0).random(len(X)) + 0.5
    options = {"covariance_type": kind, "tol": 1e-8, "max_iter": 300, "random_state": 0}
    whole = GaussianMixture(3, **options).fit(X, sample_weight=weight)

    def blocks():
        for part in np.array_split(np.arange(len(X)), 7):
            yield X[part], weight[part]

    for source in (blocks, list(blocks())):
        parts = GaussianMixture(3, **options).fit_blocks(source)
        assert_allclose(parts.means_, whole.means_, atol=1e-6)
        assert_allclose(parts.covariances_, whole.covariances_, atol=1e-6)
        assert parts.n_iter_ == whole.n_iter_


@pytest.mark.parametrize("kind", KINDS)
def test_weights_are_repetitions(kind):
    X = with_gaps(clouds(20))
    times = np.random.default_rng(0).integers(0, 3, size=len(X))
    keep = times > 0
    start = GaussianMixture(2, covariance_type=kind, random_state=0).fit(X[keep])
    given = {
        "weights_init": start.weights_,
        "means_init": start.means_,
        "precisions_init": start.precisions_,
        "covariance_type": kind,
    }
    weighed = GaussianMixture(2, **given).fit(X, sample_weight=times)
    repeated = GaussianMixture(2, **given).fit(np.repeat(X, times, axis=0))
    assert_allclose(weighed.means_, repeated.means_, atol=1e-9)
    assert_allclose(weighed.covariances_, repeated.covariances_, atol=1e-9)


@pytest.mark.parametrize("acceleration", ["squarem", "anderson"])
def test_acceleration_arrives_earlier_at_the_same_place(acceleration):
    rng = np.random.default_rng(3)
    X = np.concatenate([rng.normal(0, 1, (300, 1)), rng.normal(1.8, 1, (300, 1))])
    options = {"tol": 1e-10, "max_iter": 5000, "random_state": 0, "covariance_type": "spherical"}
    plain = GaussianMixture(2, **options).fit(X)
    fast = GaussianMixture(2, acceleration=acceleration, **options).fit(X)
    assert fast.n_iter_ < plain.n_iter_ / 2
    assert fast.lower_bound_ > plain.lower_bound_ - 1e-7
    assert np.diff(fast.lower_bounds_).min() >= -1e-12


def test_hard_assignment_and_its_limit():
    """mixture.05: classification EM; with one tied sphere it parts rows as k-means does."""
    X = clouds(d=2)
    hard = GaussianMixture(3, assignment="hard", random_state=0, tol=1e-9).fit(X)
    labels = hard.predict(X)
    assert_allclose(hard.weights_, np.bincount(labels) / len(X))
    for k in range(3):
        assert_allclose(hard.means_[k], X[labels == k].mean(axis=0))
    assert np.diff(hard.lower_bounds_).min(initial=0.0) >= 0
    means = KMeans(3, n_init=10, random_state=0).fit(X)
    cold = GaussianMixture(
        3,
        covariance_type="spherical",
        weights_init=np.full(3, 1 / 3),
        means_init=means.cluster_centers_,
        precisions_init=np.full(3, 1e6),
        max_iter=0,
    ).fit(X)
    assert_array_equal(cold.predict(X), means.labels_)


def test_stochastic_and_annealed_assignment():
    """inference.30: both arrive near the clouds."""
    X = clouds(d=2)
    best = GaussianMixture(3, random_state=0).fit(X).score(X)
    annealed = GaussianMixture(3, assignment="annealed", random_state=0).fit(X)
    assert annealed.score(X) > best - 0.05
    drawn = GaussianMixture(3, assignment="stochastic", random_state=0).fit(X)
    assert drawn.score(X) > best - 0.1


@pytest.mark.parametrize("kind", KINDS)
def test_partial_fit_learns_from_batches(kind):
    """inference.30: online EM through statistics."""
    rng = np.random.default_rng(0)
    X = clouds(200)
    whole = GaussianMixture(3, covariance_type=kind, random_state=0).fit(X)
    model = GaussianMixture(3, covariance_type=kind, random_state=0)
    for _ in range(40):
        model.partial_fit(with_gaps(X[rng.choice(len(X), 60)], 0.1))
    assert model.n_iter_ == 40
    assert model.score(X) > whole.score(X) - 0.2
    blind = X[:5].copy()
    blind[:, 0] = np.nan  # a batch may lack a column
    assert np.isfinite(model.partial_fit(blind).score(X))
    model.fit(X)
    assert_allclose(model.means_, whole.means_)


def test_number_of_parameters():
    """mixture.03: K (1 + d + d (d + 1) / 2) - 1, for K = 3 and d = 10."""
    X = np.random.default_rng(0).normal(size=(60, 10))
    assert GaussianMixture(3, random_state=0).fit(X)._n_parameters() == 197


def test_collapse_is_refused_or_bounded():
    """mixture.03: an unbounded likelihood is told of, never a NaN."""
    X = np.concatenate([np.random.default_rng(0).normal(size=(20, 2)), np.full((2, 2), 50.0)])
    for kind in KINDS[:1] + KINDS[2:]:
        with pytest.raises(FitError, match="GaussianMixture: a component has collapsed"):
            GaussianMixture(2, covariance_type=kind, reg_covar=0, random_state=0).fit(X)
        model = GaussianMixture(2, covariance_type=kind, random_state=0).fit(X)
        assert np.isfinite(model.score(X))
        assert_allclose(np.min(model.covariances_[model.means_[:, 0] > 40]), 0, atol=1e-5)


def test_components_without_rows_rest_and_the_report_says_so():
    """mixture.03: five components for two distinct rows."""
    X = np.repeat([[0.0, 0.0], [1.0, 1.0]], 10, axis=0)
    model = GaussianMixture(5, random_state=0).fit(X)
    assert (model.weights_ > 0).sum() == 2
    assert np.isfinite(model.score_samples(X)).all()
    start = {
        "means_init": [[0.0], [1e6]],
        "weights_init": [0.5, 0.5],
        "precisions_init": [1.0, 1.0],
    }
    far = GaussianMixture(2, covariance_type="spherical", **start).fit(np.arange(6.0)[:, None])
    assert_array_equal(far.weights_, [1.0, 0.0])
    assert "component 1 has no rows left: it rests" in str(far.fit_report_.repairs)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("scale", [1e-8, 1e8])
def test_scales(kind, scale):
    X = clouds(20) * scale
    options = {"covariance_type": kind, "random_state": 0}
    model = GaussianMixture(3, reg_covar=1e-6 * scale**2, **options).fit(X)
    plain = GaussianMixture(3, **options).fit(X / scale)
    assert_array_equal(model.predict(X), plain.predict(X / scale))
    assert_allclose(model.means_ / scale, plain.means_, rtol=1e-5)


def test_a_column_that_does_not_vary_and_a_single_row():
    X = np.column_stack([clouds(20, 1), np.ones(60)])
    model = GaussianMixture(2, random_state=0).fit(X)
    assert_allclose(model.covariances_[:, 1, 1], 1e-6, rtol=1e-6)
    one = GaussianMixture(1).fit([[1.0, 2.0]])
    assert_allclose(one.means_, [[1.0, 2.0]])


def test_the_mixture_as_a_distribution():
    """mixture.01: density, draws, marginal and condition of the fitted model."""
    X = clouds(d=2)
    model = GaussianMixture(3, random_state=0).fit(X)
    joint = model.mixture_
    assert_allclose(joint.log_prob(X), model.score_samples(X))
    half = X.copy()
    half[:, 1] = np.nan
    assert_allclose(joint.marginal([0]).log_prob(X[:, :1]), model.score_samples(half))
    filled = model.impute(half[:5])
    assert_allclose(filled[0, 1], joint.condition([0], X[0, :1]).mean[0])
    assert_allclose(model.impute([[np.nan, np.nan]])[0], joint.mean)
    assert_allclose(model.marginals()[0].cdf(3.0), joint.cdf([3.0, 3.0])[0])
    drawn, labels = model.sample(2000)
    assert_allclose(drawn.mean(axis=0), X.mean(axis=0), atol=0.8)
    assert_array_equal(np.unique(labels), [0, 1, 2])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_components": 0}, "n_components must be an integer of at least 1, got 0"),
        ({"covariance_type": "round"}, "covariance_type must be one of"),
        ({"tol": -1.0}, "tol must be a number of at least 0"),
        ({"max_iter": -1}, "max_iter must be an integer of at least 0, got -1"),
        ({"assignment": "firm"}, "assignment must be one of"),
        ({"acceleration": "turbo"}, "acceleration must be one of"),
        ({"n_components": 99}, "X must have at least n_components=99 samples, got 12"),
        ({"means_init": [[np.nan] * 3]}, "means_init must be finite"),
    ],
)
def test_bad_settings_are_refused(options, message):
    with pytest.raises(ValueError, match=f"GaussianMixture: {message}"):
        GaussianMixture(**options).fit(clouds(4))


def test_bad_tables_are_refused():
    X = clouds(4)
    X[:, 1] = np.nan
    with pytest.raises(ValueError, match="observed somewhere in every column"):
        GaussianMixture().fit(X)
    with pytest.raises(ValueError, match="blocks must be at least one row"):
        GaussianMixture().fit_blocks([])


@pytest.mark.parametrize(("kind", "k"), [("tied", 2), ("full", 3), ("spherical", 3)])
@pytest.mark.parametrize("gaps", [False, True])
def test_annealing_is_never_below_the_plain_search(kind, k, gaps):
    """inference.30: components that melted together are no answer, with gaps or without."""
    rng = np.random.default_rng(0)
    Y = np.concatenate([rng.normal(size=(40, 2)), rng.normal(size=(40, 2)) + 5])
    if gaps:
        Y[::5, 0] = np.nan
        Y[1::9, 1] = np.nan
    options = {"covariance_type": kind, "random_state": 0, "max_iter": 500}
    plain = GaussianMixture(k, **options).fit(Y)
    cooled = GaussianMixture(k, assignment="annealed", **options).fit(Y)
    assert cooled.lower_bound_ >= plain.lower_bound_ - 1e-12


@pytest.mark.parametrize("kind", ["full", "tied", "diag", "spherical"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_batches_of_any_type_with_weights_that_lie_anyhow(kind, dtype):
    rng = np.random.default_rng(0)
    Y = np.concatenate([rng.normal(size=(40, 2)), rng.normal(size=(40, 2)) + 5]).astype(dtype)
    weight = rng.integers(1, 4, 80).astype(dtype)
    table = np.column_stack([weight, weight])
    options = {"covariance_type": kind, "random_state": 0}
    one, two = GaussianMixture(2, **options), GaussianMixture(2, **options)
    for part in (slice(0, 80, 2), slice(1, 80, 2)):
        one.partial_fit(Y[part].copy(), sample_weight=weight[part].astype(float).copy())
        two.partial_fit(Y[part], sample_weight=table[part, 0])
    np.testing.assert_array_equal(one.means_, two.means_)
    assert two.means_.dtype == dtype
