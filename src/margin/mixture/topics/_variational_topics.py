"""Variational inference of topics: all documents at once, or batch by batch."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import digamma, gammaln

from margin.core import Iterate, Solution, Stop, iterate
from margin.core.types import Floats
from margin.native.topics.documents import Proportions, variational

Tell = Callable[[int, float | None], None]
Start = Callable[[int], Floats]


@dataclass(frozen=True)
class TopicProblem:
    """What stays the same while topics are learned.

    Parameters
    ----------
    prior : float or ndarray of shape (K,)
        Weights of the topics in a document.
    eta : float
        Weight of every word in a topic.
    max_doc_iter, doc_tol : int, float
        How far the proportions of a document are iterated.
    n_threads : int
    """

    prior: float | Floats
    eta: float
    max_doc_iter: int
    doc_tol: float
    n_threads: int

    def proportions(self, X: Any, topics: Floats, start: Floats | None = None) -> Proportions:
        """Proportions of all documents under topics with Dirichlet parameters (K, V)."""
        weight = np.ascontiguousarray(expected_topics(topics).T)
        prior = np.broadcast_to(np.asarray(self.prior, dtype=np.float64), len(topics)).copy()
        begin = np.ones((X.shape[0], len(topics))) if start is None else start
        return variational(X, weight, prior, begin, self.max_doc_iter, self.doc_tol, self.n_threads)

    def expected_counts(self, X: Any, topics: Floats, proportions: Proportions) -> Floats:
        """How often each word has each topic, of shape (K, V), in expectation."""
        shares = type(X)((proportions.ratio, X.indices, X.indptr), shape=X.shape)
        return np.asarray((shares.T @ proportions.theta).T * expected_topics(topics))

    def visited(
        self, tables: Iterable[Any], topics: Floats, start: Start | None = None
    ) -> tuple[Floats, float]:
        """Expected counts and bound of documents in blocks: sums over all of them."""
        total, bound = np.zeros(topics.shape), 0.0
        for X in tables:
            proportions = self.proportions(X, topics, start and start(X.shape[0]))
            total += self.expected_counts(X, topics, proportions)
            bound += self.document_bound(proportions)
        return total, bound

    def document_bound(self, proportions: Proportions) -> float:
        """The part of the bound that documents add up."""
        return float(proportions.value.sum()) - dirichlet_kl(proportions.gamma, self.prior)

    def bound(self, topics: Floats, proportions: Proportions) -> float:
        """Lower bound of the log probability of all documents."""
        return self.document_bound(proportions) - dirichlet_kl(topics, self.eta)


def expected_topics(topics: Floats) -> Floats:
    """Exponential of the expected log probabilities of words, for Dirichlet rows."""
    return np.asarray(np.exp(digamma(topics) - digamma(topics.sum(axis=1))[:, None]))


def dirichlet_kl(rows: Floats, prior: float | Floats) -> float:
    r"""Sum over rows of the divergence of :math:`\mathrm{Dir}(\gamma)` from a prior.

    Examples
    --------
    >>> round(dirichlet_kl(np.full((3, 4), 0.5), 0.5), 9) + 0.0
    0.0
    """
    total, weights = rows.sum(axis=1), np.broadcast_to(prior, rows.shape[1])
    log = digamma(rows) - digamma(total)[:, None]
    value = gammaln(total).sum() - gammaln(rows).sum() + ((rows - weights) * log).sum()
    constant = gammaln(weights.sum()) - gammaln(weights).sum()
    return float(value - len(rows) * constant)


def perplexity(bound: float, n_words: float, n_features: int) -> float:
    """Inverse geometric mean probability of a word; of no words at all, that of a blind guess."""
    return float(np.exp(-bound / n_words)) if n_words > 0 else float(n_features)


@dataclass(frozen=True)
class Schedule:
    r"""How topics are updated.

    Parameters
    ----------
    batch_size : int or None
        Documents of a step; ``None`` for all at once.
    decay, offset : float
        Step :math:`t` weighs :math:`(\text{offset} + t)^{-\text{decay}}`.
    """

    batch_size: int | None
    decay: float
    offset: float

    def weight(self, step: int) -> float:
        """Weight of a step."""
        return float((self.offset + step) ** -self.decay)


def online_steps(
    problem: TopicProblem,
    X: Any,
    topics: Floats,
    schedule: Schedule,
    step: int,
    n_total: float,
    start: Start,
) -> tuple[Floats, int, float]:
    """Topics after one pass of mini-batches, the number of the next step, and the bounds met."""
    size, bound = schedule.batch_size or X.shape[0], 0.0
    for begin in range(0, X.shape[0], size):
        part = X[begin : begin + size]
        proportions = problem.proportions(part, topics, start(part.shape[0]))
        bound += problem.document_bound(proportions)
        fresh = n_total / part.shape[0] * problem.expected_counts(part, topics, proportions)
        weight = schedule.weight(step)
        topics = (1 - weight) * topics + weight * (problem.eta + fresh)
        step += 1
    return topics, step, bound - dirichlet_kl(topics, problem.eta)


def learn_topics(
    problem: TopicProblem,
    tables: Iterable[Any],
    topics: Floats,
    schedule: Schedule,
    start: Start,
    *,
    n_words: float,
    max_iter: int,
    evaluate_every: int,
    perp_tol: float,
    tell: Tell,
) -> Solution:
    """Topics after at most ``max_iter`` passes; ``x`` is the pair of topics and steps made.

    The objective is minus the bound per word that the documents of a pass have met, at first that
    of a blind guess. Documents begin anew in every pass: those that keep their proportions stay
    in worse optima.

    Parameters
    ----------
    tables : iterable of compressed rows
        Blocks of documents, read anew in every pass; steps on batches take their documents from
        one block after the other.
    n_words : float
        Words of all documents.
    """
    per_word, n_features = max(n_words, 1.0), topics.shape[1]

    def states() -> Iterator[Iterate]:
        at, step, last = topics, 1, None
        yield Iterate((at, step), float(np.log(n_features)))
        for n in range(1, max_iter + 1):
            if schedule.batch_size is None:
                counts, bound = problem.visited(tables, at, start)
                bound -= dirichlet_kl(at, problem.eta)
                at, step = problem.eta + counts, step + 1
            else:
                for X in tables:
                    size = X.shape[0]
                    at, step, bound = online_steps(problem, X, at, schedule, step, size, start)
            change, value = None, None
            if evaluate_every > 0 and n % evaluate_every == 0:
                fresh = problem.visited(tables, at)[1] - dirichlet_kl(at, problem.eta)
                value = perplexity(fresh, n_words, n_features)
                change = None if last is None else abs(last - value)
                last = value
            tell(n, value)
            yield Iterate((at, step), -bound / per_word, change, n)

    stop = Stop(
        "change of perplexity",
        perp_tol if evaluate_every > 0 else None,
        max_iter,
        unit="pass",
        keep="last",
        advice=("raise perp_tol",),
    )
    return iterate(states(), stop, solver="variational inference of topics")
