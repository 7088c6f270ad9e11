"""All-or-nothing fitting."""

import functools
from collections.abc import Callable
from typing import Any, TypeVar

Fit = TypeVar("Fit", bound=Callable[..., Any])


def atomic(fit: Fit) -> Fit:
    """Restore the estimator to what it was if ``fit`` raises, so that an old model survives.

    Examples
    --------
    >>> class Model:
    ...     @atomic
    ...     def fit(self, value):
    ...         self.value_ = value
    ...         return 1 / value
    >>> model = Model()
    >>> model.fit(2)
    0.5
    >>> model.fit(0)
    Traceback (most recent call last):
    ZeroDivisionError: division by zero
    >>> model.value_
    2
    """

    @functools.wraps(fit)
    def run(self: Any, *args: Any, **kwargs: Any) -> Any:
        before = dict(vars(self))
        try:
            return fit(self, *args, **kwargs)
        except BaseException:
            vars(self).clear()
            vars(self).update(before)
            raise

    return run  # type: ignore[return-value]
