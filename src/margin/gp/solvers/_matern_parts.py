"""Reading a kernel as a sum of Matérn processes on a line plus noise."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from margin.core import check
from margin.gp._noise import split
from margin.inference import MaternDirection, MaternSum
from margin.kernels import Constrained, Matern, Scaled, Sum

_ORDERS = {0.5: 1, 1.5: 2, 2.5: 3}


def matern_parts(kernel: Any) -> MaternSum:
    """The parts of a kernel; refuses one that is not such a sum.

    Examples
    --------
    >>> from margin.kernels import White
    >>> parts = matern_parts(2.0 * Matern(3.0, nu=0.5) + Matern(1.0) + White(0.1))
    >>> parts.order.tolist(), parts.scales.round(4).tolist(), parts.level
    ([1, 2], [[2.0, 1.0], [0.3333, 1.7321]], 0.1)
    """
    try:
        apart = split(kernel)
        latent, level = apart.latent, apart.level
    except ValueError:
        raise _refusal(kernel) from None
    parts = list(_walk(latent, 1.0, kernel))
    order = np.array([_ORDERS[nu] for nu, _, _ in parts], dtype=np.int32)
    rates = [np.sqrt(2.0 * nu) / length for nu, _, length in parts]
    return MaternSum(order, np.array([[v for _, v, _ in parts], rates]), level)


def _walk(kernel: Any, factor: float, whole: Any) -> Iterator[tuple[float, float, float]]:
    if isinstance(kernel, Constrained):
        yield from _walk(kernel.kernel, factor, whole)
    elif isinstance(kernel, Scaled):
        yield from _walk(kernel.kernel, factor * kernel.factor, whole)
    elif isinstance(kernel, Sum):
        for part in kernel.parts:
            yield from _walk(part, factor, whole)
    elif isinstance(kernel, Matern) and kernel.nu in _ORDERS:
        length = kernel.length_scale
        if isinstance(length, tuple):
            if len(length) != 1:
                raise _refusal(whole)
            length = length[0]
        yield kernel.nu, factor, float(length)
    else:
        raise _refusal(whole)


def _refusal(kernel: Any) -> ValueError:
    need = "a sum of Matern kernels of nu 0.5, 1.5 or 2.5, of multiples of them and of White"
    return check.fail("State-space Gaussian process", "kernel", need, kernel)


def is_matern(kernel: Any) -> bool:
    """Whether a kernel is such a sum.

    Examples
    --------
    >>> from margin.kernels import RBF
    >>> is_matern(Matern(1.0)), is_matern(RBF(1.0))
    (True, False)
    """
    try:
        matern_parts(kernel)
    except ValueError:
        return False
    return True


def slopes(kernel: Any) -> Iterator[MaternDirection]:
    r"""Change of scales and noise with each log hyper-parameter.

    Variances and the noise are sums of products of hyper-parameters, each linear in any one of
    them, and so is the inverse of a rate: doubling one shows its derivative without error.
    """
    here, theta = matern_parts(kernel), kernel.theta
    for j in range(len(theta)):
        moved = theta.copy()
        moved[j] += np.log(2.0)
        there = matern_parts(kernel.with_theta(moved))
        change = np.empty_like(here.scales)
        change[0] = there.scales[0] - here.scales[0]
        length = 1.0 / there.scales[1] - 1.0 / here.scales[1]
        change[1] = -(here.scales[1] ** 2) * length
        yield MaternDirection(change, there.level - here.level)
