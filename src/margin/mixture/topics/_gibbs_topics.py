"""Gibbs sampling of topics: integrated out, or drawn so that threads can share the documents."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.special import gammaln

from margin.core import Iterate, Solution, Stop, iterate
from margin.core.progress import Callback
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

        While it is ``warm``, topics are at their expectation and not drawn, which leads there
        sooner.
        """
        first, word = self.corpus
        if self.collapsed:
            return TopicState(
                *sweeps.collapsed(
                    first, word, at.topic, at.word_topic, prior, self.eta, self.seed, sweep
                )
            )
        topics: Floats = np.asarray(at.word_topic + self.eta, dtype=np.float64)
        if not warm:
            topics = np.maximum(rng.standard_gamma(topics), 1e-300)
        topics = topics / topics.sum(axis=0)
        return TopicState(
            *sweeps.given_topics(
                first, word, at.topic, topics, prior, self.seed, sweep, self.n_threads
            )
        )

    def log_prob(self, word_topic: Ints) -> float:
        """Log probability of the words given their topics, those integrated out."""
        counts = word_topic.sum(axis=0)
        levels = gammaln(np.arange(int(word_topic.max(initial=0)) + 1) + self.eta)
        inside = levels[word_topic].sum() - word_topic.size * levels[0]
        size = self.n_words * self.eta
        return float(inside + (gammaln(size) - gammaln(counts + size)).sum())


def sample_topics(
    sampler: TopicSampler,
    prior: Floats,
    max_iter: int,
    rng: np.random.Generator,
    callback: Callback | None = None,
) -> Solution:
    """Mean counts (V, K) over the last quarter of the sweeps, as ``x``.

    The objective is minus the log probability per word of all words given their topics.
    """
    n = max(len(sampler.corpus.word), 1)
    begin = max_iter - max(max_iter // 4, 1)

    def states() -> Iterator[Iterate]:
        at = sampler.start(len(prior), rng)
        total, kept = np.zeros(at.word_topic.shape), 0
        yield Iterate(at.word_topic.astype(np.float64), -sampler.log_prob(at.word_topic) / n)
        for sweep in range(1, max_iter + 1):
            at = sampler.swept(at, prior, sweep, rng, warm=sweep <= begin)
            if sweep > begin:
                total, kept = total + at.word_topic, kept + 1
            mean = total / kept if kept else at.word_topic
            yield Iterate(mean, -sampler.log_prob(at.word_topic) / n, n_iter=sweep)

    stop = Stop("", None, max_iter, unit="sweep", keep="last")
    name = "collapsed Gibbs sampling" if sampler.collapsed else "Gibbs sampling given topics"
    return iterate(states(), stop, solver=name, callback=callback)
