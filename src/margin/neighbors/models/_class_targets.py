"""Classes of one or several targets as codes."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.exceptions import DataConversionWarning
from sklearn.utils.multiclass import check_classification_targets

from margin.core import check
from margin.core.types import Array, Floats, Indices


@dataclass(frozen=True, eq=False)
class ClassTargets:
    """Labels of rows as codes, one column per target.

    Parameters
    ----------
    classes : tuple of ndarray
        Sorted labels of every target.
    codes : ndarray of shape (n, n_outputs)
    many : bool
        Whether the labels came as a table.
    """

    classes: tuple[Array, ...]
    codes: Indices
    many: bool

    @classmethod
    def of(cls, y: Any) -> ClassTargets:
        """Codes of the labels ``y``, a vector or a table."""
        y = np.asarray(y)
        if y.ndim == 2 and y.shape[1] == 1:
            warnings.warn(
                "A column-vector y was passed when a 1d array was expected. Please change the "
                "shape of y to (n_samples,), for example using ravel().",
                DataConversionWarning,
                stacklevel=4,
            )
            y = y.ravel()
        if y.ndim == 1:
            labels, codes = check.classes("ClassTargets", y, least=0)
            return cls((labels,), codes.astype(np.int64, copy=False)[:, None], False)
        check_classification_targets(y)
        columns = y.reshape(len(y), -1).T
        pairs = [np.unique(column, return_inverse=True) for column in columns]
        codes = np.column_stack([code for _, code in pairs]).astype(np.int64)
        return cls(tuple(labels for labels, _ in pairs), codes, y.ndim == 2)

    @property
    def shown(self) -> Any:
        """Classes as users see them: an array, or a list of arrays."""
        return list(self.classes) if self.many else self.classes[0]

    def labels(self, codes: Indices) -> Array:
        """Labels of codes of shape (n, n_outputs)."""
        columns = [labels[codes[:, j]] for j, labels in enumerate(self.classes)]
        return np.column_stack(columns) if self.many else columns[0]

    def probabilities(self, tables: list[Floats]) -> Any:
        """One table, or the list of them."""
        return tables if self.many else tables[0]
