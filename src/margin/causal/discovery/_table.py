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
    """

    names: tuple[Any, ...]
    values: Floats

    @classmethod
    def of(cls, owner: str, frame: Any) -> Table:
        """Columns of a frame or of a two-dimensional array, refused unless all are finite numbers.

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
        table._refuse(owner, ~np.isfinite(values).all(axis=0), "finite", "NaN or infinity")
        table._refuse(owner, (values == values[0]).all(axis=0), "not constant", "one value")
        return table

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
