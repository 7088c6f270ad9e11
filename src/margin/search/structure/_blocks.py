"""Numbers and categories together, as blocks of normal columns."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from margin.core import check
from margin.core.types import Bools, Floats
from margin.search.structure._mixed_test import MixedColumns
from margin.search.structure._moments import Moments


@dataclass(frozen=True, eq=False)
class Blocks:
    """Columns of which a category of k states is k - 1 indicators, and their second moments.

    Treating indicators as normal gives up the likelihood of the categories, but keeps which columns
    depend on which given others as far as means tell, and a score that is the same for Markov
    equivalent graphs (B. Andrews, J. Ramsey and G. Cooper, "Learning high-dimensional directed
    acyclic graphs with mixed data-types", KDD causal discovery (2019)).

    Parameters
    ----------
    names : tuple
        Names of the columns of the table.
    sizes : tuple of int
        Columns of each block: 1 for numbers.
    moments : Moments
        Of all blocks side by side.
    """

    names: tuple[Any, ...]
    sizes: tuple[int, ...]
    moments: Moments

    @classmethod
    def of(cls, owner: str, columns: MixedColumns, sample_weight: Any = None) -> Blocks:
        """Blocks of a table; what is not known is integrated out, all indicators of it together.

        Examples
        --------
        >>> table = MixedColumns.of("Example", [[0.5, "a"], [1.5, "b"], [2.0, "c"], [0.0, "a"]])
        >>> blocks = Blocks.of("Example", table)
        >>> blocks.sizes, blocks.moments.names
        ((1, 2), (0, '1: 1', '1: 2'))
        """
        parts: list[Floats] = []
        called: list[Any] = []
        for name, values, n_states in zip(
            columns.names, columns.values.T, columns.n_states, strict=True
        ):
            if n_states == 0:
                parts.append(values[:, None])
                called.append(name)
                continue
            if n_states < 2:
                raise ValueError(f"{owner}: column {name!r} must be not constant, got one value")
            some = values[:, None] == np.arange(1, n_states)
            parts.append(np.where(np.isnan(values)[:, None], np.nan, some))
            called += [f"{name}: {state}" for state in range(1, n_states)]
        moments = Moments.of(owner, np.hstack(parts), sample_weight=sample_weight)
        sizes = tuple(part.shape[1] for part in parts)
        return cls(columns.names, sizes, replace(moments, names=tuple(called)))

    def owns(self, flags: Bools) -> Bools:
        """For each block, whether all of its columns are flagged."""
        starts = np.cumsum((0, *self.sizes[:-1]))
        return np.logical_and.reduceat(flags, starts)


def mixed_columns(owner: str, frame: Any) -> MixedColumns:
    """Columns of a table with numbers and words; infinity is refused.

    Examples
    --------
    >>> mixed_columns("GES", [[0.5, "a"], [1.0, "b"]]).n_states
    (0, 2)
    """
    columns = MixedColumns.of(owner, frame)
    if np.isinf(columns.values).any():
        raise check.fail(owner, "X", "finite or NaN", "infinity")
    return columns
