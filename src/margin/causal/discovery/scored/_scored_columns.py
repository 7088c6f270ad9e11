"""Columns that a score can be computed from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from margin.core import check
from margin.core.types import Array
from margin.search import (
    Categories,
    Interventions,
    Moments,
    NetworkScore,
    continuous_columns,
    floating_columns,
)

MODELS = ("auto", "categorical", "gaussian")
Columns = Categories | Moments


def column_model(owner: str, frame: Any, model: str) -> str:
    """The model of the columns, ``"gaussian"`` or ``"categorical"``, where ``"auto"`` asks for it.

    Gaussian for columns of floats of which some hold numbers that are not whole; such columns
    together with categories are refused.

    Examples
    --------
    >>> column_model("GES", [[0.5, 1.0]], "auto"), column_model("GES", [["a", 1]], "auto")
    ('gaussian', 'categorical')
    """
    if model != "auto":
        return model
    numbers = continuous_columns(frame)
    if not numbers:
        return "categorical"
    floats, names = floating_columns(frame)
    others = [name for name in names if name not in floats]
    if others:
        requirement = (
            "all categories or all numbers (bin the numbers, or use margin.graphical.PC, whose "
            "mixed test takes both)"
        )
        shown = f"numbers such as {numbers[0]!r}, categories such as {others[0]!r}"
        raise check.fail(owner, "X", requirement, shown)
    return "gaussian"


def network_score(
    owner: str,
    frame: Any,
    model: str,
    kind: str,
    sample_size: float,
    targets: Any,
    max_degree: int | None,
) -> tuple[NetworkScore, Interventions]:
    """Score of graphs, every node on the rows in which no intervention has set it.

    BIC takes the logarithm of the number of all rows. Unknown values as in
    :class:`margin.search.Moments` and :class:`margin.search.NetworkScore`.
    """
    check.distinct_names(owner, frame)
    model = column_model(owner, frame, model)
    whole = _read(owner, frame, model, None)
    n_rows = whole.codes.shape[1] if isinstance(whole, Categories) else len(frame)
    plan = Interventions.of(owner, whole.names, targets, n_rows)

    def scored(data: Columns) -> NetworkScore:
        if isinstance(data, Moments):
            _refuse_degenerate(owner, data, max_degree)
        options: dict[str, Any] = {"equivalent_sample_size": sample_size}
        return NetworkScore.of(owner, data, kind, penalty_rows=float(n_rows), **options)

    if not plan.targets.any():
        return scored(whole), plan
    groups: dict[bytes, int] = {}
    parts: list[NetworkScore] = []
    which: list[int] = []
    for column in range(len(whole.names)):
        free = plan.free_rows(column)
        if free.tobytes() not in groups:
            groups[free.tobytes()] = len(parts)
            states = whole.states if isinstance(whole, Categories) else None
            parts.append(scored(_read(owner, _taken(frame, free), model, states)))
        which.append(groups[free.tobytes()])
    return NetworkScore.switched(parts, which), plan


def _read(owner: str, frame: Any, model: str, states: Sequence[tuple[Any, ...]] | None) -> Columns:
    if model == "gaussian":
        return Moments.of(owner, frame)
    if states is None:
        return Categories.of(owner, frame)
    names = tuple(frame.columns) if hasattr(frame, "columns") else range(len(states))
    return Categories.of(owner, frame, states=dict(zip(names, states, strict=True)))


def _taken(frame: Any, rows: Array) -> Any:
    if hasattr(frame, "iloc"):
        return frame.iloc[np.flatnonzero(rows)]
    if hasattr(frame, "columns"):
        return frame[np.flatnonzero(rows)]
    array = frame if isinstance(frame, np.ndarray) else np.array(frame, dtype=object)
    return array[rows]


def _refuse_degenerate(owner: str, data: Moments, max_degree: int | None) -> None:
    """Refuse columns whose residuals vanish: their likelihood has no bound."""
    p = len(data.names)
    spread = np.diag(data.covariance)
    scale = np.maximum(np.abs(data.mean), np.finfo(np.float64).tiny)
    flat = ~(spread > 1e-20 * scale**2)
    if flat.any():
        column = data.names[int(np.argmax(flat))]
        raise ValueError(f"{owner}: column {column!r} must be not constant, got one value")
    most = p - 1 if max_degree is None else min(max_degree, p - 1)
    if data.n_rows <= most + 2:
        requirement = f"more than {most + 2} rows for nodes of {most} parents (or set max_degree)"
        raise check.fail(owner, "X", requirement, int(data.n_rows))
    if data.n_rows <= p + 1:
        return  # fewer rows than columns always depend on each other
    # The diagonal of the factor: what is left of every column beside those before it.
    bad = np.diag(np.linalg.cholesky(data.correlation + 1e-12 * np.eye(p))) < 1e-5
    if bad.any():
        column = data.names[int(np.argmax(bad))]
        raise ValueError(
            f"{owner}: column {column!r} must be no combination of the columns before it, got one"
        )
