"""Shapley values of the predictions of a packed forest."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from margin.native import _native

Floats = NDArray[np.float64]


def explain_forest(
    forest: _native.PackedForest,
    cover: Floats,
    X: NDArray[Any],
    background: NDArray[Any],
    pairs: bool,
    out: Floats,
    n_threads: int,
) -> Floats:
    """Add the Shapley values of every row to ``out``, without what is expected.

    Parameters
    ----------
    forest : PackedForest
    cover : ndarray of shape (n_nodes,)
        Training weight of the nodes, in the order of the trees as they were given.
    X, background : ndarray of shape (n_rows, n_features)
        Rows to explain, and those that stand for what is not known; without any of them, the
        covers do. Contiguous, of one type.
    pairs : bool
        Whether to give interactions of pairs of features, of which the diagonal stays zero.
    out : ndarray of shape (n_rows, n_cells * n_outputs)
        A cell for each feature and one more, or for each pair of them; outputs run fastest.
    n_threads : int
    """
    _native.explain_forest(forest, cover, X, background, pairs, out, n_threads)
    return out
