"""Exact growth: every threshold between two rows is looked at."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

from margin.core.types import Array, Bytes, Floats, Indices, Ints, Matrix
from margin.native.trees import exact
from margin.native.trees.bins import column_codes
from margin.search.growing._bins import Bins
from margin.search.growing._forest import Forest

_MOST_ROWS = 2**32 - 2  # rows are numbered with 32 bits
_FAR = 1e6  # squared mean in units of the variance from which sums of squares lose digits


@dataclass(frozen=True, eq=False)
class ExactTable:
    """Columns one after another, and the order of the rows in each.

    Parameters
    ----------
    columns : array of shape (n_features, n_rows), float32 or float64
        The table turned round. NaN is missing; categorical columns hold codes from zero.
    categorical : array of uint8, shape (n_features,)
        One for columns of categories.
    order : array of uint64, shape (n_features, n_rows), or None
        Codes and rows in rising order; None if only random splits are asked for.
    bins : Bins or None
        If given, the columns hold codes of these bins (uint8), and only splits between bins are
        looked at.
    """

    columns: Array
    categorical: Bytes
    order: NDArray[np.uint64] | None
    bins: Bins | None = None

    @classmethod
    def of(
        cls, X: Matrix, categorical: Any = None, *, in_order: bool = True, n_threads: int = 1
    ) -> Self:
        """The table of the rows ``X``, dense or sparse."""
        if X.shape[0] > _MOST_ROWS:
            raise ValueError(f"exact growth takes at most {_MOST_ROWS} rows, got {X.shape[0]}")
        columns = X.T.toarray() if issparse(X) else X.T
        columns = np.ascontiguousarray(columns)
        kinds = np.zeros(len(columns), dtype=np.uint8)
        if categorical is not None:
            kinds[np.asarray(categorical)] = 1
        order = exact.sort_columns(columns, kinds, n_threads) if in_order else None
        return cls(columns, kinds, order)

    @classmethod
    def in_bins(cls, X: Matrix, bins: Bins, *, n_threads: int = 1) -> Self:
        """The table of the rows ``X`` in bins of its numbers."""
        codes = column_codes(bins.encode(X, n_threads))
        return cls(codes, np.zeros(len(codes), dtype=np.uint8), None, bins)

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return int(self.columns.shape[1])


@dataclass(frozen=True, eq=False)
class ClassTargets:
    """Codes of the classes of each output, shape (n_outputs, n_rows), and how many there are."""

    codes: Ints
    n_classes: Indices


@dataclass(frozen=True, eq=False)
class NumberTargets:
    """Numbers of each output, shape (n_outputs, n_rows)."""

    numbers: Floats


@dataclass(frozen=True, eq=False)
class ExactSettings:
    """What a split is judged by, when growth stops, and what splits may use.

    Parameters
    ----------
    criterion : {"gini", "entropy", "misclassification", "squared", "absolute", "poisson"}
        Impurity; the first three of classes, the others of numbers.
    max_depth, max_leaf_nodes : int or None
        With a limit of the leaves the node that gains most is split first.
    min_samples_split, min_samples_leaf : int
        Fewest rows of a node that is split, and of its children.
    min_weight_fraction_leaf : float
        Least share of the weight of all rows in a leaf.
    min_impurity_decrease : float
        Least gain, in impurity times share of the weight.
    max_features : int or None
        Columns that are looked at per split, drawn at random among those that vary in the node.
    random_splits : bool
        Whether one threshold per column is drawn at random in place of the best.
    directions : array of int32, shape (n_features,), or None
        1 where predictions must not fall with a column, -1 where they must not rise. For one
        output of numbers, or the second of two classes.
    groups : array of uint8, shape (n_groups, n_features), or None
        Columns that may stand together on a path.
    """

    criterion: str
    max_depth: int | None = None
    max_leaf_nodes: int | None = None
    min_samples_split: int = 2
    min_samples_leaf: int = 1
    min_weight_fraction_leaf: float = 0.0
    min_impurity_decrease: float = 0.0
    max_features: int | None = None
    random_splits: bool = False
    directions: Ints | None = None
    groups: Bytes | None = None


def grow_exact(
    table: ExactTable,
    targets: ClassTargets | NumberTargets,
    settings: ExactSettings,
    *,
    seeds: Sequence[int] = (0,),
    weight: Floats | None = None,
    usable: Bytes | None = None,
    n_threads: int = 1,
) -> Forest:
    """One tree per seed, the same for any number of threads.

    ``weight`` has a row of weights per tree (rows without weight do not exist), ``usable`` a row
    of flags, 1 for columns that the tree may use. The values of a tree are class shares, means or
    medians.

    Examples
    --------
    >>> import numpy as np
    >>> table = ExactTable.of(np.array([[0.0], [1.0], [2.0], [4.0]]))
    >>> targets = NumberTargets(np.array([[1.0, 1.0, 5.0, 5.0]]))
    >>> tree = grow_exact(table, targets, ExactSettings("squared"))
    >>> float(tree.threshold[0]), tree.value.ravel()
    (1.5, array([3., 1., 5.]))
    """
    p = len(table.columns)
    shift: Floats | None = None
    codes = numbers = order_of_numbers = None
    n_classes = np.empty(0, dtype=np.int64)
    if isinstance(targets, ClassTargets):
        codes, n_classes = targets.codes, targets.n_classes
    else:
        numbers, shift = _near_zero(targets.numbers, settings.criterion)
        if settings.criterion == "absolute":
            kinds = np.zeros(len(numbers), dtype=np.uint8)
            order_of_numbers = exact.sort_columns(numbers, kinds, n_threads)
    trees = exact.grow_exact(
        X=table.columns,
        sorted=None if settings.random_splits else table.order,
        missing_bins=None if table.bins is None else table.bins.n_bins,
        random_splits=settings.random_splits,
        categorical=table.categorical,
        classes=codes,
        n_classes=n_classes,
        numbers=numbers,
        sorted_numbers=order_of_numbers,
        criterion=exact.CRITERIA[settings.criterion],
        weight=weight,
        seeds=np.array(seeds, dtype=np.uint64),
        usable=usable,
        directions=settings.directions,
        groups=settings.groups,
        max_depth=-1 if settings.max_depth is None else min(settings.max_depth, 2**62),
        min_samples_split=settings.min_samples_split,
        min_samples_leaf=settings.min_samples_leaf,
        min_weight_fraction_leaf=settings.min_weight_fraction_leaf,
        min_impurity_decrease=settings.min_impurity_decrease,
        max_features=p if settings.max_features is None else settings.max_features,
        max_leaf_nodes=settings.max_leaf_nodes or 0,
        n_threads=n_threads,
    )
    if shift is not None:
        trees["value"] += shift
    if table.bins is not None:
        trees["threshold"] = _cut_values(trees["feature"], trees["threshold"], table.bins)
    trees["missing_left"] = trees["missing_left"].view(np.bool_)
    output = np.full(len(seeds), -1, dtype=np.int32)
    return Forest(n_features=p, n_outputs=trees["value"].shape[1], output=output, **trees)


def _cut_values(feature: Ints, threshold: Floats, bins: Bins) -> Floats:
    """Thresholds between bins as thresholds between values."""
    at = np.isfinite(threshold)
    place = bins.cut_offsets[feature[at]] + threshold[at].astype(np.int64)
    values = threshold.copy()
    values[at] = bins.cuts[place]
    return values


def _near_zero(numbers: Floats, criterion: str) -> tuple[Floats, Floats | None]:
    """Targets moved to mean zero where their mean is so large that squares would lose digits."""
    if criterion != "squared":
        return np.ascontiguousarray(numbers), None
    n = numbers.shape[1]
    mean = np.add.reduce(numbers, axis=1) / n
    spread = np.add.reduce((numbers - mean[:, None]) ** 2, axis=1) / n
    if not (mean**2 > _FAR * spread).any():
        return np.ascontiguousarray(numbers), None
    return numbers - mean[:, None], mean
