"""Where a chain goes in the long run, how fast, and how long it takes to get somewhere."""

from dataclasses import dataclass
from math import gcd

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse.csgraph import breadth_first_order, connected_components

from margin.core import check
from margin.core.types import Floats, Places


@dataclass(frozen=True)
class LongRun:
    """The closed classes of a chain and its stationary distributions (sequence.02).

    Parameters
    ----------
    closed : tuple of ndarray
        States of the classes that are never left.
    stationary : ndarray of shape (number of closed classes, K)
        The stationary distribution of each; all others are mixtures of these.
    periods : tuple of int
        Of the closed classes; 1 where the chain forgets when it started.
    irreducible : bool
        Whether every state leads to every other.
    """

    closed: tuple[Places, ...]
    stationary: Floats
    periods: tuple[int, ...]
    irreducible: bool

    @property
    def unique(self) -> bool:
        """Whether there is one stationary distribution."""
        return len(self.closed) == 1

    @property
    def equilibrium(self) -> bool:
        """Whether the chain goes there from every start."""
        return self.unique and self.periods[0] == 1


def long_run(transition: ArrayLike) -> LongRun:
    r"""Closed classes, their periods and stationary distributions :math:`p = p A` (sequence.02).

    Notes
    -----
    By the elimination of Grassmann, Taksar and Heyman, which never subtracts: every entry is right
    to a few units of rounding. :math:`O(K^3)`.

    Examples
    --------
    >>> long_run([[0.9, 0.1], [0.5, 0.5]]).stationary.round(6)
    array([[0.833333, 0.166667]])
    >>> long_run([[0.0, 1.0], [1.0, 0.0]]).equilibrium
    False
    """
    A = _stochastic("long_run", transition)
    n, label = connected_components(A > 0, directed=True, connection="strong")
    leaves = np.zeros(n, dtype=bool)
    source, target = np.nonzero(A)
    leaves[label[source[label[source] != label[target]]]] = True
    closed = tuple(np.flatnonzero(label == c) for c in range(n) if not leaves[c])
    closed = tuple(sorted(closed, key=lambda states: int(states[0])))
    laws = np.zeros((len(closed), len(A)))
    for row, states in zip(laws, closed, strict=True):
        row[states] = _eliminated(A[np.ix_(states, states)])
    periods = tuple(_period(A[np.ix_(states, states)] > 0) for states in closed)
    return LongRun(closed, laws, periods, n == 1)


def hitting_times(transition: ArrayLike, targets: ArrayLike) -> Floats:
    r"""Expected steps until one of the targets is reached, from every state.

    .. math:: t_i = 1 + \sum_j A_{ij} t_j, \qquad t_i = 0 \text{ at a target}

    Infinite from a state that may never get there.

    Examples
    --------
    >>> hitting_times([[0.5, 0.5, 0.0], [0.5, 0.0, 0.5], [0.0, 0.0, 1.0]], [2])
    array([6., 4., 0.])
    """
    A = _stochastic("hitting_times", transition)
    aim = np.zeros(len(A), dtype=bool)
    aim[np.atleast_1d(np.asarray(targets, dtype=np.intp))] = True
    links = (A > 0) & ~aim[:, None]
    # A state is sure to arrive unless it can reach one from where the targets are out of reach.
    lost = ~_can_reach(links, aim)
    unsure = _can_reach(links, lost)
    times = np.where(aim, 0.0, np.inf)
    rest = np.flatnonzero(~aim & ~unsure)
    if len(rest):
        times[rest] = np.linalg.solve(np.eye(len(rest)) - A[np.ix_(rest, rest)], np.ones(len(rest)))
    return times


def mixing_time(transition: ArrayLike, *, distance: float = 0.25, max_steps: int = 2**40) -> int:
    r"""Least number of steps after which the start is forgotten.

    .. math:: \min\{t : \max_i \tfrac12 \textstyle\sum_j |(A^t)_{ij} - p_j| \le \text{distance}\}

    Notes
    -----
    The distance never rises with time: doubling, then bisection, by powers of the matrix.

    Examples
    --------
    >>> mixing_time([[0.9, 0.1], [0.1, 0.9]])
    4
    """
    A = _stochastic("mixing_time", transition)
    where = long_run(A)
    if not where.equilibrium:
        raise check.fail(
            "mixing_time",
            "transition",
            "of a chain with one closed class of period 1",
            where.periods,
        )

    def far(power: Floats) -> bool:
        return float(0.5 * np.abs(power - where.stationary[0]).sum(axis=1).max()) > distance

    if not far(np.eye(len(A))):
        return 0
    powers, steps = [A], 1
    while far(powers[-1]):
        powers.append(powers[-1] @ powers[-1])
        steps *= 2
        if steps > max_steps:
            raise check.fail("mixing_time", "max_steps", "enough for the chain to mix", max_steps)
    reached, total = np.eye(len(A)), 0
    for j, power in reversed(list(enumerate(powers[:-1]))):
        ahead = reached @ power
        if far(ahead):
            reached, total = ahead, total + 2**j
    return total + 1


def _eliminated(A: Floats) -> Floats:
    """Stationary distribution of an irreducible chain."""
    work = A.copy()
    for k in range(len(A) - 1, 0, -1):
        work[:k, k] /= work[k, :k].sum()
        work[:k, :k] += np.outer(work[:k, k], work[k, :k])
    law = np.ones(len(A))
    for k in range(1, len(A)):
        law[k] = law[:k] @ work[:k, k]
    return np.asarray(law / law.sum())


def _period(links: np.ndarray) -> int:
    """Greatest common divisor of the lengths of all cycles of a strongly connected graph."""
    order, before = breadth_first_order(links, 0)
    level = np.zeros(len(links), dtype=np.int64)
    for state in order[1:]:
        level[state] = level[before[state]] + 1
    source, target = np.nonzero(links)
    return gcd(*np.abs(level[source] + 1 - level[target]).tolist())


def _can_reach(links: np.ndarray, aim: np.ndarray) -> np.ndarray:
    """States from which the aim can be reached."""
    reached = aim.copy()
    for _ in range(len(links)):
        wider = reached | (links & reached).any(axis=1)
        if (wider == reached).all():
            break
        reached = wider
    return reached


def _stochastic(owner: str, transition: ArrayLike) -> Floats:
    A = np.array(transition, dtype=np.float64)
    if A.ndim != 2 or A.shape[0] != A.shape[1] or not len(A):
        raise check.fail(owner, "transition", "a square matrix", f"shape {A.shape}")
    if not (A >= 0).all() or not np.allclose(A.sum(axis=1), 1.0, atol=1e-8):
        raise check.fail(owner, "transition", "rows of probabilities that sum to 1", transition)
    return A
