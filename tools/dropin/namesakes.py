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
