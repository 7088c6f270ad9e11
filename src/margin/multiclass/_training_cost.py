"""What a reduction to binary problems costs to train."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.multiclass._code_matrices import one_vs_one_code, one_vs_rest_code


@dataclass(frozen=True)
class TrainingCost:
    r"""Number of binary classifiers and the rows each is trained on (linear.49).

    With :math:`C` balanced classes of :math:`n` rows in all, one-vs-rest trains :math:`C`
    classifiers on :math:`n` rows each and one-vs-one :math:`C (C - 1) / 2` on :math:`2 n / C`
    each. Where training takes time :math:`n^q`, one-vs-one is cheaper by the factor
    :math:`2^{1-q} C^q / (C - 1)`.

    Parameters
    ----------
    rows : tuple of int
        Training rows of each classifier.

    Examples
    --------
    >>> [(TrainingCost.one_vs_rest([5] * m).n_classifiers,
    ...   TrainingCost.one_vs_one([5] * m).n_classifiers) for m in (3, 4, 10)]
    [(3, 3), (4, 6), (10, 45)]
    >>> rest, one = TrainingCost.one_vs_rest([100] * 10), TrainingCost.one_vs_one([100] * 10)
    >>> rest.total_rows, one.total_rows, round(rest.work(2) / one.work(2), 2)
    (10000, 9000, 5.56)
    """

    rows: tuple[int, ...]

    @classmethod
    def of(cls, code: Any, class_counts: Any) -> TrainingCost:
        """Cost of a coding matrix for classes of the given numbers of rows."""
        used = np.abs(np.asarray(code, dtype=np.int64))
        return cls(tuple((np.asarray(class_counts, dtype=np.int64) @ used).tolist()))

    @classmethod
    def one_vs_rest(cls, class_counts: Any) -> TrainingCost:
        """Cost of one classifier per class; one is enough for two classes."""
        return cls.of(one_vs_rest_code(len(class_counts)), class_counts)

    @classmethod
    def one_vs_one(cls, class_counts: Any) -> TrainingCost:
        """Cost of one classifier per pair of classes."""
        return cls.of(one_vs_one_code(len(class_counts)), class_counts)

    @property
    def n_classifiers(self) -> int:
        """Binary classifiers trained."""
        return len(self.rows)

    @property
    def total_rows(self) -> int:
        """Rows read by all of them together."""
        return sum(self.rows)

    def work(self, power: float = 1.0) -> float:
        """Sum of the rows of each classifier to a power: 1 for linear solvers, 2 or 3 for kernels.

        Parameters
        ----------
        power : float, default=1.0
            Growth of the training time with the number of rows.
        """
        return float(np.sum(np.asarray(self.rows, dtype=np.float64) ** power))

    def __str__(self) -> str:
        return f"{self.n_classifiers} classifiers on {self.total_rows} rows in all"
