"""Collapsed Gibbs sampling against the exact posterior (mixture.17)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.distributions import Gamma, GammaPoisson, NormalInverseWishart, NormalMean
from margin.mixture import ChineseRestaurantProcess, exact_partition_posterior
from margin.mixture.processes._bases import base_of
from margin.mixture.processes._gibbs import next_alpha, sample_partitions

RNG = np.random.default_rng(3)
CASES = {
    "golden": (np.array([[-1.0], [0.0], [5.0]]), NormalMean(0.0, 3.0, 1.0), 1.0),
    "full": (
        RNG.normal(size=(5, 2)),
        NormalInverseWishart(np.zeros(2), 0.5, np.eye(2), 4.0),
        1.3,
    ),
    "counts": (RNG.poisson([[1], [1], [6], [9]]).astype(float), GammaPoisson(1.0, 0.3), 0.8),
    "holes": (
        np.array([[0.0, np.nan], [0.2, 4.0], [np.nan, 4.5], [3.0, 0.0]]),
        NormalMean(0.0, 2.0, 1.0),
        1.0,
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_frequencies_are_the_posterior(case):
    """mixture.17: shares of every partition in the long run, and of every number of clusters."""
    X, prior, alpha = CASES[case]
    exact = exact_partition_posterior(X, prior, alpha)
    found = sample_partitions(
        base_of("Test", prior, X),
        X,
        alpha,
        n_draws=6000,
        n_warmup=20,
        n_chains=2,
        thin=1,
        rng=np.random.default_rng(0),
        owner="Test",
    )
    labels = found.labels.reshape(-1, len(X))
    shares = np.array([(labels == z).all(axis=1).mean() for z in exact.labels])
    assert_allclose(shares.sum(), 1.0)
    # neighbouring draws are alike: five errors of a sixth of them
    error = np.sqrt(exact.probabilities * (1 - exact.probabilities) / (len(labels) / 6))
    assert (np.abs(shares - exact.probabilities) < 5 * error + 1e-3).all()
    assert found.chains.solution.certificate.holds


def test_holes_of_full_covariances_are_integrated_out():
    """mixture.17: the posterior given what was observed, by quadrature over the missing entry."""
    prior = NormalInverseWishart(np.zeros(2), 0.5, np.array([[1.0, 0.4], [0.4, 1.0]]), 4.0)
    X = np.array([[0.0, 0.2], [1.4, np.nan], [1.2, 2.0], [0.3, -1.5]])
    nodes, joint = np.linspace(-40.0, 40.0, 801), []
    for X[1, 1] in nodes:
        exact = exact_partition_posterior(X, prior, 0.9)
        joint.append(np.exp(exact.log_evidence) * exact.probabilities)
    table = np.array(joint) / np.sum(joint)
    X[1, 1] = np.nan
    drawn = sample_partitions(
        base_of("Test", prior, X), X, 0.9, n_draws=12_000, n_warmup=20, n_chains=2, thin=1,
        rng=np.random.default_rng(1), owner="Test",
    )  # fmt: skip
    labels = drawn.labels.reshape(-1, len(X))
    shares = np.array([(labels == z).all(axis=1).mean() for z in exact.labels])
    assert_allclose(shares, table.sum(axis=0), atol=0.02)
    assert drawn.filled.shape == (2, 12_000, 1)
    below = np.cumsum(table.sum(axis=1))
    for point in (-2.0, -0.5, 0.5, 1.0, 2.0, 4.0):
        truth = np.interp(point, nodes + 0.05, below)
        assert abs((drawn.filled <= point).mean() - truth) < 0.02


def test_concentration():
    """Its draws given k and n follow the posterior, whose mean is an integral over a grid."""
    prior, k, n = Gamma(2.0, 1.5), 4, 30
    grid = np.linspace(1e-3, 12, 4000)
    log_post = [
        ChineseRestaurantProcess(a).log_prob_sizes([n - k + 1] + [1] * (k - 1)) for a in grid
    ]
    log_post = np.array(log_post) + prior.log_prob(grid)
    weight = np.exp(log_post - log_post.max())
    truth = (grid * weight).sum() / weight.sum()
    rng, alpha, draws = np.random.default_rng(0), 1.0, []
    for _ in range(20_000):
        alpha = next_alpha(alpha, prior, k, n, rng)
        draws.append(alpha)
    assert abs(np.mean(draws) - truth) < 0.05


def test_learned_concentration_is_a_quantity_of_the_chains():
    X = np.random.default_rng(0).normal(size=(20, 1))
    found = sample_partitions(
        base_of("Test", None, X),
        X,
        Gamma(1.0, 1.0),
        n_draws=30,
        n_warmup=5,
        n_chains=2,
        thin=2,
        rng=np.random.default_rng(0),
        owner="Test",
    )
    assert found.chains.names == ("n_components", "log_joint", "alpha")
    assert found.labels.shape == (2, 30, 20)
    numbers = found.labels.max(axis=2) + 1
    assert_allclose(found.chains.draws[:, :, 0], numbers)
