"""Documents drawn from a topic model."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from margin.core import check
from margin.core.random import generator
from margin.core.types import Floats, Indices


class TopicDocuments(NamedTuple):
    """Counts of words (n_documents, V), topics (K, V), and proportions (n_documents, K)."""

    counts: Indices
    topics: Floats
    proportions: Floats


def sample_documents(
    n_documents: int,
    n_words: int,
    *,
    n_topics: int = 10,
    length: float = 100.0,
    doc_topic_prior: float = 0.1,
    topic_word_prior: float = 0.1,
    topics: ArrayLike | None = None,
    rng: Any = None,
) -> TopicDocuments:
    r"""Documents of latent Dirichlet allocation (mixture.18).

    .. math:: \phi_k \sim \mathrm{Dir}(\eta), \quad \theta_d \sim \mathrm{Dir}(a), \quad
              z_{dn} \sim \mathrm{Cat}(\theta_d), \quad w_{dn} \sim \mathrm{Cat}(\phi_{z_{dn}})

    Lengths are Poisson, and at least one.

    Parameters
    ----------
    n_documents, n_words, n_topics : int
        Documents, size of the vocabulary, topics.
    length : float
        Mean number of words of a document.
    doc_topic_prior, topic_word_prior : float
        :math:`a` and :math:`\eta`.
    topics : array-like of shape (K, V), optional
        Given topics, whose rows sum to one.
    rng : None, int or Generator

    Returns
    -------
    TopicDocuments

    Examples
    --------
    >>> made = sample_documents(5, 20, n_topics=3, rng=0)
    >>> made.counts.shape, made.topics.shape
    ((5, 20), (3, 20))
    """
    rng = generator(rng)
    if topics is None:
        phi = rng.dirichlet(np.full(n_words, topic_word_prior), size=n_topics)
    else:
        phi = np.asarray(topics, dtype=np.float64)
        if phi.ndim != 2 or phi.shape[1] != n_words or not np.allclose(phi.sum(axis=1), 1.0):
            need = f"of shape (K, {n_words}) with rows of sum 1"
            raise check.fail("sample_documents", "topics", need, topics)
    theta = rng.dirichlet(np.full(len(phi), doc_topic_prior), size=n_documents)
    lengths = np.maximum(rng.poisson(length, size=n_documents), 1)
    # Given the proportions words are independent: their counts are multinomial.
    law = theta @ phi
    counts = np.array(
        [rng.multinomial(n, p / p.sum()) for n, p in zip(lengths, law, strict=True)]
    ).reshape(n_documents, n_words)
    return TopicDocuments(counts, phi, theta)
