"""The delta kernel."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from margin.core import check
from margin.core.objects import precision
from margin.kernels._base import Floats, Kernel
from margin.kernels._memory import refuse_beyond_memory
from margin.kernels.parts._symbols import listed


@dataclass(frozen=True)
class Delta(Kernel):
    r"""Objects match or they do not: :math:`k(x, z) = 1` if :math:`x = z`, else 0 (kernels.27).

    The simplest kernel of parts, from which kernels of strings, trees and graphs are built (see
    :class:`Convolution`). Objects are hashable values of any type, or the rows of a table.

    Examples
    --------
    >>> Delta()(["ox", "cow", "ox"])
    array([[1., 0., 1.],
           [0., 1., 0.],
           [1., 0., 1.]])
    """

    input: ClassVar[str] = "any"

    @property
    def stationary(self) -> bool:
        """True: every object matches itself."""
        return True

    def __call__(self, X: Any, Z: Any = None, *, n_threads: int | None = None) -> Floats:
        """Matrix of ones where objects are equal."""
        number: dict[Hashable, int] = {}
        left = self._numbers(X, "X", number)
        right = left if Z is None else self._numbers(Z, "Z", number)
        refuse_beyond_memory(self, len(left), len(right), np.float64)
        return np.equal.outer(left, right).astype(precision(X))

    def diag(self, X: Any) -> Floats:
        """Ones."""
        return np.ones(len(self._numbers(X, "X", {})), dtype=precision(X))

    def _numbers(self, X: Any, name: str, number: dict[Hashable, int]) -> NDArray[np.intp]:
        objects = listed(self, X, name, "objects")
        numbers = np.empty(len(objects), dtype=np.intp)
        for i, item in enumerate(objects):
            value = tuple(item.tolist()) if isinstance(item, np.ndarray) else item
            value = tuple(value) if isinstance(value, list) else value
            try:
                numbers[i] = number.setdefault(value, len(number))
            except TypeError:
                wanted = "hashable, or a row of numbers"
                raise check.fail(self, f"{name}[{i}]", wanted, item) from None
            members = value if isinstance(value, tuple) else (value,)
            if any(member != member for member in members):
                raise check.fail(self, f"{name}[{i}]", "equal to itself", item)
        return numbers
