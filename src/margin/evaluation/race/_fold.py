"""One model on one fold: tune inside, fit, score."""

from __future__ import annotations

import time
import warnings
from dataclasses import dataclass, field
from typing import Any

from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.pipeline import Pipeline

from margin.evaluation.race._entrants import Entrant
from margin.evaluation.race._tuning import tune
from margin.evaluation.table._prepared import Arena, prepared


@dataclass(frozen=True)
class Outcome:
    """What became of one model on one fold; ``error`` is empty unless it failed."""

    model: str
    fold: int
    score: float = float("nan")
    seconds: float = 0.0
    fit_seconds: float = 0.0
    predict_seconds: float = 0.0
    status: str = ""
    report: str = ""
    setting: dict[str, Any] = field(default_factory=dict)
    error: str = ""


def evaluate(arena: Arena, entrant: Entrant, fold: int) -> Outcome:
    """Tune, fit and score one model on one fold; an exception becomes a failed outcome.

    The times are those of the model alone, without the preprocessing that all models share.
    """
    seed = arena.fold_seed(fold)
    started = time.perf_counter()
    try:
        matrices = prepared(arena, fold)
        Z_train, y_train, Z_test, y_test = matrices.outer
        settings = entrant.settings(seed)
        setting = tune(entrant.seeded(seed), lambda: matrices.inner, settings, arena.metric)
        model = entrant.seeded(seed).set_params(**setting)
        before_fit = time.perf_counter()
        status = fit(model, Z_train, y_train)
        fitted = time.perf_counter()
        predicted = model.predict(Z_test)
        done = time.perf_counter()
        score = arena.metric(y_test, predicted)
    except Exception as error:
        spent = time.perf_counter() - started
        return Outcome(entrant.name, fold, seconds=spent, error=one_line(error))
    return Outcome(
        entrant.name,
        fold,
        score,
        seconds=done - started,
        fit_seconds=fitted - before_fit,
        predict_seconds=done - fitted,
        status=status,
        report=report_of(model),
        setting=setting,
    )


def fit(model: Any, X: Any, y: NDArray[Any]) -> str:
    """Fit quietly and say how it ended: the status of the fit report, or what was warned of."""
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        model.fit(X, y)
    report = _report(model)
    if report is not None:
        return str(report.status.value)
    struggled = any(issubclass(w.category, ConvergenceWarning) for w in heard)
    return "not converged" if struggled else "ok"


def report_of(model: Any) -> str:
    """The fit report of a fitted model or pipeline as text, empty if it keeps none."""
    report = _report(model)
    return "" if report is None else repr(report)


def _report(model: Any) -> Any:
    last = model[-1] if isinstance(model, Pipeline) else model
    return getattr(last, "fit_report_", None)


def one_line(error: BaseException) -> str:
    """First line of an exception, with its type where the message alone would puzzle."""
    text = str(error).strip().splitlines()
    kind = type(error).__name__
    if not text:
        return kind
    return text[0] if isinstance(error, ValueError | ArithmeticError) else f"{kind}: {text[0]}"
