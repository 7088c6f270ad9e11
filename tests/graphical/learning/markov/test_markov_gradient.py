"""graphical.22: the likelihood gradient, and feature matching."""

import numpy as np
import pytest
from scipy.special import logsumexp

from margin.core import Status
from margin.graphical.learning.markov._log_linear import LogLinear
from margin.graphical.learning.markov._markov_gradient import maximise_likelihood

RNG = np.random.default_rng(0)
ROWS = RNG.integers(0, 2, (60, 3))
ISING = LogLinear(
    (2, 2, 2),
    ((0, 1), (1, 2), (0, 2), (0,)),
    tuple([np.array([[1.0, -1, -1, 1]])] * 3 + [np.array([[-1.0, 1.0]])]),
)


def test_features_match_at_the_optimum():
    """graphical.22 and graphical.23: data and model expectations agree."""
    found = maximise_likelihood(ISING, ROWS, np.ones(60), tol=1e-9)
    assert found.status is Status.CONVERGED
    shown = ISING.statistics(ISING.counts(ROWS, np.full(60, 1 / 60)))
    np.testing.assert_allclose(ISING.expectation(found.x)[1], shown, atol=1e-8)


def test_objective_is_the_mean_negative_log_likelihood():
    found = maximise_likelihood(ISING, ROWS, np.ones(60), tol=1e-9)
    logs = ISING.log_tables(found.x)
    states = np.array(np.meshgrid([0, 1], [0, 1], [0, 1], indexing="ij")).reshape(3, -1).T

    def mass(x):
        return sum(t[tuple(x[:, v] for v in s)] for t, s in zip(logs, ISING.scopes, strict=True))

    assert found.objective == pytest.approx(logsumexp(mass(states)) - mass(ROWS).mean())
    for _ in range(20):
        other = found.x + 0.1 * RNG.standard_normal(4)
        log_z = ISING.expectation(other)[0]
        shown = ISING.statistics(ISING.counts(ROWS, np.full(60, 1 / 60)))
        assert log_z - other @ shown > found.objective


def test_the_penalty_shrinks():
    free, held = (maximise_likelihood(ISING, ROWS, np.ones(60), alpha=a) for a in (0.0, 1.0))
    assert np.linalg.norm(held.x) < np.linalg.norm(free.x)


def test_unknown_values_are_summed_out():
    """Missing completely at random: the answer of many rows is that of complete ones."""
    rng = np.random.default_rng(1)
    x = rng.integers(0, 2, 4000)
    y = x ^ (rng.random(4000) < 0.2)
    rows = np.column_stack([x, y])
    family = LogLinear((2, 2), ((0, 1),), (np.array([[1.0, -1, -1, 1]]),))
    holes = np.where(rng.random(rows.shape) < 0.3, -1, rows)
    full = maximise_likelihood(family, rows, np.ones(4000))
    gaps = maximise_likelihood(family, holes, np.ones(4000))
    assert gaps.x[0] == pytest.approx(full.x[0], abs=0.06)
    assert full.x[0] == pytest.approx(0.5 * np.log(4.0), abs=0.06)
