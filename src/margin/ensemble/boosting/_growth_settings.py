"""Parameters of estimators as rules of growth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from math import ceil
from numbers import Integral
from typing import Any

import numpy as np

from margin.core import check
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


def monotonic_directions(owner: object, value: Any, n: int, names: Any) -> tuple[int, ...]:
    """1, -1 or 0 per column, from a sequence or a mapping of names; empty if all are free.

    Examples
    --------
    >>> monotonic_directions("Model", {"b": -1}, 2, ["a", "b"])
    (0, -1)
    """
    if value is None:
        return ()
    if isinstance(value, Mapping):
        if names is None:
            raise check.fail(owner, "monotonic_cst", "a sequence where X has no names", value)
        known = [str(name) for name in names]
        absent = [name for name in value if str(name) not in known]
        if absent:
            raise check.fail(owner, "monotonic_cst", "a mapping of names of columns", absent[0])
        given = np.array([value.get(name, 0) for name in known])
    else:
        given = np.asarray(value)
    if given.shape != (n,):
        need = f"a mapping or {n} numbers, one per column"
        raise check.fail(owner, "monotonic_cst", need, value)
    if not np.isin(given, (-1, 0, 1)).all():
        raise check.fail(owner, "monotonic_cst", "-1, 0 or 1 for every column", value)
    directions = tuple(int(d) for d in given)
    return directions if any(directions) else ()


def interaction_sets(owner: object, value: Any, n: int) -> tuple[tuple[int, ...], ...]:
    """Sets of columns that may stand on one path; columns in none of them form one more.

    Examples
    --------
    >>> interaction_sets("Model", [{0, 1}], 3)
    ((0, 1), (2,))
    """
    if value is None:
        return ()
    if isinstance(value, str):
        if value == "no_interactions":
            return tuple((j,) for j in range(n))
        if value == "pairwise":
            return tuple(combinations(range(n), 2)) if n > 1 else ()
        raise _bad_sets(owner, n, value)
    try:
        sets = [tuple(sorted({int(j) for j in columns})) for columns in value]
    except (TypeError, ValueError) as error:
        raise _bad_sets(owner, n, value) from error
    used = {j for columns in sets for j in columns}
    if any(j < 0 or j >= n for j in used) or not all(sets):
        raise _bad_sets(owner, n, value)
    rest = tuple(j for j in range(n) if j not in used)
    return (*sets, rest) if rest else tuple(sets)


def _bad_sets(owner: object, n: int, value: Any) -> ValueError:
    need = f"None, 'pairwise', 'no_interactions' or sets of columns from 0 to {n - 1}"
    return check.fail(owner, "interaction_cst", need, value)
