"""Topics that tell the same words, found and united while sampling is on its way."""

from typing import NamedTuple

import numpy as np

from margin.core.types import Floats, Indices
from margin.mixture.topics._topic_sampler import TopicSampler, TopicState

_ALIKE = 0.3  # least cosine of two topics that are worth a look
_BLOCK = 2**15


class Union(NamedTuple):
    """Two topics and what it gains to make one of them."""

    kept: int
    gone: int
    gain: float


class Tokens:
    """Words of all documents with their expected probabilities, equal neighbours as one.

    Parameters
    ----------
    sampler : TopicSampler
    at : TopicState
    counts : ndarray of shape (n_documents, T)
        How often each document has each topic.
    prior : ndarray of shape (T,)
        Weights of the topics in a document.
    """

    def __init__(
        self, sampler: TopicSampler, at: TopicState, counts: Indices, prior: Floats
    ) -> None:
        first, word = sampler.corpus
        document = np.repeat(np.arange(len(first) - 1), np.diff(first))
        begins = np.flatnonzero(
            (np.diff(word, prepend=-1) != 0) | (np.diff(document, prepend=-1) > 0)
        )
        self.word, self.document = word[begins], document[begins]
        self.times = np.diff(begins, append=len(word))
        self.eta, self.held = sampler.eta, at.word_topic.astype(np.float64)
        self.total = self.held.sum(axis=0)
        self.topics = (self.held + self.eta) / (self.total + self.eta * len(self.held))
        size = counts.sum(axis=1, keepdims=True) + prior.sum()
        self.shares = (counts + prior) / size
        self.probability = np.empty(len(self.word))
        for begin in range(0, len(self.word), _BLOCK):
            part = slice(begin, begin + _BLOCK)
            pair = self.shares[self.document[part]], self.topics[self.word[part]]
            self.probability[part] = np.einsum("nk,nk->n", *pair)

    def union(self, a: int, b: int) -> Union:
        r"""What the words say of one topic in the place of two.

        The change of :math:`\sum_n \log \sum_k \theta_{dk} \phi_{kw}`, with half the logarithm of
        its words for every different word of the smaller topic, which are free no longer.
        """
        kept, gone = (a, b) if self.total[a] >= self.total[b] else (b, a)
        both = self.held[:, a] + self.held[:, b] + self.eta
        both /= both.sum()
        d, w = self.document, self.word
        one, other = self.shares[d, a], self.shares[d, b]
        change = (one + other) * both[w] - one * self.topics[w, a] - other * self.topics[w, b]
        ratio = np.maximum(1.0 + change / self.probability, 1e-12)
        free = np.count_nonzero(self.held[:, gone])
        price = 0.5 * free * np.log(max(self.total[gone], 1.0))
        return Union(kept, gone, float(self.times @ np.log(ratio) + price))

    def likeliest(self) -> list[tuple[int, int]]:
        """Every topic in use with the one most like it, the most alike first."""
        used = np.flatnonzero(self.total)
        if len(used) < 2:
            return []
        unit = self.held[:, used] / np.linalg.norm(self.held[:, used], axis=0)
        cosine = unit.T @ unit
        np.fill_diagonal(cosine, -1.0)
        best = cosine.argmax(axis=1)
        pairs = {(min(i, int(j)), max(i, int(j))): cosine[i, j] for i, j in enumerate(best)}
        alike = sorted((pair for pair in pairs if pairs[pair] > _ALIKE), key=lambda p: -pairs[p])
        return [(int(used[i]), int(used[j])) for i, j in alike]


def united(
    sampler: TopicSampler, at: TopicState, counts: Indices, prior: Floats
) -> tuple[TopicState, list[Union]]:
    """The state with topics of the same words made one, each in one union at most.

    Single words take long to go from one of two such topics to the other, for both draw them.
    This is no step of sampling: it belongs to the sweeps before those that are kept.
    """
    tokens = Tokens(sampler, at, counts, prior)
    place, chosen = np.arange(at.word_topic.shape[1]), list[Union]()
    touched: set[int] = set()
    for a, b in tokens.likeliest():
        if a in touched or b in touched:
            continue
        union = tokens.union(a, b)
        if union.gain > 0:
            chosen.append(union)
            touched |= {a, b}
            place[union.gone] = union.kept
    if not chosen:
        return at, chosen
    table = at.word_topic.copy()
    for union in chosen:
        table[:, union.kept] += table[:, union.gone]
        table[:, union.gone] = 0
    return TopicState(place[at.topic].astype(at.topic.dtype), table), chosen
