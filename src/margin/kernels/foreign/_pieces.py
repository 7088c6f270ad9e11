"""Parts of a kernel of scikit-learn, each in ours."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.gaussian_process import kernels as sk

from margin.kernels._base import Kernel
from margin.kernels.algebra._algebra import Product, Sum
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


@dataclass(frozen=True, eq=False)
class Piece:
    """One of ours, and where their free hyper-parameters are in its ``theta``.

    Parameters
    ----------
    kernel : Kernel
    places : tuple of int
        For each entry of their ``theta``, the entry of ours.
    scales : tuple of float
        How many times as large ours is; empty where all are equal.
    """

    kernel: Kernel
    places: tuple[int, ...]
    scales: tuple[float, ...] = ()

    @property
    def factors(self) -> tuple[float, ...]:
        """The scales, written out."""
        return self.scales or (1.0,) * len(self.places)


def pieced(theirs: Any, columns: int | None) -> Piece:
    """Ours of a kernel of scikit-learn, part by part; subclasses are called as they are."""
    kind = type(theirs)
    if kind is sk.Sum:
        return _sum(pieced(theirs.k1, columns), pieced(theirs.k2, columns))
    if kind is sk.Product:
        return _product(pieced(theirs.k1, columns), pieced(theirs.k2, columns))
    if kind is sk.Exponentiation and _is_count(theirs.exponent):
        inner = pieced(theirs.kernel, columns)
        return Piece(Power(inner.kernel, int(theirs.exponent)), inner.places, inner.scales)
    if kind in _LEAVES and not (kind is sk.ExpSineSquared and columns != 1):
        return _LEAVES[kind](theirs)
    whole = Foreign(theirs)
    return Piece(whole, tuple(range(len(whole.theta))))


def _sum(left: Piece, right: Piece) -> Piece:
    parts: list[Kernel] = []
    for piece in (left, right):
        parts += piece.kernel.parts if isinstance(piece.kernel, Sum) else [piece.kernel]
    return _joined(Sum(tuple(parts)), left, right)


def _product(left: Piece, right: Piece) -> Piece:
    """Products of constants are multiples, whose factor comes first in ``theta``."""
    if isinstance(left.kernel, Constant):
        return _joined(Scaled(right.kernel, left.kernel.value), left, right)
    if isinstance(right.kernel, Constant):
        kernel = Scaled(left.kernel, right.kernel.value)
        places = (*(place + 1 for place in left.places), *right.places)
        return Piece(kernel, places, left.factors + right.factors)
    return _joined(Product((left.kernel, right.kernel)), left, right)


def _joined(kernel: Kernel, left: Piece, right: Piece) -> Piece:
    shift = len(left.kernel.theta)
    places = (*left.places, *(shift + place for place in right.places))
    return Piece(kernel, places, left.factors + right.factors)


def _rbf(theirs: Any) -> Piece:
    return Piece(RBF(_scales(theirs)), _places(theirs, "length_scale"))


def _matern(theirs: Any) -> Piece:
    kernel = Matern(_scales(theirs), nu=float(theirs.nu))
    return Piece(kernel, _places(theirs, "length_scale"))


def _rational_quadratic(theirs: Any) -> Piece:
    kernel = RationalQuadratic(float(theirs.length_scale), float(theirs.alpha))
    # They sort by name: alpha comes first there, last here.
    free = (("alpha", 1), ("length_scale", 0))
    return Piece(kernel, tuple(at for name, at in free if not _fixed(theirs, name)))


def _periodic(theirs: Any) -> Piece:
    kernel = Periodic(float(theirs.length_scale), float(theirs.periodicity))
    free = (("length_scale", 0), ("periodicity", 1))
    return Piece(kernel, tuple(at for name, at in free if not _fixed(theirs, name)))


def _dot_product(theirs: Any) -> Piece:
    kernel = Sum((Constant(float(theirs.sigma_0) ** 2), Linear()))
    places = _places(theirs, "sigma_0")
    return Piece(kernel, places, (2.0,) * len(places))


def _constant(theirs: Any) -> Piece:
    return Piece(Constant(float(theirs.constant_value)), _places(theirs, "constant_value"))


def _white(theirs: Any) -> Piece:
    return Piece(White(float(theirs.noise_level)), _places(theirs, "noise_level"))


_LEAVES: dict[type, Callable[[Any], Piece]] = {
    sk.RBF: _rbf,
    sk.Matern: _matern,
    sk.RationalQuadratic: _rational_quadratic,
    sk.ExpSineSquared: _periodic,
    sk.DotProduct: _dot_product,
    sk.ConstantKernel: _constant,
    sk.WhiteKernel: _white,
}


def _scales(theirs: Any) -> float | tuple[float, ...]:
    values = np.atleast_1d(np.asarray(theirs.length_scale, dtype=np.float64))
    return tuple(map(float, values)) if len(values) > 1 else float(values[0])


def _fixed(theirs: Any, name: str) -> bool:
    return bool(getattr(theirs, f"hyperparameter_{name}").fixed)


def _places(theirs: Any, name: str) -> tuple[int, ...]:
    one = getattr(theirs, f"hyperparameter_{name}")
    return () if one.fixed else tuple(range(one.n_elements))


def _is_count(exponent: Any) -> bool:
    return float(exponent).is_integer() and exponent >= 1
