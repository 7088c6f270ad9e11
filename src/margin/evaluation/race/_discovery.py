"""Finding the estimators of margin by their own metadata, never by a hand-kept list."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from sklearn.base import BaseEstimator

import margin
from margin.core import Card

# The layers above the estimators, and this one: they import us and hold no model.
_ABOVE = frozenset({"cli", "datasets", "evaluation", "plotting", "report", "testing"})


def all_estimators(task: str | None = None, input: str | None = None) -> list[tuple[str, type]]:  # noqa: A002
    """Every public estimator of margin, found through its :class:`~margin.core.Card`.

    Parameters
    ----------
    task : str, optional
        Only those whose card lists this task, such as ``"regression"``.
    input : str, optional
        Only those that take this kind of input, such as ``"table"``.

    Returns
    -------
    list of (name, class)
        Sorted by name. A family whose optional dependency is not installed is passed over.

    Examples
    --------
    >>> from margin.evaluation import all_estimators
    >>> "Ridge" in dict(all_estimators(task="regression"))
    True
    """
    estimators = {
        name: cls
        for package in _families(margin)
        for name, cls in _public_estimators(package)
        if (task is None or task in cls.card.tasks) and (input is None or input == cls.card.input)
    }
    return sorted(estimators.items())


def _families(root: ModuleType) -> Iterator[ModuleType]:
    for module in pkgutil.iter_modules(root.__path__):
        if module.ispkg and not module.name.startswith("_") and module.name not in _ABOVE:
            try:
                package = importlib.import_module(f"{root.__name__}.{module.name}")
            except ImportError as error:
                # Only a library that is not installed is excused, not a fault of our own.
                if (error.name or "").split(".")[0] == root.__name__:
                    raise
                continue
            yield package


def _public_estimators(package: ModuleType) -> Iterator[tuple[str, Any]]:
    for name in getattr(package, "__all__", ()):
        thing = getattr(package, name, None)
        if (
            inspect.isclass(thing)
            and issubclass(thing, BaseEstimator)
            and not inspect.isabstract(thing)
            and isinstance(getattr(thing, "card", None), Card)
        ):
            yield name, thing


def summary(cls: type) -> str:
    """First line of the docstring.

    Examples
    --------
    >>> from sklearn.dummy import DummyRegressor
    >>> summary(DummyRegressor)
    'Regressor that makes predictions using simple rules.'
    """
    text = inspect.getdoc(cls) or ""
    return text.splitlines()[0].strip() if text else ""


def family(cls: type) -> str:
    """Package of margin an estimator lives in; the top package for others.

    Examples
    --------
    >>> from sklearn.dummy import DummyRegressor
    >>> family(DummyRegressor)
    'sklearn'
    """
    parts = cls.__module__.split(".")
    return parts[1] if parts[0] == margin.__name__ and len(parts) > 1 else parts[0]
