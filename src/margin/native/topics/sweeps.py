"""Gibbs sweeps over the topics of words, and the probability of documents from left to right."""

import numpy as np
from numpy.typing import NDArray

from margin.native import _native

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]
Indices = NDArray[np.int64]


def collapsed(
    first: Indices,
    word: Ints,
    topic: Ints,
    word_topic: Ints,
    prior: Floats,
    eta: float,
    seed: int,
    sweep: int,
) -> tuple[Ints, Ints]:
    r"""Topics of all words, drawn one after the other given all others.

    .. math:: p(z_i = k) \propto (n_{dk} + a_k) \frac{n_{wk} + \eta}{n_k + V\eta}

    Parameters
    ----------
    first : ndarray of shape (n_documents + 1,)
        Where the words of each document begin.
    word, topic : ndarray of shape (n,)
        Words by number, and the topic of each.
    word_topic : ndarray of shape (n_words, n_topics)
        How often each word has each topic.
    prior : ndarray of shape (n_topics,)
        Weights of the topics in a document.
    eta : float
        Weight of every word in a topic.
    seed, sweep : int
        Key of the random numbers.

    Returns
    -------
    topic, word_topic : ndarrays
        New ones; what was given stays.
    """
    topic, word_topic = topic.copy(), word_topic.copy()
    _native.collapsed_topic_sweep(first, word, topic, word_topic, prior, eta, seed, sweep)
    return topic, word_topic


def delayed(
    first: Indices,
    word: Ints,
    topic: Ints,
    word_topic: Ints,
    prior: Floats,
    eta: float,
    seed: int,
    sweep: int,
    n_parts: int,
    n_threads: int,
) -> tuple[Ints, Ints] | None:
    """Nearly the same, in parts of the documents that do not see each other's draws.

    The sizes of the topics are those of some hundred words before. The law is not quite that of
    :func:`collapsed`; threads share the parts, on whose number (and not on that of the threads)
    the answer depends. ``None`` for more than 64 topics, or weights beyond single precision.
    """
    topic, word_topic = topic.copy(), word_topic.copy()
    able = _native.delayed_topic_sweep(
        first, word, topic, word_topic, prior, eta, seed, sweep, n_parts, n_threads
    )
    return (topic, word_topic) if able else None


def given_topics(
    first: Indices,
    word: Ints,
    topic: Ints,
    word_given_topic: Floats,
    prior: Floats,
    seed: int,
    sweep: int,
    n_threads: int,
) -> tuple[Ints, Ints]:
    r"""The same with given topics, :math:`p(z_i = k) \propto (n_{dk} + a_k)\,\phi_{wk}`.

    Documents do not depend on each other, so threads share them; every document has its own
    random numbers. ``word_given_topic`` has a row for each word.
    """
    topic = topic.copy()
    word_topic = np.empty(word_given_topic.shape, dtype=np.int32)
    _native.given_topics_sweep(
        first, word, topic, word_given_topic, prior, seed, sweep, word_topic, n_threads
    )
    return topic, word_topic


def left_to_right(
    first: Indices,
    word: Ints,
    word_given_topic: Floats,
    prior: Floats,
    n_particles: int,
    seed: int,
    n_threads: int,
) -> Floats:
    r"""Log probability of every document, its topics summed out by particles.

    .. math:: \hat p(w) = \prod_n \frac1R \sum_r \sum_k \phi_{w_n k}\,
              p(z_n = k \mid z^{(r)}_{<n})

    Particles are drawn again in proportion to what they foretold of each word: the mean of
    :math:`\hat p(w)` over the random numbers is then the probability itself.
    """
    out = np.empty(len(first) - 1)
    _native.topic_left_to_right(
        first, word, word_given_topic, prior, n_particles, seed, out, n_threads
    )
    return out
