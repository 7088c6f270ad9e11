"""Columns that a score can be computed from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from margin.core import check
from margin.core.types import Array, Bools
from margin.search import (
    Blocks,
    Categories,
    Interventions,
    MixedColumns,
    Moments,
    NetworkScore,
    continuous_columns,
    floating_columns,
    mixed_columns,
)

MODELS = ("auto", "categorical", "gaussian", "mixed")
Columns = Categories | Moments | Blocks


def column_model(owner: str, frame: Any, model: str) -> str:
    """The model of the columns where ``"auto"`` asks for it.

    ``"gaussian"`` for columns of floats of which some hold numbers that are not whole; ``"mixed"``
    where other columns stand beside these.

    Examples
    --------
    >>> [column_model("GES", [row], "auto") for row in ([0.5, 1.0], ["a", 1], ["a", 0.5])]
    ['gaussian', 'categorical', 'mixed']
    """
    if model != "auto":
        return model
    if not continuous_columns(frame):
        return "categorical"
    floats, names = floating_columns(frame)
    return "gaussian" if set(names) <= set(floats) else "mixed"


def network_score(
    owner: str,
    frame: Any,
    model: str,
    kind: str,
    *,
    sample_size: float = 10.0,
    targets: Any = None,
    max_degree: int | None = None,
    sample_weight: Any = None,
) -> tuple[NetworkScore, Interventions]:
    """Score of graphs, every node on the rows in which no intervention has set it.

    BIC takes the logarithm of the weight of all rows. Unknown values as in
    :class:`margin.search.Moments` and :class:`margin.search.NetworkScore`.
    """
    model = column_model(owner, frame, model)
    if model != "categorical":
        check.distinct_names(owner, frame)
    if model == "mixed":
        frame = mixed_columns(owner, frame)
    whole = _read(owner, frame, model, sample_weight, None)
    n_rows = (
        whole.n_rows
        if isinstance(whole, Categories)
        else len(frame.values if isinstance(frame, MixedColumns) else frame)
    )
    weight = check.weights(owner, sample_weight, int(n_rows))
    total = float(n_rows) if weight is None else float(weight.sum())
    plan = Interventions.of(owner, whole.names, targets, int(n_rows))
    if not isinstance(whole, Categories):
        refuse_collinear(owner, _moments(whole), max_degree)

    def scored(data: Columns) -> NetworkScore:
        if not isinstance(data, Categories):
            _refuse_few(owner, _moments(data), max_degree)
        return NetworkScore.of(
            owner, data, kind, equivalent_sample_size=sample_size, penalty_rows=total
        )

    if not plan.targets.any():
        return scored(whole), plan
    groups: dict[bytes, int] = {}
    parts: list[NetworkScore] = []
    which: list[int] = []
    for column, name in enumerate(whole.names):
        free = plan.free_rows(column)
        if free.tobytes() not in groups:
            groups[free.tobytes()] = len(parts)
            states = whole.states if isinstance(whole, Categories) else None
            some = None if weight is None else weight[free]
            data = _read(owner, _taken(frame, free), model, some, states)
            if not isinstance(data, Categories) and _is_flat(data, column):
                told = "not constant in the rows that do not set it, got one value"
                raise ValueError(f"{owner}: column {name!r} must be {told}")
            parts.append(scored(data))
        which.append(groups[free.tobytes()])
    return NetworkScore.switched(parts, which), plan


def _read(
    owner: str, frame: Any, model: str, weight: Any, states: Sequence[tuple[Any, ...]] | None
) -> Columns:
    if model == "mixed":
        return Blocks.of(owner, frame, weight)
    if model == "gaussian":
        return Moments.of(owner, frame, sample_weight=weight)
    if states is None:
        return Categories.of(owner, frame, sample_weight=weight)
    names = tuple(frame.columns) if hasattr(frame, "columns") else range(len(states))
    levels = dict(zip(names, states, strict=True))
    return Categories.of(owner, frame, states=levels, sample_weight=weight)


def _taken(frame: Any, rows: Array) -> Any:
    if isinstance(frame, MixedColumns):
        return replace(frame, values=frame.values[rows])
    if hasattr(frame, "iloc"):
        return frame.iloc[np.flatnonzero(rows)]
    if hasattr(frame, "columns"):
        return frame[np.flatnonzero(rows)]
    array = frame if isinstance(frame, np.ndarray) else np.array(frame, dtype=object)
    return array[rows]


def _moments(data: Moments | Blocks) -> Moments:
    return data.moments if isinstance(data, Blocks) else data


def _is_flat(data: Moments | Blocks, column: int) -> bool:
    flat = _flat(_moments(data))
    return bool((data.owns(flat) if isinstance(data, Blocks) else flat)[column])


def _flat(data: Moments) -> Bools:
    scale = np.maximum(np.abs(data.mean), np.finfo(np.float64).tiny)
    return np.asarray(~(np.diag(data.covariance) > 1e-20 * scale**2))


def _refuse_few(owner: str, data: Moments, max_degree: int | None) -> None:
    """Refuse rows that so many parents could fit without error."""
    p = len(data.names)
    most = p - 1 if max_degree is None else min(max_degree, p - 1)
    if data.n_rows <= most + 2:
        requirement = f"more than {most + 2} rows for nodes of {most} parents (or set max_degree)"
        raise check.fail(owner, "X", requirement, int(data.n_rows))


def refuse_collinear(owner: str, data: Moments, max_degree: int | None) -> None:
    """Refuse columns without a residual: their likelihood has no bound."""
    flat = _flat(data)
    if flat.any():
        column = data.names[int(np.argmax(flat))]
        raise ValueError(f"{owner}: column {column!r} must be not constant, got one value")
    _refuse_few(owner, data, max_degree)
    refuse_combinations(owner, data)


def refuse_combinations(owner: str, data: Moments) -> None:
    """Refuse columns that those before them determine."""
    p = len(data.names)
    if data.n_rows <= p + 1:
        return  # fewer rows than columns always depend on each other
    # The diagonal of the factor: what is left of every column beside those before it.
    bad = np.diag(np.linalg.cholesky(data.correlation + 1e-12 * np.eye(p))) < 1e-5
    if bad.any():
        column = data.names[int(np.argmax(bad))]
        raise ValueError(
            f"{owner}: column {column!r} must be no combination of the columns before it, got one"
        )
