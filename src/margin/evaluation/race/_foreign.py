"""Models of other libraries: anything with scikit-learn's contract may take part."""

from __future__ import annotations

import importlib
from importlib import metadata
from typing import Any

from sklearn.base import BaseEstimator, is_classifier, is_regressor

from margin.core import check
from margin.evaluation.table._column_info import TaskName


def foreign(address: str) -> tuple[str, type]:
    """Name and class of ``"module:Class"``, from an installed package only.

    A module that merely lies about (in the working directory, say) is not imported.

    Examples
    --------
    >>> foreign("sklearn.linear_model:Ridge")
    ('Ridge', <class 'sklearn.linear_model._ridge.Ridge'>)
    """
    module, colon, name = address.partition(":")
    if not (colon and name.isidentifier() and all(p.isidentifier() for p in module.split("."))):
        raise check.fail(
            "compare", "models", "'module:Class' for a model of another library", address
        )
    package = module.partition(".")[0]
    if package not in metadata.packages_distributions():
        raise ValueError(f"model {address!r}: no installed package has the module {package!r}")
    try:
        thing = getattr(importlib.import_module(module), name, None)
    except ImportError as error:
        raise ValueError(f"model {address!r} cannot be imported: {error}") from error
    if not isinstance(thing, type):
        raise ValueError(f"model {address!r}: module {module!r} has no class {name!r}")
    return name, thing


def as_model(name: str, thing: Any, task: TaskName) -> BaseEstimator:
    """An unfitted model for the task from a class or an instance, or an error that says why not."""
    try:
        model = thing() if isinstance(thing, type) else thing
    except TypeError as error:
        raise ValueError(
            f"model {name!r} cannot be made without parameters; give an instance: {error}"
        ) from error
    lacks = [method for method in ("fit", "predict", "get_params") if not hasattr(model, method)]
    if lacks:
        raise ValueError(f"model {name!r} must have scikit-learn's contract, lacks {lacks[0]!r}")
    suits = is_classifier(model) if task == "classification" else is_regressor(model)
    other = is_regressor(model) if task == "classification" else is_classifier(model)
    if other and not suits:
        raise ValueError(f"model {name!r} is not made for {task}")
    return model
