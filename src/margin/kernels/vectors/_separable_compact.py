"""Tensor-product kernels of compact support."""

from abc import abstractmethod
from collections.abc import Iterator
from typing import Any

import numpy as np

from margin.core.types import Places
from margin.kernels._base import Floats
from margin.kernels.vectors._compact import CompactSupport
from margin.kernels.vectors._separable import Separable


class SeparableCompact(Separable, CompactSupport):
    """A tensor-product kernel that is zero outside a box; :meth:`sparse` keeps only the box."""

    @abstractmethod
    def _half_width(self) -> float:
        """Half the side of the box, in units of the length scale."""

    def _reach(self) -> tuple[float, float]:
        return np.inf, self._half_width()

    def _at(self, differences: Floats) -> Floats:
        return np.asarray(self.profile(differences).prod(axis=1))

    def at_pairs(self, X: Any, Z: Any, i: Places, j: Places) -> Floats:
        """Products of the values in the columns."""
        return self._at(self.scaled(X)[i] - self.scaled(Z)[j])

    def pair_derivatives(self, X: Any, i: Places, j: Places) -> Iterator[Floats]:
        """In the length scales, as for whole matrices."""
        scaled = self.scaled(X)
        u = scaled[i] - scaled[j]
        profiles = self.profile(u)
        terms = []
        for k in range(u.shape[1]):
            others = np.delete(profiles, k, axis=1).prod(axis=1)
            terms.append(-u[:, k] * self.profile_slope(u[:, k]) * others)
        if isinstance(self.length_scale, tuple):
            yield from terms
        else:
            yield np.sum(terms, axis=0)
