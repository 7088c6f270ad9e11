"""Stochastic averaged gradients."""

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from margin.core import check
from margin.core.types import Floats
from margin.native.rows.averaged_gradient import saga_epoch
from margin.optim.stochastic._row_sum import RowSum
from margin.optim.stochastic._stochastic import Progress, StochasticSolver, check_seed


@dataclass(frozen=True)
class _TableSolver(StochasticSolver):
    """What SAG and SAGA share."""

    unbiased: ClassVar[bool]

    tol: float = 1e-4
    max_iter: int = 1000
    step_length: float | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        check.params(self, positive="tol", count="max_iter")
        if self.step_length is not None:
            check.params(self, positive="step_length")
        check_seed(self)

    def begin(self, rows: RowSum, x: Floats) -> Progress:
        if not rows.loss.differentiable:
            raise ValueError(
                f"{type(self).__name__}: loss must be differentiable, "
                f"got {type(rows.loss).__name__}"
            )
        w = rows.pad(x)
        return Progress(w, arrays=(np.zeros(len(rows.rows.y)), np.zeros_like(w)))

    @abstractmethod
    def rate(self, rows: RowSum) -> float:
        """Step length in use."""

    def order(self, rows: RowSum, epoch: int) -> NDArray[np.int64]:
        """Rows to renew, one after the other."""
        return rows.order(self.seed, epoch, True)

    def epoch(self, rows: RowSum, progress: Progress) -> Progress:
        order = self.order(rows, progress.epochs)
        w, slopes, gradient = progress.w.copy(), *(a.copy() for a in progress.arrays)
        saga_epoch(
            rows.rows,
            order,
            max(len(order), 1),
            progress.damping * self.rate(rows),
            rows.l1,
            rows.l2,
            rows.intercept,
            w,
            slopes,
            gradient,
            unbiased=self.unbiased,
        )
        return replace(
            progress,
            w=w,
            taken=progress.taken + len(order),
            epochs=progress.epochs + 1,
            arrays=(slopes, gradient),
        )


@dataclass(frozen=True)
class SAGA(_TableSolver):
    r"""Unbiased averaged gradients, with proximal steps for absolute penalties.

    A table keeps the last slope of every row, :math:`\bar g` is the gradient it adds up to:

    .. math:: w \leftarrow \operatorname{prox}\bigl((1 - \tau\lambda_2) w - \tau
        (\nabla \ell_i(w) - \nabla \ell_i(\text{old}) + \bar g)\bigr).

    The variance of the steps vanishes at the minimum, so a constant step length converges, at a
    linear rate on strongly convex objectives. The quadratic penalty is not part of the table.

    Parameters
    ----------
    tol : float
        Largest entry of the whole gradient (subgradient of least norm) that counts as zero.
    max_iter : int
        Most epochs.
    step_length : float, optional
        :math:`1 / (2L + \min(2 m \lambda_2, L))` by default, :math:`L` the largest curvature of a
        row and :math:`m` the number of rows.
    seed : int
        Of the order of the rows, which every epoch visits once each.

    Notes
    -----
    :math:`O(p)` per step, as many operations as stored entries for sparse rows: coordinates that
    a row does not touch drift and shrink by a rule that is summed when they are next read. One
    number per row of memory.

    References
    ----------
    A. Defazio, F. Bach and S. Lacoste-Julien, "SAGA: a fast incremental gradient method with
    support for non-strongly convex composite objectives", NIPS 2014.

    Examples
    --------
    >>> import numpy as np
    >>> from margin import losses, optim, penalties
    >>> X, y = np.array([[0.0], [1.0], [2.0]]), np.array([1.0, 2.0, 4.0])
    >>> problem = optim.LinearProblem(X, y, np.full(3, 1 / 3), losses.Squared(), penalties.Zero())
    >>> optim.minimise(problem, SAGA(tol=1e-8)).x.round(6)
    array([1.5     , 0.833333])
    """

    unbiased: ClassVar[bool] = True

    def rate(self, rows: RowSum) -> float:
        if self.step_length is not None:
            return float(self.step_length)
        bend = max(rows.smoothness, 1e-300)
        return 1.0 / (2.0 * bend + min(2.0 * len(rows.visits) * rows.l2, bend))


@dataclass(frozen=True)
class SAG(_TableSolver):
    r"""Stochastic averaged gradient (optim.08).

    A table keeps the last slope of every row; drawing row :math:`i` renews its entry, updates the
    mean :math:`\bar g \leftarrow \bar g + (g_i^{\text{new}} - g_i^{\text{old}}) / m` in
    :math:`O(p)`, and steps :math:`w \leftarrow (1 - \tau\lambda_2) w - \tau \bar g`. The quadratic
    penalty is taken at the current point: kept in the table, it would be as stale as the entries.

    Parameters
    ----------
    tol : float
        Largest entry of the whole gradient (subgradient of least norm) that counts as zero.
    max_iter : int
        Most epochs.
    step_length : float, optional
        :math:`1/L` by default, :math:`L` the largest curvature of a row.
    seed : int
        Of the draws: an epoch draws as many rows as there are, with replacement.

    Notes
    -----
    Cost as :class:`SAGA`. Draws must be independent: in orders that visit every row once, all
    entries of the table are about as old, and the steps swing up instead of dying out unless
    they are as many times shorter as there are rows.

    References
    ----------
    M. Schmidt, N. Le Roux and F. Bach, "Minimizing finite sums with the stochastic average
    gradient", Mathematical Programming 162, 2017.

    Examples
    --------
    >>> import numpy as np
    >>> from margin import losses, optim, penalties
    >>> X, y = np.array([[0.0], [1.0], [2.0]]), np.array([1.0, 2.0, 4.0])
    >>> problem = optim.LinearProblem(X, y, np.full(3, 1 / 3), losses.Squared(), penalties.Zero())
    >>> optim.minimise(problem, SAG(tol=1e-8)).x.round(6)
    array([1.5     , 0.833333])
    """

    unbiased: ClassVar[bool] = False

    def rate(self, rows: RowSum) -> float:
        if self.step_length is not None:
            return float(self.step_length)
        return 1.0 / max(rows.smoothness, 1e-300)

    def order(self, rows: RowSum, epoch: int) -> NDArray[np.int64]:
        draws = np.random.default_rng((self.seed, epoch)).integers(
            len(rows.visits), size=len(rows.visits)
        )
        return np.ascontiguousarray(rows.visits[draws])
