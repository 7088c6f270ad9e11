"""Explicit features whose scalar products are, or approximate, a kernel."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from margin.core import check
from margin.kernels._base import Floats
from margin.kernels.theory._alignment import ideal_matrix


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


def select_features(feature_map: FeatureMap, X: Any, y: Any, n: int) -> SelectedFeatures:
    r"""The ``n`` coordinates of a feature map that know most about a target (kernels.33).

    Each coordinate :math:`\phi_j` is ranked by how much of the centred target kernel its own
    kernel :math:`\phi_j(x) \phi_j(z)` explains, the squared correlation for a numeric target. A
    linear model then needs only these, without any kernel.

    Parameters
    ----------
    feature_map : FeatureMap
        The map to choose from.
    X : objects
        A sample.
    y : array-like of shape (n,)
        Numbers or labels.
    n : int
        How many to keep.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.kernels import PolynomialFeatures
    >>> X = np.random.default_rng(0).normal(size=(200, 2))
    >>> chosen = select_features(PolynomialFeatures(2, 2), X, X[:, 0] * X[:, 1], 1)
    >>> chosen.map.powers[chosen.features].tolist()
    [[1, 1]]
    """
    if not 1 <= n <= feature_map.n_features:
        wanted = f"an integer from 1 to {feature_map.n_features}"
        raise check.fail("select_features", "n", wanted, n)
    made = np.asarray(feature_map(X), dtype=np.float64)
    made = made - made.mean(axis=0)
    ideal = ideal_matrix(y)
    explained = np.einsum("ij,ij->j", made, ideal @ made)
    lengths = np.einsum("ij,ij->j", made, made)
    share = np.where(lengths > 1e-12 * lengths.max(initial=0.0), explained, -np.inf) / np.where(
        lengths > 0, lengths, 1.0
    )
    best = np.argsort(-share, kind="stable")[:n]
    return feature_map.select(np.sort(best))
