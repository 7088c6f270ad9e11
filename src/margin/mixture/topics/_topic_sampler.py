"""One sweep over the topics of all words."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.special import gammaln

from margin.core.types import Floats, Ints
from margin.mixture.topics._corpus import Corpus
from margin.native.topics import sweeps


class TopicState(NamedTuple):
    """Topic of every word, and how often each word has each topic (V, K)."""

    topic: Ints
    word_topic: Ints


@dataclass(frozen=True)
class TopicSampler:
    """What stays the same from sweep to sweep.

    Parameters
    ----------
    corpus : Corpus
    n_words : int
        Size of the vocabulary.
    eta : float
        Weight of every word in a topic.
    collapsed : bool
        Whether topics are integrated out; else they are drawn before every sweep, which leaves
        the same law and makes documents independent.
    seed : int
    n_threads : int
    """

    corpus: Corpus
    n_words: int
    eta: float
    collapsed: bool
    seed: int
    n_threads: int

    def start(self, n_topics: int, rng: np.random.Generator) -> TopicState:
        """A random topic for every word."""
        topic = rng.integers(n_topics, size=len(self.corpus.word), dtype=np.int32)
        place = self.corpus.word.astype(np.int64) * n_topics + topic
        table = np.bincount(place, minlength=self.n_words * n_topics)
        return TopicState(topic, table.reshape(self.n_words, n_topics).astype(np.int32))

    def swept(
        self,
        at: TopicState,
        prior: Floats,
        sweep: int,
        rng: np.random.Generator,
        *,
        warm: bool = False,
    ) -> TopicState:
        """The state after every word has been drawn anew.

        While it is ``warm`` it need not have the law, only lead there: parts of the documents do
        not see each other's draws, or topics are at their expectation and not drawn.
        """
        first, word = self.corpus
        shared = at.topic, at.word_topic, prior, self.eta, self.seed, sweep
        parts = self._parts(at.word_topic.size)
        if warm and (self.collapsed or parts > 1):
            after = sweeps.delayed(first, word, *shared, parts, self.n_threads)
            if after is not None:
                return TopicState(*after)
        if self.collapsed:
            return TopicState(*sweeps.collapsed(first, word, *shared))
        topics: Floats = np.asarray(at.word_topic + self.eta, dtype=np.float64)
        if not warm:
            topics = np.maximum(rng.standard_gamma(topics), 1e-300)
        topics = topics / topics.sum(axis=0)
        return TopicState(
            *sweeps.given_topics(
                first, word, at.topic, topics, prior, self.seed, sweep, self.n_threads
            )
        )

    def _parts(self, size: int) -> int:
        """Parts with more words than entries in their tables: a power of two, 16 at most."""
        return int(2 ** min(max(np.log2(max(len(self.corpus.word), 1) / size), 0.0) // 1, 4.0))

    def log_prob(self, word_topic: Ints) -> float:
        """Log probability of the words given their topics, those integrated out."""
        counts = word_topic.sum(axis=0)
        levels = gammaln(np.arange(int(word_topic.max(initial=0)) + 1) + self.eta)
        inside = levels[word_topic].sum() - word_topic.size * levels[0]
        size = self.n_words * self.eta
        return float(inside + (gammaln(size) - gammaln(counts + size)).sum())
