"""One model on one fold: tune inside, fit, score."""

from __future__ import annotations

import time
import warnings
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.compose import ColumnTransformer
from sklearn.exceptions import ConvergenceWarning
from sklearn.pipeline import Pipeline

from margin.evaluation._entrants import Entrant
from margin.evaluation._folds import Folds
from margin.evaluation._metric import Metric
from margin.evaluation._tuning import tune


@dataclass(frozen=True)
class Arena:
    """Training rows and rules that all models share."""

    X: Any
    y: NDArray[Any]
    preprocessor: ColumnTransformer
    metric: Metric
    stratify: bool
    folds: Folds
    seed: int

    def settle(self, entrant: Entrant, rows: NDArray[np.intp], seed: int) -> dict[str, Any]:
        """Hyper-parameters chosen on the given rows by an inner search."""
        return tune(
            entrant.seeded(seed),
            self.preprocessor,
            self.X.iloc[rows],
            self.y[rows],
            entrant.settings(seed),
            metric=self.metric,
            stratify=self.stratify,
            seed=seed,
        )


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
    """Tune, fit and score one model on one fold; an exception becomes a failed outcome."""
    train, test = arena.folds[fold]
    seed = int(np.random.SeedSequence([arena.seed, fold]).generate_state(1)[0] >> 1)
    started = time.perf_counter()
    try:
        setting = arena.settle(entrant, train, seed)
        pipeline = entrant.pipeline(arena.preprocessor, setting, seed)
        before_fit = time.perf_counter()
        status = fit(pipeline, arena.X.iloc[train], arena.y[train])
        fitted = time.perf_counter()
        predicted = pipeline.predict(arena.X.iloc[test])
        done = time.perf_counter()
        score = arena.metric(arena.y[test], predicted)
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
        report=report_of(pipeline),
        setting=setting,
    )


def fit(pipeline: Pipeline, X: Any, y: NDArray[Any]) -> str:
    """Fit quietly and say how it ended: the status of the fit report, or what was warned of."""
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        pipeline.fit(X, y)
    report = getattr(pipeline[-1], "fit_report_", None)
    if report is not None:
        return str(report.status.value)
    struggled = any(issubclass(w.category, ConvergenceWarning) for w in heard)
    return "not converged" if struggled else "ok"


def report_of(pipeline: Pipeline) -> str:
    """The fitted model's report as text, empty if it keeps none."""
    report = getattr(pipeline[-1], "fit_report_", None)
    return "" if report is None else repr(report)


def one_line(error: BaseException) -> str:
    """First line of an exception, with its type where the message alone would puzzle."""
    text = str(error).strip().splitlines()
    kind = type(error).__name__
    if not text:
        return kind
    return text[0] if isinstance(error, ValueError | ArithmeticError) else f"{kind}: {text[0]}"
