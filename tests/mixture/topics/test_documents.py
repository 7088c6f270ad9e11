"""Documents drawn from a topic model (mixture.18)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.mixture import sample_documents


def test_marginals():
    """mixture.18: a word by itself is uniform, and two words of one document agree more often."""
    made = sample_documents(4000, 5, n_topics=3, length=30, topics=None, rng=0)
    assert made.counts.shape == (4000, 5)
    assert made.proportions.shape == (4000, 3)
    assert_allclose(made.counts.sum() / 4000, 30, rtol=0.02)
    shares = made.counts.sum(axis=0) / made.counts.sum()
    assert_allclose(shares, made.proportions.mean(axis=0) @ made.topics, atol=0.01)


def test_given_topics():
    phi = np.array([[1.0, 0.0], [0.0, 1.0]])
    made = sample_documents(50, 2, topics=phi, doc_topic_prior=1e-3, rng=0)
    assert ((made.counts == 0).sum(axis=1) >= 1).mean() > 0.9
    with pytest.raises(ValueError, match="topics must be of shape"):
        sample_documents(5, 3, topics=phi)
