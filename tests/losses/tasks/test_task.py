"""The contract of a task loss (losses.15)."""

import pytest

from margin.losses import TaskLoss


class Length(TaskLoss):
    def __call__(self, y, other):
        return float(abs(len(y) - len(other)))


def test_is_abstract():
    """losses.15: a task loss is a function of two outputs."""
    with pytest.raises(TypeError, match="abstract"):
        TaskLoss()


def test_costs_of_a_loss_that_does_not_decompose():
    assert not Length.decomposes
    assert Length()("abc", "a") == 2.0
    with pytest.raises(NotImplementedError, match="Length does not decompose over positions"):
        Length().costs("abc", 2)
