"""Choosing the test of conditional independence for a frame."""

from __future__ import annotations

from typing import Any

import numpy as np

from margin.core import check
from margin.search import (
    Categories,
    ChiSquaredTest,
    FisherZ,
    GTest,
    IndependenceTest,
    KernelTest,
    MixedColumns,
    MixedTest,
    Moments,
)

TESTS = ("auto", "g", "chi-squared", "fisher-z", "mixed", "hsic", "coco")


def independence_test(owner: Any, frame: Any, sample_weight: Any = None) -> IndependenceTest:
    """Test named by the ``test`` of an estimator, on the columns of a frame.

    A test that is already made is passed on. ``"auto"`` takes Fisher's z for columns of floating
    point numbers, the G-test for everything else, and the mixed test where both occur.
    """
    if isinstance(owner.test, IndependenceTest):
        return owner.test
    if not isinstance(owner.test, str) or owner.test not in TESTS:
        raise check.fail(owner, "test", f"an IndependenceTest or one of {TESTS}", owner.test)
    name = _automatic(frame) if owner.test == "auto" else owner.test
    if name in ("g", "chi-squared"):
        data = Categories.of(owner, frame, sample_weight=sample_weight)
        make = GTest if name == "g" else ChiSquaredTest
        return make(data, aggregate=owner.aggregate, min_count=owner.min_count)
    if name == "fisher-z":
        return FisherZ(Moments.of(owner, frame, sample_weight=sample_weight))
    if sample_weight is not None:
        raise check.fail(owner, "sample_weight", f"None for test={name!r}", "weights")
    if name == "mixed":
        return MixedTest(MixedColumns.of(owner, frame))
    moments = Moments.of(owner, frame, max_iter=1)
    values = np.asarray(frame, dtype=np.float64)
    return KernelTest(values, names=moments.names, statistic=name)


def _automatic(frame: Any) -> str:
    if hasattr(frame, "columns") and hasattr(frame, "dtypes"):
        # By place, not by name: names that occur twice are refused later, with a message.
        types = getattr(frame.dtypes, "tolist", lambda: frame.dtypes)()
        kinds = [str(kind).lower().startswith("float") for kind in types]
    else:
        kinds = [np.asarray(frame).dtype.kind == "f"]
    if all(kinds):
        return "fisher-z"
    return "mixed" if any(kinds) else "g"
