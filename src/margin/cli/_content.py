"""A comparison as plain values, for `--json`."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any


def as_json(comparison: Any) -> Mapping[str, Any]:
    """The leaderboard as plain values; numbers that do not exist become ``None``."""
    return {
        "task": comparison.task,
        "target": comparison.target,
        "results": [_entry(result) for result in comparison.results],
        "winner": comparison.winner,
        "test_score": _number(comparison.test_score),
        "baseline_score": _number(comparison.baseline.score),
        "metric": comparison.metric,
        "metric_words": comparison.metric_words,
        "threshold": None if comparison.curves is None else comparison.curves.threshold,
        "forward_score": None if comparison.forward is None else _number(comparison.forward.score),
        "target_kinds": list(comparison.nature.kinds),
        "coverage": None if comparison.coverage is None else _number(comparison.coverage.share),
        "calibration": None if comparison.calibration is None else comparison.calibration.method,
        "against": _against(comparison.against),
        "test_interval": [_number(v) for v in comparison.test_interval],
        "baseline": comparison.baseline.model,
        "verdict": comparison.verdict,
        "source": comparison.source,
        "rows": comparison.n_rows,
        "train_rows": comparison.n_train,
        "test_rows": comparison.n_test,
        "seed": comparison.seed,
        "folds": comparison.folds,
        "seconds": _number(comparison.seconds),
        "interrupted": comparison.interrupted,
        "out_of_budget": comparison.out_of_budget,
        "only_baselines": comparison.limits.only_baselines,
        "limits": list(comparison.limits.text),
        "warnings": list(comparison.warnings),
        "skipped": [{"model": name, "reason": why} for name, why in comparison.skipped],
    }


def _against(earlier: Any) -> dict[str, Any] | None:
    if earlier is None:
        return None
    return {
        "model": earlier.model,
        "score": _number(earlier.score),
        "difference": _number(earlier.test.difference),
        "p_value": _number(earlier.test.p_value),
    }


def _entry(result: Any) -> dict[str, Any]:
    return {
        "model": result.model,
        "score": _number(result.score),
        "score_se": _number(result.score_se),
        "fit_seconds": _number(result.fit_seconds),
        "status": result.status,
        "predict_seconds": _number(result.predict_seconds),
        "difference": _number(result.difference),
        "p_value": _number(result.p_value),
        "family": result.family,
        "folds": len(result.scores),
        "is_baseline": result.is_baseline,
        "params": {name: _value(value) for name, value in result.params.items()},
    }


def _number(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


def _value(value: Any) -> Any:
    value = value.item() if hasattr(value, "item") else value
    if isinstance(value, float):
        return _number(value)
    return value if isinstance(value, str | int | bool | None) else str(value)
