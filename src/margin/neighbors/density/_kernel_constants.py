"""Kernels of a density: their volumes and how to draw from them."""

import numpy as np
from scipy.integrate import quad
from scipy.special import gammaln

from margin.core.types import Floats
from margin.native.neighbors.densities import KERNELS

__all__ = ["KERNELS", "draw", "log_volume", "profile"]


def profile(kernel: str, u: Floats) -> Floats:
    """Value of a kernel at distances in units of the bandwidth, one at zero.

    Examples
    --------
    >>> profile("linear", np.array([0.0, 0.5, 2.0]))
    array([1. , 0.5, 0. ])
    """
    inside = u < 1.0
    if kernel == "gaussian":
        return np.asarray(np.exp(-0.5 * u**2))
    if kernel == "exponential":
        return np.asarray(np.exp(-u))
    if kernel == "tophat":
        return np.asarray(inside, dtype=np.float64)
    if kernel == "epanechnikov":
        return np.where(inside, 1.0 - u**2, 0.0)
    if kernel == "linear":
        return np.where(inside, 1.0 - u, 0.0)
    return np.where(inside, np.cos(0.5 * np.pi * np.minimum(u, 1.0)), 0.0)


def log_volume(kernel: str, bandwidth: float, p: int) -> float:
    r"""Logarithm of :math:`\int K(\|x\| / h) \, dx` over :math:`p` dimensions.

    Examples
    --------
    >>> round(float(np.exp(log_volume("tophat", 2.0, 1))), 12)  # the interval from -2 to 2
    4.0
    """
    ball = 0.5 * p * np.log(np.pi) - gammaln(0.5 * p + 1.0)
    inside = {
        "gaussian": 0.5 * p * np.log(2.0 * np.pi),
        "tophat": ball,
        "epanechnikov": ball + np.log(2.0 / (p + 2.0)),
        "exponential": ball + np.log(p) + gammaln(p),
        "linear": ball - np.log(p + 1.0),
    }
    if kernel == "cosine":
        area, _ = quad(lambda r: np.cos(0.5 * np.pi * r) * r ** (p - 1), 0.0, 1.0)
        inside["cosine"] = ball + np.log(p) + np.log(area)
    return float(inside[kernel] + p * np.log(bandwidth))


def draw(kernel: str, bandwidth: float, n: int, p: int, rng: np.random.Generator) -> Floats:
    """Points around zero with the density of the kernel: a direction times a radius."""
    if kernel == "gaussian":
        return bandwidth * rng.standard_normal((n, p))
    direction = rng.standard_normal((n, p))
    direction /= np.linalg.norm(direction, axis=1, keepdims=True)
    return bandwidth * _radii(kernel, n, p, rng)[:, None] * direction


def _radii(kernel: str, n: int, p: int, rng: np.random.Generator) -> Floats:
    """Radii with density proportional to :math:`K(r) r^{p-1}`."""
    if kernel == "tophat":
        return rng.random(n) ** (1.0 / p)
    if kernel == "exponential":
        return rng.gamma(p, size=n)
    if kernel == "linear":
        return rng.beta(p, 2.0, size=n)
    if kernel == "epanechnikov":
        return np.sqrt(rng.beta(0.5 * p, 2.0, size=n))
    # cos(pi r / 2) lies below 1 - r^2 on the whole interval.
    radius = np.empty(n)
    open_places = np.arange(n)
    while len(open_places):
        tried = np.sqrt(rng.beta(0.5 * p, 2.0, size=len(open_places)))
        taken = rng.random(len(tried)) * (1.0 - tried**2) <= np.cos(0.5 * np.pi * tried)
        radius[open_places[taken]] = tried[taken]
        open_places = open_places[~taken]
    return radius
