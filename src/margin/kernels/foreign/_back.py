"""Ours in the kernels of scikit-learn."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.gaussian_process import kernels as sk

from margin.core import check
from margin.kernels._base import Kernel
from margin.kernels.algebra._algebra import Product, Sum
from margin.kernels.algebra._constrained import Constrained
from margin.kernels.algebra._power import Power
from margin.kernels.algebra._scaled import Scaled
from margin.kernels.foreign._adapter import Foreign
from margin.kernels.radial._matern import Matern
from margin.kernels.radial._rational_quadratic import RationalQuadratic
from margin.kernels.radial._rbf import RBF
from margin.kernels.vectors._constant import Constant
from margin.kernels.vectors._linear import Linear
from margin.kernels.vectors._periodic import Periodic
from margin.kernels.vectors._white import White

Limits = Sequence[Any]
"""For each entry of ``theta`` a pair of bounds, or ``"fixed"``."""


def to_sklearn(kernel: Kernel) -> Any:
    """The kernel of scikit-learn with the values, hyper-parameters and bounds of one of ours.

    Parameters
    ----------
    kernel : Kernel
        A Gaussian, Matérn, rational quadratic, periodic (of one column), linear, constant or white
        kernel; sums, products, multiples and powers of them.

    Returns
    -------
    sklearn.gaussian_process.kernels.Kernel

    Raises
    ------
    ValueError
        Where scikit-learn has no such kernel.

    Examples
    --------
    >>> from margin.kernels import RBF, White
    >>> to_sklearn(2.0 * RBF(3.0) + White(0.5))
    1.41**2 * RBF(length_scale=3) + WhiteKernel(noise_level=0.5)
    """
    return _theirs(kernel, [tuple(map(float, pair)) for pair in np.exp(kernel.bounds)])


def _theirs(kernel: Kernel, limits: Limits) -> Any:
    if isinstance(kernel, Constrained):
        free = iter(limits)
        fixed = {entry for entry, pair in kernel.entries if pair is None}
        inside = range(len(kernel.kernel.theta))
        return _theirs(kernel.kernel, ["fixed" if i in fixed else next(free) for i in inside])
    if isinstance(kernel, Scaled):
        factor = sk.ConstantKernel(kernel.factor, limits[0])
        return factor * _theirs(kernel.kernel, limits[1:])
    if isinstance(kernel, Sum | Product):
        return _folded(kernel, limits)
    if isinstance(kernel, Power):
        return sk.Exponentiation(_theirs(kernel.kernel, limits), kernel.exponent)
    if type(kernel) in _LEAVES:
        return _LEAVES[type(kernel)](kernel, limits)
    raise check.fail("to_sklearn", "kernel", "one that scikit-learn has, too", kernel)


def _folded(kernel: Sum | Product, limits: Limits) -> Any:
    """Two at a time from the left: theirs have two parts."""
    join = sk.Sum if isinstance(kernel, Sum) else sk.Product
    whole, at = None, 0
    for part in kernel.parts:
        size = len(part.theta)
        theirs = _theirs(part, limits[at : at + size])
        whole, at = theirs if whole is None else join(whole, theirs), at + size
    return whole


def _columns(kernel: Any, limits: Limits) -> tuple[Any, Any]:
    """Length scales and their bounds, which theirs fix all or none."""
    if not isinstance(kernel.length_scale, tuple):
        return kernel.length_scale, limits[0]
    fixed = [pair == "fixed" for pair in limits]
    if any(fixed) and not all(fixed):
        need = "with the length scales of all columns fixed or none"
        raise check.fail("to_sklearn", "kernel", need, kernel)
    return np.array(kernel.length_scale), "fixed" if all(fixed) else np.array(limits)


def _rbf(kernel: Any, limits: Limits) -> Any:
    return sk.RBF(*_columns(kernel, limits))


def _matern(kernel: Any, limits: Limits) -> Any:
    return sk.Matern(*_columns(kernel, limits), nu=kernel.nu)


def _rational_quadratic(kernel: Any, limits: Limits) -> Any:
    if isinstance(kernel.length_scale, tuple):
        raise check.fail("to_sklearn", "kernel", "with one length scale for all columns", kernel)
    return sk.RationalQuadratic(kernel.length_scale, kernel.alpha, *limits)


def _periodic(kernel: Any, limits: Limits) -> Any:
    if isinstance(kernel.length_scale, tuple) or isinstance(kernel.period, tuple):
        raise check.fail("to_sklearn", "kernel", "of one column", kernel)
    return sk.ExpSineSquared(kernel.length_scale, kernel.period, *limits)


def _linear(kernel: Any, limits: Limits) -> Any:
    if kernel.matrix is not None:
        raise check.fail("to_sklearn", "kernel", "one that scikit-learn has, too", kernel)
    return sk.DotProduct(0.0, "fixed")


_LEAVES: dict[type, Callable[[Any, Limits], Any]] = {
    RBF: _rbf,
    Matern: _matern,
    RationalQuadratic: _rational_quadratic,
    Periodic: _periodic,
    Linear: _linear,
    Constant: lambda kernel, limits: sk.ConstantKernel(kernel.value, limits[0]),
    White: lambda kernel, limits: sk.WhiteKernel(kernel.noise_level, limits[0]),
    Foreign: lambda kernel, limits: clone(kernel.theirs),
}
