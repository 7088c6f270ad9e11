"""What kernels made of several kernels have in common."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from margin.core import check
from margin.kernels._base import Definite, Kernel, parameter_vector

_WEAKEST: tuple[Definite, ...] = ("no", "grid", "conditional", "unknown", "positive")


@dataclass(frozen=True)
class Composite(Kernel):
    """A kernel of several kernels; its hyper-parameters are theirs, one after the other.

    The parts are called ``k1``, ``k2``, … in the names of the hyper-parameters.
    """

    parts: tuple[Kernel, ...]

    def __post_init__(self) -> None:
        parts = tuple(self.parts)
        if not parts or not all(isinstance(part, Kernel) for part in parts):
            raise check.fail(self, "parts", "at least one kernel", self.parts)
        object.__setattr__(self, "parts", parts)
        common_input(self, parts)

    @property
    def input(self) -> str:  # type: ignore[override]
        """What all parts compare."""
        return common_input(self, self.parts)

    @property
    def definite(self) -> Any:  # type: ignore[override]
        """That of the weakest part."""
        return min((part.definite for part in self.parts), key=_WEAKEST.index)

    @property
    def stationary(self) -> bool:
        """Whether all parts are."""
        return all(part.stationary for part in self.parts)

    @property
    def by_pairs(self) -> bool:
        """Whether all parts are."""
        return all(part.by_pairs for part in self.parts)

    @property
    def theta(self) -> NDArray[np.float64]:
        """Logarithms of the free hyper-parameters of the parts."""
        return np.concatenate([part.theta for part in self.parts])

    @property
    def n_theta(self) -> int:
        """Free hyper-parameters of all parts."""
        return sum(part.n_theta for part in self.parts)

    @property
    def theta_names(self) -> tuple[str, ...]:
        """What each entry of ``theta`` is, such as ``"k1.length_scale"``."""
        named = enumerate(self.parts, start=1)
        return tuple(f"k{i}.{name}" for i, part in named for name in part.theta_names)

    @property
    def bounds(self) -> NDArray[np.float64]:
        """Bounds of the parts."""
        return np.concatenate([part.bounds for part in self.parts])

    def with_theta(self, theta: ArrayLike) -> Self:
        """The same kernel at other hyper-parameters."""
        values = parameter_vector(self, theta)
        ends = list(accumulate((part.n_theta for part in self.parts), initial=0))
        pieces = zip(self.parts, pairwise(ends), strict=True)
        return replace(
            self, parts=tuple(part.with_theta(values[start:end]) for part, (start, end) in pieces)
        )


def common_input(owner: object, parts: tuple[Kernel, ...]) -> str:
    """The one kind of object that all parts compare; refuses different kinds."""
    kinds = sorted({part.input for part in parts} - {"any"})
    if len(kinds) > 1:
        raise check.fail(owner, "parts", "kernels of the same kind of object", " and ".join(kinds))
    return kinds[0] if kinds else "any"


def joined(
    pieces: Iterable[tuple[NDArray[np.float64], NDArray[np.float64] | None]],
) -> tuple[NDArray[np.float64], NDArray[np.float64] | None]:
    """Derivatives in ``theta`` end to end, those in the objects added up if all parts know them."""
    thetas, moves = zip(*pieces, strict=True)
    theta = np.concatenate(thetas)
    if any(move is None for move in moves):
        return theta, None
    return theta, np.sum(np.stack(moves), axis=0)
