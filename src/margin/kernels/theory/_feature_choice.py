"""Coordinates of a feature map that know most about a target."""

from typing import Any

import numpy as np

from margin.core import check
from margin.kernels.features._feature_map import FeatureMap, SelectedFeatures
from margin.kernels.theory._alignment import ideal_matrix


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
    features = np.asarray(feature_map(X), dtype=np.float64)
    features = features - features.mean(axis=0)
    ideal = ideal_matrix(y)
    explained = np.einsum("ij,ij->j", features, ideal @ features)
    lengths = np.einsum("ij,ij->j", features, features)
    share = np.where(lengths > 1e-12 * lengths.max(initial=0.0), explained, -np.inf) / np.where(
        lengths > 0, lengths, 1.0
    )
    best = np.argsort(-share, kind="stable")[:n]
    return feature_map.select(np.sort(best))
