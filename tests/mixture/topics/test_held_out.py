"""Held-out probability from left to right, and coherence."""

from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import gammaln, logsumexp

from margin.mixture import topic_coherence
from margin.mixture.topics._corpus import Corpus
from margin.mixture.topics._held_out import left_to_right, top_words

PHI = np.array([[0.7, 0.2, 0.1], [0.1, 0.1, 0.8]])
PRIOR = np.array([0.4, 0.9])


def exact(words):
    """Log probability of a document, summed over all topics of its words."""
    values = []
    for z in product([0, 1], repeat=len(words)):
        n = np.bincount(z, minlength=2)
        value = (gammaln(n + PRIOR) - gammaln(PRIOR)).sum() + gammaln(PRIOR.sum())
        value -= gammaln(len(words) + PRIOR.sum())
        values.append(value + np.log(PHI[list(z), words]).sum())
    return logsumexp(values)


@pytest.mark.parametrize("n_threads", [1, 2])
def test_against_enumeration(n_threads):
    """mixture.18: with many particles it is the sum over all assignments."""
    words = [np.array(w, dtype=np.int32) for w in ([0], [0, 2, 2], [1, 0, 2, 2, 1, 0], [])]
    first = np.concatenate([[0], np.cumsum([len(w) for w in words])])
    corpus = Corpus(first, np.concatenate(words).astype(np.int32))
    rng = np.random.default_rng(0)
    found = left_to_right(corpus, PHI, PRIOR, 4000, rng, n_threads)
    assert_allclose(found, [exact(w) if len(w) else 0.0 for w in words], atol=0.03)


def test_few_particles_have_no_bias():
    """The mean of the probability itself, over seeds, is right even with one particle."""
    words = np.array([0, 2, 2, 0], dtype=np.int32)
    corpus = Corpus(np.arange(0, 4 * 3001, 4), np.tile(words, 3000))
    found = np.exp(left_to_right(corpus, PHI, PRIOR, 1, np.random.default_rng(0), 1))
    assert abs(found.mean() - np.exp(exact(words))) < 5 * found.std() / np.sqrt(3000)


def test_top_words():
    assert top_words([[0.2, 0.2, 0.6]], 5).tolist() == [[2, 0, 1]]


def test_coherence_written_out():
    rng = np.random.default_rng(0)
    X = rng.poisson(0.5, size=(40, 6))
    topics = rng.dirichlet(np.ones(6), size=3)
    seen = X > 0
    for measure in ("npmi", "umass"):
        truth = []
        for row in topics:
            best, values = np.argsort(-row)[:3], []
            for i in range(3):
                for j in range(i + 1, 3):
                    v, w = best[i], best[j]
                    both = (seen[:, v] & seen[:, w]).mean()
                    if measure == "umass":
                        values.append(np.log((both * 40 + 1) / seen[:, v].sum()))
                    else:
                        ratio = both / seen[:, v].mean() / seen[:, w].mean()
                        values.append(np.log(ratio) / -np.log(both) if both else -1.0)
            truth.append(np.mean(values))
        assert_allclose(topic_coherence(topics, X, n_words=3, measure=measure), truth)


def test_refusals():
    with pytest.raises(ValueError, match="measure must be 'npmi' or 'umass', got 'c_v'"):
        topic_coherence(PHI, np.eye(3), measure="c_v")
    with pytest.raises(ValueError, match="n_words must be at least 2"):
        topic_coherence(PHI, np.eye(3), n_words=1)
