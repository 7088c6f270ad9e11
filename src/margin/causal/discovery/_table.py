"""Columns of numbers that a discovery starts from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.core import check
from margin.core.types import Floats


@dataclass(frozen=True, eq=False)
class Table:
    """Named columns without gaps.

    Parameters
    ----------
    names : tuple
        Names of the columns; their numbers for an array.
    values : ndarray of shape (n_rows, n_columns)
    n_gaps : int
        Rows left out because a value in them is not known.
    """

    names: tuple[Any, ...]
    values: Floats
    n_gaps: int = 0

    @classmethod
    def of(cls, owner: str, frame: Any) -> Table:
        """Columns of a frame or of a two-dimensional array of numbers; rows with NaN are left out.

        Examples
        --------
        >>> Table.of("DirectLiNGAM", [[0.0, 1.0], [2.0, 5.0]]).names
        (0, 1)
        """
        check.distinct_names(owner, frame)
        try:
            values = np.asarray(frame, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise check.fail(owner, "X", "a table of numbers", str(error)) from error
        if values.ndim != 2 or not values.size:
            raise check.fail(owner, "X", "a two-dimensional table with rows", values.shape)
        names = tuple(frame.columns) if hasattr(frame, "columns") else range(values.shape[1])
        table = cls(tuple(names), values)
        table._refuse(
            owner, np.isinf(values).any(axis=0), "finite, or NaN where unknown", "infinity"
        )
        unknown = np.isnan(values)
        table._refuse(owner, unknown.all(axis=0), "known somewhere", "NaN in every row")
        whole = ~unknown.any(axis=1)
        if not whole.any():
            raise check.fail(owner, "X", "a table with rows that know every column", "none")
        values = values[whole]
        table = cls(tuple(names), values, int((~whole).sum()))
        table._refuse(owner, (values == values[0]).all(axis=0), "not constant", "one value")
        return table

    @property
    def notes(self) -> tuple[str, ...]:
        """What the report says about rows that were left out.

        Examples
        --------
        >>> Table.of("CAM", [[0.0, 1.0], [2.0, np.nan], [3.0, 2.0]]).notes
        ('1 of 3 rows with a gap left out: right where gaps do not depend on the values',)
        """
        if not self.n_gaps:
            return ()
        total = len(self.values) + self.n_gaps
        told = f"{self.n_gaps} of {total} rows with a gap left out"
        return (f"{told}: right where gaps do not depend on the values",)

    def _refuse(self, owner: str, bad: Any, requirement: str, value: str) -> None:
        if bad.any():
            column = self.names[int(np.argmax(bad))]
            raise ValueError(f"{owner}: column {column!r} must be {requirement}, got {value}")

    def standardised(self) -> Floats:
        """The columns with mean zero and variance one, whatever their scale."""
        centred = self.values - self.values.mean(axis=0)
        centred /= np.abs(centred).max(axis=0)  # squares of huge numbers overflow
        return np.asarray(centred / np.sqrt((centred**2).mean(axis=0)))

    def refuse_collinear(self, owner: str) -> None:
        """Refuse fewer rows than columns, and columns that others determine."""
        n_rows, n_columns = self.values.shape
        if n_rows <= n_columns:
            raise check.fail(owner, "X", f"more rows than its {n_columns} columns", n_rows)
        Z = self.standardised()
        left = np.abs(np.diag(np.linalg.qr(Z, mode="r"))) / np.sqrt(n_rows)
        self._refuse(owner, left < 1e-7, "no combination of the columns before it", "one")
