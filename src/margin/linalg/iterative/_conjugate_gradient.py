"""Conjugate gradients: a positive-definite system known only by its products."""

from collections.abc import Callable, Iterator
from itertools import count

import numpy as np
from numpy.typing import ArrayLike

from margin.core import Iterate, Solution, Stop, iterate
from margin.core.types import Floats
from margin.linalg._matrix import vector

Apply = Callable[[Floats], Floats]


def conjugate_gradient(
    apply: Apply,
    b: ArrayLike,
    *,
    start: ArrayLike | None = None,
    preconditioner: Apply | None = None,
    tol: float = 1e-10,
    max_iter: int | None = None,
) -> Solution:
    r"""Minimiser of :math:`\tfrac12 x^\top A x - b^\top x`, that is :math:`A x = b` (linalg.09).

    ``A`` is symmetric positive definite and enters only through :math:`v \mapsto A v`, so it may be
    sparse, structured or never formed. The error in the norm of ``A`` falls at least by the factor
    :math:`(\sqrt\kappa - 1)/(\sqrt\kappa + 1)` per iteration, :math:`\kappa` being the condition
    number of the preconditioned matrix.

    Parameters
    ----------
    apply : callable
        ``v -> A @ v``.
    b : array-like of shape (n,)
        Right-hand side.
    start : array-like of shape (n,), optional
        First guess; zero when absent.
    preconditioner : callable, optional
        ``v -> M^-1 @ v`` for a symmetric positive-definite ``M`` close to ``A``.
    tol : float
        Converged when :math:`\|b - A x\| \le \mathrm{tol}\,\|b\|`.
    max_iter : int, optional
        Largest number of iterations; ``10 n`` when absent.

    Returns
    -------
    Solution
        FAILED if a direction of non-positive curvature shows that ``A`` is not positive definite,
        STALLED if rounding errors keep the true residual above the tolerance. ``trace`` holds
        ``objective`` and ``residual`` (relative) per iteration.

    References
    ----------
    Hestenes and Stiefel (1952), Methods of conjugate gradients for solving linear systems.

    Examples
    --------
    >>> import numpy as np
    >>> A = np.array([[4.0, 1.0], [1.0, 3.0]])
    >>> solution = conjugate_gradient(lambda v: A @ v, [1.0, 2.0])
    >>> solution.x.round(9), solution.n_iter
    (array([0.09090909, 0.63636364]), 2)
    """
    b = np.asarray(b, dtype=np.float64)
    b = vector(b, b.size, "right-hand side")
    x = np.zeros_like(b) if start is None else vector(start, len(b), "start").copy()
    limit = 10 * len(b) if max_iter is None else max_iter
    if not tol >= 0:
        raise ValueError(f"linalg: tol must be a number of at least 0, got {tol!r}")
    if limit < 0:
        raise ValueError(f"linalg: max_iter must be an integer of at least 0, got {max_iter!r}")
    size = float(np.linalg.norm(b)) or 1.0
    stop = Stop(
        "relative residual",
        tol,
        limit,
        keep="last",
        columns=("residual",),
        advice=("precondition the matrix", "raise tol"),
    )

    def finish(at: Iterate) -> Iterate:
        true = float(np.linalg.norm(b - apply(at.x))) / size
        return at._replace(certificate=true)

    states = _states(apply, b, x, tol, size, preconditioner)
    return iterate(states, stop, solver="conjugate gradients", finish=finish)


def _states(
    apply: Apply,
    b: Floats,
    x: Floats,
    tol: float,
    size: float,
    preconditioner: Apply | None,
) -> Iterator[Iterate]:
    """The point after every step; the last one with its true residual."""
    residual = b - apply(x)
    direction, old, confirmed = np.zeros_like(b), 1.0, np.inf
    for n_iter in count():
        running = float(np.linalg.norm(residual)) / size
        # A x is b minus the residual.
        objective = -0.5 * float(x @ (b + residual))
        seen = Iterate(x, objective, running, n_iter, (running,), unfinished=True)
        yield seen
        if running <= tol:
            # The running residual drifts from the true one: believe only the latter.
            residual = b - apply(x)
            true = float(np.linalg.norm(residual)) / size
            if true <= tol or true > confirmed / 2:
                yield seen._replace(certificate=true, unfinished=False, stuck="rounding errors")
                return
            direction, confirmed = np.zeros_like(b), true
        z = residual if preconditioner is None else preconditioner(residual)
        new = float(residual @ z)
        direction = z + (new / old) * direction
        image = apply(direction)
        curvature = float(direction @ image)
        if not (new > 0 and curvature > 0):
            culprit = "preconditioner" if not new > 0 else "matrix"
            bent = f"positive definite, got curvature {min(new, curvature):.3g}"
            yield seen._replace(failed=f"conjugate gradients: {culprit} must be {bent}")
            return
        x = x + new / curvature * direction
        residual = residual - new / curvature * image
        old = new
