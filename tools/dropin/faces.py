"""What a namesake of scikit-learn has that ours lacks: parameters, methods, fitted attributes."""

import inspect
from collections.abc import Iterator
from typing import Any

DEPRECATED = "deprecated"
"""What scikit-learn gives parameters that it is about to drop."""


def parameters(item: Any) -> dict[str, inspect.Parameter]:
    """Named parameters of a function, a method or a constructor.

    Examples
    --------
    >>> list(parameters(lambda X, *, tol=0.0, **more: X))
    ['X', 'tol']
    """
    try:
        given = inspect.signature(item).parameters
    except (TypeError, ValueError):  # written in C: nothing is known
        return {}
    named = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return {name: p for name, p in given.items() if p.kind in named and name != "self"}


def methods(cls: type) -> dict[str, Any]:
    """Public methods of a class, those included that only some of its settings have.

    Examples
    --------
    >>> from sklearn.linear_model import Ridge
    >>> {"fit", "predict", "score"} <= set(methods(Ridge))
    True
    """
    members = {name: getattr(cls, name) for name in dir(cls) if name[0] != "_"}
    return {n: m for n, m in members.items() if callable(m) and not isinstance(m, type)}


def attributes(model: Any) -> set[str]:
    """Public attributes that a fitted model has: their names end in an underscore.

    Examples
    --------
    >>> from sklearn.linear_model import Ridge
    >>> sorted(attributes(Ridge().fit([[0.0], [1.0]], [0.0, 1.0])))
    ['coef_', 'intercept_', 'n_features_in_', 'n_iter_', 'solver_']
    """
    names = {*vars(model), *dir(type(model))}
    return {n for n in names if n[0] != "_" and n[-1] == "_" and _answers(model, n)}


def missing_words(ours: Any, theirs: Any) -> Iterator[str]:
    """Parameters and methods of ``theirs``, a class or a function, that ``ours`` does not take.

    Examples
    --------
    >>> class Ridge:
    ...     def __init__(self, alpha=1.0): ...
    ...     def fit(self, X): ...
    >>> class Theirs:
    ...     def __init__(self, alpha=1.0, tol=1e-4): ...
    ...     def fit(self, X, sample_weight=None): ...
    ...     def score(self, X): ...
    >>> list(missing_words(Ridge, Theirs))
    ['tol', 'fit(sample_weight)', 'score']
    """
    known = parameters(ours)
    yield from (name for name in parameters(theirs) if name not in known)
    if not isinstance(theirs, type):
        return
    known_methods = methods(ours)
    for name, method in methods(theirs).items():
        if name not in known_methods:
            yield name
            continue
        taken = parameters(known_methods[name])
        yield from (f"{name}({word})" for word in parameters(method) if word not in taken)


def other_defaults(ours: Any, theirs: Any) -> Iterator[str]:
    """Parameters whose default differs.

    Examples
    --------
    >>> list(other_defaults(lambda tol=1e-6: None, lambda tol=1e-4: None))
    ['tol=1e-06, theirs 0.0001']
    """
    known = parameters(ours)
    for name, parameter in parameters(theirs).items():
        if name in known and not _same(known[name].default, parameter.default):
            yield f"{name}={known[name].default!r}, theirs {parameter.default!r}"


def _same(ours: Any, theirs: Any) -> bool:
    # A word for "not given" is a matter of taste; NaN is not equal to itself.
    words = (DEPRECATED, "warn", None)
    if any(theirs is w or (isinstance(theirs, str) and theirs == w) for w in words):
        return any(ours is w or (isinstance(ours, str) and ours == w) for w in words)
    if type(theirs).__name__ == type(ours).__name__ and type(theirs).__module__ != "builtins":
        return True
    return ours is theirs or bool(ours == theirs) or (ours != ours and theirs != theirs)


def _answers(model: Any, name: str) -> bool:
    try:
        getattr(model, name)
    except Exception:
        return False
    return True
