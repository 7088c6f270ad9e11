"""Components of a mixture as they are used to predict."""

from typing import Any, NamedTuple

import numpy as np
from scipy.special import logsumexp

from margin.core.types import Floats, Ints
from margin.mixture.processes._bases import Base


class Components(NamedTuple):
    """What one draw of a partition, or a variational posterior, says of the next row.

    Parameters
    ----------
    weights : ndarray of shape (k,)
        Probabilities that the next row belongs to each component.
    rest : float
        Probability that it opens a new one.
    members : Any
        Beliefs about the components, as their base measure keeps them.
    """

    weights: Floats
    rest: float
    members: Any


def components_of(base: Base, X: Floats, labels: Ints, alpha: float) -> Components:
    """Components of the rows of a partition."""
    n, k = len(labels), int(labels.max()) + 1
    share = np.zeros((n, k))
    share[np.arange(n), labels] = 1.0
    total = n + alpha
    return Components(share.sum(axis=0) / total, alpha / total, base.members(X, share))


def log_weighted(base: Base, at: Components, X: Floats) -> Floats:
    """Log of weight times predictive density, a column for every component."""
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(at.weights) + base.log_predictive(at.members, X))


def log_density(base: Base, draws: tuple[Components, ...], X: Floats) -> Floats:
    """Log predictive density of every row, a mean over the draws."""
    own = base.own(X)
    tables = []
    for at in draws:
        table = log_weighted(base, at, X)
        if at.rest > 0:
            table = np.column_stack([table, np.log(at.rest) + own])
        tables.append(logsumexp(table, axis=1))
    return np.asarray(logsumexp(tables, axis=0) - np.log(len(draws)))


def sampled(
    base: Base, draws: tuple[Components, ...], X: Floats, n: int, rng: np.random.Generator
) -> tuple[Floats, Ints]:
    """Rows drawn from the predictive density, and their components; -1 for a new one."""
    rows, labels = [], []
    for at, count in zip(
        draws, rng.multinomial(n, np.full(len(draws), 1 / len(draws))), strict=True
    ):
        weights = np.append(at.weights, at.rest)
        for k, size in enumerate(rng.multinomial(count, weights / weights.sum())):
            if size == 0:
                continue
            new = k == len(at.weights)
            source = base.members(X[:0], np.zeros((0, 1))) if new else at.members
            rows.append(base.sample(source, 0 if new else k, size, rng))
            labels += [-1 if new else k] * int(size)
    order = rng.permutation(n)
    return np.concatenate(rows)[order], np.array(labels, dtype=np.int32)[order]
