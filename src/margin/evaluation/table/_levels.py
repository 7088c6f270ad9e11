"""Levels of nominal columns as short texts, the frequent ones told apart."""

from __future__ import annotations

import zlib
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin

MISSING, RARE = "(missing)", "(rare)"
_WIDTH = 60


def written(value: Any) -> str:
    """A level as text, the same for 1, 1.0 and "1".

    Examples
    --------
    >>> written(1.0), written(True), written("b")
    ('1', 'True', 'b')
    """
    whole = isinstance(value, float | np.floating) and float(value).is_integer()
    return str(int(value)) if whole else str(value)


class AsLevels(TransformerMixin, BaseEstimator):
    """Nominal columns as fixed-width text, which encoders sort and count at array speed.

    Missing values are a level of their own. Beyond the ``most`` frequent levels seen in ``fit``
    all share one; a text of more than 60 characters is cut and marked by its checksum.

    Parameters
    ----------
    most : int
        Levels told apart per column.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"a": ["x", "y", "x", None, "z", "y"]})
    >>> AsLevels(most=2).fit_transform(frame).ravel().tolist()
    ['x', 'y', 'x', '(missing)', '(rare)', 'y']
    """

    def __init__(self, *, most: int = 1000) -> None:
        self.most = most

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn the frequent levels of each column."""
        self.columns_ = [str(name) for name in X.columns]
        self.kept_ = [self._frequent(X[name]) for name in X.columns]
        return self

    def _frequent(self, column: Any) -> list[str]:
        """The levels to tell apart; an empty list stands for all."""
        if column.nunique() <= self.most:
            return []
        return [_short(level) for level in column.value_counts().index[: self.most]]

    def transform(self, X: Any) -> NDArray[np.str_]:
        """Return the levels as text."""
        columns = zip(self.columns_, self.kept_, strict=True)
        return np.column_stack([_texts(X[name], kept) for name, kept in columns])

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Return the names of the columns, unchanged."""
        return np.asarray(self.columns_, dtype=object)


def _texts(column: Any, kept: list[str]) -> NDArray[np.str_]:
    import pandas as pd

    # Few levels, many rows: each level is written once; code -1 picks the last, the missing one.
    codes, levels = pd.factorize(column)
    texts = [_short(level) for level in levels]
    if kept:
        known = set(kept)
        texts = [text if text in known else RARE for text in texts]
    return np.asarray(np.array([*texts, MISSING])[codes])


def _short(value: Any) -> str:
    text = written(value)
    if len(text) <= _WIDTH:
        return text
    return f"{text[: _WIDTH - 10]}…{zlib.crc32(text.encode()):08x}"
