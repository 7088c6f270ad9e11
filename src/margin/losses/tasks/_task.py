"""The contract of a task loss."""

from abc import ABC, abstractmethod
from typing import Any, ClassVar

from margin.core.types import Floats


class TaskLoss(ABC):
    r"""Price :math:`\Delta(y, y') \ge 0` of answering :math:`y'` where :math:`y` is right.

    The loss a structured prediction is judged by (losses.15): a function of two whole outputs,
    zero if they are equal. It need not be convex nor known to a solver, which minimises a bound of
    it instead.

    Attributes
    ----------
    decomposes : bool
        Whether :math:`\Delta(y, y') = \sum_t c_t(y'_t)`, so that loss-augmented inference only
        adds :meth:`costs` to the scores of the parts.
    """

    decomposes: ClassVar[bool] = False

    @abstractmethod
    def __call__(self, y: Any, other: Any) -> float:
        """Price of the answer ``other`` where ``y`` is right."""

    def costs(self, y: Any, n_labels: int) -> Floats:
        """Price of every label at every position, of shape (len(y), n_labels)."""
        raise NotImplementedError(f"{type(self).__name__} does not decompose over positions")
