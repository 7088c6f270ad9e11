"""graphical.26: pseudo-likelihood."""

import numpy as np
import pytest
from scipy.special import logsumexp

from margin.graphical.learning.markov._log_linear import LogLinear
from margin.graphical.learning.markov._markov_gradient import maximise_likelihood
from margin.graphical.learning.markov._pseudo_likelihood import maximise_pseudo_likelihood

PAIR = np.array([[1.0, -1, -1, 1]])


def test_value_by_the_definition():
    rng = np.random.default_rng(0)
    family = LogLinear((2, 3, 2), ((0, 1), (2, 1)), (None, None))
    rows = rng.integers(0, 6, (40, 3)) % np.array([2, 3, 2])
    found = maximise_pseudo_likelihood(family, rows, np.ones(40), alpha=0.1, tol=1e-8)
    logs = family.log_tables(found.x)
    total = 0.0
    for x in rows:
        for v in range(3):
            scores = []
            for s in range(family.cards[v]):
                z = x.copy()
                z[v] = s
                scores.append(logs[0][z[0], z[1]] + logs[1][z[2], z[1]])
            total -= scores[x[v]] - logsumexp(scores)
    assert found.objective == pytest.approx(total / 40 + 0.05 * found.x @ found.x)
    assert found.certificate.holds


def test_equal_to_the_likelihood_for_independent_variables():
    rows = np.random.default_rng(1).integers(0, 2, (50, 2))
    family = LogLinear((2, 2), ((0,), (1,)), (np.array([[0.0, 1]]),) * 2)
    a = maximise_pseudo_likelihood(family, rows, np.ones(50), tol=1e-9)
    b = maximise_likelihood(family, rows, np.ones(50), tol=1e-9)
    np.testing.assert_allclose(a.x, b.x, atol=1e-7)
    assert a.objective == pytest.approx(b.objective)


def test_consistent_for_an_ising_ring():
    """graphical.26: exact on the true distribution."""
    rng = np.random.default_rng(2)
    family = LogLinear((2,) * 5, tuple((i, (i + 1) % 5) for i in range(5)), (PAIR,) * 5)
    weights = np.array([0.5, -0.3, 0.4, 0.2, -0.6])
    states = np.array(np.meshgrid(*[[0, 1]] * 5, indexing="ij")).reshape(5, -1).T
    logs = family.log_tables(weights)
    mass = sum(t[tuple(states[:, v] for v in s)] for t, s in zip(logs, family.scopes, strict=True))
    p = np.exp(mass - logsumexp(mass))
    exact = maximise_pseudo_likelihood(family, states, p, tol=1e-9)
    np.testing.assert_allclose(exact.x, weights, atol=1e-6)
    sample = states[rng.choice(32, 4000, p=p)]
    np.testing.assert_allclose(
        maximise_pseudo_likelihood(family, sample, np.ones(4000)).x, weights, atol=0.1
    )


def test_a_variable_without_clique_is_uniform():
    family = LogLinear((2, 3), ((0,),), (np.array([[0.0, 1]]),))
    found = maximise_pseudo_likelihood(family, np.array([[0, 2], [1, 1]]), np.ones(2))
    assert found.objective == pytest.approx(np.log(2) + np.log(3))
