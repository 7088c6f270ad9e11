"""Gaussian classes of rows that come in blocks."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from margin.core import Blocks, check, threads
from margin.core.types import Array
from margin.linear._class_labels import label_codes
from margin.linear._class_statistics import ClassScatter
from margin.linear._labelled_blocks import block_labels, checked_blocks
from margin.linear.discriminant._covariance_shrinkage import check_shrinkage


def block_scatter(
    owner: Any, blocks: Any, classes: ArrayLike | None, *, pooled: bool
) -> tuple[Array, ClassScatter, int]:
    """Labels, the statistics of all blocks added up, and the number of rows.

    Examples
    --------
    >>> from margin.linear import LinearDiscriminantAnalysis
    >>> blocks = [([[1.0], [3.0]], [0, 0]), ([[10.0], [12.0]], [1, 1])]
    >>> _, stats, n_rows = block_scatter(LinearDiscriminantAnalysis(), blocks, None, pooled=True)
    >>> stats.mean.ravel(), stats.scatter.ravel(), n_rows
    (array([ 2., 11.]), array([4.]), 4)
    """
    blocks = Blocks.of(owner, blocks)
    labels = block_labels(owner, blocks, classes)
    total, n_rows = None, 0
    for X, y, weight in checked_blocks(owner, blocks, target="classes"):
        code = label_codes(owner, labels, y)
        part = ClassScatter.of(
            X,
            code,
            len(labels),
            weight,
            pooled=pooled,
            n_threads=threads.count(getattr(owner, "n_jobs", None)),
        )
        total, n_rows = part if total is None else total + part, n_rows + len(y)
    assert total is not None  # or there had been an error
    if (total.total == 0).any():
        raise check.fail(owner, "blocks", "of rows with weight in every class", "a class without")
    return labels, total, n_rows


def refuse_rows(owner: Any, shrinkage: Any, estimator: Any) -> None:
    """Refuse what cannot be worked out from sums over the rows."""
    if isinstance(shrinkage, str) and shrinkage == "auto":
        raise check.fail(owner, "shrinkage", "None or a number for rows in blocks", shrinkage)
    if estimator is not None:
        need = "None for rows in blocks"
        raise check.fail(owner, "covariance_estimator", need, estimator)
    check_shrinkage(owner, shrinkage, np.empty((0, 0)))
