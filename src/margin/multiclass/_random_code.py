"""Random coding matrices."""

from typing import Any

import numpy as np

from margin.core import random
from margin.multiclass._code_matrices import (
    Code,
    at_least_two,
    canonical,
    code_lengths,
    matrix_of,
    row_distances,
    whole,
)

_MOST_DRAWS = 100


def random_code(
    n_classes: int,
    n_columns: int | None = None,
    *,
    sparse: bool = False,
    n_trials: int = 100,
    random_state: Any = None,
) -> Code:
    r"""Best of several random codes (linear.53).

    Dense codes draw -1 and +1 with equal chances, sparse ones 0 half of the time. Columns are
    different problems (neither equal nor opposite) with both signs. Of ``n_trials`` draws the one
    whose closest rows are farthest apart is kept.

    Parameters
    ----------
    n_classes : int
        Number of classes :math:`C`, at least 2.
    n_columns : int, optional
        Length of the code; :math:`10 \log_2 C` for dense and :math:`15 \log_2 C` for sparse codes
        by default, or as many as there are.
    sparse : bool, default=False
        Whether classes may be left out of a problem.
    n_trials : int, default=100
        Codes drawn.
    random_state : None, int, Generator or RandomState
        Source of randomness.

    References
    ----------
    Allwein, Schapire and Singer, Reducing multiclass to binary, 2000.

    Examples
    --------
    >>> code = random_code(8, random_state=0)
    >>> code.shape, bool(row_distances(code)[0, 1:].min() >= 10)
    ((8, 30), True)
    """
    at_least_two("random_code", n_classes)
    fewest, usual, most = code_lengths(n_classes, sparse=sparse)
    length = usual if n_columns is None else n_columns
    length = whole("random_code", "n_columns", length, fewest, most)
    n_trials = whole("random_code", "n_trials", n_trials, 1)
    rng = random.generator(random_state)
    best, best_rank = None, (-np.inf, -np.inf)
    for _ in range(n_trials):
        code = _draw(n_classes, length, sparse, rng)
        distance = row_distances(code)[np.triu_indices(n_classes, 1)]
        rank = (float(len(np.unique(code, axis=0))), float(distance.min()))
        if rank > best_rank:
            best, best_rank = code, rank
    if best is None or best_rank[0] < n_classes:
        raise ValueError(
            f"random_code: n_columns must be large enough for {n_classes} different rows to be "
            f"drawn in {n_trials} trials, got {length}"
        )
    return best


def _draw(n_classes: int, length: int, sparse: bool, rng: np.random.Generator) -> Code:
    """Distinct two-sided columns, in the order of drawing."""
    values, chances = ([-1, 0, 1], [0.25, 0.5, 0.25]) if sparse else ([-1, 1], [0.5, 0.5])
    columns: dict[tuple[int, ...], None] = {}
    while len(columns) < length:
        batch = rng.choice(values, size=(2 * length, n_classes), p=chances)
        for column in batch:
            if column.min() < 0 < column.max() and len(columns) < length:
                columns.setdefault(canonical(column))
    return matrix_of(columns)


def signed_code(n_classes: int, length: int, rng: np.random.Generator) -> Code:
    """Columns of random signs that may repeat; each has both, and rows differ if they can."""
    for _ in range(_MOST_DRAWS):
        code = np.where(rng.random((n_classes, length)) > 0.5, 1, -1)
        for j in np.flatnonzero(np.abs(code.sum(axis=0)) == n_classes):
            code[rng.integers(n_classes), j] *= -1
        if len(np.unique(code, axis=0)) == n_classes:
            break
    return code
