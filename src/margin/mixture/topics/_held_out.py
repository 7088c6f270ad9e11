"""What topics are worth: the probability of new documents, and whether words belong together."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_array

from margin.core import check
from margin.core.types import Floats, Indices
from margin.mixture.topics._corpus import Corpus
from margin.native.topics import sweeps


def left_to_right(
    corpus: Corpus,
    topics: Floats,
    prior: Floats,
    n_particles: int,
    rng: np.random.Generator,
    n_threads: int,
) -> Floats:
    """Log probability of every document under topics (K, V) whose rows sum to one.

    Words come in random order: a bag has none, and sorted ones would come topic by topic.
    """
    first, word = corpus
    document = np.repeat(np.arange(len(first) - 1), np.diff(first))
    shuffled = word[np.lexsort([rng.random(len(word)), document])]
    return sweeps.left_to_right(
        first,
        np.ascontiguousarray(shuffled),
        np.ascontiguousarray(topics.T),
        prior,
        n_particles,
        int(rng.integers(2**63)),
        n_threads,
    )


def top_words(topics: ArrayLike, n_words: int = 10) -> Indices:
    """The most probable words of every topic, by number, of shape (K, n_words).

    Examples
    --------
    >>> top_words([[0.1, 0.6, 0.3]], 2)
    array([[1, 2]])
    """
    table = np.asarray(topics)
    return np.argsort(-table, axis=1, kind="stable")[:, :n_words]


def words_of(owner: object, topics: Floats, n_words: int, vocabulary: Any) -> list[list[Any]]:
    """The most probable words of every topic by name: as given, those of the columns, or numbers.

    Examples
    --------
    >>> words_of(None, np.array([[0.1, 0.6, 0.3]]), 2, ["a", "b", "c"])
    [['b', 'c']]
    """
    names = getattr(owner, "feature_names_in_", None) if vocabulary is None else vocabulary
    names = np.arange(topics.shape[1]) if names is None else np.asarray(names)
    return [names[row].tolist() for row in top_words(topics, n_words)]


def topic_coherence(
    topics: ArrayLike, X: Any, *, n_words: int = 10, measure: str = "npmi"
) -> Floats:
    r"""Whether the first words of a topic occur in the same documents, for every topic.

    ``"npmi"`` is the mean over pairs of :math:`\log\frac{p(v, w)}{p(v) p(w)} / -\log p(v, w)`,
    between -1 (never together) and 1 (always); ``"umass"`` that of
    :math:`\log\frac{D(v, w) + 1}{D(v)}` with the more probable word ``v``. Shares of documents
    that hold a word, :math:`p`, or their numbers, :math:`D`.

    Parameters
    ----------
    topics : array-like of shape (K, V)
        Weights of the words.
    X : array-like or sparse matrix of shape (n_documents, V)
        Documents in which words are looked for.
    n_words : int
        Words of each topic.
    measure : {"npmi", "umass"}

    Returns
    -------
    ndarray of shape (K,)

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[1, 1, 0], [2, 1, 0], [0, 0, 3], [0, 0, 1]])
    >>> topic_coherence([[0.5, 0.4, 0.1], [0.1, 0.4, 0.5]], X, n_words=2)
    array([ 1., -1.])
    """
    if measure not in ("npmi", "umass"):
        raise check.fail("topic_coherence", "measure", "'npmi' or 'umass'", measure)
    words = top_words(topics, n_words)
    if words.shape[1] < 2:
        raise check.fail("topic_coherence", "n_words", "at least 2 and as many words", n_words)
    used, places = np.unique(words, return_inverse=True)
    seen = csr_array(csr_array(X)[:, used] > 0, dtype=np.float64)
    together = np.asarray((seen.T @ seen).todense())
    places = places.reshape(words.shape)
    first, second = np.triu_indices(words.shape[1], 1)
    pairs = together[places[:, first], places[:, second]]
    alone = np.diagonal(together)
    v, w = alone[places[:, first]], alone[places[:, second]]
    if measure == "umass":
        return np.asarray(np.log((pairs + 1.0) / np.maximum(v, 1.0)).mean(axis=1))
    n = seen.shape[0]
    with np.errstate(divide="ignore", invalid="ignore"):
        value = np.log(pairs * n / (v * w)) / -np.log(pairs / n)
    value = np.where(pairs == 0, -1.0, np.where(pairs == n, 1.0, value))
    return np.asarray(value.mean(axis=1))
