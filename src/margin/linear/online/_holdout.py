"""Rows set aside to watch a fit."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.core import check
from margin.core.types import Array, Floats


@dataclass(frozen=True)
class Part:
    """Some rows with their targets and weights."""

    X: Any
    y: Array
    weight: Floats | None


def holdout(
    owner: object, rows: Part, *, share: float, rng: np.random.Generator, stratify: bool
) -> tuple[Part, Part]:
    """Training rows, and the ``share`` of all that is set aside.

    With ``stratify`` the share is taken of every class, rounded so that none is lost.
    """
    X, y, weight, n = rows.X, rows.y, rows.weight, len(rows.y)
    aside = np.zeros(n, dtype=bool)
    groups = [np.flatnonzero(y == c) for c in np.unique(y)] if stratify else [np.arange(n)]
    for group in groups:
        size = min(round(share * len(group)), len(group) - 1)
        aside[rng.permutation(group)[:size]] = True
    if not aside.any():
        need = f"large enough to hold a row of {n} out"
        raise check.fail(owner, "validation_fraction", need, share)
    train, kept = (
        Part(X[chosen], y[chosen], None if weight is None else weight[chosen])
        for chosen in (np.flatnonzero(~aside), np.flatnonzero(aside))
    )
    if kept.weight is not None and not kept.weight.any():
        need = (
            "above 0 for some rows set aside (The sample weights for validation set are all zero, "
            "consider using a different random state.)"
        )
        raise check.fail(owner, "sample_weight", need, "zeros")
    return train, kept
