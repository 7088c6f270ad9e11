"""Priors of Gaussian mixtures (MAP, distributions.26): closed forms, and no better point near."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import invgamma, invwishart, multivariate_normal, norm

from margin.distributions import NormalInverseGamma, NormalInverseWishart
from margin.mixture import GaussianMixture
from margin.mixture.finite._conjugate_prior import ConjugatePrior
from margin.mixture.finite._gaussians import Gaussians

rng = np.random.default_rng(4)
X = np.vstack([rng.normal(-2, 1, (40, 2)), rng.normal(3, 0.5, (60, 2)) * [1, 4]])
WISHART = NormalInverseWishart([0.5, 1.0], 3.0, [[2.0, 0.5], [0.5, 4.0]], 6.0)
GAMMA = NormalInverseGamma([0.5, 1.0], 3.0, 4.0, [2.0, 5.0])
BELIEFS = {"full": WISHART, "tied": WISHART, "diag": GAMMA}


def gaussians(kind):
    means = np.array([[-2.0, -1.5], [3.0, 11.0]])
    matrices = np.array([[[1.0, 0.2], [0.2, 1.5]], [[0.4, 0.0], [0.0, 3.0]]])
    spread = {"full": matrices, "tied": matrices[0], "diag": np.array([[1.0, 1.5], [0.4, 3.0]])}
    return Gaussians.of(np.array([0.4, 0.6]), means, spread[kind], kind)[0]


@pytest.mark.parametrize("kind", BELIEFS)
def test_log_density_is_that_of_scipy(kind):
    at, belief = gaussians(kind), BELIEFS[kind]
    expected = 0.5 * np.log([0.4, 0.6]).sum()
    if kind == "diag":
        expected += invgamma(4.0, scale=[2.0, 5.0]).logpdf(at.covariances).sum()
        expected += norm([0.5, 1.0], np.sqrt(at.covariances / 3)).logpdf(at.means).sum()
    else:
        matrices = at.covariances[None] if kind == "tied" else at.covariances
        law = invwishart(6.0, [[2.0, 0.5], [0.5, 4.0]])
        expected += sum(law.logpdf(matrix) for matrix in matrices)
        every = np.broadcast_to(matrices, (2, 2, 2))
        for mean, matrix in zip(at.means, every, strict=True):
            expected += multivariate_normal([0.5, 1.0], matrix / 3).logpdf(mean)
    assert_allclose(ConjugatePrior(belief, 1.5).log_prob(at), expected, rtol=1e-12)


@pytest.mark.parametrize("kind", BELIEFS)
def test_one_component_is_the_mode_of_the_posterior(kind):
    model = GaussianMixture(1, covariance_type=kind, prior=BELIEFS[kind], reg_covar=0.0).fit(X)
    n, mean = len(X), X.mean(axis=0)
    at = (n * mean + 3 * np.array([0.5, 1.0])) / (n + 3)
    assert_allclose(model.means_[0], at, rtol=1e-10)
    moved = at - [0.5, 1.0]
    if kind == "diag":
        rate = [2.0, 5.0] + 0.5 * (((X - at) ** 2).sum(axis=0) + 3 * moved**2)
        expected = rate / (4.0 + 0.5 * n + 1.5)
    else:
        scatter = (X - at).T @ (X - at) + 3 * np.outer(moved, moved)
        expected = (np.array([[2.0, 0.5], [0.5, 4.0]]) + scatter) / (n + 6 + 2 + 2)
    found = model.covariances_ if kind == "tied" else model.covariances_[0]
    assert_allclose(found, expected, rtol=1e-9)


@pytest.mark.parametrize("kind", BELIEFS)
@pytest.mark.parametrize("gaps", [False, True])
def test_the_bound_never_falls_and_counts_the_prior(kind, gaps):
    rows = X.copy()
    if gaps:
        rows[::7, 0] = np.nan
    model = GaussianMixture(
        2, covariance_type=kind, prior=BELIEFS[kind], weight_concentration=1.5, tol=1e-9,
        max_iter=500, random_state=0,
    ).fit(rows)  # fmt: skip
    bounds = np.array(model.lower_bounds_)
    assert np.all(np.diff(bounds) >= -1e-9)
    at = Gaussians.of(model.weights_, model.means_, model.covariances_, kind)[0]
    density = ConjugatePrior(BELIEFS[kind], 1.5).log_prob(at)
    expected = model.score(rows) + density / len(rows)
    assert_allclose(model.lower_bound_, expected, atol=1e-4)


@pytest.mark.parametrize("kind", BELIEFS)
def test_no_step_beside_the_mode_is_more_probable(kind):
    model = GaussianMixture(
        2, covariance_type=kind, prior=BELIEFS[kind], weight_concentration=3.0, reg_covar=0.0,
        tol=1e-12, max_iter=2000, random_state=0,
    ).fit(X)  # fmt: skip
    prior = ConjugatePrior(BELIEFS[kind], 3.0)

    def posterior(weights, means, covariances):
        at = Gaussians.of(weights / weights.sum(), means, covariances, kind)[0]
        matrices = [np.diag(c) for c in covariances] if kind == "diag" else covariances
        every = np.broadcast_to(matrices, (2, 2, 2))
        laws = [multivariate_normal(m, c) for m, c in zip(means, every, strict=True)]
        joint = np.column_stack([law.logpdf(X) for law in laws]) + at.log_weights
        return np.logaddexp.reduce(joint, axis=1).sum() + prior.log_prob(at)

    best = posterior(model.weights_, model.means_, model.covariances_)
    for _ in range(20):
        near = posterior(
            model.weights_ * (1 + 0.01 * rng.normal(size=2)),
            model.means_ + 0.01 * rng.normal(size=(2, 2)),
            model.covariances_ * (1 + 0.01 * rng.normal()),
        )
        assert near <= best + 1e-9


def test_concentration_keeps_components_alive():
    weights = ConjugatePrior(None, 5.0).weights(np.array([10.0, 0.0]))
    assert_allclose(weights, [14 / 18, 4 / 18])
    model = GaussianMixture(2, weight_concentration=50.0, random_state=0).fit(X)
    assert abs(model.weights_[0] - 0.5) < abs(
        GaussianMixture(2, random_state=0).fit(X).weights_[0] - 0.5
    )


def test_a_prior_keeps_a_lone_row_from_collapsing():
    rows = np.vstack([X, [[60.0, 60.0]]])
    model = GaussianMixture(3, prior=WISHART, reg_covar=0.0, random_state=0).fit(rows)
    assert np.linalg.eigvalsh(model.covariances_).min() > 0.05


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"prior": GAMMA}, "GaussianMixture: prior must be a NormalInverseWishart for full"),
        ({"prior": WISHART, "covariance_type": "diag"}, "prior must be a NormalInverseGamma"),
        ({"prior": WISHART, "covariance_type": "spherical"}, "prior must be None for spherical"),
        ({"prior": NormalInverseWishart(np.zeros(3), 1.0, np.eye(3), 4.0)}, "about 2 columns"),
        ({"weight_concentration": 0.5}, "weight_concentration must be a number of at least 1"),
    ],
)
def test_another_prior_is_refused(wrong, message):
    with pytest.raises((ValueError, TypeError), match=message):
        GaussianMixture(2, **wrong).fit(X)
