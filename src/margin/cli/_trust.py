"""Which types a model file may bring with it.

A saved model is read without running any code of its own: skops lists the types it would build, and
only plain model pieces of margin, scikit-learn, NumPy and SciPy are let in. The name alone does not
decide, because those packages also hold functions that run text as code; the thing behind the name
must be a class, defined in that package, of a kind that merely holds data.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from importlib import import_module
from typing import Any

ROOTS = frozenset({"margin", "numpy", "scipy", "sklearn"})
CLOSED = frozenset(
    {"__main__", "cli", "conftest", "datasets", "distutils", "f2py", "testing", "tests"}
)


def refused(names: Iterable[str]) -> list[str]:
    """The names among ``names`` that a model file may not use, sorted.

    Examples
    --------
    >>> refused(["margin.core._report.FitReport", "os.system", "numpy.testing.runstring"])
    ['numpy.testing.runstring', 'os.system']
    """
    return sorted(name for name in set(names) if not _allowed(name))


def _allowed(name: str) -> bool:
    module, _, attribute = name.rpartition(".")
    parts = module.split(".")
    if parts[0] not in ROOTS or CLOSED.intersection(parts):
        return False
    try:
        found = getattr(import_module(module), attribute)
    except Exception:
        # whatever keeps the module from being imported, the type cannot be trusted
        return False
    at_home = getattr(found, "__module__", "").split(".")[0] == parts[0]
    return isinstance(found, type) and at_home and _holds_data(found, parts[0])


def _holds_data(found: type, root: str) -> bool:
    if root == "margin":
        return not issubclass(found, BaseException)
    return issubclass(found, _containers())


def _containers() -> tuple[type, ...]:
    import numpy as np
    import scipy.sparse
    from sklearn.base import BaseEstimator
    from sklearn.utils import Bunch

    arrays: tuple[Any, ...] = (np.generic, np.ndarray, np.dtype, np.random.Generator)
    sparse: tuple[Any, ...] = (scipy.sparse.sparray, scipy.sparse.spmatrix)
    return (BaseEstimator, Bunch, Enum, *arrays, *sparse)
