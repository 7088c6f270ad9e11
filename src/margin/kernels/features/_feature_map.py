"""Explicit features whose scalar products are, or approximate, a kernel."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from margin.core import check
from margin.kernels._base import Floats


class FeatureMap(ABC):
    r"""Features :math:`\phi(x)` with :math:`\phi(x)^\top \phi(z) \approx k(x, z)` (kernels.33).

    A kernel machine on ``n`` objects costs :math:`n^2` or more; a linear model of ``r`` features
    costs :math:`n r^2`.
    """

    @property
    @abstractmethod
    def n_features(self) -> int:
        """Number of features."""

    @abstractmethod
    def __call__(self, X: Any) -> Floats:
        """Features of objects, of shape ``(n, n_features)``."""

    def select(self, features: ArrayLike) -> "SelectedFeatures":
        """The map to some of the features."""
        return SelectedFeatures(self, np.asarray(features, dtype=np.intp))


@dataclass(frozen=True, eq=False)
class SelectedFeatures(FeatureMap):
    """Some coordinates of a feature map.

    Parameters
    ----------
    map : FeatureMap
        The whole map.
    features : ndarray of int
        Which coordinates are kept.
    """

    map: FeatureMap
    features: NDArray[np.intp]

    def __post_init__(self) -> None:
        if self.features.ndim != 1 or not len(self.features):
            raise check.fail(self, "features", "a list of at least one index", self.features)
        if self.features.min() < 0 or self.features.max() >= self.map.n_features:
            wanted = f"indices below {self.map.n_features}"
            raise check.fail(self, "features", wanted, self.features.tolist())

    @property
    def n_features(self) -> int:
        """Number of features kept."""
        return len(self.features)

    def __call__(self, X: Any) -> Floats:
        """The features kept."""
        return np.asarray(self.map(X)[:, self.features])


@dataclass(frozen=True, eq=False)
class JoinedFeatures(FeatureMap):
    """Feature maps side by side: the features of a sum of kernels."""

    maps: tuple[FeatureMap, ...]

    @property
    def n_features(self) -> int:
        """Number of features of all maps."""
        return sum(part.n_features for part in self.maps)

    def __call__(self, X: Any) -> Floats:
        """Features of all maps."""
        return np.hstack([part(X) for part in self.maps])
