"""The parameters by which users say how a tree grows, and what they mean for one table."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, isfinite
from numbers import Integral, Real
from typing import Any

import numpy as np

from margin.core import check
from margin.core.types import Bools, Indices
from margin.search.growing._constraints import directions_of, flags_of, interaction_sets
from margin.search.growing._exact import ExactSettings

CLASS_CRITERIA = {
    "gini": "gini",
    "entropy": "entropy",
    "log_loss": "entropy",
    "misclassification": "misclassification",
}
NUMBER_CRITERIA = {
    "squared_error": "squared",
    "friedman_mse": "squared",
    "absolute_error": "absolute",
    "poisson": "poisson",
}


def _integer(value: Any) -> bool:
    if type(value) is int:  # an abstract class is slow to ask
        return True
    return isinstance(value, Integral) and not isinstance(value, bool)


def _share(value: Any) -> bool:
    if type(value) is float:
        return isfinite(value)
    return isinstance(value, Real) and not isinstance(value, Integral) and isfinite(value)


def _number(value: Any) -> bool:
    return type(value) is float or isinstance(value, Real)


_CHECKS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "splitter": (lambda v: v in ("best", "random"), "'best' or 'random'"),
    "max_depth": (
        lambda v: v is None or (_integer(v) and v >= 1),
        "None or an integer of at least 1",
    ),
    "min_samples_split": (
        lambda v: (_integer(v) and v >= 2) or (_share(v) and 0 < v <= 1),
        "an integer of at least 2 or a share above 0 and up to 1 ('min_samples_split' of a tree "
        "must be an int in the range [2, inf) or a float in the range (0.0, 1.0])",
    ),
    "min_samples_leaf": (
        lambda v: (_integer(v) and v >= 1) or (_share(v) and 0 < v < 1),
        "an integer of at least 1 or a share between 0 and 1",
    ),
    "min_weight_fraction_leaf": (
        lambda v: _number(v) and 0 <= float(v) <= 0.5,
        "a share of at most 0.5",
    ),
    "max_features": (
        lambda v: (
            v is None
            or (isinstance(v, str) and v in ("sqrt", "log2"))
            or (_integer(v) and v >= 1)
            or (_share(v) and 0 < v <= 1)
        ),
        "None, 'sqrt', 'log2', an integer of at least 1 or a share above 0",
    ),
    "max_leaf_nodes": (
        lambda v: v is None or (_integer(v) and v >= 2),
        "None or an integer of at least 2",
    ),
    "min_impurity_decrease": (
        lambda v: _number(v) and float(v) >= 0 and isfinite(v),
        "a number of at least 0",
    ),
    "monotonic_cst": (
        lambda v: v is None or isinstance(v, Mapping) or np.ndim(v) == 1,
        "None, a mapping of names or an array-like of -1, 0 or 1, one per column",
    ),
}


@dataclass(frozen=True, eq=False)
class TreeRules:
    """How trees grow, as the estimators state it: counts or shares of a table not yet seen."""

    criterion: Any
    splitter: Any = "best"
    max_depth: Any = None
    min_samples_split: Any = 2
    min_samples_leaf: Any = 1
    min_weight_fraction_leaf: Any = 0.0
    max_features: Any = None
    max_leaf_nodes: Any = None
    min_impurity_decrease: Any = 0.0
    monotonic_cst: Any = None
    interaction_cst: Any = None

    def checked(self, owner: object, criteria: dict[str, str]) -> TreeRules:
        """Itself, if every parameter makes sense; an error in the house format otherwise."""
        if not (isinstance(self.criterion, str) and self.criterion in criteria):
            choices = ", ".join(map(repr, criteria))
            raise check.fail(owner, "criterion", f"one of {choices}", self.criterion)
        if self.criterion == "friedman_mse":
            warnings.warn(
                f"{check.named(owner)}: criterion='friedman_mse' is the same as 'squared_error' "
                'and deprecated: Value `"friedman_mse"` for `criterion` is deprecated',
                FutureWarning,
                stacklevel=4,
            )
        for name, (holds, requirement) in _CHECKS.items():
            if not holds(getattr(self, name)):
                raise check.fail(owner, name, requirement, getattr(self, name))
        return self

    def columns_per_split(self, n_features: int) -> int:
        """How many columns a split looks at."""
        asked = self.max_features
        if asked is None:
            return n_features
        if asked == "sqrt":
            return max(1, int(np.sqrt(n_features)))
        if asked == "log2":
            return max(1, int(np.log2(n_features)))
        if _integer(asked):
            return int(asked)
        return max(1, int(asked * n_features))

    def settings(
        self,
        owner: object,
        n_rows: int,
        n_features: int,
        criteria: dict[str, str],
        *,
        names: Any = None,
        categorical: Bools | None = None,
    ) -> ExactSettings:
        """The settings for a table of this size, with these names and columns of categories."""
        directions = directions_of(
            owner, self.monotonic_cst, n_features, names=names, categorical=categorical
        )
        sets = interaction_sets(owner, self.interaction_cst, n_features, names=names)
        leaf = self.min_samples_leaf
        leaf = int(leaf) if _integer(leaf) else ceil(leaf * n_rows)
        split = self.min_samples_split
        split = int(split) if _integer(split) else max(2, ceil(split * n_rows))
        return ExactSettings(
            criteria[self.criterion],
            max_depth=None if self.max_depth is None else int(self.max_depth),
            max_leaf_nodes=None if self.max_leaf_nodes is None else int(self.max_leaf_nodes),
            min_samples_split=max(split, 2 * leaf),
            min_samples_leaf=leaf,
            min_weight_fraction_leaf=float(self.min_weight_fraction_leaf),
            min_impurity_decrease=float(self.min_impurity_decrease),
            max_features=self.columns_per_split(n_features),
            random_splits=self.splitter == "random",
            directions=np.array(directions, dtype=np.int32) if directions else None,
            groups=flags_of(sets, n_features),
        )


def chosen_columns(owner: object, parameter: str, columns: Any, names: Any, n: int) -> Indices:
    """Numbers of columns given as numbers, as a mask or by name."""
    if not isinstance(columns, Iterable):
        raise check.fail(owner, parameter, "a mask, names or numbers of columns of X", columns)
    asked = np.asarray(columns if isinstance(columns, Sequence) else list(columns))
    if asked.dtype.kind == "b" and asked.shape == (n,):
        return np.flatnonzero(asked)
    if asked.dtype.kind in "OUT" and names is not None and np.isin(asked, names).all():
        return np.array([int(np.flatnonzero(names == a)[0]) for a in asked], dtype=np.int64)
    if asked.size == 0:
        return np.empty(0, dtype=np.int64)
    if asked.dtype.kind not in "iu" or asked.min() < 0 or asked.max() >= n:
        raise check.fail(owner, parameter, "a mask, names or numbers of columns of X", columns)
    return np.unique(asked.astype(np.int64))
