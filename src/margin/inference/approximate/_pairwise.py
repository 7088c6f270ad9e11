"""Loopy belief propagation on pairwise models, for images and lattices."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from margin.core import Certificate, Status, check, threads
from margin.core.types import Floats, Ints, Places
from margin.native.grid.grid_messages import SCHEDULES, pair_messages


@dataclass(frozen=True)
class PairBeliefs:
    """Beliefs of a pairwise model.

    Parameters
    ----------
    marginals : ndarray of shape (nodes, states)
    log_evidence : float
        Bethe approximation of the log partition function; NaN for max-product.
    status : Status
    n_iter : int
    trace : ndarray
        Largest change of a message entry, round by round.
    certificate : Certificate
    messages : ndarray of shape (2 edges, states)
        To continue from.
    """

    marginals: Floats
    log_evidence: float
    status: Status
    n_iter: int
    trace: Floats = field(repr=False)
    certificate: Certificate
    messages: Floats = field(repr=False)

    @property
    def states(self) -> Places:
        """The most probable state of each node by itself."""
        best: Places = self.marginals.argmax(axis=1)
        return best


def grid_edges(height: int, width: int) -> Ints:
    """Edges of a lattice whose node ``(i, j)`` has number ``i * width + j``.

    Examples
    --------
    >>> grid_edges(2, 2).tolist()
    [[0, 1], [2, 3], [0, 2], [1, 3]]
    """
    number = np.arange(height * width, dtype=np.int32).reshape(height, width)
    across = np.stack([number[:, :-1].ravel(), number[:, 1:].ravel()], axis=1)
    down = np.stack([number[:-1].ravel(), number[1:].ravel()], axis=1)
    return np.ascontiguousarray(np.concatenate([across, down]))


def pairwise_bp(
    unary: ArrayLike,
    edges: ArrayLike,
    tables: ArrayLike,
    kinds: ArrayLike | None = None,
    *,
    maximise: bool = False,
    damping: float = 0.0,
    schedule: str = "flooding",
    tol: float = 1e-8,
    max_iter: int = 1000,
    messages: ArrayLike | None = None,
    n_threads: int | None = None,
) -> PairBeliefs:
    r"""Sum-product or max-product on a graph with cycles (``inference.15``).

    .. math:: p(x) \propto \prod_i \phi_i(x_i) \prod_{(i, j)} \psi_{ij}(x_i, x_j)

    The messages
    :math:`m_{i \to j}(x_j) \propto \sum_{x_i} \phi_i \psi_{ij} \prod_{k \ne j} m_{k \to i}`
    are repeated until they settle. Exact on trees. On other graphs convergence is not guaranteed;
    damping helps, and the status tells. Tables with one value on the diagonal and another
    elsewhere (Potts) cost a number of operations linear in the states.

    Parameters
    ----------
    unary : array of shape (nodes, states)
        Non-negative.
    edges : int array of shape (edges, 2)
    tables : array of shape (states, states) or (kinds, states, states)
        Rows belong to the first node of an edge.
    kinds : int array of shape (edges,), optional
        Which table each edge uses; needed if there are several, unless there is one per edge.
    maximise : bool
        Max-product: the marginals are max-marginals.
    damping : float
        Share of the old message kept, in [0, 1).
    schedule : {"flooding", "residual", "sweep"}
        All at once (threaded); the messages out of the nodes whose incoming messages have changed
        most; or node by node, forwards and backwards in turn. The residual schedule pays three to
        four times as much per message and needs fewer of them where information has far to go.
    tol : float
        Largest change of a message entry that counts as settled.
    max_iter : int
        Rounds, each as many message updates as there are messages.
    messages : array of shape (2 edges, states), optional
        Start; uniform by default.

    Examples
    --------
    >>> import numpy as np
    >>> pair = np.array([[2.0, 1.0], [1.0, 2.0]])
    >>> beliefs = pairwise_bp([[0.9, 0.1], [0.5, 0.5]], [[0, 1]], pair)
    >>> beliefs.marginals[1].round(4), round(float(np.exp(beliefs.log_evidence)), 4)
    (array([0.6333, 0.3667]), 1.5)
    """
    phi, pairs, psi, kind = _checked(unary, edges, tables, kinds)
    log_scale = np.log(phi.max(axis=1, keepdims=True, initial=1e-300))
    phi = phi / np.exp(log_scale)
    if not 0 <= damping < 1:
        raise check.fail("pairwise_bp", "damping", "in [0, 1)", damping)
    if schedule not in SCHEDULES:
        wanted = f"one of {', '.join(map(repr, SCHEDULES))}"
        raise check.fail("pairwise_bp", "schedule", wanted, schedule)
    check.count("pairwise_bp", "max_iter", max_iter)
    current = _start(messages, len(pairs), phi.shape[1], maximise)
    trace, marginals, bethe = pair_messages(
        phi, pairs, kind, psi, current, maximise=maximise, schedule=schedule,
        damping=float(damping), tol=float(tol), max_iter=int(max_iter),
        n_threads=threads.count(n_threads),
    )  # fmt: skip
    change = float(trace[-1]) if len(trace) else 0.0
    bethe = float("nan") if maximise else bethe + float(log_scale.sum())
    status = Status.CONVERGED if change <= tol else Status.MAX_ITER
    certificate = Certificate("largest change of a message", change, float(tol))
    return PairBeliefs(marginals, bethe, status, len(trace), trace, certificate, current)


def _checked(
    unary: ArrayLike, edges: ArrayLike, tables: ArrayLike, kinds: ArrayLike | None
) -> tuple[Floats, Ints, Floats, Ints]:
    phi = np.ascontiguousarray(unary, dtype=np.float64)
    pairs = np.ascontiguousarray(np.asarray(edges).reshape(-1, 2), dtype=np.int32)
    psi = np.ascontiguousarray(tables, dtype=np.float64)
    psi = psi[None] if psi.ndim == 2 else psi
    if phi.ndim != 2 or psi.ndim != 3 or psi.shape[1:] != (phi.shape[1],) * 2:
        raise check.fail("pairwise_bp", "tables", "square over the states of unary", psi.shape)
    for name, values in (("unary", phi), ("tables", psi)):
        if not (np.isfinite(values).all() and (values >= 0).all()):
            raise check.fail("pairwise_bp", name, "finite and non-negative", values)
    if len(phi) and not phi.any(axis=1).all():
        node = int(np.flatnonzero(~phi.any(axis=1))[0])
        raise check.fail("pairwise_bp", f"unary[{node}]", "positive somewhere", phi[node])
    if pairs.size and (pairs.min() < 0 or pairs.max() >= len(phi)):
        raise check.fail("pairwise_bp", "edges", f"between nodes 0..{len(phi) - 1}", pairs)
    if (pairs[:, 0] == pairs[:, 1]).any():
        raise check.fail("pairwise_bp", "edges", "between two different nodes", "a loop")
    if kinds is None:
        single = len(psi) == 1
        if not single and len(psi) != len(pairs):
            raise check.fail("pairwise_bp", "kinds", "given with several tables", None)
        kinds = np.zeros(len(pairs)) if single else np.arange(len(pairs))
    kind = np.ascontiguousarray(kinds, dtype=np.int32)
    if kind.shape != (len(pairs),) or (kind.size and (kind.min() < 0 or kind.max() >= len(psi))):
        raise check.fail("pairwise_bp", "kinds", f"{len(pairs)} numbers of tables", kind)
    return phi, pairs, psi, kind


def _start(messages: ArrayLike | None, n_edges: int, n_states: int, maximise: bool) -> Floats:
    shape = (2 * n_edges, n_states)
    if messages is None:
        return np.full(shape, 1.0 if maximise else 1.0 / n_states)
    current = np.array(messages, dtype=np.float64, order="C")
    if current.shape != shape or not (current >= 0).all():
        raise check.fail(
            "pairwise_bp", "messages", f"non-negative, of shape {shape}", current.shape
        )
    return current
