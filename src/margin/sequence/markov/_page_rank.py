"""Importance of pages by the walk of a user who clicks at random."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_array, issparse

from margin.core import Iterate, Solution, Stop, check, iterate
from margin.core.types import Floats


@dataclass(frozen=True)
class PageRank:
    """Importance of every page, and how it was found.

    Parameters
    ----------
    rank : ndarray of shape (n,)
        Share of time that the walk spends on each page; positive, of sum 1.
    solution : Solution
        Its certificate bounds the distance to the true ranks.
    """

    rank: Floats
    solution: Solution


def page_rank(
    links: Any,
    *,
    teleport: float = 0.15,
    preference: ArrayLike | None = None,
    tol: float = 1e-10,
    max_iter: int = 1000,
) -> PageRank:
    r"""Stationary distribution of a walk over links that sometimes jumps (sequence.03).

    .. math:: p = \lambda u + (1 - \lambda)\, p R, \qquad
              R_{kk'} = A_{kk'} / \textstyle\sum_{k'} A_{kk'}

    :math:`A_{kk'}` says whether page ``k`` links to ``k'``; a page without links (dangling) sends
    its walkers to :math:`u`, evenly anywhere by default.

    Parameters
    ----------
    links : array-like or sparse matrix of shape (n, n)
        Non-negative; row ``k`` has the links of page ``k``, weights are shares of clicks.
    teleport : float
        :math:`\lambda`, above 0 and at most 1, where all pages are equal (to ``preference``).
    preference : array-like of shape (n,), optional
        :math:`u`: where jumps lead.
    tol : float
        Largest distance, summed over pages, to the true ranks.
    max_iter : int

    Returns
    -------
    PageRank

    Notes
    -----
    Each iteration costs one pass over the links, and shrinks the error by :math:`1 - \lambda`; the
    dense matrix with its jumps is never formed.

    Examples
    --------
    >>> page_rank([[0, 1, 1], [0, 0, 1], [0, 0, 0]]).rank.round(3)
    array([0.198, 0.282, 0.521])
    """
    owner = "page_rank"
    A = (
        csr_array(links, dtype=np.float64)
        if issparse(links)
        else csr_array(np.array(links, dtype=float))
    )
    n = A.shape[0]
    if A.shape != (n, n) or not n:
        raise check.fail(owner, "links", "a square matrix", f"shape {A.shape}")
    if A.nnz and not (np.isfinite(A.data).all() and A.data.min() >= 0):
        raise check.fail(owner, "links", "finite and at least 0", "other entries")
    if not 0 < teleport <= 1:
        raise check.fail(owner, "teleport", "a number above 0 and at most 1", teleport)
    jump = np.full(n, 1.0 / n) if preference is None else np.array(preference, dtype=np.float64)
    if jump.shape != (n,) or not (jump >= 0).all() or not 0 < jump.sum() < np.inf:
        raise check.fail(owner, "preference", f"{n} numbers of at least 0, not all 0", preference)
    jump = jump / jump.sum()
    out = np.asarray(A.sum(axis=1)).ravel()
    dangling = out == 0
    step = csr_array(
        (A.data / np.repeat(np.where(dangling, 1.0, out), np.diff(A.indptr)), A.indices, A.indptr),
        shape=A.shape,
    )
    stop = Stop(
        "bound on the error of the ranks", tol, max_iter, keep="closest", advice=("raise tol",)
    )
    solution = iterate(
        _states(step.T.tocsr(), dangling, jump, teleport), stop, solver="power iteration"
    )
    return PageRank(np.asarray(solution.x), solution)


def _states(back: Any, dangling: Any, jump: Floats, teleport: float) -> Iterator[Iterate]:
    rank, n_iter = jump, 0
    while True:
        lost = float(rank[dangling].sum())
        after = (1 - teleport) * (back @ rank + lost * jump) + teleport * jump
        after /= after.sum()
        change = float(np.abs(after - rank).sum())
        # The map is a contraction by 1 - teleport: the rest of the way is at most so long.
        bound = change * (1 - teleport) / teleport
        n_iter += 1
        yield Iterate(after, change, bound, n_iter)
        rank = after
