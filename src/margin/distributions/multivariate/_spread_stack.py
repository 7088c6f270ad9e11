"""A covariance for every member of an array of normal vectors."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, Self

import numpy as np

from margin.core.types import Floats, Places
from margin.distributions.multivariate._spread import Spread
from margin.distributions.multivariate._vector_algebra import conditional, log_density


@dataclass(frozen=True, eq=False)
class SpreadStack:
    """Factored covariances of the members of an array.

    Parameters
    ----------
    members : tuple of Spread
        In the order of the array.
    batch : tuple of int
        Its shape.
    """

    members: tuple[Spread, ...]
    batch: tuple[int, ...]

    @classmethod
    def of(cls, owner: object, form: str, matrices: Floats) -> Self:
        """Factor matrices of shape (..., d, d): covariances, precisions or lower factors."""
        name = "lower" if form == "cholesky" else form
        flat = matrices.reshape(-1, *matrices.shape[-2:])
        return cls(tuple(Spread.of(owner, **{name: m}) for m in flat), matrices.shape[:-2])

    @property
    def form(self) -> Literal["covariance", "precision"]:
        """Which matrix was factored."""
        return self.members[0].form if self.members else "covariance"

    @property
    def dim(self) -> int:
        """Number of coordinates."""
        return self.members[0].dim if self.members else 0

    @cached_property
    def covariance(self) -> Floats:
        """The covariances, of shape (..., d, d)."""
        return self._stacked([m.covariance for m in self.members])

    @cached_property
    def precision(self) -> Floats:
        """Their inverses."""
        return self._stacked([m.precision for m in self.members])

    @cached_property
    def variance(self) -> Floats:
        """Their diagonals, of shape (..., d)."""
        return self._stacked([m.variance for m in self.members])

    @property
    def log_det(self) -> Floats:
        """Logarithms of their determinants."""
        return self._stacked([np.asarray(m.log_det) for m in self.members])

    @property
    def repair(self) -> str:
        """What jitter was needed; empty if none."""
        return "; ".join(dict.fromkeys(m.repair for m in self.members if m.repair))

    def log_density(self, residual: Floats) -> Floats:
        """Log density of residuals of shape (..., *batch, d); NaN is marginalised."""
        rows = self._by_member(residual)
        value = np.empty(rows.shape[:2])
        for j, member in enumerate(self.members):
            value[:, j] = log_density(member, rows[:, j])
        return value.reshape(residual.shape[:-1])

    def colour(self, white: Floats) -> Floats:
        """Vectors of the members' covariances from white noise of shape (..., *batch, d)."""
        rows = self._by_member(white)
        coloured = np.empty_like(rows)
        for j, member in enumerate(self.members):
            coloured[:, j] = member.colour(rows[:, j])
        return coloured.reshape(white.shape)

    def part(self, kept: Places) -> Self:
        """Covariances of some coordinates."""
        return type(self)(tuple(m.part(kept) for m in self.members), self.batch)

    def given(self, left: Places, seen: Places) -> tuple[Floats, Self]:
        """How the coordinates ``left`` follow those at ``seen``: gains and covariances."""
        laws = [conditional(m, left, seen) for m in self.members]
        gain = self._stacked([law.gain for law in laws])
        matrices = self._stacked([law.matrix for law in laws])
        return gain, type(self).of("MultivariateNormal", self.form, matrices)

    def __getitem__(self, key: Any) -> "Spread | SpreadStack":
        places = np.arange(len(self.members)).reshape(self.batch)[key]
        if np.ndim(places) == 0:
            return self.members[int(places)]
        return SpreadStack(tuple(self.members[j] for j in places.ravel()), places.shape)

    def _by_member(self, vectors: Floats) -> Floats:
        return vectors.reshape(-1, len(self.members), vectors.shape[-1])

    def _stacked(self, arrays: list[Floats]) -> Floats:
        stacked = np.array(arrays).reshape(*self.batch, *arrays[0].shape)
        stacked.flags.writeable = False
        return stacked
