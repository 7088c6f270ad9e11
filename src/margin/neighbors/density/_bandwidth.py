"""Bandwidths by rule of thumb and by cross-validation."""

import numpy as np

from margin.core.types import Floats
from margin.neighbors.density._kernel_sums import KernelSums, Tolerance

RULES = ("scott", "silverman", "cv")
_LOOSE = Tolerance(rtol=1e-6)
_FINER = 33  # odd: the middle is the best point of the grid


def by_rule(rule: str, n: int, p: int) -> float:
    """Bandwidth for points of unit spread, by the rule of Scott or of Silverman.

    Examples
    --------
    >>> round(by_rule("scott", 1000, 1), 4), round(by_rule("silverman", 1000, 1), 4)
    (0.2512, 0.2661)
    """
    if rule == "scott":
        return float(n ** (-1.0 / (p + 4)))
    return float((n * (p + 2) / 4.0) ** (-1.0 / (p + 4)))


def by_leaving_out(sums: KernelSums, kernel: str) -> tuple[float, Floats, Floats]:
    r"""Bandwidth of the largest :math:`\sum_i w_i \log \hat f_{-i}(x_i)`.

    A grid around the rule of Silverman, then a finer one between the neighbours of its best point.

    Returns
    -------
    bandwidth : float
    tried, objective : ndarray
        The grid, and the mean log-density of left-out points there.
    """
    n, p = sums.X.shape
    spread = np.sqrt(np.average((sums.X - sums.X.mean(axis=0)) ** 2, weights=sums.weight, axis=0))
    size = float(np.exp(np.mean(np.log(spread[spread > 0])))) if (spread > 0).any() else 1.0
    start = by_rule("silverman", n, p) * size
    if kernel != "gaussian":
        start *= 2.0  # kernels of compact support are about half as wide as they reach

    def loss(log_width: float) -> float:
        density = sums.left_out(kernel, float(np.exp(log_width)), _LOOSE)
        return -float(np.average(density, weights=sums.weight))

    grid = np.log(start) + np.linspace(np.log(0.05), np.log(20.0), 25)
    values = np.array([loss(log_width) for log_width in grid])
    best = int(np.argmin(values))
    if not np.isfinite(values[best]):
        return start, np.exp(grid), -values
    finer = np.linspace(grid[max(0, best - 1)], grid[min(len(grid) - 1, best + 1)], _FINER)
    log_width = min(finer, key=loss)
    return float(np.exp(log_width)), np.exp(grid), -values
