"""Check of claimed subgradients."""

import numpy as np

from margin.core import random
from margin.core.types import Floats
from margin.optim._problem import Problem


def check_subgradient(
    problem: Problem,
    x: Floats,
    subgradient: Floats | None = None,
    *,
    n_points: int = 200,
    radius: float = 1.0,
    seed: int = 0,
) -> float:
    r"""Largest violation of the subgradient inequality, also at a kink (optim.18).

    .. math:: \max_u\; f(x) + g^\top (u - x) - f(u)

    over random points :math:`u` at distances from :math:`10^{-6}` to ``radius`` around :math:`x`
    and along the axes. Zero up to rounding for a right subgradient of a convex function; a wrong
    slope or a function that is not convex is found with a positive violation.

    Parameters
    ----------
    problem : Problem
    x : ndarray of shape (d,)
        Where the subgradient is claimed.
    subgradient : ndarray of shape (d,), optional
        The claim; that of the problem itself by default.
    n_points : int
        Random points, besides two per axis and distance.
    radius : float
        Largest distance.
    seed : int
        Of the random points.

    Examples
    --------
    At its kink the hinge loss of one row has every slope between -y x and 0:

    >>> import numpy as np
    >>> from margin.losses import Hinge
    >>> from margin.optim import LinearProblem
    >>> from margin.penalties import Zero
    >>> X, y = np.array([[2.0]]), np.array([1.0])
    >>> hinge = LinearProblem(X, y, None, Hinge(), Zero(), intercept=False)
    >>> kink = np.array([0.5])
    >>> [check_subgradient(hinge, kink, np.array([g])) > 1e-9 for g in (-2.1, -2.0, -1.0, 0.0, 0.1)]
    [True, False, False, False, True]
    """
    x = np.asarray(x, dtype=np.float64)
    here = problem.expand(x)
    g = here.gradient if subgradient is None else np.asarray(subgradient, dtype=np.float64)
    rng = random.generator(seed)
    directions = rng.normal(size=(n_points, len(x)))
    directions /= np.maximum(np.linalg.norm(directions, axis=1, keepdims=True), 1e-300)
    sizes = radius * 10.0 ** rng.uniform(-6, 0, size=(n_points, 1))
    axes = np.concatenate([s * np.eye(len(x)) for s in radius * 10.0 ** np.arange(-6.0, 1.0)])
    worst = 0.0
    for step in np.concatenate([sizes * directions, axes, -axes]):
        worst = max(worst, here.value + float(g @ step) - problem.expand(x + step).value)
    return worst
