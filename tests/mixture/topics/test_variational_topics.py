"""Variational inference of topics: its bound, its steps."""

import numpy as np
from numpy.testing import assert_allclose
from scipy.sparse import csr_array
from scipy.special import digamma, gammaln, logsumexp

from margin.distributions import Dirichlet
from margin.mixture.topics._variational_topics import (
    Schedule,
    TopicProblem,
    dirichlet_kl,
    learn_topics,
    online_steps,
    perplexity,
)

RNG = np.random.default_rng(0)
X = csr_array(RNG.poisson(1.0, size=(12, 7)).astype(float))
TOPICS = RNG.gamma(5.0, 1.0, size=(3, 7))
PROBLEM = TopicProblem(0.3, 0.2, 200, 1e-10, 1)


def start(n):
    return np.ones((n, 3))


def test_bound_written_out():
    """Expectation of the log joint plus entropies, with the responsibilities of every word."""
    found = PROBLEM.proportions(X, TOPICS)
    log_topics = digamma(TOPICS) - digamma(TOPICS.sum(axis=1))[:, None]
    log_theta = digamma(found.gamma) - digamma(found.gamma.sum(axis=1))[:, None]
    value = 0.0
    for d, row in enumerate(X.toarray()):
        table = log_theta[d][:, None] + log_topics
        phi = np.exp(table - logsumexp(table, axis=0))
        value += (row * (phi * (table - np.log(phi))).sum(axis=0)).sum()
    for rows, prior in ((found.gamma, 0.3), (TOPICS, 0.2)):
        log = digamma(rows) - digamma(rows.sum(axis=1))[:, None]
        k = rows.shape[1]
        value += len(rows) * (gammaln(k * prior) - k * gammaln(prior)) + ((prior - 1) * log).sum()
        value += (gammaln(rows).sum(axis=1) - gammaln(rows.sum(axis=1))).sum()
        value -= ((rows - 1) * log).sum()
    assert_allclose(PROBLEM.bound(TOPICS, found), value)


def test_proportions_are_a_fixed_point_and_counts_add_up():
    found = PROBLEM.proportions(X, TOPICS)
    expected = PROBLEM.expected_counts(X, TOPICS, found)
    assert_allclose(expected.sum(axis=0), X.sum(axis=0))
    assert_allclose(found.gamma.sum(axis=1), X.sum(axis=1) + 0.9)


def test_batch_steps_from_kept_proportions_never_lower_the_bound():
    """Coordinate ascent, on the smallest step."""
    at, begin, bounds = TOPICS, start(12), []
    for _ in range(30):
        found = PROBLEM.proportions(X, at, begin)
        bounds.append(PROBLEM.bound(at, found))
        at, begin = PROBLEM.eta + PROBLEM.expected_counts(X, at, found), found.gamma
    assert np.diff(bounds).min() > -1e-8


def test_online_step_of_all_documents_and_full_weight_is_a_batch_step():
    online, step, _ = online_steps(PROBLEM, X, TOPICS, Schedule(12, 0.0, 1.0), 1, 12, start)
    batch = learn_topics(
        PROBLEM,
        [X],
        TOPICS,
        Schedule(None, 0.7, 10.0),
        start,
        n_words=float(X.data.sum()),
        max_iter=1,
        evaluate_every=0,
        perp_tol=0.1,
        tell=lambda n, value: None,
    )
    assert step == 2
    assert_allclose(online, batch.x[0])


def test_perplexity_stops_the_passes():
    told = []
    solution = learn_topics(
        PROBLEM,
        [X],
        TOPICS,
        Schedule(None, 0.7, 10.0),
        start,
        n_words=float(X.data.sum()),
        max_iter=500,
        evaluate_every=5,
        perp_tol=1e-4,
        tell=lambda n, value: told.append(value),
    )
    assert solution.status.ok
    assert solution.n_iter < 500
    assert solution.n_iter % 5 == 0
    assert sum(v is not None for v in told) == solution.n_iter // 5


def test_divergence_and_perplexity():
    rows = RNG.gamma(2.0, 1.0, size=(1, 3))
    draws = RNG.dirichlet(rows[0], size=200_000)
    prior = np.array([0.5, 1.0, 2.0])
    sampled = Dirichlet(rows[0]).log_prob(draws) - Dirichlet(prior).log_prob(draws)
    assert_allclose(dirichlet_kl(rows, prior), sampled.mean(), atol=0.02)
    assert perplexity(-np.log(4.0) * 3, 3.0, 10) == np.exp(np.log(4.0))
    assert perplexity(0.0, 0.0, 10) == 10.0
