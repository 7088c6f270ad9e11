"""What wrong answers cost, as a matrix."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from margin.core import check
from margin.core.types import Array

Costs = tuple[tuple[float, ...], ...]


def cost_matrix(y: Array, cost: Any) -> Costs:
    """Cost of each answer (column) when each class (row) is true, classes sorted.

    Parameters
    ----------
    y : ndarray
        Labels.
    cost : pair, mapping or matrix
        Of two classes: cost of a false positive and of a false negative, the rarer class being
        the positive one. Else ``{(true, answer): cost}``, where right answers cost nothing and
        wrong ones that are not named cost 1; or the whole matrix.

    Examples
    --------
    >>> cost_matrix(np.array(["ok", "ok", "fraud"]), (1, 50))
    ((0.0, 50.0), (1.0, 0.0))
    >>> cost_matrix(np.array([0, 1, 2]), {(2, 0): 9})
    ((0.0, 1.0, 1.0), (1.0, 0.0, 1.0), (9.0, 1.0, 0.0))
    """
    classes, counts = np.unique(y, return_counts=True)
    k = len(classes)
    if isinstance(cost, Mapping):
        matrix = _named(classes, cost)
    else:
        try:
            matrix = np.asarray(cost, dtype=np.float64)
        except (TypeError, ValueError):
            raise _refused(k, cost) from None
        if matrix.shape == (2,) and k == 2:
            positive = 1 if counts[1] <= counts[0] else 0
            pair, matrix = matrix, np.zeros((2, 2))
            matrix[1 - positive, positive], matrix[positive, 1 - positive] = pair
    if matrix.shape != (k, k) or not np.isfinite(matrix).all():
        raise _refused(k, cost)
    if (matrix < np.diag(matrix)[:, None]).any() or not np.ptp(matrix):
        raise check.fail("compare", "cost", "lowest for the right answer of every class", cost)
    return tuple(tuple(row) for row in matrix.tolist())


def _named(classes: Array, cost: Mapping[Any, Any]) -> Any:
    matrix = 1.0 - np.eye(len(classes))
    place = {str(label): i for i, label in enumerate(classes.tolist())}
    for pair, value in cost.items():
        true, answer = (str(part) for part in pair)
        for label in (true, answer):
            if label not in place:
                known = ", ".join(place)
                raise check.fail("compare", "cost", f"about the classes {known}", label)
        matrix[place[true], place[answer]] = float(value)
    return matrix


def _refused(k: int, cost: Any) -> ValueError:
    if k > 2 and np.shape(cost) == (2,):
        wanted = f"named by class where there are {k}, TRUE>ANSWER=COST or {{(true, answer): cost}}"
        return check.fail("compare", "cost", wanted, cost)
    pair = "two costs (false positive, false negative) or " if k == 2 else ""
    return check.fail("compare", "cost", f"{pair}a matrix of {k} by {k} finite numbers", cost)
