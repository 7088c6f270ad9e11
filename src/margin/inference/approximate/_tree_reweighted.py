"""Tree-reweighted belief propagation: an upper bound on the partition function."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from margin.core import Certificate, check
from margin.core.types import Floats, Places
from margin.inference.approximate._pairwise import PairBeliefs
from margin.inference.approximate._settled import KIND, settled


def edge_appearance(n_nodes: int, edges: ArrayLike) -> Floats:
    r"""Probability of every edge under a uniformly random spanning forest.

    Its effective resistance :math:`\rho_{ij} = (e_i - e_j)^\top L^+ (e_i - e_j)` in the graph with
    Laplacian :math:`L`. Edges of a tree have one; the sum is nodes less components.

    Examples
    --------
    >>> edge_appearance(3, [[0, 1], [1, 2], [2, 0]]).round(4)
    array([0.6667, 0.6667, 0.6667])
    """
    pairs = np.asarray(edges, dtype=np.intp).reshape(-1, 2)
    laplacian = np.zeros((n_nodes, n_nodes))
    for a, b in pairs:
        laplacian[[a, b], [a, b]] += 1.0
        laplacian[[a, b], [b, a]] -= 1.0
    inverse = np.linalg.pinv(laplacian, hermitian=True)
    a, b = pairs[:, 0], pairs[:, 1]
    resistance: Floats = np.clip(inverse[a, a] + inverse[b, b] - 2.0 * inverse[a, b], 1e-12, 1.0)
    return resistance


def tree_reweighted(
    unary: ArrayLike,
    edges: ArrayLike,
    tables: ArrayLike,
    *,
    appearance: ArrayLike | None = None,
    damping: float = 0.3,
    tol: float = 1e-10,
    max_iter: int = 2000,
) -> PairBeliefs:
    r"""Tree-reweighted sum-product on a pairwise model.

    .. math::

        m_{i \to j} \propto \sum_{x_i} \psi_{ij}^{1/\rho_{ij}} \phi_i
        \frac{\prod_{k \ne j} m_{k \to i}^{\rho_{ki}}}{m_{j \to i}^{1 - \rho_{ij}}}

    A convex relative of belief propagation: :attr:`PairBeliefs.log_evidence` is an upper bound on
    :math:`\log Z`, as mean field gives a lower one. With :math:`\rho = 1` it is belief propagation.

    Parameters
    ----------
    unary : array of shape (nodes, states)
        Positive.
    edges : int array of shape (edges, 2)
    tables : array of shape (states, states) or (edges, states, states)
        Positive.
    appearance : array of shape (edges,), optional
        Edge probabilities :math:`\rho`; of a uniform spanning forest by default.
    damping, tol, max_iter
        As in :func:`pairwise_bp`, on log messages.

    Examples
    --------
    >>> import numpy as np
    >>> pair = np.array([[2.0, 1.0], [1.0, 2.0]])
    >>> bound = tree_reweighted(np.ones((3, 2)), [[0, 1], [1, 2], [2, 0]], pair).log_evidence
    >>> bool(bound >= np.log(28.0))
    True
    """
    phi = np.asarray(unary, dtype=np.float64)
    pairs = np.asarray(edges, dtype=np.intp).reshape(-1, 2)
    psi = np.asarray(tables, dtype=np.float64)
    psi = np.broadcast_to(psi, (len(pairs), phi.shape[1], phi.shape[1]))
    if not ((phi > 0).all() and (psi > 0).all()):
        raise check.fail("tree_reweighted", "tables and unary", "positive", "an entry of zero")
    rho = edge_appearance(len(phi), pairs) if appearance is None else np.asarray(appearance, float)
    if rho.shape != (len(pairs),) or not ((rho > 0) & (rho <= 1)).all():
        raise check.fail("tree_reweighted", "appearance", "one number in (0, 1] per edge", rho)
    work = _Reweighted(np.log(phi), pairs, np.log(psi), rho)
    start = np.zeros((2, len(pairs), phi.shape[1]))
    solution = settled(work.rounds(start, damping), start, tol, max_iter)
    marginals, bound = work.bound(solution.x)
    flat = np.exp(solution.x).transpose(1, 0, 2).reshape(-1, phi.shape[1])
    return PairBeliefs(
        marginals,
        bound,
        solution.status,
        solution.n_iter,
        solution.trace["change"][1:],
        solution.certificate or Certificate(KIND, np.inf, tol),
        flat,
    )


class _Reweighted:
    def __init__(self, log_phi: Floats, pairs: Places, log_psi: Floats, rho: Floats) -> None:
        self.log_phi, self.pairs, self.rho = log_phi, pairs, rho
        self.log_pair = log_psi / rho[:, None, None]

    def _totals(self, log_messages: Floats) -> Floats:
        total = self.log_phi.copy()
        np.add.at(total, self.pairs[:, 1], self.rho[:, None] * log_messages[0])
        np.add.at(total, self.pairs[:, 0], self.rho[:, None] * log_messages[1])
        return total

    def rounds(self, log_messages: Floats, damping: float) -> Iterator[tuple[float, Floats]]:
        """Largest change in every round, and the messages after it."""
        while True:
            fresh = self.update(log_messages)
            change = float(np.abs(fresh - log_messages).max(initial=0.0))
            log_messages = (1.0 - damping) * fresh + damping * log_messages
            yield change, log_messages

    def update(self, log_messages: Floats) -> Floats:
        total = self._totals(log_messages)
        first = total[self.pairs[:, 0]] - log_messages[1]
        second = total[self.pairs[:, 1]] - log_messages[0]
        fresh = np.stack(
            [
                np.logaddexp.reduce(self.log_pair + first[:, :, None], axis=1),
                np.logaddexp.reduce(self.log_pair + second[:, None, :], axis=2),
            ]
        )
        return fresh - np.logaddexp.reduce(fresh, axis=2, keepdims=True)

    def bound(self, log_messages: Floats) -> tuple[Floats, float]:
        """Pseudo-marginals, and energy plus the reweighted entropy."""
        total = self._totals(log_messages)
        nodes = _softmax(total, (1,))
        joint = (
            self.log_pair
            + (total[self.pairs[:, 0]] - log_messages[1])[:, :, None]
            + (total[self.pairs[:, 1]] - log_messages[0])[:, None, :]
        )
        both = _softmax(joint, (1, 2))
        energy = (nodes * self.log_phi).sum()
        energy += (both * self.log_pair * self.rho[:, None, None]).sum()
        entropy = _entropy(nodes).sum()
        ends = _entropy(both.sum(axis=2)) + _entropy(both.sum(axis=1))
        information = ends - _entropy(both.reshape(len(both), -1))
        return nodes, float(energy + entropy - (self.rho * information).sum())


def _softmax(values: Floats, axes: tuple[int, ...]) -> Floats:
    shifted = np.exp(values - values.max(axis=axes, keepdims=True))
    result: Floats = shifted / shifted.sum(axis=axes, keepdims=True)
    return result


def _entropy(tables: Floats) -> Any:
    positive = np.where(tables > 0, tables, 1.0)
    return -(tables * np.log(positive)).sum(axis=1)
