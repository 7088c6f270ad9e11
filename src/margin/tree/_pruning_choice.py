"""The strength of pruning, chosen by cross-validation (tree.03)."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.core.types import Floats, Indices
from margin.search import Forest, PruningPath, standing

_MOST = 100  # strengths that are compared

Grow = Callable[[Indices], Forest]
Loss = Callable[[Indices, Floats], Floats]


@dataclass(frozen=True, eq=False)
class PruningChoice:
    """Strengths in rising order, their mean losses on rows held out, and the standard errors."""

    strengths: Floats
    losses: Floats
    errors: Floats
    chosen: float


def candidates(path: PruningPath) -> Floats:
    """One strength for every pruned tree of a path, in the middle of where it is the best.

    Middles are geometric, as Breiman et al. take them; of a long path every so many.
    """
    edges = np.unique(path.strengths)
    middles = np.append(np.sqrt(edges[:-1] * edges[1:]), edges[-1] * (1 + 1e-9))
    if len(middles) > _MOST:
        middles = middles[np.unique(np.linspace(0, len(middles) - 1, _MOST).astype(int))]
    return np.unique(np.append(0.0, middles))


def choose_strength(
    path: PruningPath,
    grow: Grow,
    loss: Loss,
    X: Any,
    folds: Iterable[tuple[Any, Any]],
    *,
    weight: Floats | None = None,
    one_standard_error: bool = False,
) -> PruningChoice:
    """The strength of least loss on rows held out; of equal ones the strongest.

    ``grow(rows)`` gives the whole tree of some rows, ``loss(rows, values)`` the loss of each row
    for the values of a leaf. Every fold grows one tree, and its path answers for all strengths.
    ``weight`` has the weights of all rows; folds hold none without weight.
    With ``one_standard_error`` the strongest whose loss is within a standard error of the least.
    """
    strengths = candidates(path)
    parts, tested = [], []
    for train, test in folds:
        tree = grow(np.asarray(train))
        cuts = PruningPath.of(tree).node_strengths
        rows = np.asarray(test)
        leaves = tree.apply(X[rows]).ravel()
        parts.append(
            np.array([loss(rows, tree.value[standing(tree, cuts, s)[leaves]]) for s in strengths])
        )
        tested.append(rows)
    losses = np.concatenate(parts, axis=1)
    rows = np.concatenate(tested)
    share = np.full(len(rows), 1.0 / len(rows)) if weight is None else weight[rows]
    share = share / share.sum()
    mean = losses @ share
    error = np.sqrt((losses - mean[:, None]) ** 2 @ share**2)
    best = int(mean.argmin())
    limit = mean[best] + (error[best] if one_standard_error else 1e-12 * abs(mean[best]))
    return PruningChoice(
        strengths, mean, error, float(strengths[np.flatnonzero(mean <= limit)[-1]])
    )
