"""Kernels of scikit-learn in ours, hyper-parameter by hyper-parameter."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone
from sklearn.gaussian_process.kernels import Kernel as SklearnKernel

from margin.core import check
from margin.kernels._base import Floats, Kernel
from margin.kernels.algebra._constrained import Constrained
from margin.kernels.foreign._adapter import Foreign
from margin.kernels.foreign._pieces import Piece, pieced

Optimizer = Callable[..., tuple[Any, float]]


@dataclass(frozen=True, eq=False)
class Translation:
    r"""A kernel of scikit-learn and ours that has the same values.

    Entry ``i`` of their ``theta`` is entry ``places[i]`` of ours, which is ``scales[i]`` times as
    large: :math:`\sigma_0` of ``DotProduct`` is squared in ours, so that its logarithm doubles.

    Parameters
    ----------
    theirs : sklearn.gaussian_process.kernels.Kernel
        A copy of what was given.
    ours : Kernel
        With the bounds of theirs; what is fixed there is fixed here.
    places : ndarray of int of shape (p,)
    scales : ndarray of shape (p,)

    Examples
    --------
    >>> from sklearn.gaussian_process.kernels import DotProduct, WhiteKernel
    >>> both = from_sklearn(DotProduct(2.0) + WhiteKernel(0.5, "fixed"))
    >>> str(both.ours)
    'Constant(4) + Linear() + White(0.5)'
    >>> both.at(np.log([3.0])).theta.round(6), both.theirs_at(both.ours)
    (array([2.197225]), DotProduct(sigma_0=2) + WhiteKernel(noise_level=0.5))
    """

    theirs: Any
    ours: Kernel
    places: NDArray[np.intp]
    scales: NDArray[np.float64]

    @property
    def start(self) -> Kernel:
        """Ours with its hyper-parameters inside the bounds, where a search may start."""
        low, high = self.ours.bounds.T
        return self.ours.with_theta(np.clip(self.ours.theta, low, high))

    def at(self, theta: ArrayLike) -> Kernel:
        """Ours at hyper-parameters in their coordinates."""
        values = np.asarray(theta, dtype=np.float64)
        if values.shape != self.places.shape:
            raise check.fail(self.theirs, "theta", f"of shape {self.places.shape}", values.shape)
        return self.ours.with_theta(self.inward(values))

    def theirs_at(self, kernel: Kernel) -> Any:
        """Theirs at the hyper-parameters of one of ours."""
        return self.theirs.clone_with_theta(self.outward(kernel.theta))

    def inward(self, values: Floats) -> Floats:
        """Our coordinates from theirs; what comes after the hyper-parameters stays."""
        ours = np.array(values, dtype=np.float64)
        ours[self.places] = (ours[: len(self.places)].T * self.scales).T
        return ours

    def outward(self, values: Floats) -> Floats:
        """Their coordinates from ours; what comes after the hyper-parameters stays."""
        theirs = np.array(values, dtype=np.float64)
        theirs[: len(self.places)] = (theirs[self.places].T / self.scales).T
        return theirs

    def gradient(self, slopes: Floats) -> Floats:
        """Derivatives in their coordinates from those in ours."""
        theirs = np.array(slopes, dtype=np.float64)
        theirs[: len(self.places)] = theirs[self.places] * self.scales
        return theirs

    def search(self, optimizer: Optimizer) -> Optimizer:
        """A search of the user's that sees their coordinates, as one that takes ours."""

        @wraps(optimizer)
        def translated(objective: Any, start: Floats, *, bounds: Floats) -> tuple[Any, float]:
            def theirs(theta: Floats, eval_gradient: bool = True) -> Any:
                there = objective(self.inward(theta), eval_gradient)
                return (there[0], self.gradient(there[1])) if eval_gradient else there

            x, value = optimizer(theirs, self.outward(start), bounds=self.outward(bounds))
            return self.inward(np.atleast_1d(x)), value

        return translated


def is_sklearn(kernel: object) -> bool:
    """Whether it is a kernel of scikit-learn."""
    return isinstance(kernel, SklearnKernel)


def from_sklearn(kernel: Any, *, columns: int | None = None) -> Translation:
    """Ours that has the values, hyper-parameters and bounds of one of scikit-learn's.

    Parameters
    ----------
    kernel : sklearn.gaussian_process.kernels.Kernel
        Not changed. What has no counterpart of ours is called as it is.
    columns : int, optional
        Columns of the tables to come: on one column ``ExpSineSquared`` is our ``Periodic``.

    Returns
    -------
    Translation

    Examples
    --------
    >>> from sklearn.gaussian_process.kernels import RBF
    >>> str(from_sklearn(2.0 * RBF(3.0)).ours)
    '2 * RBF(3)'
    """
    if not is_sklearn(kernel):
        raise check.fail("kernels", "kernel", "one of sklearn.gaussian_process.kernels", kernel)
    theirs = clone(kernel)
    try:
        piece = pieced(theirs, columns)
    except ValueError:  # such as a constant of zero, or objects that ours would not mix
        whole = Foreign(theirs)
        piece = Piece(whole, tuple(range(len(whole.theta))))
    free = np.array(piece.places, dtype=np.intp)
    scales = np.array(piece.scales or [1.0] * len(free), dtype=np.float64)
    return Translation(theirs, _bounded(piece.kernel, theirs, free, scales), _ranks(free), scales)


def _bounded(kernel: Kernel, theirs: Any, free: Any, scales: Floats) -> Kernel:
    """The kernel with all but the free entries fixed, these in their bounds."""
    entries: dict[int, tuple[float, float] | None] = dict.fromkeys(range(len(kernel.theta)))
    with np.errstate(invalid="ignore"):
        pairs = np.array(theirs.bounds, dtype=np.float64).reshape(-1, 2)
    # NaN is the logarithm of a bound below zero: none.
    low = np.where(np.isnan(pairs[:, 0]), -np.inf, pairs[:, 0]) * scales
    high = np.where(np.isnan(pairs[:, 1]), np.inf, pairs[:, 1]) * scales
    widest = np.log([np.finfo(np.float64).tiny, np.finfo(np.float64).max / 2])
    for place, a, b in zip(
        free, np.maximum(low, widest[0]), np.minimum(high, widest[1]), strict=True
    ):
        entries[int(place)] = (float(np.exp(a)), float(np.exp(b)))
    return Constrained(kernel, tuple(entries.items())) if entries else kernel


def _ranks(places: Any) -> NDArray[np.intp]:
    """Places among the free entries from places among all."""
    return np.asarray(np.argsort(np.argsort(places)), dtype=np.intp)
