"""Factors that a question does not depend on."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from margin.core.types import Bools

_ROUNDING = 1e-13


def kept_factors(
    scopes: Sequence[Sequence[int]],
    tables: Sequence[ArrayLike],
    hidden: Bools,
    asked: Sequence[int],
) -> tuple[int, ...]:
    """Factors left after those that sum to one over a variable of their own are dropped.

    A hidden variable that occurs in a single factor, whose table sums to one over it whatever the
    others are, contributes the factor one: a barren node of a Bayesian network. Dropping it may
    make others barren in turn.

    Examples
    --------
    >>> chain = [np.array([0.5, 0.5]), np.eye(2), np.eye(2)]
    >>> kept_factors([(0,), (0, 1), (1, 2)], chain, np.array([True, True, True]), [0])
    (0,)
    """
    uses: dict[int, set[int]] = {}
    for f, scope in enumerate(scopes):
        for v in scope:
            uses.setdefault(v, set()).add(f)
    wanted = set(asked)
    pending = [v for v, where in uses.items() if len(where) == 1]
    dropped: set[int] = set()
    while pending:
        v = pending.pop()
        if v in wanted or not hidden[v] or len(uses[v]) != 1:
            continue
        (f,) = uses[v]
        table = np.asarray(tables[f], dtype=np.float64)
        if np.abs(table.sum(axis=list(scopes[f]).index(v)) - 1.0).max() > _ROUNDING:
            continue
        dropped.add(f)
        for u in scopes[f]:
            uses[u].discard(f)
            if len(uses[u]) == 1:
                pending.append(u)
    return tuple(f for f in range(len(scopes)) if f not in dropped)
