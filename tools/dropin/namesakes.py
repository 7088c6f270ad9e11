"""Which public names of margin scikit-learn has too."""

import importlib
import pkgutil
from collections.abc import Iterator
from types import FunctionType
from typing import Any

import sklearn
from sklearn.base import BaseEstimator
from sklearn.utils.discovery import all_estimators, all_functions

import margin

# Layers below and above the models share words with scikit-learn, not meanings.
BELOW = frozenset(
    {"core", "distributions", "graphs", "inference", "kernels", "linalg", "losses", "native"}
    | {"optim", "penalties", "search"}
)
ABOVE = frozenset({"cli", "datasets", "evaluation", "plotting", "report", "testing"})


def namesakes() -> dict[str, Any]:
    """Return margin's class or function by name, for every name that scikit-learn offers too.

    Examples
    --------
    >>> namesakes()["Ridge"].__module__
    'margin.linear'
    """
    theirs = {name for name, _ in (*all_estimators(), *_functions())}
    return {name: item for name, item in _offered() if name in theirs}


def homes() -> set[str]:
    """Return where scikit-learn tests what margin offers too: folders, and files beside them.

    Examples
    --------
    >>> {"svm/tests/", "tests/test_naive_bayes.py"} <= homes()
    True
    """
    offered = {name for name, _ in _offered()}
    theirs = {item for name, item in (*all_estimators(), *_functions()) if name in offered}
    places = (item.__module__.split(".")[1:] for item in theirs)
    return {
        "/".join([*path[:-1], "tests/"]) if len(path) > 1 else f"tests/test_{path[0]}.py"
        for path in places
    }


def _offered() -> Iterator[tuple[str, Any]]:
    for module in pkgutil.iter_modules(margin.__path__):
        if module.ispkg and module.name not in BELOW | ABOVE:
            package = importlib.import_module(f"margin.{module.name}")
            for name in package.__all__:
                item = getattr(package, name)
                model = isinstance(item, type) and issubclass(item, BaseEstimator)
                if model or isinstance(item, FunctionType):
                    yield name, item


def _functions() -> Iterator[tuple[str, Any]]:
    for name, item in all_functions():
        home = item.__module__.rpartition(".")[0]
        if hasattr(importlib.import_module(home), name) and home.startswith(sklearn.__name__):
            yield name, item
