"""The family of models that cliques and features describe."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from margin.core import check
from margin.core.types import Floats
from margin.graphical.learning.markov._log_linear import LogLinear


def clique_family(
    owner: str,
    states: Mapping[Any, tuple[Any, ...]],
    cliques: Iterable[Any] | None,
    features: Mapping[Any, Any] | None,
) -> LogLinear:
    """Log-linear family over named variables.

    Parameters
    ----------
    owner : str
        Class that messages name.
    states : mapping of name to tuple
        Variables and their values.
    cliques : iterable of tuples of names, optional
        Scopes of the potentials; all pairs by default.
    features : mapping of clique to array of shape (n_features, *states), optional
        Features of some cliques; other potentials are unconstrained tables.

    Examples
    --------
    >>> family = clique_family("MarkovLearner", {"a": (0, 1), "b": (0, 1, 2)}, None, None)
    >>> family.scopes, family.size
    (((0, 1),), 6)
    """
    names = tuple(states)
    index = {name: at for at, name in enumerate(names)}
    if cliques is None:
        pairs = [(a, b) for at, a in enumerate(names) for b in names[at + 1 :]]
        cliques = pairs or [names]
    scopes = [_scope(owner, index, clique) for clique in cliques]
    cards = tuple(len(states[n]) for n in names)
    designs: list[Floats | None] = [None] * len(scopes)
    for clique, values in (features or {}).items():
        scope = tuple(index.get(m, -1) for m in clique)
        shape = tuple(cards[v] for v in scope)
        array = np.asarray(values, dtype=np.float64)
        if scope not in scopes or array.shape[1:] != shape:
            requirement = f"features of a clique, of shape (n, {', '.join(map(str, shape))})"
            raise check.fail(owner, "features", requirement, array.shape)
        designs[scopes.index(scope)] = array.reshape(len(array), -1)
    return LogLinear(cards, tuple(scopes), tuple(designs))


def _scope(owner: str, index: Mapping[Any, int], clique: Any) -> tuple[int, ...]:
    members = (clique,) if isinstance(clique, str) else tuple(clique)
    strange = any(m not in index for m in members)
    if not members or len(set(members)) < len(members) or strange:
        raise check.fail(owner, "cliques", "groups of different columns", clique)
    return tuple(index[m] for m in members)
