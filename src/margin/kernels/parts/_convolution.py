"""Kernels of objects from kernels of their parts."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from margin.core import check
from margin.kernels._base import Floats
from margin.kernels._memory import refuse_beyond_memory
from margin.kernels._wrapper import Wrapper
from margin.kernels.parts._symbols import listed

BLOCK_ENTRIES = 1 << 22


@dataclass(frozen=True)
class Convolution(Wrapper):
    r"""The kernel of all pairs of parts of two objects (kernels.30).

    .. math:: k(x, z) = \sum_{p \in \mathrm{parts}(x)} \sum_{q \in \mathrm{parts}(z)} k_0(p, q).

    Any object that can be taken apart has a kernel. With parts that are tuples and ``tensor`` for
    :math:`k_0` these are the convolution kernels of Haussler. An object without parts is like
    nothing.

    Parameters
    ----------
    kernel : Kernel
        Compares the parts; its hyper-parameters are those of this kernel.
    parts : callable
        Takes one object, gives the list of its parts; by default the members of the object.

    References
    ----------
    Haussler: Convolution kernels on discrete structures. Technical report, 1999.

    Examples
    --------
    With pairs of neighbouring letters this is the spectrum kernel:

    >>> from margin.kernels import Delta
    >>> pairs = Convolution(Delta(), lambda word: [word[i : i + 2] for i in range(len(word) - 1)])
    >>> pairs(["GATTACA"], ["TACATTA"])
    array([[6.]])

    Sets of points, compared point by point:

    >>> from margin.kernels import Linear
    >>> Convolution(Linear())([[[1.0, 0.0], [0.0, 1.0]]], [[[2.0, 3.0]]])
    array([[5.]])
    """

    parts: Callable[[Any], Any] = list
    input: ClassVar[str] = "any"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not callable(self.parts):
            raise check.fail(self, "parts", "a function of one object", self.parts)

    @property
    def stationary(self) -> bool:
        """False: objects may have different parts."""
        return False

    def _taken_apart(self, X: Any, name: str) -> list[list[Any]]:
        return [list(self.parts(item)) for item in listed(self, X, name, "objects")]

    def _collected(self, groups: list[list[Any]]) -> Any:
        flat = [part for group in groups for part in group]
        return np.array(flat, dtype=np.float64, ndmin=2) if self.kernel.input == "vectors" else flat

    def __call__(self, X: Any, Z: Any = None, *, n_threads: int | None = None) -> Floats:
        """Matrix of sums over the parts, a block of objects at a time."""
        left = self._taken_apart(X, "X")
        right = left if Z is None else self._taken_apart(Z, "Z")
        refuse_beyond_memory(self, len(left), len(right), np.float64)
        out = np.zeros((len(left), len(right)))
        filled = [j for j, group in enumerate(right) if group]
        if filled:
            columns = self._collected(right)
            starts = _starts([right[j] for j in filled])
            for i, j in _blocks(left, sum(map(len, right))):
                rows = self.kernel(self._collected(left[i:j]), columns, n_threads=n_threads)
                sums = np.add.reduceat(rows, starts, axis=1)
                out[i:j, filled] = _summed(sums, left[i:j])
        return _mirrored(out) if Z is None else out

    def diag(self, X: Any) -> Floats:
        """Sums over the pairs of parts of every object."""
        groups = self._taken_apart(X, "X")
        sums = [float(self.kernel(self._collected([g])).sum()) if g else 0.0 for g in groups]
        return np.array(sums, dtype=np.float64)

    def derivatives(self, X: Any) -> Iterator[Floats]:
        """Sums of the derivatives over the parts."""
        groups = self._taken_apart(X, "X")
        filled = [j for j, group in enumerate(groups) if group]
        for matrix in self.kernel.derivatives(self._collected(groups)) if filled else ():
            sums = np.add.reduceat(matrix, _starts([groups[j] for j in filled]), axis=1)
            out = np.zeros((len(groups), len(groups)))
            out[:, filled] = _summed(sums, groups)
            yield _mirrored(out)
        if not filled:
            yield from np.zeros((len(self.theta), len(groups), len(groups)))


def _starts(groups: list[list[Any]]) -> NDArray[np.intp]:
    return np.cumsum([0, *map(len, groups[:-1])])


def _summed(rows: Floats, groups: list[list[Any]]) -> Floats:
    """Sums of the rows of every group; zero for empty groups."""
    filled = [i for i, group in enumerate(groups) if group]
    out = np.zeros((len(groups), rows.shape[1]))
    if filled:
        out[filled] = np.add.reduceat(rows, _starts([groups[i] for i in filled]), axis=0)
    return out


def _blocks(groups: list[list[Any]], width: int) -> Iterator[tuple[int, int]]:
    """Ranges of groups whose parts times ``width`` stay small; empty ranges are left out."""
    start, size = 0, 0
    for i, group in enumerate(groups):
        if size and (size + len(group)) * width > BLOCK_ENTRIES:
            yield start, i
            start, size = i, 0
        size += len(group)
    if size:
        yield start, len(groups)


def _mirrored(matrix: Floats) -> Floats:
    """What is below the diagonal also above it: sums taken in another order may differ."""
    lower = np.tril(matrix)
    return lower + np.tril(matrix, -1).T
