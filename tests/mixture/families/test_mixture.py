"""Mixtures of any distributions."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margin.core import FitError
from margin.distributions import (
    Bernoulli,
    Categorical,
    Exponential,
    Laplace,
    MultivariateNormal,
    Normal,
    NormalInverseGamma,
    Poisson,
    Product,
    ProductFamily,
    Uniform,
)
from margin.mixture import GaussianMixture, Mixture

RNG = np.random.default_rng(0)
MIXED = np.concatenate(
    [
        np.column_stack([RNG.normal(0, 1, 80), RNG.poisson(2, 80), RNG.random(80) < 0.2]),
        np.column_stack([RNG.normal(5, 1, 60), RNG.poisson(9, 60), RNG.random(60) < 0.8]),
    ]
)
FAMILY = ProductFamily([Normal, Poisson, Bernoulli], [[0], [1], [2]])


def test_density_responsibilities_and_draws():
    """mixture.01: by the definition, component by component."""
    model = Mixture([Normal(0.0, 1.0), Normal(4.0, 2.0)], tol=1e-9).fit(MIXED[:, :1])
    a, b = model.mixture_.components
    joint = np.column_stack([c.log_prob(MIXED[:, 0]) for c in (a, b)]) + np.log(model.weights_)
    assert_allclose(model.score_samples(MIXED[:, :1]), np.logaddexp(joint[:, 0], joint[:, 1]))
    assert_allclose(
        model.predict_proba(MIXED[:, :1]), np.exp(joint) / np.exp(joint).sum(1, keepdims=True)
    )
    drawn, labels = model.set_params(random_state=0).sample(4000)
    assert_allclose(drawn[labels == 1].mean(), b.mean, atol=0.2)


def test_a_mixture_of_normal_vectors_is_a_gaussian_mixture():
    """mixture.01: two engines agree, with gaps and weights."""
    X = MIXED[:, :2] + 0.1 * RNG.normal(size=(140, 2))
    X[RNG.random(X.shape) < 0.2] = np.nan
    weight = RNG.integers(1, 4, size=len(X)).astype(float)
    eye = np.eye(2)
    given = [MultivariateNormal([0.0, 2.0], eye), MultivariateNormal([5.0, 9.0], eye)]
    ours = Mixture(given, tol=1e-10, max_iter=500).fit(X, sample_weight=weight)
    other = GaussianMixture(
        2,
        means_init=[[0.0, 2.0], [5.0, 9.0]],
        weights_init=[0.5, 0.5],
        precisions_init=[eye, eye],
        reg_covar=0,
        tol=1e-10,
        max_iter=500,
    ).fit(X, sample_weight=weight)
    assert_allclose([c.mean for c in ours.mixture_.components], other.means_, atol=1e-5)
    assert_allclose([c.covariance for c in ours.mixture_.components], other.covariances_, atol=1e-4)
    assert_allclose(ours.lower_bound_, other.lower_bound_, rtol=1e-9)


def test_columns_of_several_kinds_with_gaps():
    """mixture.06: a product of unlike columns is a naive Bayes without labels."""
    X = MIXED.copy()
    X[RNG.random(X.shape) < 0.2] = np.nan
    model = Mixture(FAMILY, n_components=2, random_state=0, tol=1e-9).fit(X)
    assert np.diff(model.lower_bounds_).min() > -1e-10
    truth = np.arange(140) >= 80
    found = model.predict(X) == model.predict(MIXED[-1:])[0]
    assert (found == truth).mean() > 0.95
    part = model.mixture_.marginal([0])
    assert_allclose(
        part.log_prob(MIXED[:3, :1]),
        model.score_samples(np.column_stack([MIXED[:3, 0], np.full((3, 2), np.nan)])),
    )


def test_binary_columns_without_labels():
    """mixture.06: the fit is a fixed point of the two textbook updates."""
    X = (RNG.random((150, 4)) < np.where(np.arange(150) < 70, 0.2, 0.8)[:, None]).astype(float)
    given = [Bernoulli(np.full(4, 0.3)), Bernoulli(np.full(4, 0.7))]
    model = Mixture(given, tol=1e-12, max_iter=2000).fit(X)
    share = model.predict_proba(X)
    chance = share.T @ X / share.sum(axis=0)[:, None]
    assert_allclose(model.weights_, share.mean(axis=0), atol=1e-5)
    assert_allclose([c.mean for c in model.mixture_.components], chance, atol=1e-5)


def test_components_of_different_families_and_a_known_one():
    """mixture.01: exponential signal over a uniform background that stays as it is."""
    x = np.concatenate([RNG.exponential(0.5, 400), RNG.uniform(0, 20, 200)])[:, None]
    model = Mixture(
        components=[Exponential(1.0), Uniform(0.0, 20.0)], fixed=[False, True], tol=1e-9
    ).fit(x)
    signal, background = model.mixture_.components
    assert_allclose([float(background.low), float(background.high)], [0.0, 20.0])
    assert_allclose(signal.mean, 0.5, atol=0.1)
    assert_allclose(model.weights_, [2 / 3, 1 / 3], atol=0.06)


def test_blocks_are_the_whole():
    options = {"n_components": 2, "random_state": 0, "tol": 1e-9}
    whole = Mixture(FAMILY, **options).fit(MIXED)
    parts = Mixture(FAMILY, **options).fit_blocks(lambda: iter([MIXED[:50], MIXED[50:]]))
    assert_allclose(parts.weights_, whole.weights_, atol=1e-8)
    assert_allclose(
        [c.mean for c in parts.mixture_.components],
        [c.mean for c in whole.mixture_.components],
        atol=1e-7,
    )


def test_priors_keep_a_component_from_collapsing():
    """mixture.03: without a prior it stays as it was, and the report says so."""
    x = np.array([[0.0], [0.1], [0.2], [9.0]])
    given = [Normal(0.0, 1.0), Normal(9.0, 0.5)]
    plain = Mixture(given).fit(x)
    assert "stays as it was" in str(plain.fit_report_.repairs)
    assert np.isfinite(plain.score(x))
    prior = NormalInverseGamma(0.0, 0.01, 2.0, 1.0)
    careful = Mixture(given, priors=[prior, prior], weight_concentration=2.0).fit(x)
    assert not careful.fit_report_.repairs
    assert_allclose(careful.mixture_.components[1].mean, 9.0, atol=0.2)
    assert_allclose(careful.weights_, [4 / 6, 2 / 6], atol=1e-3)


@pytest.mark.parametrize("assignment", ["hard", "stochastic"])
def test_other_assignments(assignment):
    """mixture.05: all of a row to one component."""
    model = Mixture(
        components=[Normal(0.0, 1.0), Normal(5.0, 1.0)], assignment=assignment, random_state=0
    ).fit(MIXED[:, :1])
    assert_allclose(np.sort([c.mean for c in model.mixture_.components]), [0, 5], atol=0.5)
    if assignment == "hard":
        labels = model.predict(MIXED[:, :1])
        assert_allclose(model.weights_, np.bincount(labels) / len(MIXED))


def test_states_and_products_to_start_from():
    row = [
        Product([Normal([m], 1.0), Categorical([[p, 1 - p]])], [[0], [1]])
        for m, p in ((0.0, 0.6), (5.0, 0.4))
    ]
    model = Mixture(row, tol=1e-8).fit(MIXED[:, [0, 2]])
    assert_array_equal(model.predict(MIXED[[0, -1]][:, [0, 2]]), [0, 1])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"components": []}, "components must be at least one"),
        ({"components": [3]}, "components must be distributions, or families"),
        ({"components": [Normal(0, 1), Normal]}, "components must be all distributions"),
        ({"components": [Normal(0, 1)], "n_components": 2}, "n_components must be the number"),
        ({"components": [Normal(0, 1)], "weights": [0.5, 0.5]}, "weights must be one for each"),
        (
            {"components": Normal, "n_components": 2, "fixed": [True, True]},
            "fixed must be of components",
        ),
        ({"components": [Normal([0.0, 1.0], 1.0)]}, "components must be of 3 columns"),
        ({"weight_concentration": 0.5}, "weight_concentration must be a number of at least 1"),
        ({"n_components": 999}, "X must be at least 999 samples"),
    ],
)
def test_bad_settings_are_refused(options, message):
    with pytest.raises(ValueError, match=f"Mixture: {message}"):
        Mixture(**options).fit(MIXED)


def test_rows_that_no_component_can_have_made_are_told_of():
    with pytest.raises(FitError, match="Mixture: no component can have made"):
        Mixture([Uniform(0.0, 1.0), Uniform(2.0, 3.0)], fixed=[True, True]).fit([[0.5], [9.0]])


def test_a_row_that_nothing_can_have_made_is_named():
    """A log-likelihood of minus infinity is refused with the row, and no mixture is left behind."""
    model = Mixture([Uniform(0.0, 1.0), Uniform(0.0, 2.0)], fixed=[True, True])
    with pytest.raises(FitError, match=r"Mixture: no component can have made the row \[5.0\]"):
        model.fit([[0.1], [0.4], [5.0]])
    assert not hasattr(model, "mixture_")
    weighted = model.fit([[0.1], [0.4], [5.0]], sample_weight=[1, 1, 0])
    assert np.isfinite(weighted.lower_bound_)
    assert weighted.score_samples([[5.0]])[0] == -np.inf


@pytest.mark.parametrize("acceleration", ["squarem", "anderson"])
def test_acceleration_reaches_the_same_place_sooner(acceleration):
    """inference.30: the bound stays monotone, and slow mixtures need fewer iterations."""
    rng = np.random.default_rng(1)
    X = np.concatenate([rng.normal(0, 1, 150), rng.normal(2.5, 1, 150)])[:, None]
    start = [Normal([-1.0], [2.0]), Normal([4.0], [0.5])]
    plain = Mixture(start, tol=1e-9, max_iter=5000).fit(X)
    fast = Mixture(start, acceleration=acceleration, tol=1e-9, max_iter=5000).fit(X)
    assert fast.n_iter_ < plain.n_iter_ / 2
    assert fast.lower_bound_ >= plain.lower_bound_ - 1e-6
    assert np.diff(fast.lower_bounds_).min() > -1e-10


def test_acceleration_is_refused_where_parameters_are_not_free():
    with pytest.raises(ValueError, match="Mixture: acceleration must be None for components such"):
        Mixture([Uniform(0.0, 9.0), Normal(0.0, 1.0)], acceleration="squarem").fit([[1.0], [2.0]])
    still = Mixture(
        [Uniform(0.0, 9.0), Normal(0.0, 1.0)], acceleration="squarem", fixed=[True, False]
    )
    assert still.fit(np.linspace(0.5, 3, 9)[:, None]).converged_


def test_annealing_is_never_below_the_plain_search():
    """inference.30: with gaps, from the same start."""
    X = MIXED.copy()
    X[RNG.random(X.shape) < 0.2] = np.nan
    for seed in range(2):
        options = {"n_components": 3, "random_state": seed, "tol": 1e-6, "max_iter": 2000}
        plain = Mixture(FAMILY, **options).fit(X)
        cooled = Mixture(FAMILY, assignment="annealed", **options).fit(X)
        assert cooled.lower_bound_ >= plain.lower_bound_ - 1e-12


def test_batches_come_to_the_fit():
    """inference.30: online steps over the same rows again and again, with priors and weights."""
    prior = [NormalInverseGamma([0.0], [1.0], [2.0], [1.0]), None, None]
    mixed = MIXED[np.random.default_rng(3).permutation(140)]
    start = Mixture(FAMILY, n_components=2, random_state=0, max_iter=3, tol=0).set_params(tol=1.0)
    given = start.fit(mixed).mixture_
    options = {"priors": [prior, prior], "weights": given.weights, "tol": 1e-11}
    online = Mixture(list(given.components), learning_decay=0.7, **options)
    for _ in range(30):
        for part in np.array_split(mixed, 4):
            online.partial_fit(part, sample_weight=np.full(len(part), 2.0))
    assert online.n_iter_ == 120
    whole = Mixture(list(given.components), max_iter=2000, **options)
    whole.fit(np.tile(mixed, (30, 1)), sample_weight=np.full(30 * 140, 2.0))
    assert_allclose(online.weights_, whole.weights_, atol=0.01)
    for a, b in zip(online.mixture_.components, whole.mixture_.components, strict=True):
        assert_allclose(a.mean, b.mean, atol=0.05)


def test_one_batch_is_one_step_and_priors_count_against_all_that_was_seen():
    prior = NormalInverseGamma([0.0], [4.0], [2.0], [3.0])
    X = MIXED[:, :1]
    model = Mixture([Normal([1.0], [1.0])], priors=[prior], learning_decay=1.0)
    for part in np.array_split(X, 4):
        model.partial_fit(part)
    want = Normal.fit(Normal.statistics(X), prior)
    assert_allclose(model.mixture_.components[0].mean, want.mean)
    assert_allclose(model.mixture_.components[0].std, want.std)
    assert "online" in model.fit_report_.solver


def test_families_that_keep_their_rows_are_refused_batches():
    with pytest.raises(ValueError, match="Mixture: components must be families with statistics of"):
        Mixture([Laplace(0.0, 1.0)]).partial_fit([[1.0], [2.0]])
