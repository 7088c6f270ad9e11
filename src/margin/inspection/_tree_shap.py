"""TreeSHAP: Shapley values of models made of trees."""

from typing import Any

import numpy as np

from margin.core import check, threads
from margin.core.types import Matrix
from margin.inspection._columns import column_names
from margin.inspection._explanation import Explanation
from margin.search import forest_shapley


def tree_shap(
    model: Any,
    X: Matrix,
    *,
    background: Matrix | None = None,
    interactions: bool = False,
    n_jobs: int | None = None,
) -> Explanation:
    r"""What each feature adds to each prediction of a tree, a forest or a boosted ensemble.

    Shapley values share the difference between a prediction and the base out over the features:
    the mean, over all orders in which features become known, of what knowing one changes. Without
    a background an unknown feature follows the training rows down the trees (path-dependent); with
    one, its value is taken from the rows of the background (interventional), as if it were set.

    Parameters
    ----------
    model : fitted estimator or TreeSum
        A model of :mod:`margin.tree` or :mod:`margin.ensemble` that is made of trees, or the trees
        of a LightGBM or XGBoost file.
    X : array-like of shape (n_rows, n_features)
        Rows to explain; NaN is missing.
    background : array-like of shape (n_background, n_features), optional
        Rows that unknown features are taken from; a hundred are enough for most purposes.
    interactions : bool, default=False
        Whether to share the values out over pairs of features too.
    n_jobs : int, optional
        Threads; all by default. The answer does not depend on it.

    Returns
    -------
    Explanation
        Values before the link: log-odds of a boosted classifier, probabilities of a forest.

    Notes
    -----
    A row costs each leaf one step per feature of its path, once the leaf has seen the pattern of
    answers; see :func:`margin.search.forest_shapley`.

    References
    ----------
    Lundberg et al. (2020), Nature Machine Intelligence 2.
    """
    if not (hasattr(model, "to_trees") or hasattr(model, "forest")):
        need = "a fitted model made of trees, or TreeSum"
        raise check.fail("tree_shap", "model", need, type(model).__name__)
    trees = model.to_trees() if hasattr(model, "to_trees") else model
    coded = getattr(model, "coded_table", np.asarray)
    rows = _table("X", coded(X), trees.forest.n_features)
    others = None
    if background is not None:
        others = _table("background", coded(background), trees.forest.n_features)
        if not len(others):
            raise check.fail("tree_shap", "background", "at least one row", 0)
    elif not (trees.forest.cover[trees.forest.offsets[:-1]] > 0).all():
        need = "given for trees that do not tell their training weight"
        raise check.fail("tree_shap", "background", need, None)

    values, base = forest_shapley(
        trees.forest,
        rows,
        background=others,
        interactions=interactions,
        n_threads=threads.count(n_jobs),
    )
    values, base = trees.scale * values, np.array(trees.base) + trees.scale * base
    names = column_names(X, rows.shape[1], trees.feature_names)
    if interactions:
        return Explanation(values.sum(axis=2), base, rows, names, values)
    return Explanation(values, base, rows, names)


def _table(name: str, X: Any, n_features: int) -> Any:
    rows = np.asarray(X)
    if rows.dtype not in (np.float32, np.float64):
        try:
            rows = rows.astype(np.float64)
        except (TypeError, ValueError) as error:
            raise check.fail("tree_shap", name, "numbers", str(rows.dtype)) from error
    if rows.ndim != 2 or rows.shape[1] != n_features:
        raise check.fail("tree_shap", name, f"a table of {n_features} columns", rows.shape)
    return rows
