"""Choosing the kind of every column of naive Bayes, and checking that its values fit."""

from collections.abc import Mapping

import numpy as np
from scipy import sparse

from margin.core import check
from margin.linear.naive_bayes._column_models import ColumnModel, MixedColumns, group
from margin.linear.naive_bayes._count_columns import BernoulliColumns, PoissonColumns
from margin.linear.naive_bayes._document_columns import MultinomialColumns
from margin.linear.naive_bayes._gaussian_columns import GaussianColumns
from margin.linear.naive_bayes._table_columns import Bins, Categories, TableColumns

KINDS = ("gaussian", "categorical", "bernoulli", "poisson", "histogram", "multinomial")
SPARSE_KINDS = ("bernoulli", "multinomial")
_MOST_CATEGORIES = 8


def check_kinds(estimator):
    """Refuse ``column_models`` that names no kind."""
    given = estimator.column_models
    chosen = [given]
    if isinstance(given, Mapping):
        chosen = list(given.values())
    elif isinstance(given, list | tuple | np.ndarray):
        chosen = list(given)
    for kind in chosen:
        if not (isinstance(kind, str) and kind in ("auto", *KINDS)):
            choices = ", ".join(map(repr, ("auto", *KINDS)))
            wanted = f"one of {choices}, a list or a mapping of them"
            raise check.fail(estimator, "column_models", wanted, kind)


def column_kinds(estimator, X, names, words):
    """Kind of every column of ``X``, those asked for and those found.

    ``names`` are the names of the columns or None, ``words`` the columns that hold codes of words.
    """
    p = X.shape[1]
    kinds = _asked(estimator, p, names)
    for j, kind in enumerate(kinds):
        coded = names is not None and names[j] in words
        if kind == "auto":
            kinds[j] = "categorical" if coded or _few(X[:, j]) else "gaussian"
        elif coded and kind != "categorical":
            wanted = f"'categorical' for column {names[j]!r}, which holds words"
            raise check.fail(estimator, "column_models", wanted, kind)
    return kinds


def _asked(estimator, p, names):
    given = estimator.column_models
    if isinstance(given, str):
        return [given] * p
    if not isinstance(given, Mapping):
        if len(given) != p:
            raise check.fail(estimator, "column_models", f"one kind for each of {p} columns", given)
        return [str(kind) for kind in given]
    kinds = ["auto"] * p
    known = {} if names is None else {name: j for j, name in enumerate(names)}
    for key, kind in given.items():
        j = known.get(key, key)
        if not (isinstance(j, int | np.integer) and 0 <= j < p):
            raise check.fail(estimator, "column_models", "of columns that exist", key)
        kinds[j] = kind
    return kinds


def _few(values):
    """Whether a column holds whole numbers from 0 to 7 only."""
    seen = values[~np.isnan(values)]
    if not len(seen) or seen.min() < 0 or seen.max() >= _MOST_CATEGORIES:
        return False
    return bool(np.all(seen == np.floor(seen)))


def check_values(estimator, X, kinds, *, fitting):
    """Refuse values that a kind has no probability for, by the number of their column.

    A prediction treats values that are no category as unobserved, so only ``fitting`` refuses them.
    """
    for j, kind in enumerate(kinds):
        if kind in ("gaussian", "histogram") or (kind == "categorical" and not fitting):
            continue
        values = X[:, [j]].toarray().ravel() if sparse.issparse(X) else X[:, j]
        seen = values[~np.isnan(values)]
        wanted = ""
        if len(seen) and seen.min() < 0:
            wanted = "at least 0 (Negative values in data)"
        elif kind == "bernoulli" and not np.all((seen == 0) | (seen == 1)):
            wanted = "0 or 1"
        elif kind in ("categorical", "poisson") and not np.all(seen == np.floor(seen)):
            wanted = "whole numbers"
        elif kind == "multinomial" and len(seen) < len(values):
            wanted = "observed everywhere"
        if wanted:
            raise ValueError(
                f"{type(estimator).__name__}: column {j} must be {wanted} for the kind {kind!r}"
            )


def column_models(estimator, X, weight, kinds):
    """The model of all columns, those of one kind together."""
    columns, models = [], []
    for kind in KINDS:
        chosen = np.flatnonzero(np.array(kinds) == kind)
        if len(chosen):
            columns.append(chosen)
            models.append(_model(estimator, group(X, chosen), weight, kind))
    return MixedColumns(estimator.alpha, tuple(columns), tuple(models))


def _model(estimator, X, weight, kind) -> ColumnModel:
    alpha = float(estimator.alpha)
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
        return TableColumns(alpha, Bins.of(X, estimator.n_bins))
    lengths = np.asarray(X.sum(axis=1)).ravel()
    return MultinomialColumns(alpha, float(np.average(lengths, weights=weight)))
