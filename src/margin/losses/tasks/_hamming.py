"""Hamming loss of label sequences."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from margin.core import check
from margin.core.types import Floats
from margin.losses.tasks._cost_matrix import CostMatrix
from margin.losses.tasks._task import TaskLoss


@dataclass(frozen=True)
class Hamming(TaskLoss):
    r"""Number of positions with a wrong label, :math:`\sum_t 1[y_t \ne y'_t]` (losses.15).

    Parameters
    ----------
    mean : bool
        Whether to divide by the length.
    price : CostMatrix, optional
        Price of each confusion of labels, in place of one for any.

    Examples
    --------
    >>> Hamming()("ACGT", "ACCA"), Hamming(mean=True)([1, 0, 2, 2], [1, 1, 2, 0])
    (2.0, 0.5)
    """

    mean: bool = False
    price: CostMatrix | None = None
    decomposes: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check.params(self, flag="mean")

    def __call__(self, y: Any, other: Any) -> float:
        first, second = _labels(y), _labels(other)
        if first.shape != second.shape:
            raise ValueError(
                f"Hamming: other must be of shape {first.shape} like y, got {second.shape}"
            )
        if self.price is None:
            wrong = np.asarray(first != second, dtype=np.float64)
        else:
            wrong = np.array(self.price.costs)[first, second]
        return float(wrong.sum()) / (wrong.size if self.mean and wrong.size else 1)

    def costs(self, y: Any, n_labels: int) -> Floats:
        labels = _labels(y)
        table = 1.0 - np.eye(n_labels) if self.price is None else np.array(self.price.costs)
        prices = table[labels, :n_labels]
        return prices / len(labels) if self.mean and len(labels) else prices


@dataclass(frozen=True)
class WholeSequence(TaskLoss):
    r"""One unless everything is right, :math:`1[y \ne y']` (losses.15).

    Examples
    --------
    >>> WholeSequence()("ACGT", "ACCA"), WholeSequence()([1, 2], [1, 2])
    (1.0, 0.0)
    """

    def __call__(self, y: Any, other: Any) -> float:
        return float(not np.array_equal(_labels(y), _labels(other)))


def _labels(y: Any) -> NDArray[Any]:
    return np.asarray(list(y) if isinstance(y, str) else y)
