"""Fitting without a word, and how it ended in words for a table."""

from __future__ import annotations

import warnings
from typing import Any

from sklearn.exceptions import ConvergenceWarning
from sklearn.pipeline import Pipeline

from margin.core.types import Array


def fit_quietly(model: Any, X: Any, y: Array) -> str:
    """Fit without a word and say how it ended: the status of the fit report, or what was warned of.

    The model is fitted as by its own ``fit``; nothing else is written on it.
    """
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
    """First line of an exception, with its type where the message alone would puzzle.

    Examples
    --------
    >>> one_line(ValueError("too few rows")), one_line(KeyError("age"))
    ('too few rows', "KeyError: 'age'")
    """
    text = str(error).strip().splitlines()
    kind = type(error).__name__
    if not text:
        return kind
    return text[0] if isinstance(error, ValueError | ArithmeticError) else f"{kind}: {text[0]}"
