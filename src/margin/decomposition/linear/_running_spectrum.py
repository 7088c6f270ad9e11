"""The principal axes of all rows so far, carried from batch to batch."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from margin.core.types import Array, Floats
from margin.decomposition._signs import signed_rows
from margin.decomposition.linear._spectrum import Spectrum, from_moments
from margin.distributions import Moments
from margin.linalg import svd

_MOST_COLUMNS = 4000


@dataclass(frozen=True, eq=False)
class RunningSpectrum:
    """What is known of the rows seen.

    Parameters
    ----------
    n_components : int
        Axes wanted.
    n_rows : int
        Rows seen.
    weight : float
        Their weight.
    mean, squares : ndarray of shape (p,)
        Mean of the columns, and sums of squares about it.
    moments : Moments or None
        Of all rows; None where the matrix would be too large.
    roots, axes : ndarray of shape (k,) and (k, p)
        Otherwise singular values and axes of what is kept.

    Examples
    --------
    >>> from margin.decomposition._blocks import moments
    >>> running = RunningSpectrum.start(2, 1)
    >>> for rows in np.eye(2)[:, None], np.array([[3.0, 5.0]])[None]:
    ...     for batch in rows:
    ...         running = running.add(moments, batch, None)
    >>> running.n_rows, running.spectrum().squares.round(4)
    (3, array([17.7463]))
    """

    n_components: int
    n_rows: int
    weight: float
    mean: Floats
    squares: Floats
    moments: Moments | None
    roots: Floats
    axes: Floats

    @classmethod
    def start(cls, p: int, n_components: int, most: int = _MOST_COLUMNS) -> Self:
        """Nothing seen."""
        nothing = Moments.zero(p) if p <= most else None
        zeros = np.zeros(p)
        return cls(n_components, 0, 0.0, zeros, zeros, nothing, np.empty(0), np.empty((0, p)))

    @property
    def method(self) -> str:
        """How the axes are found."""
        return "leading axes of every batch" if self.moments is None else "summed moments"

    def add(
        self,
        moments: Callable[[Array, Floats | None], Moments],
        rows: Array,
        weight: Floats | None,
    ) -> "RunningSpectrum":
        """The same with a batch more."""
        if self.moments is not None:
            stats = self.moments + moments(rows, weight)
            return replace(
                self,
                n_rows=self.n_rows + len(rows),
                weight=float(stats.weight),
                mean=stats.mean,
                squares=np.maximum(np.diagonal(stats.scatter), 0.0),
                moments=stats,
            )
        held = np.ones(len(rows)) if weight is None else weight
        total = float(held.sum())
        mean = held @ rows / total
        away = (rows - mean) * np.sqrt(held)[:, None]
        shift = mean - self.mean if self.weight else np.zeros_like(mean)
        share = self.weight * total / (self.weight + total)
        parts = [self.roots[:, None] * self.axes, away, np.sqrt(share) * shift[None]]
        _, roots, axes = svd(np.vstack(parts))
        new = (self.weight * self.mean + total * mean) / (self.weight + total)
        return replace(
            self,
            n_rows=self.n_rows + len(rows),
            weight=self.weight + total,
            mean=new,
            squares=self.squares + np.einsum("ij,ij->j", away, away) + share * shift**2,
            roots=roots[: self.n_components],
            axes=signed_rows(axes[: self.n_components]),
        )

    def spectrum(self) -> Spectrum:
        """Axes of what was seen."""
        if self.moments is not None:
            return from_moments(self.moments, self.n_components)
        total = float(self.squares.sum())
        return Spectrum(self.mean, self.roots**2, self.axes, total, self.weight)
