"""What kernels made of one other kernel have in common."""

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from margin.core import check
from margin.kernels._base import Kernel


@dataclass(frozen=True)
class Wrapper(Kernel):
    """A kernel made of another, whose hyper-parameters are its own."""

    kernel: Kernel

    def __post_init__(self) -> None:
        if not isinstance(self.kernel, Kernel):
            raise check.fail(self, "kernel", "a kernel", self.kernel)

    @property
    def input(self) -> str:  # type: ignore[override]
        """What the kernel compares."""
        return self.kernel.input

    @property
    def definite(self) -> Any:  # type: ignore[override]
        """Where its matrices are positive semi-definite."""
        return self.kernel.definite

    @property
    def stationary(self) -> bool:
        """Whether ``k(x, x)`` is the same for all objects."""
        return self.kernel.stationary

    @property
    def theta(self) -> NDArray[np.float64]:
        """That of the kernel within."""
        return self.kernel.theta

    @property
    def theta_names(self) -> tuple[str, ...]:
        """That of the kernel within."""
        return self.kernel.theta_names

    @property
    def bounds(self) -> NDArray[np.float64]:
        """That of the kernel within."""
        return self.kernel.bounds

    def with_theta(self, theta: ArrayLike) -> Self:
        """The same construction at other hyper-parameters."""
        return replace(self, kernel=self.kernel.with_theta(theta))
