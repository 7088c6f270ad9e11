"""Parameters of estimators as rules of growth."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil
from numbers import Integral
from typing import Any

from margin.core.types import Floats
from margin.search import GrowthRules, TreeRules

CRITERIA = {
    "newton": "newton",
    "deprecated": "newton",
    "squared_error": "squared_error",
    "friedman_mse": "squared_error",
}
_ROWS_PER_LEAF, _LEAF = 20, 20  # of "auto": one row in so many, and at most so many


def checked_rules(owner: object, rules: TreeRules) -> TreeRules:
    """The rules, if every parameter makes sense; ``min_samples_leaf`` may be "auto"."""
    leaf = rules.min_samples_leaf
    known = replace(rules, min_samples_leaf=1) if _is_auto(leaf) else rules
    known.checked(owner, CRITERIA)
    return rules


def least_leaf(value: Any, n_rows: int) -> int:
    """Fewest rows of a leaf, from a number, a share of all rows, or "auto".

    Examples
    --------
    >>> least_leaf("auto", 1000), least_leaf("auto", 100), least_leaf("auto", 10)
    (20, 5, 1)
    >>> least_leaf(0.05, 30)
    2
    """
    if _is_auto(value):
        return max(1, min(_LEAF, n_rows // _ROWS_PER_LEAF))
    return int(value) if isinstance(value, Integral) else ceil(value * n_rows)


def growth_rules(
    rules: TreeRules, n_rows: int, n_features: int, weights: Weights, **more: Any
) -> GrowthRules:
    """The rules of growth on bins for a table of this size.

    ``weights`` says how heavy the rows of a stage are. Where they are all the same, the least share
    of the weight is a number of rows; otherwise it is a sum of curvatures, which then must be
    weights.
    """
    leaf = least_leaf(rules.min_samples_leaf, n_rows)
    split = rules.min_samples_split
    split = int(split) if isinstance(split, Integral) else max(2, ceil(split * n_rows))
    least = float(rules.min_weight_fraction_leaf)
    if weights.equal:
        leaf = max(leaf, ceil(least * weights.n_rows - 1e-9))
    else:
        more["min_child_weight"] = max(more["min_child_weight"], least * weights.total)
    columns = rules.columns_per_split(n_features)
    more["min_gain"] = max(more["min_gain"], float(rules.min_impurity_decrease) * weights.total)
    return GrowthRules(
        max_leaf_nodes=rules.max_leaf_nodes or 0,
        max_depth=rules.max_depth or 0,
        min_samples_leaf=leaf,
        min_samples_split=split,
        split_features=0 if columns >= n_features else columns,
        **more,
    )


@dataclass(frozen=True)
class Weights:
    """Number of rows of a stage, their weight, and whether all have the same."""

    n_rows: int
    total: float
    equal: bool

    @classmethod
    def of(cls, n: int, weight: Floats | None, share: float) -> Weights:
        """Of a share of ``n`` rows, with the weight that it has on average."""
        rows = max(1, int(share * n)) if share < 1.0 else n
        if weight is None:
            return cls(rows, float(rows), True)
        return cls(rows, float(weight.sum()) * rows / n, False)


def _is_auto(value: Any) -> bool:
    return isinstance(value, str) and value == "auto"
