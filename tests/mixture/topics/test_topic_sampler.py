"""Sweeps over topics against all assignments of a tiny corpus (mixture.18)."""

from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import gammaln

from margin.mixture.topics._corpus import Corpus
from margin.mixture.topics._topic_sampler import TopicSampler

CORPUS = Corpus(np.array([0, 3, 5]), np.array([0, 0, 1, 1, 2], dtype=np.int32))
PRIOR, ETA = np.array([0.5, 0.8]), 0.4


def log_joint(z):
    """Log probability of words and topics of CORPUS, everything else integrated out."""
    z, value = np.asarray(z), 0.0
    for d in range(2):
        part = z[CORPUS.first[d] : CORPUS.first[d + 1]]
        n = np.bincount(part, minlength=2)
        value += (gammaln(n + PRIOR) - gammaln(PRIOR)).sum()
        value += gammaln(PRIOR.sum()) - gammaln(n.sum() + PRIOR.sum())
    for k in range(2):
        n = np.bincount(CORPUS.word[z == k], minlength=3)
        value += (gammaln(n + ETA) - gammaln(ETA)).sum()
        value += gammaln(3 * ETA) - gammaln(n.sum() + 3 * ETA)
    return value


@pytest.mark.parametrize("collapsed", [True, False])
def test_frequencies_are_the_posterior(collapsed):
    """mixture.18: both samplers leave the same law, that of all 32 assignments."""
    every = np.array(list(product([0, 1], repeat=5)))
    truth = np.exp([log_joint(z) for z in every])
    truth /= truth.sum()
    sampler = TopicSampler(CORPUS, 3, ETA, collapsed, 7, 1)
    rng = np.random.default_rng(0)
    at = sampler.start(2, rng)
    seen = []
    for sweep in range(12_000):
        at = sampler.swept(at, PRIOR, sweep, rng)
        seen.append(int("".join(map(str, at.topic)), 2))
    shares = np.bincount(seen, minlength=32) / len(seen)
    assert_allclose(shares, truth, atol=0.015)


def test_log_probability():
    sampler = TopicSampler(CORPUS, 3, ETA, True, 0, 1)
    z = np.array([0, 1, 1, 0, 0], dtype=np.int32)
    table = np.zeros((3, 2), dtype=np.int32)
    np.add.at(table, (CORPUS.word, z), 1)
    documents = 0.0
    for d in range(2):
        n = np.bincount(z[CORPUS.first[d] : CORPUS.first[d + 1]], minlength=2)
        documents += (gammaln(n + PRIOR) - gammaln(PRIOR)).sum()
        documents += gammaln(PRIOR.sum()) - gammaln(n.sum() + PRIOR.sum())
    assert_allclose(sampler.log_prob(table), log_joint(z) - documents)
