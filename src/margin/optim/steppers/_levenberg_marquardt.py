"""Levenberg-Marquardt: non-linear least squares by damped linear ones."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count

import numpy as np

from margin.core import Iterate, Solution, Stop, check, iterate
from margin.core.types import Floats
from margin.linalg import lstsq, singular_values, svd

Residual = Callable[[Floats], Floats]

_UNDEFINED = "the function or its derivatives are not finite at the start; start elsewhere"
_KIND = "share of the residual a linear step could remove"
_STEP = float(np.finfo(np.float64).eps) ** (1 / 3)  # balances truncation and rounding
_RCOND = 1e-11  # directions in which the residual moves less than this are not parameters
_DAMPING = (1e-15, 1e-3, 1e15)  # least, first and largest
_ROUNDING = 1e-13  # of a sum of squares
_EXACT = 1e-4  # a residual below tol times this share of the data is an exact fit


def levenberg_marquardt(
    residual: Residual,
    x0: Floats,
    *,
    jacobian: Residual | None = None,
    scale: float = 0.0,
    tol: float = 1e-8,
    max_iter: int = 200,
    callback: Callable[[int, float], None] | None = None,
) -> Solution:
    r"""Minimise :math:`\tfrac12 \|r(x)\|^2` (linear.10).

    Each step solves :math:`\min_d \|r + J d\|^2 + \mu \|D d\|^2`, with :math:`D` the largest norms
    of the columns of :math:`J` so far. A step that lowers the objective is taken and, where the
    linear model foretold the gain well, the damping :math:`\mu` falls: near the solution the steps
    are Gauss-Newton's. Otherwise :math:`\mu` rises and the steps become short and downhill.

    Parameters
    ----------
    residual : callable
        Residuals at ``x``.
    x0 : ndarray of shape (p,)
        Where to start.
    jacobian : callable, optional
        Derivatives of the residuals, of shape (n, p); central differences by default.
    scale : float
        Norm of the data, by which a residual that is only rounding is told; at least the norm of
        the first residual is used.
    tol : float
        Largest certificate that counts as converged.
    max_iter : int
        Most steps to try.
    callback : callable, optional
        Called with the number and the objective of every step.

    Returns
    -------
    Solution
        The certificate is :math:`\|QQ^\top r\| / \|r\|` with :math:`Q` an orthonormal basis of the
        columns of :math:`J`: the gradient norm in the metric :math:`(J^\top J)^{-1}`, which does
        not depend on units. ``extras`` has the last ``residual``, ``jacobian`` and its ``rank``.

    References
    ----------
    J. J. Moré, The Levenberg-Marquardt algorithm: implementation and theory (1978).
    D. M. Bates and D. G. Watts, A relative offset orthogonality convergence criterion (1981).

    Examples
    --------
    >>> import numpy as np
    >>> valley = lambda x: np.array([10 * (x[1] - x[0] ** 2), 1 - x[0]])
    >>> levenberg_marquardt(valley, np.array([-1.2, 1.0])).x.round(6)
    array([1., 1.])
    """
    slopes = jacobian if jacobian is not None else lambda x: differences(residual, x)
    stop = Stop(
        _KIND,
        tol,
        max_iter,
        unit="step",
        keep="last",
        advice=("check the Jacobian", "start nearer", "raise tol"),
    )
    states = _states(residual, slopes, np.array(x0, dtype=np.float64), scale)
    name = "Levenberg-Marquardt"
    return iterate(states, stop, solver=name, callback=callback, finish=_finish)


def _states(residual: Residual, slopes: Residual, x: Floats, scale: float) -> Iterator[Iterate]:
    """The start, then the point after every step that was tried."""
    here = _Model.at(residual, slopes, x)
    if here is None:
        yield Iterate(x, np.inf, failed=_UNDEFINED)
        return
    reference = max(scale, float(np.linalg.norm(here.r)))
    damping, grow, width = _DAMPING[1], 2.0, here.column_norms()
    offset, stuck = here.offset(reference), ""
    for n_iter in count(1):
        yield Iterate(x, here.objective, offset, n_iter - 1, stuck=stuck, extras={"model": here})
        step, foretold = here.step(damping, width)
        # Once the promised gain drowns in rounding, the certificate decides what is progress.
        blind = foretold <= _ROUNDING * here.objective
        limit = here.objective * (1.0 + _ROUNDING) if blind else here.objective
        nearby = _Model.at(residual, slopes, x + step, below=limit)
        ahead = np.inf if nearby is None else nearby.offset(reference)
        if nearby is None or (blind and ahead > 0.5 * offset):
            damping, grow = damping * grow, 2.0 * grow
            if damping > _DAMPING[2] or bool((x + step == x).all()):
                stuck = "no step lowers the objective"
            continue
        gain = 1.0 if blind else (here.objective - nearby.objective) / foretold
        damping = max(damping * max(0.1, 1.0 - (2.0 * gain - 1.0) ** 3), _DAMPING[0])
        x, here, offset, grow = x + step, nearby, ahead, 2.0
        width = np.maximum(width, here.column_norms())


def _finish(at: Iterate) -> Iterate:
    here = at.extras.get("model")
    if here is None:
        return at
    return at._replace(extras={"residual": here.r, "jacobian": here.J, "rank": here.rank()})


def differences(function: Residual, x: Floats) -> Floats:
    """Jacobian by central differences, each entry of ``x`` moved in proportion to its size.

    Examples
    --------
    >>> differences(lambda x: np.array([x[0] * x[1], x[1] ** 2]), np.array([2.0, 3.0])).round(8)
    array([[3., 2.],
           [0., 6.]])
    """
    columns = []
    for j in range(len(x)):
        h = _STEP * (abs(float(x[j])) or 1.0)
        ahead, behind = x.copy(), x.copy()
        ahead[j] += h
        behind[j] -= h
        width = ahead[j] - behind[j]
        columns.append((np.asarray(function(ahead)) - np.asarray(function(behind))) / width)
    return np.column_stack(columns)


@dataclass(frozen=True)
class _Model:
    """The residuals as a linear function around a point, in triangular form."""

    r: Floats
    J: Floats
    R: Floats
    side: Floats
    objective: float

    @staticmethod
    def at(
        residual: Residual, slopes: Residual, x: Floats, below: float = np.inf
    ) -> "_Model | None":
        """The model at ``x``, or ``None`` where it is undefined or not below a value."""
        with np.errstate(all="ignore"):  # a trial point may lie where the function overflows
            r = np.asarray(residual(x), dtype=np.float64)
            objective = 0.5 * float(r @ r)
            if not np.isfinite(objective) or objective >= below:
                return None
            J = np.asarray(slopes(x), dtype=np.float64)
        if J.shape != (len(r), len(x)):
            raise check.fail(
                "levenberg_marquardt", "jacobian", f"of shape {(len(r), len(x))}", J.shape
            )
        if not np.isfinite(J).all():
            return None
        Q, R = np.linalg.qr(J)
        return _Model(r, J, R, Q.T @ r, objective)

    def column_norms(self) -> Floats:
        norms = np.linalg.norm(self.R, axis=0)
        return np.where(norms > 0, norms, 1.0)

    def rank(self) -> int:
        values = singular_values(self.R / self.column_norms())
        return int(np.sum(values > _RCOND * values[:1].sum()))

    def offset(self, reference: float) -> float:
        """Share of the residual that the columns of the Jacobian explain."""
        U, values, _ = svd(self.R / self.column_norms())
        kept = values > _RCOND * values[:1].sum()
        part = float(np.linalg.norm(U[:, kept].T @ self.side))
        size = max(float(np.linalg.norm(self.r)), _EXACT * reference)
        return part / size if size > 0 else 0.0

    def step(self, damping: float, width: Floats) -> tuple[Floats, float]:
        """Damped step and the fall of the objective that the linear model foretells."""
        # In units of the columns, so that one cut-off serves parameters of all sizes.
        matrix = np.vstack([self.R / width, np.sqrt(damping) * np.eye(len(width))])
        side = np.append(-self.side, np.zeros(len(width)))
        inner = lstsq(matrix, side)
        moved = self.R @ (inner / width)
        foretold = -float(self.side @ moved) - 0.5 * float(moved @ moved)
        return inner / width, foretold
