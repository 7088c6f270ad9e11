"""Columns of a frame that are not numbers: their levels, and the codes that stand for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from margin.core.types import Array


@dataclass(frozen=True)
class Levels:
    """Distinct values of the columns of a pandas or polars frame that hold words or categories.

    Parameters
    ----------
    levels : mapping of str to list
        For each such column its values, sorted; their places are the codes.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"size": [1.0, 2.0], "colour": ["red", "blue"]})
    >>> Levels.of(frame).encode(frame)["colour"].tolist()
    [1.0, 0.0]
    """

    levels: Mapping[str, list[Any]] = field(default_factory=dict)

    @classmethod
    def of(cls, X: Any) -> Levels:
        """Levels of a frame; none of anything else."""
        if not (hasattr(X, "columns") and hasattr(X, "dtypes")):
            return cls()
        levels = {}
        for name in X.columns:
            values = np.asarray(X[name])
            if values.ndim == 1 and _words(X[name], values):
                levels[name] = sorted({v for v in values.tolist() if _present(v)}, key=str)
        return cls(levels)

    def encode(self, X: Any) -> Any:
        """The frame with codes in place of levels; NaN for none and for levels never seen."""
        if not self.levels or not hasattr(X, "columns"):
            return X
        coded: dict[str, Array] = {}
        for name in X.columns:
            values = np.asarray(X[name])
            if name in self.levels:
                code = {level: float(i) for i, level in enumerate(self.levels[name])}
                values = np.array([code.get(v, np.nan) for v in values.tolist()])
            coded[name] = values
        return type(X)(coded)


def _words(column: Any, values: Array) -> bool:
    if str(column.dtype).lower().startswith(("category", "categorical", "enum")):
        return True
    return values.dtype.kind in "OUS" and any(isinstance(v, str) for v in values.tolist())


def _present(value: Any) -> bool:
    return value is not None and type(value).__name__ != "NAType" and value == value
