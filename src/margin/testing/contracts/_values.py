"""What every block of mathematics promises: to be an immutable value."""

import copy
import dataclasses
import pickle
from collections.abc import Iterable
from typing import Any

import numpy as np


def assert_is_value(block: Any) -> None:
    """Check that an object is a frozen dataclass, equal to its copies, hashable and picklable.

    Examples
    --------
    >>> from margin.penalties import L2
    >>> assert_is_value(L2(2.0))
    """
    name = type(block).__name__
    assert dataclasses.is_dataclass(type(block)), f"{name} must be a dataclass"
    assert block.__dataclass_params__.frozen, f"{name} must be frozen"
    same = copy.copy(block)
    assert same == block, f"{name} must equal its copy"
    assert hash(same) == hash(block), f"{name}: equal values must hash alike"
    assert pickle.loads(pickle.dumps(block)) == block, f"{name} must survive pickling"
    assert name in repr(block), f"repr of {name} must name the class"


def assert_unchanged(arrays: Iterable[Any], copies: Iterable[Any], what: str) -> None:
    """Check that inputs were not written to."""
    for now, before in zip(arrays, copies, strict=True):
        np.testing.assert_array_equal(now, before, err_msg=f"{what} changed its input")


def rounding(*values: Any) -> float:
    """Slack for comparing sums of numbers of this size in double precision."""
    largest = max((float(np.max(np.abs(v), initial=0.0)) for v in values), default=0.0)
    return 1e-10 * (1.0 + largest)
