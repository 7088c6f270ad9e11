"""Entropy and mutual information of tables of probabilities."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import entr, rel_entr

from margin.core import check
from margin.core.types import Floats
from margin.distributions._requirements import numbers


def joint_entropy(table: ArrayLike, axes: Sequence[int] | None = None) -> float:
    r"""Entropy :math:`-\sum p \log p` of the variables on some axes, in nats (distributions.20).

    Parameters
    ----------
    table : array-like
        Joint probabilities or counts, an axis for each variable; scaled to sum to one.
    axes : sequence of int, optional
        The variables; all of them by default.

    Examples
    --------
    >>> round(joint_entropy([[0.4, 0.1], [0.1, 0.4]]), 5)
    1.19355
    >>> round(joint_entropy([0.5, 0.5, 0.0]), 6)
    0.693147
    """
    p = _probabilities("joint_entropy", table)
    kept = range(p.ndim) if axes is None else [a % p.ndim for a in axes]
    return float(entr(_marginal(p, tuple(kept))).sum())


def conditional_entropy(table: ArrayLike, given: Sequence[int]) -> float:
    r"""Entropy :math:`H(X \mid Z) = H(X, Z) - H(Z)` of the axes that are not ``given``.

    (distributions.20.) A sum of entropies of columns, never negative.

    Examples
    --------
    >>> conditional_entropy([[0.5, 0.0], [0.0, 0.5]], given=[1])
    0.0
    """
    p = _probabilities("conditional_entropy", table)
    known = _marginal(p, tuple(a % p.ndim for a in given))
    # log p(x, z) - log p(z) in one step, so that what is certain costs exactly nothing.
    return float(-rel_entr(p, np.broadcast_to(known, p.shape)).sum()) + 0.0


def mutual_information_of(
    table: ArrayLike, x: Sequence[int] = (0,), y: Sequence[int] = (1,), given: Sequence[int] = ()
) -> float:
    r"""What two groups of variables tell about each other, in nats (distributions.22).

    .. math:: I(X; Y \mid Z) = \sum p(x, y, z) \log
              \frac{p(x, y, z)\, p(z)}{p(x, z)\, p(y, z)} \ge 0

    Parameters
    ----------
    table : array-like
        Joint probabilities or counts, an axis for each variable; axes not named are summed out.
    x, y : sequence of int
        Axes of both groups.
    given : sequence of int
        Axes of what is known; none for plain mutual information.

    Examples
    --------
    >>> round(mutual_information_of([[0.4, 0.1], [0.1, 0.4]]), 7)
    0.1927448
    """
    p = _probabilities("mutual_information_of", table)
    groups = [[a % p.ndim for a in group] for group in (x, y, given)]
    named = [a for group in groups for a in group]
    if len(set(named)) < len(named) or not groups[0] or not groups[1]:
        raise check.fail("mutual_information_of", "x, y and given", "distinct axes", (x, y, given))
    one, two, known = (tuple(g) for g in groups)
    joint = _marginal(p, (*one, *two, *known))
    base = _marginal(p, known) if known else np.ones((1,) * p.ndim)
    apart = _marginal(p, (*one, *known)) * _marginal(p, (*two, *known))
    product = np.broadcast_to(apart / np.where(base > 0, base, 1.0), joint.shape)
    return max(float(rel_entr(joint, product).sum()), 0.0)


def _probabilities(owner: str, table: ArrayLike) -> Floats:
    p = numbers(owner, "table", table)
    if p.ndim == 0 or not np.isfinite(p).all() or (p.size and p.min() < 0) or not p.sum() > 0:
        raise check.fail(owner, "table", "finite, at least 0, and above 0 somewhere", table)
    return np.asarray(p / p.sum())


def _marginal(p: Floats, kept: tuple[int, ...]) -> Floats:
    """Sum over the other axes, which stay with length one."""
    gone = tuple(a for a in range(p.ndim) if a not in kept)
    return np.asarray(p.sum(axis=gone, keepdims=True))
