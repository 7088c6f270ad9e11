"""The variational posterior: its bound, its steps, its answer."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.distributions import Gamma, GammaPoisson, NormalMean
from margin.mixture import exact_partition_posterior
from margin.mixture.finite._row_groups import Table
from margin.mixture.processes._bases import base_of
from margin.mixture.processes._variational import StickPosterior, variational_posterior

RNG = np.random.default_rng(0)
X = np.concatenate([RNG.normal(c, 0.3, size=(30, 2)) for c in (-3, 0, 3)])


def posterior(X, prior=None, alpha=1.0, k=8, **changes):
    options = {"n_init": 1, "tol": 1e-9, "max_iter": 2000, **changes}
    return variational_posterior(
        base_of("Test", prior, X),
        Table.of(X, None, split=False),
        alpha,
        k,
        rng=np.random.default_rng(0),
        **options,
    )


@pytest.mark.parametrize("alpha", [1.0, Gamma(2.0, 1.0)])
@pytest.mark.parametrize("holes", [False, True])
def test_bound_never_falls(alpha, holes):
    """On the smallest step of all; with holes, and with a concentration that is learned."""
    table = X.copy()
    if holes:
        table[RNG.random(X.shape) < 0.15] = np.nan
    solution = posterior(table, alpha=alpha)
    assert solution.extras["smallest_step"] > -1e-7
    assert solution.status.ok
    assert_allclose(solution.x.weights.sum(), 1.0)


@pytest.mark.parametrize("alpha", [1.0, 0.4])
def test_bound_is_below_the_evidence(alpha):
    """And near it where rows leave no doubt; the exact evidence is a sum over partitions."""
    rows, prior = np.array([[-6.0], [-5.5], [6.0], [6.3]]), NormalMean(0.0, 5.0, 0.5)
    bound = -posterior(rows, prior, alpha, n_init=5).objective
    exact = exact_partition_posterior(rows, prior, alpha)
    assert bound < exact.log_evidence
    assert bound > exact.log_evidence - 3.0


def test_components_and_empty_ones():
    solution = posterior(X)
    at: StickPosterior = solution.x
    share = solution.extras["shares"]
    assert len(np.unique(share.argmax(axis=1))) == 3
    assert_allclose(np.sort(at.weights)[-3:].sum(), 1.0, atol=0.05)


def test_counts():
    """Other families take the same steps."""
    counts = np.concatenate([RNG.poisson(1, (40, 1)), RNG.poisson(30, (40, 1))]).astype(float)
    solution = posterior(counts, GammaPoisson(1.0, 0.1))
    labels = solution.extras["shares"].argmax(axis=1)
    assert len(set(labels[:40])) == len(set(labels[40:])) == 1
    assert solution.extras["smallest_step"] > -1e-8


def test_learned_concentration():
    """Six clusters speak for a larger concentration than one."""
    prior, centres = NormalMean(0.0, 10.0, 0.3), np.repeat([-15, -9, -3, 3, 9, 15], 10)
    noise = RNG.normal(0, 0.3, size=(60, 1))
    options = {"alpha": Gamma(2.0, 1.0), "k": 15, "n_init": 3}
    few = posterior(noise, prior, **options).x.alpha
    many = posterior(noise + centres[:, None], prior, **options).x.alpha
    assert few < many
