"""Methods that are there only when a setting asks for them."""

from collections.abc import Callable
from functools import update_wrapper
from types import MethodType
from typing import Any, TypeVar, cast

Method = TypeVar("Method", bound=Callable[..., Any])


def available_if(holds: Callable[[Any], bool]) -> Callable[[Method], Method]:
    """A method that exists where ``holds(self)``: scikit-learn's decorator, which also tells why.

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

    def decorate(method: Method) -> Method:
        return cast(Method, _Available(method, holds))

    return decorate


class _Available:
    """A method that looks at its object first."""

    def __init__(self, method: Callable[..., Any], holds: Callable[[Any], bool]) -> None:
        self.method, self.holds = method, holds
        self.__doc__, self.__name__ = method.__doc__, method.__name__

    def __get__(self, instance: Any, owner: type) -> Callable[..., Any]:
        if instance is not None:
            self._require(instance)
            return MethodType(self.method, instance)

        def unbound(*args: Any, **kwargs: Any) -> Any:
            self._require(args[0])
            return self.method(*args, **kwargs)

        return update_wrapper(unbound, self.method)

    def _require(self, instance: Any) -> None:
        name = self.method.__name__
        missing = f"This {type(instance).__name__!r} has no attribute {name!r}"
        try:
            there = self.holds(instance)
        except Exception as reason:
            raise AttributeError(f"{missing}: {reason}") from reason
        if not there:
            raise AttributeError(missing)
