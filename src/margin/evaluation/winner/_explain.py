"""Why the winner answers as it does, for a few rows that differ."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from margin.core.types import Places
from margin.evaluation.table._metric import Metric
from margin.evaluation.winner._outcome import Outcome, outcome
from margin.inspection import Explanation, sampled_shapley

if TYPE_CHECKING:
    import pandas as pd

MOST_ROWS = 6
_BACKGROUND = 20
_MOST_COLUMNS = 60


def too_wide(n_columns: int) -> str:
    """Why rows of so many columns are not explained, or nothing.

    Examples
    --------
    >>> too_wide(6), too_wide(200)
    ('', 'with 200 columns, more than 60, single rows would take too long to explain')
    """
    if n_columns <= _MOST_COLUMNS:
        return ""
    many = f"with {n_columns} columns, more than {_MOST_COLUMNS}"
    return f"{many}, single rows would take too long to explain"


def explain(
    answer: Outcome, X: pd.DataFrame, background: pd.DataFrame, *, seed: int = 0
) -> tuple[Places, Explanation] | None:
    """Shapley values of the raw columns for some rows, from low to high answers.

    Parameters
    ----------
    answer : Outcome
        The model as a function.
    X : DataFrame
        Rows to choose from.
    background : DataFrame
        Training rows; twenty of them are drawn.
    seed : int
        Seed of the draws.

    Returns
    -------
    (ndarray, Explanation) or None
        Positions of the rows in ``X``, and what each column adds to their answers; ``None`` for
        more than sixty columns, where orders of columns would have to be very many.
    """
    if X.shape[1] > _MOST_COLUMNS or not len(X):
        return None
    rng = np.random.default_rng(seed)
    drawn = rng.choice(len(background), min(_BACKGROUND, len(background)), replace=False)
    order = np.argsort(answer(X), kind="stable")
    places = np.unique(np.linspace(0, len(order) - 1, min(MOST_ROWS, len(order))).astype(int))
    rows = order[places]
    shown = sampled_shapley(
        answer,
        X.iloc[rows].reset_index(drop=True),
        background.iloc[np.sort(drawn)].reset_index(drop=True),
        random_state=seed,
    )
    return rows, shown


def row_reasons(
    model: Any,
    X: pd.DataFrame,
    metric: Metric,
    target: str,
    *,
    classification: bool,
    seed: int = 0,
) -> list[str]:
    """For every row the columns that move its answer most, the rows being their own background.

    Parameters
    ----------
    model : fitted pipeline
        Takes the raw table.
    X : DataFrame
        Rows.
    metric : Metric
        Names the class whose probability is explained.
    target : str
        Column that is predicted.
    classification : bool
        Whether classes are predicted.
    seed : int
        Seed of the draws.
    """
    if not len(X):
        return []
    answer = outcome(model, metric, target, classification=classification)
    rng = np.random.default_rng(seed)
    drawn = np.sort(rng.choice(len(X), min(_BACKGROUND, len(X)), replace=False))
    table = X.reset_index(drop=True)
    shown = sampled_shapley(answer, table, table.iloc[drawn], random_state=seed)
    return [reasons(shown, row) for row in range(len(X))]


def reasons(shown: Explanation, row: int, most: int = 3) -> str:
    """The columns that move an answer most, in words.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.inspection import Explanation
    >>> values = np.array([[[0.2], [-0.5], [0.0]]])
    >>> data = np.array([[1.5, "a", 3]], dtype=object)
    >>> shown = Explanation(values, np.zeros(1), data, ("x", "y", "z"))
    >>> reasons(shown, 0)
    'y = a -0.5; x = 1.5 +0.2'
    """
    value = shown.values[row, :, 0]
    order = [j for j in np.argsort(-np.abs(value), kind="stable")[:most] if abs(value[j]) > 1e-12]
    return "; ".join(
        f"{shown.feature_names[j]} = {_short(shown.data[row, j])} {value[j]:+.3g}" for j in order
    )


def _short(value: object) -> str:
    if isinstance(value, float | np.floating):
        return "missing" if value != value else f"{value:.4g}"
    text = "missing" if value is None else " ".join(str(value).split())
    return text if len(text) <= 30 else text[:29] + "…"
