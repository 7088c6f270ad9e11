"""Topics united pair by pair until no more are left than were asked for."""

from math import lgamma
from typing import NamedTuple

import numpy as np
from scipy.special import gammaln

from margin.core.types import Floats, Ints
from margin.mixture.topics._corpus import Corpus
from margin.mixture.topics._topic_sampler import TopicState

_DOCUMENTS = 20_000  # as many speak for all


class _Side(NamedTuple):
    """Counts of the topics in bags of one kind: words, or documents."""

    counts: Ints  # (T, n_bags)
    levels: Floats  # what a bag's count of a topic is worth
    scale: float

    def worth(self, one: int, other: int | None = None) -> float:
        row = self.counts[one] if other is None else self.counts[one] + self.counts[other]
        return self.scale * float(self.levels[row].sum())


def fewer(corpus: Corpus, at: TopicState, n_topics: int, prior: float, eta: float) -> TopicState:
    r"""The state with topics united until ``n_topics`` are left.

    Always those two whose union makes words and topics most probable, proportions and words of
    topics integrated out. The factors that two topics, :math:`a` and :math:`b`, change are

    .. math:: \prod_d \frac{\Gamma(n_{dk} + \alpha)}{\Gamma(\alpha)}
              \prod_w \frac{\Gamma(n_{wk} + \eta)}{\Gamma(\eta)}
              \frac{\Gamma(V\eta)}{\Gamma(n_k + V\eta)}, \qquad n_a + n_b \to n_a.

    Sampling from more topics than are wanted, and uniting them, hardly ever leaves two true topics
    in one of those found, which single words would take very long to divide again.

    Parameters
    ----------
    corpus : Corpus
    at : TopicState
    n_topics : int
    prior : float
        Weight of every topic in a document.
    eta : float
        Weight of every word in a topic.
    """
    before = at.word_topic.shape[1]
    if before <= n_topics:
        return at
    sides = _word_side(at, eta), _document_side(corpus, at, prior)
    total, all_words = at.word_topic.sum(axis=0), len(at.word_topic) * eta

    def worth(one: int, other: int | None = None) -> float:
        n = total[one] if other is None else total[one] + total[other]
        size = lgamma(all_words) - lgamma(n + all_words)
        return size + sum(side.worth(one, other) for side in sides)

    alone = np.array([worth(k) for k in range(before)])
    gain = np.full((before, before), -np.inf)
    for b in range(before):
        for a in range(b):
            gain[a, b] = worth(a, b) - alone[a] - alone[b]
    place, left = np.arange(before), list(range(before))
    while len(left) > n_topics:
        a, b = (int(k) for k in np.unravel_index(gain.argmax(), gain.shape))
        for side in sides:
            side.counts[a] += side.counts[b]
        total[a] += total[b]
        alone[a] = worth(a)
        place[place == b] = a
        left.remove(b)
        gain[b, :] = gain[:, b] = -np.inf
        for c in left:
            if c != a:
                gain[min(a, c), max(a, c)] = worth(a, c) - alone[a] - alone[c]
    place = np.searchsorted(left, place)
    return TopicState(
        place[at.topic].astype(at.topic.dtype), np.ascontiguousarray(sides[0].counts[left].T)
    )


def _word_side(at: TopicState, eta: float) -> _Side:
    counts = np.ascontiguousarray(at.word_topic.T)
    return _Side(counts, _levels(int(at.word_topic.sum(axis=1).max(initial=0)), eta), 1.0)


def _document_side(corpus: Corpus, at: TopicState, prior: float) -> _Side:
    first, n_topics = corpus.first, at.word_topic.shape[1]
    n = len(first) - 1
    chosen = np.linspace(0, n - 1, min(n, _DOCUMENTS)).astype(np.int64)
    size = first[chosen + 1] - first[chosen]
    bag = np.repeat(np.arange(len(chosen)), size)
    ends = np.cumsum(size)
    word = np.arange(len(bag)) + np.repeat(first[chosen] - (ends - size), size)
    place = at.topic[word].astype(np.int64) * len(chosen) + bag
    counts: Ints = np.bincount(place, minlength=n_topics * len(chosen)).astype(np.int32)
    scale = n / max(len(chosen), 1)
    levels = _levels(int(size.max(initial=0)), prior)
    return _Side(counts.reshape(n_topics, len(chosen)), levels, scale)


def _levels(most: int, prior: float) -> Floats:
    return np.asarray(gammaln(np.arange(most + 1) + prior) - gammaln(prior))
