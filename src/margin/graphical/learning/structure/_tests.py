"""Choosing the test of conditional independence for a frame."""

from __future__ import annotations

from typing import Any

import numpy as np

from margin.core import check
from margin.search import (
    KCI,
    Categories,
    ChiSquaredTest,
    ConditionalGaussianTest,
    FisherZ,
    GTest,
    IndependenceTest,
    KernelTest,
    MixedColumns,
    MixedTest,
    Moments,
)

TESTS = (
    "auto", "g", "chi-squared", "fisher-z", "mixed", "conditional-gaussian", "hsic", "coco", "kci",
)  # fmt: skip


def independence_test(
    owner: str,
    test: Any,
    frame: Any,
    sample_weight: Any = None,
    *,
    aggregate: str = "sum",
    min_count: float = 1.0,
) -> IndependenceTest:
    """Test by name on the columns of a frame.

    A test that is already made is passed on. ``"auto"`` takes Fisher's z for columns of floating
    point numbers, the G-test for everything else, and the mixed test where both occur.

    Parameters
    ----------
    owner : str
        Class that messages name.
    test : str or IndependenceTest
        One of ``TESTS``.
    frame : data frame or two-dimensional array
    sample_weight : array-like, optional
    aggregate, min_count
        Of tests on counts.
    """
    if isinstance(test, IndependenceTest):
        return test
    if not isinstance(test, str) or test not in TESTS:
        raise check.fail(owner, "test", f"an IndependenceTest or one of {TESTS}", test)
    name = _automatic(frame) if test == "auto" else test
    if name in ("g", "chi-squared"):
        data = Categories.of(owner, frame, sample_weight=sample_weight)
        kind = GTest if name == "g" else ChiSquaredTest
        return kind(data, aggregate=aggregate, min_count=min_count)
    if name == "fisher-z":
        return FisherZ(Moments.of(owner, frame, sample_weight=sample_weight))
    if sample_weight is not None:
        raise check.fail(owner, "sample_weight", f"None for test={name!r}", "weights")
    if name == "mixed":
        return MixedTest(MixedColumns.of(owner, frame))
    if name == "conditional-gaussian":
        return ConditionalGaussianTest(MixedColumns.of(owner, frame))
    moments = Moments.of(owner, frame, max_iter=1)
    values = np.asarray(frame, dtype=np.float64)
    if name == "kci":
        return KCI(values, names=moments.names)
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
