"""Shapley values of the predictions of trees."""

import numpy as np

from margin.core.types import Floats, Matrix
from margin.native.trees.explanation import explain_forest
from margin.search.growing._forest import Forest


def forest_shapley(
    forest: Forest,
    X: Matrix,
    *,
    background: Matrix | None = None,
    interactions: bool = False,
    n_threads: int = 1,
) -> tuple[Floats, Floats]:
    r"""What each feature adds to the predictions of a forest, and what is expected without any.

    The worth of a set of known features is the expected prediction given them: by default along
    the paths of the trees, where a question about an unknown feature is answered in the shares of
    the training weight; with a background, the mean over its rows with the known features put in.
    A leaf with the factors :math:`o_i` (0 or 1: whether the row satisfies the questions about
    feature :math:`i`) and :math:`z_i` (what that is worth unknown) contributes

    .. math:: v \, (o_i - z_i) \int_0^1 \prod_{j \ne i} \bigl( o_j t + z_j (1 - t) \bigr) \, dt,

    a polynomial that Gauss-Legendre quadrature integrates exactly.

    Parameters
    ----------
    forest : Forest
        Its ``cover`` must be known unless there is a background.
    X : array of shape (n_rows, n_features)
    background : array of shape (n_background, n_features), optional
        Rows that stand for unknown features.
    interactions : bool
        Whether to share the values out over pairs of features.
    n_threads : int

    Returns
    -------
    values : ndarray of shape (n_rows, n_features, [n_features,] n_outputs)
    expected : ndarray of shape (n_outputs,)
        Prediction without any feature; with the sum of the values it is the prediction.

    Notes
    -----
    Answers of a leaf are kept by the pattern of satisfied factors: after the first rows each leaf
    costs a lookup per feature of its path.
    """
    kind = np.float32 if np.asarray(X).dtype == np.float32 else np.float64
    rows = np.ascontiguousarray(X, dtype=kind)
    if background is None:
        others = np.empty((0, forest.n_features), dtype=kind)
    else:
        others = np.ascontiguousarray(background, dtype=kind)
    f, k = forest.n_features, forest.n_outputs

    cells = np.zeros((len(rows), (f + 1) * k))
    explain_forest(forest.packed, forest.cover, rows, others, False, cells, n_threads)
    values = cells.reshape(len(rows), f + 1, k)[:, :f]
    if background is None:
        expected = forest_expectation(forest)
    else:
        expected = forest.predict(others, n_threads=n_threads).mean(axis=0)
    if not interactions:
        return values, expected

    pairs = np.zeros((len(rows), (f + 1) * (f + 1) * k))
    explain_forest(forest.packed, forest.cover, rows, others, True, pairs, n_threads)
    shared = pairs.reshape(len(rows), f + 1, f + 1, k)[:, :f, :f]
    diagonal = np.arange(f)
    shared[:, diagonal, diagonal] = values - shared.sum(axis=2)
    return shared, expected


def forest_expectation(forest: Forest) -> Floats:
    """Mean prediction over the training weight, by the covers of the leaves."""
    sizes = np.diff(forest.offsets)
    weight = np.where(forest.is_leaf, forest.cover, 0.0)
    share = weight / np.repeat(np.maximum(forest.cover[forest.offsets[:-1]], 1e-300), sizes)
    total = np.zeros(forest.n_outputs)
    by_tree = np.add.reduceat(share[:, None] * forest.value, forest.offsets[:-1], axis=0)
    for tree, output in enumerate(forest.output):
        if output < 0:
            total += by_tree[tree]
        else:
            total[output] += by_tree[tree, 0]
    return total
