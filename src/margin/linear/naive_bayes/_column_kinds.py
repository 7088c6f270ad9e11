"""Choosing the kind of every column of naive Bayes, and checking that its values fit."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
from scipy import sparse

from margin.core import check
from margin.core.types import Array, Floats
from margin.linear.naive_bayes._column_models import ColumnModel, MixedColumns, group
from margin.linear.naive_bayes._count_columns import BernoulliColumns, PoissonColumns
from margin.linear.naive_bayes._document_columns import MultinomialColumns
from margin.linear.naive_bayes._gaussian_columns import GaussianColumns
from margin.linear.naive_bayes._table_columns import Bins, Categories, TableColumns

KINDS = ("gaussian", "categorical", "bernoulli", "poisson", "histogram", "multinomial")
SPARSE_KINDS = ("bernoulli", "multinomial")
_MOST_CATEGORIES = 8


def check_kinds(owner: object, asked: Any) -> None:
    """Refuse ``column_models`` that names no kind."""
    chosen = [asked]
    if isinstance(asked, Mapping):
        chosen = list(asked.values())
    elif isinstance(asked, list | tuple | np.ndarray):
        chosen = list(asked)
    for kind in chosen:
        if not (isinstance(kind, str) and kind in ("auto", *KINDS)):
            choices = ", ".join(map(repr, ("auto", *KINDS)))
            wanted = f"one of {choices}, a list or a mapping of them"
            raise check.fail(owner, "column_models", wanted, kind)


def column_kinds(
    owner: object, asked: Any, X: Any, names: Sequence[str] | None, words: Collection[str]
) -> list[str]:
    """Kind of every column of ``X``, as asked for or as its values suggest.

    ``names`` are the names of the columns or None, ``words`` the columns that hold codes of words.
    """
    kinds = _asked_kinds(owner, asked, X.shape[1], names)
    for j, kind in enumerate(kinds):
        name = None if names is None else names[j]
        coded = name in words
        if kind == "auto":
            kinds[j] = "categorical" if coded or _few(X[:, j]) else "gaussian"
        elif coded and kind != "categorical":
            wanted = f"'categorical' for column {name!r}, which holds words"
            raise check.fail(owner, "column_models", wanted, kind)
    return kinds


def _asked_kinds(owner: object, asked: Any, p: int, names: Sequence[str] | None) -> list[str]:
    """One kind per column, ``"auto"`` where nothing is said of it."""
    if isinstance(asked, str):
        return [asked] * p
    if not isinstance(asked, Mapping):
        if len(asked) != p:
            raise check.fail(owner, "column_models", f"one kind for each of {p} columns", asked)
        return [str(kind) for kind in asked]
    kinds = ["auto"] * p
    known: dict[Any, int] = {} if names is None else {name: j for j, name in enumerate(names)}
    for key, kind in asked.items():
        j = known.get(key, key)
        if not (isinstance(j, int | np.integer) and 0 <= j < p):
            raise check.fail(owner, "column_models", "of columns that exist", key)
        kinds[j] = kind
    return kinds


def _few(values: Array) -> bool:
    """Whether a column holds whole numbers from 0 to 7 only."""
    seen = values[~np.isnan(values)]
    if not len(seen) or seen.min() < 0 or seen.max() >= _MOST_CATEGORIES:
        return False
    return bool(np.all(seen == np.floor(seen)))


def check_values(owner: object, X: Any, kinds: Sequence[str], *, fitting: bool) -> None:
    """Refuse values that a kind has no probability for, by the number of their column.

    A prediction treats values that are no category as unobserved, so only ``fitting`` refuses them.
    """
    for j, kind in enumerate(kinds):
        if kind in ("gaussian", "histogram") or (kind == "categorical" and not fitting):
            continue
        misfit = _misfit(X[:, [j]].toarray().ravel() if sparse.issparse(X) else X[:, j], kind)
        if misfit is not None:
            need, value = misfit
            raise check.fail(owner, f"column {j}", f"{need} for the kind {kind!r}", value)


def _misfit(values: Array, kind: str) -> tuple[str, float] | None:
    """What a kind needs of the values, and one that is not so, if there is one."""
    seen = values[~np.isnan(values)]
    if kind == "multinomial" and len(seen) < len(values):
        return "observed everywhere", np.nan
    rules = {"at least 0 (Negative values in data)": seen >= 0}
    if kind == "bernoulli":
        rules["0 or 1"] = (seen == 0) | (seen == 1)
    elif kind in ("categorical", "poisson"):
        rules["whole numbers"] = seen == np.floor(seen)
    for need, holds in rules.items():
        if not holds.all():
            return need, float(seen[~holds][0])
    return None


def column_models(
    X: Any, weight: Floats | None, kinds: Sequence[str], *, alpha: float, n_bins: int | str
) -> MixedColumns:
    """The model of all columns, those of one kind together."""
    columns, models = [], []
    for kind in KINDS:
        chosen = np.flatnonzero(np.array(kinds) == kind)
        if len(chosen):
            columns.append(chosen)
            models.append(_model(group(X, chosen), weight, kind, float(alpha), n_bins))
    return MixedColumns(alpha, tuple(columns), tuple(models))


def _model(
    X: Any, weight: Floats | None, kind: str, alpha: float, n_bins: int | str
) -> ColumnModel:
    if kind == "gaussian":
        return GaussianColumns.of(X, weight, alpha)
    if kind == "categorical":
        largest = np.fmax.reduce(X, axis=0, initial=0.0)
        return TableColumns(alpha, Categories(tuple(int(v) + 1 for v in largest)))
    if kind == "bernoulli":
        return BernoulliColumns(alpha)
    if kind == "poisson":
        return PoissonColumns.of(X, weight, alpha)
    if kind == "histogram":
        return TableColumns(alpha, Bins.of(X, n_bins))
    lengths = np.asarray(X.sum(axis=1)).ravel()
    return MultinomialColumns(alpha, float(np.average(lengths, weights=weight)))
