"""Reading a kernel as a product over groups of columns, plus noise."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from margin.core import check
from margin.core.types import Floats, Places
from margin.gp._noise import Split, split
from margin.kernels import (
    RBF,
    ColumnChoice,
    Constant,
    Constrained,
    Laplacian,
    Mapped,
    Periodic,
    Power,
    Product,
    Radial,
    Scaled,
    Separable,
    Sum,
)

Integers = Places

_SPLITS = (RBF, Laplacian, Periodic, Separable)
_SHIFTS = (Radial, Laplacian, Periodic, Separable, Constant)


@dataclass(frozen=True, eq=False)
class AxisKernel:
    """The factor of a product kernel that sees some of the columns.

    Parameters
    ----------
    columns : tuple of int
        What it sees.
    kernel : Kernel
        Of a table of these columns.
    at : ndarray of int
        Where its hyper-parameters are among those of the whole, -1 for fixed ones.
    """

    columns: tuple[int, ...]
    kernel: Any
    at: Integers

    def gradient(self, points: Floats, weight: Floats, into: Floats) -> None:
        """Add the weighted sums of the derivatives to those of the whole."""
        self.spread(self.kernel.gradient_product(points, weight), into)

    def spread(self, slopes: Floats, into: Floats) -> None:
        """Add derivatives in the hyper-parameters to those of the whole."""
        free = self.at >= 0
        np.add.at(into, self.at[free], slopes[free])


@dataclass(frozen=True, eq=False)
class GridKernel:
    r"""A kernel :math:`c \prod_j k_j` of disjoint groups of columns, and noise.

    Parameters
    ----------
    factor : float
        :math:`c`, a product of hyper-parameters.
    factor_at : ndarray of int
        Where these are among those of the whole.
    axes : tuple of AxisKernel
        In the order of their first columns; every column is in one of them.
    parts : Split
        The noise, and which hyper-parameters are free.
    """

    factor: float
    factor_at: Integers
    axes: tuple[AxisKernel, ...]
    parts: Split

    @property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """Columns of each axis."""
        return tuple(axis.columns for axis in self.axes)


def grid_kernel(kernel: Any, columns: int) -> GridKernel:
    """The factors of a kernel on a table.

    Factors that share a column are one; a kernel that is no product is the only factor.

    Examples
    --------
    >>> from margin.kernels import White, on_columns, Matern
    >>> product = grid_kernel(2.0 * RBF((1.0, 3.0)) + White(0.1), 2)
    >>> product.factor, [(axis.kernel, axis.at.tolist()) for axis in product.axes]
    (2.0, [(RBF(length_scale=1.0), [1]), (RBF(length_scale=3.0), [2])])
    >>> space = on_columns(Matern(1.0), [0, 1]) * on_columns(RBF(1.0), [2])
    >>> grid_kernel(space, 3).groups
    ((0, 1), (2,))
    """
    try:
        parts = split(kernel)
    except ValueError:
        need = "a kernel without White, or a sum of such a kernel and White kernels"
        raise check.fail("Gaussian process on a grid", "kernel", need, kernel) from None
    factors: list[tuple[float, int]] = []
    places = np.arange(len(parts.latent.theta))
    axis_kernels = list(_walk(parts.latent, places, tuple(range(columns)), factors))
    axes = tuple(
        _joined(group, [axis for axis in axis_kernels if axis.columns[0] in group])
        for group in _groups([axis.columns for axis in axis_kernels], columns)
    )
    value = float(np.prod([number for number, _ in factors]))
    at = np.array([place for _, place in factors if place >= 0], dtype=np.intp)
    return GridKernel(value, at, axes, parts)


def _walk(
    kernel: Any, at: Integers, columns: tuple[int, ...], factors: list[tuple[float, int]]
) -> Iterator[AxisKernel]:
    if isinstance(kernel, Constrained):
        inner = np.full(len(kernel.kernel.theta), -1)
        inner[kernel._open] = at
        yield from _walk(kernel.kernel, inner, columns, factors)
    elif isinstance(kernel, Scaled):
        factors.append((kernel.factor, int(at[0])))
        yield from _walk(kernel.kernel, at[1:], columns, factors)
    elif isinstance(kernel, Constant):
        factors.append((float(kernel.value), int(at[0])))
    elif isinstance(kernel, Product):
        ends = np.cumsum([len(part.theta) for part in kernel.parts])[:-1]
        for part, places in zip(kernel.parts, np.split(at, ends), strict=True):
            yield from _walk(part, places, columns, factors)
    elif isinstance(kernel, Mapped) and isinstance(kernel.map, ColumnChoice):
        kernel.map(np.zeros((1, len(columns))))  # refuses columns that are not there
        chosen = tuple(columns[c] for c in kernel.map.columns)
        if len(set(chosen)) < len(chosen):
            yield AxisKernel(columns, kernel, at)
        else:
            yield from _walk(kernel.kernel, at, chosen, factors)
    elif isinstance(kernel, _SPLITS) and len(columns) > 1 and _fits(kernel, len(columns)):
        for j, column in enumerate(columns):
            yield _one_column(kernel, at, j, column)
    else:
        yield AxisKernel(columns, kernel, at)


def _fits(kernel: Any, columns: int) -> bool:
    values = [getattr(kernel, name) for name in kernel.hyper]
    return all(len(value) == columns for value in values if isinstance(value, tuple))


def _one_column(kernel: Any, at: Integers, j: int, column: int) -> AxisKernel:
    """The factor of column ``j``; a hyper-parameter of all columns is part of every factor."""
    changes, places, start = {}, [], 0
    for name in kernel.hyper:
        value = getattr(kernel, name)
        many = isinstance(value, tuple)
        if many:
            changes[name] = value[j]
        places.append(at[start + (j if many else 0)])
        start += len(value) if many else 1
    return AxisKernel((column,), replace(kernel, **changes), np.array(places, dtype=np.intp))


def _groups(sets: list[tuple[int, ...]], columns: int) -> list[tuple[int, ...]]:
    """Smallest groups of columns that no factor crosses."""
    label = np.arange(columns)
    for chosen in sets:
        label[np.isin(label, label[list(chosen)])] = label[list(chosen)].min()
    return [tuple(np.flatnonzero(label == mark).tolist()) for mark in np.unique(label)]


def _joined(columns: tuple[int, ...], parts: list[AxisKernel]) -> AxisKernel:
    if not parts:
        return AxisKernel(columns, Constant(1.0), np.array([-1]))
    kernels = tuple(
        axis.kernel
        if axis.columns == columns
        else Mapped(axis.kernel, ColumnChoice(tuple(map(columns.index, axis.columns))))
        for axis in parts
    )
    at = np.concatenate([axis.at for axis in parts])
    return AxisKernel(columns, kernels[0] if len(kernels) == 1 else Product(kernels), at)


def shift_invariant(kernel: Any) -> bool:
    """Whether a kernel is known to be a function of the difference of two points.

    Examples
    --------
    >>> from margin.kernels import Linear
    >>> shift_invariant(2.0 * RBF(1.0) + Periodic(1.0)), shift_invariant(RBF(1.0) * Linear())
    (True, False)
    """
    if isinstance(kernel, Sum | Product):
        return all(shift_invariant(part) for part in kernel.parts)
    if isinstance(kernel, Scaled | Constrained | Power):
        return shift_invariant(kernel.kernel)
    return isinstance(kernel, _SHIFTS)
