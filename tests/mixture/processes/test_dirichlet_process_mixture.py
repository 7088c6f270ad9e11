"""Mixtures that find the number of their components (mixture.17)."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import adjusted_rand_score

from margin.distributions import (
    BetaBernoulli,
    Gamma,
    GammaPoisson,
    NormalInverseGamma,
    NormalInverseWishart,
    NormalMean,
)
from margin.mixture import DirichletProcessMixture, exact_partition_posterior

RNG = np.random.default_rng(0)
TRUTH = np.repeat([0, 1, 2], 40)
X = np.concatenate([RNG.normal(c, 0.3, size=(40, 2)) for c in (-3, 0, 3)])
BOTH = pytest.mark.parametrize("method", ["gibbs", "variational"])


@BOTH
@pytest.mark.parametrize("alpha", [1.0, Gamma(1.0, 1.0)])
def test_separated_clusters(method, alpha):
    """mixture.17: three clusters, their rows, means, spread and probability."""
    model = DirichletProcessMixture(alpha=alpha, method=method, random_state=0).fit(X)
    assert model.n_components_ == 3
    assert model.n_components_posterior_.argmax() == 3
    assert_allclose(model.n_components_posterior_.sum(), 1.0)
    assert adjusted_rand_score(TRUTH, model.labels_) == 1.0
    assert adjusted_rand_score(TRUTH, model.predict(X)) == 1.0
    assert_allclose(np.sort(model.means_[:, 0]), [-3, 0, 3], atol=0.2)
    assert_allclose(model.weights_.sum(), 1.0)
    together = model.co_clustering()
    assert together[0, 1] > 0.9
    assert together[0, 50] < 0.01
    assert model.score(X) > model.score(X + 10)


@BOTH
def test_small_case(method):
    """Number of clusters and pairs of the exact posterior; variational answers only roughly."""
    rows, prior = np.array([[-4.0], [-3.6], [4.0], [4.4], [4.2]]), NormalMean(0.0, 4.0, 0.7)
    exact = exact_partition_posterior(rows, prior, 0.5)
    model = DirichletProcessMixture(
        alpha=0.5, base_prior=prior, method=method, n_draws=4000, n_init=5, random_state=0
    ).fit(rows)
    error = 0.03 if method == "gibbs" else 0.35
    assert np.abs(model.co_clustering() - exact.co_clustering).max() < error
    found = np.zeros(6)
    found[: len(model.n_components_posterior_)] = model.n_components_posterior_
    assert np.abs(found - exact.n_components).max() < error


@BOTH
def test_density_integrates_to_one(method):
    model = DirichletProcessMixture(method=method, n_draws=20, n_warmup=20, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(X[:, :1])
    grid = np.linspace(-60, 60, 24_001)
    mass = np.exp(model.score_samples(grid[:, None])).sum() * (grid[1] - grid[0])
    assert_allclose(mass, 1.0, atol=5e-3)


def test_predictive_density_is_exact():
    """A ratio of evidences over all partitions, with and without the new row."""
    rows, prior = np.array([[-1.0], [0.0], [5.0]]), NormalMean(0.0, 3.0, 1.0)
    model = DirichletProcessMixture(
        base_prior=prior, method="gibbs", n_draws=4000, random_state=0
    ).fit(rows)
    before = exact_partition_posterior(rows, prior, 1.0).log_evidence
    for value in (0.5, 4.0):
        after = exact_partition_posterior([*rows, [value]], prior, 1.0).log_evidence
        assert_allclose(model.score_samples([[value]]), after - before, atol=0.1)


def test_sample_has_the_moments_of_the_data():
    model = DirichletProcessMixture(random_state=0).fit(X)
    rows, labels = model.sample(5000, random_state=1)
    assert rows.shape == (5000, 2)
    assert labels.shape == (5000,)
    assert_allclose(np.median(rows, axis=0), np.median(X, axis=0), atol=0.3)
    again, _ = model.sample(5000, random_state=1)
    assert_array_equal(rows, again)


def test_seeds():
    settings = {"method": "gibbs", "n_draws": 20, "n_warmup": 20}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        one, two, other = (
            DirichletProcessMixture(random_state=s, **settings).fit(X) for s in (1, 1, 2)
        )
    assert_array_equal(one.label_draws_, two.label_draws_)
    assert (one.chains_.log_density != other.chains_.log_density).any()


def test_holes():
    """NaN is marginalised: by the variational method, and in independent columns by both."""
    table = X.copy()
    table[RNG.random(X.shape) < 0.15] = np.nan
    whole = ~np.isnan(table).all(axis=1)
    table, truth = table[whole], TRUTH[whole]
    model = DirichletProcessMixture(random_state=0).fit(table)
    assert adjusted_rand_score(truth, model.labels_) > 0.8
    assert np.isfinite(model.score_samples(table)).all()
    columns = NormalInverseGamma(0.0, 0.1, 2.0, 0.3)
    model = DirichletProcessMixture(base_prior=columns, method="gibbs", random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(table)
    assert adjusted_rand_score(truth, model.labels_) > 0.8
    model = DirichletProcessMixture(method="gibbs", n_draws=50, n_warmup=50, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(table)
    assert adjusted_rand_score(truth, model.labels_) > 0.8
    assert np.isfinite(model.score_samples(table)).all()


@BOTH
def test_mixed_columns(method):
    """A number, a count and a yes or no, with a belief each."""
    rng, z = np.random.default_rng(1), np.repeat([0, 1], 60)
    table = np.column_stack(
        [rng.normal(4 * z, 1), rng.poisson(2 + 8 * z), rng.random(120) < 0.1 + 0.8 * z]
    ).astype(float)
    beliefs = [NormalInverseGamma(2.0, 0.1, 2.0, 2.0), GammaPoisson(1.0, 0.2), BetaBernoulli(1, 1)]
    model = DirichletProcessMixture(base_prior=beliefs, method=method, random_state=0).fit(table)
    assert adjusted_rand_score(z, model.labels_) > 0.9
    assert model.means_ is None
    assert model.sample(5, 0)[0].shape == (5, 3)


def test_chains_report():
    model = DirichletProcessMixture(method="gibbs", random_state=0).fit(X)
    assert model.fit_report_.certificate.kind == "largest R-hat"
    assert model.chains_.names[:2] == ("n_components", "log_joint")
    assert model.chains_.effective_size().shape == (2,)
    assert model.n_iter_ == 400


def test_two_modes_are_told():
    """Chains too short to agree warn."""
    model = DirichletProcessMixture(method="gibbs", n_draws=8, n_warmup=0, random_state=0)
    with pytest.warns(ConvergenceWarning, match="chains have not met: largest R-hat"):
        model.fit(np.random.default_rng(0).standard_t(2, size=(200, 2)))


@pytest.mark.parametrize("scale", [1e-8, 1e8])
@BOTH
def test_units_do_not_matter(method, scale):
    one = DirichletProcessMixture(method=method, random_state=0).fit(X)
    two = DirichletProcessMixture(method=method, random_state=0).fit(X * scale)
    assert adjusted_rand_score(one.labels_, two.labels_) == 1.0


@BOTH
@pytest.mark.parametrize(
    "table",
    [np.zeros((1, 2)), np.zeros((5, 2)), np.tile(X[:1], (20, 1)), np.array([[1e9], [0.0], [1.0]])],
)
def test_degenerate_tables(method, table):
    model = DirichletProcessMixture(method=method, n_draws=50, n_warmup=50, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(table)
    assert np.isfinite(model.score_samples(table)).all()


def test_refusals():
    for options, words in (
        ({"alpha": -1.0}, "alpha must be a number above 0, got -1.0"),
        ({"method": "magic"}, "method must be one of 'gibbs', 'variational', got 'magic'"),
        ({"n_warmup": -1}, "n_warmup must be an integer of at least 0, got -1"),
        ({"max_components": 0}, "max_components must be an integer of at least 1, got 0"),
        ({"alpha": Gamma([1.0, 2.0], 1.0)}, "alpha must be a number or a single Gamma"),
        ({"base_prior": NormalInverseWishart([0.0], 1.0, [[1.0]], 2.0)}, "of 2 coordinates"),
    ):
        with pytest.raises(ValueError, match=f"DirichletProcessMixture: .*{words}"):
            DirichletProcessMixture(**options).fit(X)


@pytest.mark.parametrize("method", ["variational", "gibbs"])
def test_a_column_that_nobody_observed_is_refused(method):
    X = np.column_stack([np.arange(9.0), np.full(9, np.nan)])
    with pytest.raises(ValueError, match="X must be observed somewhere in every column"):
        DirichletProcessMixture(method=method, random_state=0).fit(X)


@pytest.mark.parametrize("kind", ["normal", "columns"])
@pytest.mark.parametrize("gaps", [False, True])
def test_weights_are_repetitions_in_memory_and_by_blocks(kind, gaps):
    """mixture.17: a weight of two is the row twice, of nothing no row."""
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(c, 0.3, size=(30, 2)) for c in (-4, 0, 4)])
    weight = rng.integers(0, 4, len(X)).astype(float)
    if gaps:
        X[rng.random(X.shape) < 0.1] = np.nan
    belief = NormalInverseGamma(0.0, 0.1, 2.0, 1.0) if kind == "columns" else None
    options = {
        "base_prior": belief,
        "max_components": 5,
        "tol": 1e-10,
        "random_state": 0,
    }
    plain = DirichletProcessMixture(**options).fit(np.repeat(X, weight.astype(int), axis=0))
    heavy = DirichletProcessMixture(**options).fit(X, sample_weight=weight)
    parts = [(X[p], weight[p]) for p in (slice(0, 25), slice(25, 90))]
    blocks = DirichletProcessMixture(**options).fit_blocks(parts)
    for model in (heavy, blocks):
        assert model.n_components_ == 3
        assert_allclose(model.weights_, plain.weights_, rtol=1e-8)
        assert_allclose(model.score_samples(X), plain.score_samples(X), atol=1e-8)
        assert_allclose(model.fit_report_.objective, plain.fit_report_.objective)


def test_sampled_partitions_take_no_weights():
    with pytest.raises(ValueError, match="method must be 'variational' for weights of rows"):
        DirichletProcessMixture(method="gibbs").fit([[0.0], [1.0]], sample_weight=[1.0, 2.0])
