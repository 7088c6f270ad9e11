"""Cholesky factor of a sparse matrix, by dense blocks."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from margin.core.types import Floats, Indices
from margin.linalg._matrix import right_side
from margin.linalg.factors._cholesky import Cholesky, cholesky
from margin.linalg.sparse._fronts import Fronts, fronts
from margin.linalg.sparse._nested_dissection import nested_dissection


@dataclass(frozen=True, eq=False, repr=False)
class SparseCholesky:
    r"""Factor of a sparse positive-definite matrix, made by :func:`sparse_cholesky` (linalg.09).

    Parameters
    ----------
    plan : Fronts
        Which unknowns are eliminated together and what they touch.
    heads : tuple of Cholesky
        Factor :math:`L_{pp}` of every front.
    tails : tuple of ndarray
        What lies below it, :math:`L_{bp}`.
    """

    plan: Fronts
    heads: tuple[Cholesky, ...]
    tails: tuple[Floats, ...]

    @property
    def log_det(self) -> float:
        """Logarithm of the determinant."""
        return float(sum(head.log_det for head in self.heads))

    @property
    def repairs(self) -> tuple[str, ...]:
        """What was added to the diagonal, if anything."""
        return tuple(head.repair for head in self.heads if head.repair)

    def solve(self, b: ArrayLike) -> Floats:
        r"""Solution of :math:`A x = b`, for one right-hand side or several."""
        solved = np.array(right_side(b, len(self.plan.place)))
        x = solved.reshape(len(solved), -1)
        steps = list(zip(self.plan.pivots, self.plan.borders, self.heads, self.tails, strict=True))
        for pivots, border, head, tail in steps:
            x[pivots] = head.half_solve(x[pivots])
            x[border] -= tail @ x[pivots]
        for pivots, border, head, tail in reversed(steps):
            x[pivots] = head.half_solve(x[pivots] - tail.T @ x[border], transpose=True)
        return x.reshape(solved.shape)

    def inverse_at(self, rows: Indices, columns: Indices) -> Floats:
        r"""Entries of :math:`A^{-1}` where ``A`` is stored, without the rest of it.

        From the last front to the first, with :math:`G = L_{bp} L_{pp}^{-1}` (Takahashi):
        :math:`\Sigma_{bp} = -\Sigma_{bb} G` and
        :math:`\Sigma_{pp} = (L_{pp} L_{pp}^\top)^{-1} + G^\top \Sigma_{bb} G`.

        Parameters
        ----------
        rows, columns : ndarray of int
            Pairs of unknowns that are connected in ``A``.
        """
        place = self.plan.place
        first = np.where(place[rows] < place[columns], rows, columns)
        front = self.plan.owner[first]
        order = np.argsort(front, kind="stable")
        bounds = np.searchsorted(front[order], np.arange(len(self.heads) + 1))
        values, local = np.empty(len(rows)), np.empty(len(place), dtype=np.intp)
        for k, block in self._inverses():
            mine = order[bounds[k] : bounds[k + 1]]
            inside = np.concatenate([self.plan.pivots[k], self.plan.borders[k]])
            local[inside] = np.arange(len(inside))
            values[mine] = block[local[rows[mine]], local[columns[mine]]]
        return values

    def inverse_diagonal(self) -> Floats:
        """Diagonal of the inverse."""
        every = np.arange(len(self.plan.place))
        return self.inverse_at(every, every)

    def _inverses(self) -> Iterator[tuple[int, Floats]]:
        """Block of the inverse of every front, parents before children."""
        plan = self.plan
        waiting: dict[int, Floats] = {}
        local = np.empty(len(plan.place), dtype=np.intp)
        for k in reversed(range(len(self.heads))):
            pivots, border = plan.pivots[k], plan.borders[k]
            outer = waiting.pop(k, np.empty((0, 0)))
            G = self.heads[k].half_solve(self.tails[k].T, transpose=True).T
            side = -outer @ G
            inner = self.heads[k].solve(np.eye(len(pivots))) - G.T @ side
            block = np.block([[0.5 * (inner + inner.T), side.T], [side, outer]])
            inside = np.concatenate([pivots, border])
            local[inside] = np.arange(len(inside))
            for child in plan.children[k]:
                at = local[plan.borders[child]]
                waiting[child] = block[np.ix_(at, at)]
            yield k, block

    def __repr__(self) -> str:
        return f"SparseCholesky(n={len(self.plan.place)}, fill={self.plan.fill})"


def sparse_cholesky(
    A: Any, *, points: Floats | None = None, plan: Fronts | None = None, name: str = "matrix"
) -> SparseCholesky:
    r"""Factor of a sparse symmetric positive-definite matrix (linalg.09).

    Unknowns are eliminated in groups whose blocks are dense, so that the work is done by matrix
    products; the jitter policy is that of :func:`cholesky`, group by group.

    Parameters
    ----------
    A : sparse array of shape (n, n)
        Symmetric, with its diagonal.
    points : ndarray of shape (n, d), optional
        Where the unknowns are, for :func:`nested_dissection`; their index when absent.
    plan : Fronts, optional
        What is known of the factor beforehand, if it was asked for.
    name : str
        What the matrix is, for messages.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy.sparse import diags_array
    >>> A = diags_array([-1.0, 3.0, -1.0], offsets=[-1, 0, 1], shape=(4, 4), format="csr")
    >>> factor = sparse_cholesky(A)
    >>> round(float(np.exp(factor.log_det)), 9)
    55.0
    >>> np.allclose(A @ factor.solve(np.ones(4)), 1.0)
    True
    """
    A = A.tocsr()
    if plan is None:
        where = np.arange(A.shape[0], dtype=np.float64)[:, None] if points is None else points
        plan = fronts(A, nested_dissection(where, abs(A)))
    heads: list[Cholesky] = []
    tails: list[Floats] = []
    updates: dict[int, Floats] = {}
    local = np.empty(A.shape[0], dtype=np.intp)
    for k, (pivots, border) in enumerate(zip(plan.pivots, plan.borders, strict=True)):
        inside, p = np.concatenate([pivots, border]), len(pivots)
        local[inside] = np.arange(len(inside))
        front = _assembled(A, plan.place, pivots, inside, local)
        for child in plan.children[k]:
            at = local[plan.borders[child]]
            front[np.ix_(at, at)] += updates.pop(child)
        heads.append(cholesky(0.5 * (front[:p, :p] + front[:p, :p].T), name=name))
        tails.append(np.ascontiguousarray(heads[-1].half_solve(front[p:, :p].T).T))
        updates[k] = front[p:, p:] - tails[-1] @ tails[-1].T
    return SparseCholesky(plan, tuple(heads), tuple(tails))


def _assembled(A: Any, place: Indices, pivots: Indices, inside: Indices, local: Indices) -> Floats:
    """The dense block of a front with the entries of ``A`` that it eliminates."""
    front = np.zeros((len(inside), len(inside)))
    stored = A[pivots]
    rows = np.repeat(np.arange(len(pivots)), np.diff(stored.indptr))
    later = place[stored.indices] >= place[pivots].min()
    rows, columns = rows[later], local[stored.indices[later]]
    front[rows, columns] = stored.data[later]
    front[columns, rows] = stored.data[later]
    return front
