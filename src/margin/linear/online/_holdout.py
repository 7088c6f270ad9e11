"""Rows set aside to watch a fit."""

from typing import Any

import numpy as np

from margin.core import check
from margin.core.random import generator


def holdout(
    estimator: Any, X: Any, y: Any, weight: Any, *, stratify: bool
) -> tuple[Any, Any, Any, tuple[Any, Any, Any]]:
    """Training rows, targets and weights, and the same of the ``validation_fraction`` set aside.

    With ``stratify`` the share is taken of every class, rounded so that none is lost.
    """
    rng = generator(estimator.random_state)
    n, share = len(y), float(estimator.validation_fraction)
    aside = np.zeros(n, dtype=bool)
    groups = [np.flatnonzero(y == c) for c in np.unique(y)] if stratify else [np.arange(n)]
    for rows in groups:
        size = min(round(share * len(rows)), len(rows) - 1)
        aside[rng.permutation(rows)[:size]] = True
    if not aside.any():
        raise check.fail(
            estimator, "validation_fraction", f"large enough to hold a row of {n} out", share
        )
    train = np.flatnonzero(~aside)
    kept = np.flatnonzero(aside)
    parts = [None if weight is None else weight[rows] for rows in (train, kept)]
    if parts[1] is not None and not parts[1].any():
        raise check.fail(estimator, "sample_weight", "above 0 for some rows set aside", "zeros")
    return X[train], y[train], parts[0], (X[kept], y[kept], parts[1])
