"""Tensor-product kernels of compact support."""

from abc import abstractmethod

import numpy as np

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
