"""Gibbs sampling of topics: integrated out, or drawn so that threads can share the documents."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from margin.core import Iterate, Solution, Stop, iterate
from margin.core.progress import Callback
from margin.core.types import Floats, Indices
from margin.mixture.topics._fewer_topics import fewer
from margin.mixture.topics._topic_sampler import TopicSampler, TopicState


class _Progress(NamedTuple):
    """Where sampling is, and the counts summed over the sweeps kept."""

    at: TopicState
    total: Indices
    n_kept: int


def sample_topics(
    sampler: TopicSampler,
    n_topics: int,
    prior: float,
    max_iter: int,
    rng: np.random.Generator,
    callback: Callback | None = None,
) -> Solution:
    """Mean counts (V, K) over the last quarter of the sweeps, as ``x``.

    The first half of the sweeps has half as many topics again, which are then united.

    Parameters
    ----------
    sampler : TopicSampler
    n_topics : int
    prior : float
        Weight of every topic in a document.
    max_iter : int
        Sweeps.
    rng : numpy.random.Generator
    callback : callable, optional

    Returns
    -------
    Solution
        Its objective is minus the log probability per word of all words given their topics.
    """
    n = max(len(sampler.corpus.word), 1)
    begin = max_iter - max(max_iter // 4, 1)
    n_wide = max_iter // 2 if n_topics > 1 else 0
    most = n_topics + (n_topics + 1) // 2 if n_wide else n_topics

    def narrowed(at: TopicState) -> TopicState:
        return fewer(sampler.corpus, at, n_topics, prior, sampler.eta)

    def states() -> Iterator[Iterate]:
        at = sampler.start(most, rng)
        total, n_kept = np.zeros((sampler.n_words, n_topics), dtype=np.int64), 0
        for sweep in range(max_iter + 1):
            if sweep:
                if sweep == n_wide + 1:
                    at = narrowed(at)
                k = at.word_topic.shape[1]
                shares = np.full(k, prior * n_topics / k)
                at = sampler.swept(at, shares, sweep, rng, warm=sweep <= begin)
            if sweep > begin:
                total, n_kept = total + at.word_topic, n_kept + 1
            value = -sampler.log_prob(at.word_topic) / n
            yield Iterate(_Progress(at, total, n_kept), value, n_iter=sweep)

    stop = Stop("", None, max_iter, unit="sweep", keep="last")
    name = "collapsed Gibbs sampling" if sampler.collapsed else "Gibbs sampling given topics"
    solution = iterate(states(), stop, solver=name, callback=callback)
    return replace(solution, x=_mean(solution.x, narrowed))


def _mean(x: _Progress, narrowed: Callable[[TopicState], TopicState]) -> Floats:
    """Mean counts; those of the last state where no sweep was kept."""
    kept = x.total / x.n_kept if x.n_kept else narrowed(x.at).word_topic
    return np.asarray(kept, dtype=np.float64)
