"""Rows set aside to watch a fit."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.model_selection import ShuffleSplit, StratifiedShuffleSplit

from margin.core import check
from margin.core.types import Array, Floats

_NO_WEIGHT = (
    "above 0 for some rows set aside (The sample weights for validation set are all zero, "
    "consider using a different random state.)"
)


@dataclass(frozen=True)
class Part:
    """Some rows with their targets and weights."""

    X: Any
    y: Array
    weight: Floats | None


def holdout(
    owner: object, rows: Part, *, share: float, random_state: Any, stratify: bool
) -> tuple[Part, Part]:
    """Training rows, and the ``share`` of all that is set aside, both in their old order.

    The rows are those that scikit-learn's splitters draw, with ``stratify`` of every class in
    proportion; a part that would miss a class altogether is refused.
    """
    X, y, weight = rows.X, rows.y, rows.weight
    if isinstance(random_state, np.random.Generator):
        random_state = int(random_state.integers(2**31))
    splitter = StratifiedShuffleSplit if stratify else ShuffleSplit
    try:
        split = splitter(n_splits=1, test_size=share, random_state=random_state)
        chosen = next(split.split(np.empty((len(y), 0)), y))
    except ValueError as error:
        need = f"such that {len(y)} rows leave some on either side ({error})"
        raise check.fail(owner, "validation_fraction", need, share) from error
    train, kept = (
        Part(X[part], y[part], None if weight is None else weight[part])
        for part in map(np.sort, chosen)
    )
    if kept.weight is not None and not kept.weight.any():
        raise check.fail(owner, "sample_weight", _NO_WEIGHT, "zeros")
    return train, kept


def check_some_weight(owner: object, weight: Any) -> None:
    """Refuse weights that are all zero: no row set aside would count."""
    if weight is not None and not np.any(weight):
        raise check.fail(owner, "sample_weight", _NO_WEIGHT, "zeros")
