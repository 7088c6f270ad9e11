"""Gibbs sampling of topics whose number is not given: a hierarchical Dirichlet process."""

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from margin.core import Iterate, Solution, Status, Stop, iterate
from margin.core.progress import Callback
from margin.core.types import Floats, Indices
from margin.distributions import Gamma
from margin.mixture.processes._gibbs import next_alpha
from margin.mixture.topics._topic_sampler import TopicSampler, TopicState
from margin.mixture.topics._united_topics import united

_LOOK = 5  # sweeps between two looks for topics of the same words


class Shares(NamedTuple):
    """What all documents share.

    Parameters
    ----------
    weights : ndarray of shape (T,)
        Weights of the topics.
    alpha : float
        How closely documents keep to them.
    gamma : float
        How evenly the weights are spread.
    """

    weights: Floats
    alpha: float
    gamma: float


class Budget(NamedTuple):
    """How long sampling may take.

    Parameters
    ----------
    max_iter : int
        Sweeps.
    max_work : int
        Draws of the topic of a word, in all sweeps together.
    """

    max_iter: int
    max_work: int

    def sweeps(self, n_words: int) -> int:
        """Sweeps over so many words: one at least, if any.

        Examples
        --------
        >>> Budget(300, 1000).sweeps(10), Budget(300, 1000).sweeps(3)
        (100, 300)
        """
        return min(self.max_iter, max(self.max_work // max(n_words, 1), 1))


class SharedTopics(NamedTuple):
    """The answer: sums over the sweeps kept.

    Parameters
    ----------
    word_topic : ndarray of shape (V, T)
        Mean counts.
    shares : Shares
        Mean weights and concentrations.
    n_used : ndarray of shape (n_kept,)
        Topics in use.
    n_united : int
        Topics that were made one with another of the same words, before the sweeps kept.
    """

    word_topic: Floats
    shares: Shares
    n_used: Indices
    n_united: int = 0


def tables(counts: Indices, weight: Floats, rng: np.random.Generator) -> Indices:
    r"""Tables at which customers of each kind sit, summed over restaurants.

    In a restaurant with :math:`n` customers of a kind of weight :math:`a` the next one opens a
    table with probability :math:`a / (a + j)`, :math:`j = 0, \dots, n - 1`.

    Parameters
    ----------
    counts : ndarray of shape (n_restaurants, T)
    weight : ndarray of shape (T,)
    rng : numpy.random.Generator

    Returns
    -------
    ndarray of shape (T,)
    """
    places = np.flatnonzero(counts)
    size = counts.ravel()[places]
    kind = np.repeat(places % counts.shape[1], size)
    came = np.arange(len(kind)) - np.repeat(np.cumsum(size) - size, size)
    a = weight[kind]
    opens = rng.random(len(kind)) * (a + came) < a
    # The first of a kind has no table yet, however small the weight.
    opens |= came == 0
    return np.bincount(kind[opens], minlength=counts.shape[1])


def document_counts(sampler: TopicSampler, at: TopicState, n_topics: int) -> Indices:
    """How often each document has each topic, of shape (n_documents, T)."""
    first = sampler.corpus.first
    n = len(first) - 1
    place = np.repeat(np.arange(n), np.diff(first)) * n_topics + at.topic
    return np.bincount(place, minlength=n * n_topics).reshape(n, n_topics)


def next_shares(
    before: Shares,
    counts: Indices,
    alpha: float | Gamma,
    gamma: float | Gamma,
    rng: np.random.Generator,
) -> Shares:
    """A draw of what documents share, given their topics (Teh and others, 2006)."""
    seated = tables(counts, before.alpha * before.weights, rng)
    weights = rng.dirichlet(seated + before.gamma / len(seated))
    weights = np.maximum(weights, 1e-100)
    new_alpha, new_gamma = before.alpha, before.gamma
    total = int(seated.sum())
    if isinstance(alpha, Gamma) and total:
        size = counts.sum(axis=1)
        size = size[size > 0]
        rate = float(alpha.rate) - np.log(rng.beta(before.alpha + 1.0, size)).sum()
        less = (rng.random(len(size)) * (size + before.alpha) < size).sum()
        new_alpha = max(float(rng.gamma(float(alpha.concentration) + total - less) / rate), 1e-6)
    if isinstance(gamma, Gamma) and total:
        new_gamma = next_alpha(before.gamma, gamma, int((seated > 0).sum()), total, rng)
    return Shares(weights, new_alpha, new_gamma)


def sample_shared_topics(
    sampler: TopicSampler,
    n_topics: int,
    alpha: float | Gamma,
    gamma: float | Gamma,
    budget: Budget,
    rng: np.random.Generator,
    callback: Callback | None = None,
) -> Solution:
    """Mean state over the last quarter of the sweeps, a :class:`SharedTopics`, as ``x``.

    Until half of the sweeps are made topics of the same words are united every few of them, and
    sweeps are on the way to the law; the rest is sampling alone.
    """
    n = max(len(sampler.corpus.word), 1)
    n_sweeps = budget.sweeps(n)
    begin = n_sweeps - max(n_sweeps // 4, 1)

    def states() -> Iterator[Iterate]:
        at = sampler.start(n_topics, rng)
        shares = Shares(np.full(n_topics, 1 / n_topics), _middle(alpha), _middle(gamma))
        kept: list[Shares] = []
        used: list[int] = []
        n_united = 0
        total = np.zeros(at.word_topic.shape)
        for sweep in range(n_sweeps + 1):
            if sweep:
                early, prior = 2 * sweep <= n_sweeps, shares.alpha * shares.weights
                at = sampler.swept(at, prior, sweep, rng, warm=early)
                counts = document_counts(sampler, at, n_topics)
                if sweep % _LOOK == 0 and early and len(at.topic):
                    at, unions = united(sampler, at, counts, prior)
                    if unions:
                        n_united += len(unions)
                        counts = document_counts(sampler, at, n_topics)
                shares = next_shares(shares, counts, alpha, gamma, rng)
            if sweep > begin:
                total += at.word_topic
                kept.append(shares)
                used.append(int((at.word_topic.sum(axis=0) > 0).sum()))
            mean = total / len(kept) if kept else at.word_topic.astype(np.float64)
            answer = SharedTopics(mean, _mean(kept or [shares]), np.array(used or [0]), n_united)
            yield Iterate(answer, -sampler.log_prob(at.word_topic) / n, n_iter=sweep)

    stop = Stop("", None, n_sweeps, unit="sweep", keep="last")
    name = "Gibbs sampling of a hierarchical Dirichlet process"
    solution = iterate(states(), stop, solver=name, callback=callback)
    if n_sweeps == budget.max_iter or solution.interrupted:
        return solution
    message = (
        f"stopped after {n_sweeps} of max_iter={budget.max_iter} sweeps over {n} words, for "
        f"max_work={budget.max_work}; raise max_work, or scale the counts down"
    )
    return replace(solution, status=Status.MAX_ITER, message=message)


def _middle(value: float | Gamma) -> float:
    return float(value.mean) if isinstance(value, Gamma) else float(value)


def _mean(kept: list[Shares]) -> Shares:
    weights, alpha, gamma = zip(*kept, strict=True)
    return Shares(np.mean(weights, axis=0), float(np.mean(alpha)), float(np.mean(gamma)))
