"""Which types a model file may bring with it.

A saved model is read without running any code of its own: skops lists the types it would build, and
only plain model pieces of margin, scikit-learn, NumPy and SciPy are let in. The name alone does not
decide, because those packages also hold functions that run text as code; the thing behind the name
must be a class, defined in that package, of a kind that merely holds data.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from importlib import import_module
from typing import Any

# scikit-learn walks a tree without looking at its indices, so these are looked at by `sound_trees`
TREE = "sklearn.tree._tree.Tree"
ROOTS = frozenset({"margin", "numpy", "scipy", "sklearn"})
CLOSED = frozenset(
    {"__main__", "cli", "conftest", "datasets", "distutils", "f2py", "testing", "tests"}
)


def refused(names: Iterable[str]) -> list[str]:
    """The names among ``names`` that a model file may not use, sorted.

    Examples
    --------
    >>> refused(["margin.core.FitReport", "os.system", "numpy.testing.runstring"])
    ['numpy.testing.runstring', 'os.system']
    """
    return sorted(name for name in set(names) if name != TREE and not _allowed(name))


def moved(names: Iterable[str]) -> list[str]:
    """The names among ``names`` of modules that this version of margin does not have, sorted.

    Examples
    --------
    >>> moved(["margin.linear.Ridge", "margin.linear._ridge.Ridge", "os.system"])
    ['margin.linear._ridge.Ridge']
    """
    return sorted(name for name in set(names) if name.startswith("margin.") and _absent(name))


def _absent(name: str) -> bool:
    try:
        import_module(name.rpartition(".")[0])
    except ModuleNotFoundError:
        return True
    return False


def _allowed(name: str) -> bool:
    module, _, attribute = name.rpartition(".")
    parts = module.split(".")
    if parts[0] not in ROOTS or CLOSED.intersection(parts):
        return False
    try:
        kind = getattr(import_module(module), attribute)
    except Exception:
        # whatever keeps the module from being imported, the type cannot be trusted
        return False
    at_home = getattr(kind, "__module__", "").split(".")[0] == parts[0]
    return isinstance(kind, type) and at_home and _holds_data(kind, parts[0])


def _holds_data(kind: type, root: str) -> bool:
    if root == "margin":
        return not issubclass(kind, BaseException)
    # exact array types: np.memmap, an ndarray too, would open files
    return issubclass(kind, _containers()) or kind in _arrays()


def _containers() -> tuple[type, ...]:
    import numpy as np
    import scipy.sparse
    from sklearn.base import BaseEstimator
    from sklearn.utils import Bunch

    sparse: tuple[Any, ...] = (scipy.sparse.sparray, scipy.sparse.spmatrix)
    return (BaseEstimator, Bunch, Enum, np.generic, np.dtype, *sparse)


def _arrays() -> tuple[type, ...]:
    import numpy as np

    return (np.ndarray, np.ma.MaskedArray, np.random.Generator)


def sound_trees(content: Any) -> bool:
    """Whether every decision tree inside ``content`` stays within its own arrays.

    A tree must belong to an estimator, have as many features as that takes, and each inner node
    must lead to two later nodes of the same tree.
    """
    return all(_sound(owner, tree) for owner, tree in _trees(content))


def _trees(content: Any) -> Iterator[tuple[Any, Any]]:
    import numpy as np
    from sklearn.tree._tree import Tree

    waiting: list[tuple[Any, Any]] = [(None, content)]
    seen: set[int] = set()
    while waiting:
        owner, thing = waiting.pop()
        if id(thing) in seen:
            continue
        seen.add(id(thing))
        if isinstance(thing, Tree):
            yield owner, thing
        elif isinstance(thing, dict):
            waiting += [(None, value) for value in thing.values()]
        elif isinstance(thing, list | tuple | set):
            waiting += [(None, value) for value in thing]
        elif isinstance(thing, np.ndarray) and thing.dtype.hasobject:
            waiting += [(None, value) for value in thing.ravel().tolist()]
        elif hasattr(thing, "__dict__") and not isinstance(thing, type):
            waiting += [(thing, value) for value in vars(thing).values()]


def _sound(owner: Any, tree: Any) -> bool:
    if not hasattr(owner, "tree_") or owner.tree_ is not tree:
        return False
    left, right, feature = tree.children_left, tree.children_right, tree.feature
    node = ((left != -1) | (right != -1)).nonzero()[0]
    later = (left[node] > node) & (right[node] > node)
    inside = (left[node] < tree.node_count) & (right[node] < tree.node_count)
    known = (feature[node] >= 0) & (feature[node] < tree.n_features)
    fits = tree.n_features == getattr(owner, "n_features_in_", None)
    return bool(fits and tree.node_count >= 1 and (later & inside & known).all())
