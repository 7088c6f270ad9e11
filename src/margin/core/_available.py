"""Methods that are there only when a setting asks for them."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

from sklearn.utils.metaestimators import available_if as _available_if

Method = TypeVar("Method", bound=Callable[..., Any])


def available_if(holds: Callable[[Any], bool]) -> Callable[[Method], Method]:
    """A method that exists where ``holds(self)``: scikit-learn's decorator, with types.

    Parameters
    ----------
    holds : callable
        Of the estimator; returns a falsy value or raises AttributeError, with the reason, where
        there is no such method.

    Examples
    --------
    >>> class Model:
    ...     sure = False
    ...     @available_if(lambda self: self.sure)
    ...     def answer(self) -> int:
    ...         return 42
    >>> hasattr(Model(), "answer")
    False
    """
    return cast(Callable[[Method], Method], _available_if(holds))
