"""Matérn kernels."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from scipy.special import gammaln, kv

from margin.core import check
from margin.kernels._base import Floats
from margin.kernels.radial._radial import Radial
from margin.native.kernels import kernel_maps

TINY_RADIUS = 1e-7


@dataclass(frozen=True)
class Matern(Radial):
    r"""Matérn kernel: functions differentiable fewer than :math:`\nu` times (kernels.09).

    .. math:: k(r) = \frac{2^{1-\nu}}{\Gamma(\nu)} (\sqrt{2\nu}\, r)^\nu K_\nu(\sqrt{2\nu}\, r),
        \qquad r^2 = \sum_j \frac{(x_j - z_j)^2}{\ell_j^2}.

    Closed forms: :math:`\nu = \tfrac12` is :math:`e^{-r}` (Ornstein–Uhlenbeck),
    :math:`\tfrac32` is :math:`(1 + \sqrt3 r) e^{-\sqrt3 r}`, :math:`\tfrac52` is
    :math:`(1 + \sqrt5 r + \tfrac53 r^2) e^{-\sqrt5 r}`, and :math:`\nu = \infty` the Gaussian.

    Parameters
    ----------
    length_scale : float or sequence of float
        Unit of distance, one for all columns or one each.
    nu : float
        Smoothness, above 0; not optimised.

    Examples
    --------
    >>> [round(float(Matern(nu=nu)([[0.0]], [[1.0]])[0, 0]), 6) for nu in (0.5, 1.5, 2.5)]
    [0.367879, 0.483358, 0.523994]
    """

    length_scale: float | tuple[float, ...] = 1.0
    nu: float = field(default=1.5, kw_only=True)
    hyper: ClassVar[tuple[str, ...]] = ("length_scale",)

    def __post_init__(self) -> None:
        super().__post_init__()
        nu = self.nu
        if not (isinstance(nu, int | float | np.number) and not isinstance(nu, bool) and nu > 0):
            raise check.fail(self, "nu", "a number above 0 (infinity is the Gaussian)", nu)
        object.__setattr__(self, "nu", float(nu))

    def _compiled(self) -> tuple[int, float] | None:
        kind = _KINDS.get(self.nu)
        return None if kind is None else (kind, 0.0)

    def profile(self, s: Floats) -> Floats:
        return _PROFILES[self.nu](s) if self.nu in _PROFILES else general(s, self.nu)

    def slope(self, s: Floats) -> Floats:
        if self.nu in _SLOPES:
            return _SLOPES[self.nu](s)
        # d/dt (t^nu K_nu(t)) = -t^nu K_(nu-1)(t), and s = t^2 / (2 nu).
        nu = self.nu
        t = np.sqrt(2.0 * nu * s)
        with np.errstate(invalid="ignore", over="ignore", divide="ignore"):
            log_factor = np.log(2.0) * (2.0 - nu) - gammaln(nu) + np.log(nu)
            slopes = np.exp(log_factor + (nu - 1.0) * np.log(t)) * kv(nu - 1.0, t)
        at_zero = nu / (nu - 1.0) if nu > 1.0 else 0.0
        return np.where(np.isfinite(slopes), slopes, at_zero).astype(s.dtype)


def general(s: Floats, nu: float) -> Floats:
    """Matérn profile of any smoothness by the Bessel function of the second kind."""
    t = np.sqrt(2.0 * nu * s.astype(np.float64))
    with np.errstate(invalid="ignore", over="ignore", divide="ignore"):
        log_factor = (1.0 - nu) * np.log(2.0) - gammaln(nu)
        values = np.exp(log_factor + nu * np.log(t)) * kv(nu, t)
    # Bessel's function overflows next to zero, where the kernel is one.
    return np.where(np.isfinite(values), np.minimum(values, 1.0), 1.0).astype(s.dtype)


def _half(s: Floats) -> Floats:
    return np.exp(-np.sqrt(s))


def _three_halves(s: Floats) -> Floats:
    t = np.sqrt(3.0 * s).astype(s.dtype)
    return np.asarray((1.0 + t) * np.exp(-t))


def _five_halves(s: Floats) -> Floats:
    t = np.sqrt(5.0 * s).astype(s.dtype)
    return np.asarray((1.0 + t + t * t / 3.0) * np.exp(-t))


def _gaussian(s: Floats) -> Floats:
    return np.exp(-0.5 * s)


def _half_slope(s: Floats) -> Floats:
    r = np.sqrt(s)
    return np.where(r > 0, np.exp(-r) / np.maximum(r, TINY_RADIUS), 0.0).astype(s.dtype)


def _three_halves_slope(s: Floats) -> Floats:
    return 3.0 * np.exp(-np.sqrt(3.0 * s))


def _five_halves_slope(s: Floats) -> Floats:
    t = np.sqrt(5.0 * s).astype(s.dtype)
    return np.asarray((5.0 / 3.0) * (1.0 + t) * np.exp(-t))


_PROFILES: dict[float, Callable[[Floats], Floats]] = {
    0.5: _half,
    1.5: _three_halves,
    2.5: _five_halves,
    np.inf: _gaussian,
}
_SLOPES: dict[float, Callable[[Floats], Floats]] = {
    0.5: _half_slope,
    1.5: _three_halves_slope,
    2.5: _five_halves_slope,
    np.inf: _gaussian,
}
_KINDS = {
    0.5: kernel_maps.EXPONENTIAL,
    1.5: kernel_maps.THREE_HALVES,
    2.5: kernel_maps.FIVE_HALVES,
    np.inf: kernel_maps.GAUSSIAN,
}
