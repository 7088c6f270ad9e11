"""Which rows were seen under which interventions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.core import check
from margin.core.types import Bools, Bytes, Indices


@dataclass(frozen=True, eq=False)
class Interventions:
    """Targets of the experiments behind the rows of a table.

    Parameters
    ----------
    targets : ndarray of bool, shape (n_experiments, n_columns)
        Columns that an experiment has set; none for plain observation.
    rows : ndarray of shape (n_rows,)
        Experiment of every row.

    Examples
    --------
    >>> plan = Interventions.of("GIES", ("a", "b"), [(), ("a",), ("a",)], 3)
    >>> plan.targets.tolist(), plan.rows.tolist(), plan.separated.tolist()
    ([[False, False], [True, False]], [0, 1, 1], [[0, 1], [1, 0]])
    """

    targets: Bools
    rows: Indices

    @classmethod
    def of(
        cls, owner: str, names: Sequence[Any], targets: Iterable[Any] | None, n_rows: int
    ) -> Interventions:
        """Targets of every row by name; by default nothing was set.

        A set of targets is a collection of names, a single name, or None for observation. A column
        that is set in every row is refused: nothing is seen of how it comes about.
        """
        if targets is None:
            return cls(np.zeros((1, len(names)), dtype=bool), np.zeros(n_rows, dtype=np.int64))
        index = {name: at for at, name in enumerate(names)}
        listed = [_members(owner, index, some) for some in targets]
        if len(listed) != n_rows:
            requirement = f"one set of columns for each of the {n_rows} rows"
            raise check.fail(owner, "targets", requirement, len(listed))
        place: dict[frozenset[int], int] = {}
        rows = np.array([place.setdefault(some, len(place)) for some in listed], dtype=np.int64)
        matrix = np.zeros((len(place), len(names)), dtype=bool)
        for some, at in place.items():
            matrix[at, list(some)] = True
        if matrix.all(axis=0).any():
            column = names[int(np.argmax(matrix.all(axis=0)))]
            requirement = f"without {column!r} in some rows, to see how it comes about"
            raise check.fail(owner, "targets", requirement, "it in every row")
        return cls(matrix, rows)

    @property
    def separated(self) -> Bytes:
        """1 for pairs of which an experiment has set exactly one, which reveals the arrow."""
        one = self.targets[:, :, None] != self.targets[:, None, :]
        return np.ascontiguousarray(one.any(axis=0), dtype=np.uint8)

    def free_rows(self, column: int) -> Bools:
        """Rows in which a column was not set."""
        return np.asarray(~self.targets[self.rows, column])


def _members(owner: str, index: dict[Any, int], some: Any) -> frozenset[int]:
    if some is None:
        return frozenset()
    try:
        if some in index:
            return frozenset((index[some],))
    except TypeError:
        pass
    several = isinstance(some, Iterable) and not isinstance(some, str)
    names = tuple(some) if several else (some,)
    for name in names:
        try:
            known = name in index
        except TypeError:
            known = False
        if not known:
            raise check.fail(owner, "targets", "sets of columns of the table", name)
    return frozenset(index[name] for name in names)
