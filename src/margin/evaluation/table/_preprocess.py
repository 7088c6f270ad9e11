"""From the raw table to a matrix of numbers, learned inside the folds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.compose import ColumnTransformer
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler

from margin.evaluation.table import _scales
from margin.evaluation.table._column_info import ColumnInfo
from margin.evaluation.table._hashed_text import HashedText
from margin.evaluation.table._levels import AsLevels
from margin.evaluation.table._transformers import AsNumbers, AsText, DateParts

if TYPE_CHECKING:
    import pandas as pd

MAX_WORDS = 200


def preprocessor(frame: pd.DataFrame, columns: Sequence[ColumnInfo]) -> ColumnTransformer:
    """Unfitted transformer from the raw table to a dense float64 matrix.

    ========  ==================================================================================
    numeric   median for missing values plus an indicator, then mean 0 and variance 1
    ordinal   rank of the level (ratings: the rating), then as numeric
    nominal   one column per level, the rare and the unseen pooled; missing is a level of its own
    date      year, month, day of week, elapsed days (and hour), then as numeric
    text      TF-IDF weights of the most frequent words; of short texts that share words (names,
              addresses) the leading directions among hashed words and pieces of words
    ========  ==================================================================================

    Everything is learned by its ``fit``, so that a fold sees nothing of the rows it is scored on.

    Parameters
    ----------
    frame : DataFrame
        The table, for the types of its columns and the order of ordered levels.
    columns : sequence of ColumnInfo
        Columns to use; those with ``used=False`` are left out.

    Examples
    --------
    >>> import pandas as pd
    >>> from margin.evaluation import describe_columns
    >>> frame = pd.DataFrame({"x": [1.0, 3.0, 1.5, 2.5], "c": ["a", "b", "b", "a"]})
    >>> preprocessor(frame, describe_columns(frame)).fit_transform(frame).round(3).tolist()
    [[-1.265, 1.0, 0.0], [1.265, 0.0, 1.0], [-0.632, 0.0, 1.0], [0.632, 1.0, 0.0]]
    """
    groups: dict[str, list[str]] = {}
    for column in columns:
        if column.used:
            groups.setdefault(column.scale, []).append(column.name)
    if not groups:
        raise ValueError("no column is left to learn from: all are identifiers, constant or empty")
    ordered = {name: levels(frame[name]) for name in groups.pop("ordinal", [])}
    ranked = [(name, known) for name, known in ordered.items() if known is not None]
    numbers = groups.pop("numeric", []) + [n for n, known in ordered.items() if known is None]
    steps: list[tuple[str, BaseEstimator, Any]] = []
    if numbers:
        steps.append(("numbers", _pipeline(AsNumbers(), *_filled()), numbers))
    for i, (name, known) in enumerate(ranked):
        steps.append((f"ranks {i}", _ranks(frame[name], known), [name]))
    if "nominal" in groups:
        steps.append(("levels", _pipeline(AsLevels(), _one_hot(len(frame))), groups["nominal"]))
    if "date" in groups:
        steps.append(("dates", _pipeline(DateParts(), *_filled()), groups["date"]))
    short = {c.name for c in columns if c.used and c.reason == _scales.SHORT_TEXTS}
    for i, name in enumerate(groups.get("text", [])):
        if name in short:
            steps.append((f"pieces {i}", HashedText(), [name]))
            continue
        words = TfidfVectorizer(max_features=MAX_WORDS, sublinear_tf=True, strip_accents="unicode")
        steps.append((f"words {i}", _pipeline(AsText(missing="missing"), words), name))
    return ColumnTransformer(steps, sparse_threshold=0.0)


def levels(column: pd.Series) -> list[str] | None:
    """Levels of an ordinal column, lowest first; ``None`` when they are numbers.

    Known words have their known order, ordered categories their own, other text is sorted.

    Examples
    --------
    >>> import pandas as pd
    >>> levels(pd.Series(["high", "LOW"]))
    ['very low', 'low', 'medium', 'high', 'very high']
    >>> levels(pd.Series([3, 1, 2])) is None
    True
    """
    import pandas as pd

    if isinstance(column.dtype, pd.CategoricalDtype):
        return _texts(column.cat.categories.to_series())
    values = column.dropna()
    numbers = pd.to_numeric(values.astype(object), errors="coerce")
    if not numbers.isna().any():
        return None
    texts = _texts(values.drop_duplicates())
    known = _scales.ordered_words(set(texts))
    return list(known) if known is not None else sorted(texts)


def _texts(values: pd.Series) -> list[str]:
    return list(AsText().fit(values).transform(values))


def _ranks(column: pd.Series, known: list[str]) -> Pipeline:
    import pandas as pd

    words = not isinstance(column.dtype, pd.CategoricalDtype) and (
        _scales.ordered_words(set(known)) is not None
    )
    encoder = OrdinalEncoder(
        categories=[np.asarray(known, dtype=object)],
        handle_unknown="use_encoded_value",
        unknown_value=np.nan,
    )
    return _pipeline(AsText(missing=None, words=words), encoder, *_filled())


def _one_hot(n_rows: int) -> OneHotEncoder:
    return OneHotEncoder(
        handle_unknown="infrequent_if_exist",
        min_frequency=int(np.clip(n_rows // 100, 1, 10)),
        max_categories=_scales.MAX_LEVELS,
        sparse_output=False,
    )


def _filled() -> tuple[BaseEstimator, BaseEstimator]:
    imputer = SimpleImputer(strategy="median", add_indicator=True, keep_empty_features=True)
    return imputer, StandardScaler()


def _pipeline(*steps: BaseEstimator) -> Pipeline:
    return Pipeline([(type(step).__name__.lower(), step) for step in steps])
