"""Tables that come in blocks of rows, read as often as a fit needs."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.core import check, threads
from margin.core.types import Array, Floats
from margin.distributions import Moments
from margin.linalg import scatter


@dataclass(frozen=True, eq=False)
class Blocks:
    """Rows with their weights, one block after the other.

    Parameters
    ----------
    source : iterable of (rows, weights or None)
        Read anew on every pass.
    """

    source: Iterable[tuple[Array, Floats | None]]

    def __iter__(self) -> Iterator[tuple[Array, Floats | None]]:
        return iter(self.source)


def checked_blocks(owner: Any, blocks: Iterable[Any], *, missing: bool = False) -> Blocks:
    """Blocks of a re-iterable as an estimator takes them; the first sets the columns.

    Examples
    --------
    >>> from margin.decomposition import PCA
    >>> len(list(checked_blocks(PCA(), [np.ones((2, 3)), np.zeros((1, 3))])))
    2
    """
    name = type(owner).__name__
    if isinstance(blocks, Iterator):
        raise ValueError(
            f"{name}: blocks must be a list or another iterable that can be read again, got an "
            f"iterator ({type(blocks).__name__})"
        )
    whole = Blocks(_Checked(owner, blocks, missing))
    if not any(True for _ in whole):
        raise check.fail(owner, "blocks", "at least one block of rows", "none")
    return whole


@dataclass(frozen=True, eq=False)
class _Checked:
    owner: Any
    blocks: Iterable[Any]
    missing: bool

    def __iter__(self) -> Iterator[tuple[Array, Floats | None]]:
        for place, block in enumerate(self.blocks):
            rows = check.validated(
                self.owner,
                block,
                dtype=check.FLOATS,
                ensure_all_finite="allow-nan" if self.missing else True,
                reset=place == 0,
            )
            yield rows, None


def moments(X: Array, weight: Floats | None = None) -> Moments:
    """Weight, mean and scatter of complete rows, from one read of them.

    Examples
    --------
    >>> moments(np.array([[1.0], [2.0], [6.0]]))
    Moments(weight=3.0, mean=array([3.]), scatter=array([[14.]]))
    """
    nothing = np.empty((len(X), 0))
    found = scatter(X, nothing, weight, threads.count())
    total = float(len(X)) if weight is None else float(weight.sum())
    return Moments(total, found.mean, found.gram)


def block_moments(blocks: Blocks) -> tuple[Moments, int]:
    """The statistics of all blocks, added up, and the number of rows."""
    total, n_rows = None, 0
    for rows, weight in blocks:
        part = moments(rows, weight)
        total, n_rows = part if total is None else total + part, n_rows + len(rows)
    assert total is not None
    return total, n_rows
