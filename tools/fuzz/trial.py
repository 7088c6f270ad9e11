"""One estimator on one awkward table, and what to think of the outcome."""

import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields, is_dataclass
from dis import opname
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import clone, is_classifier
from sklearn.utils.validation import has_fit_parameter

from margin.core import FitError
from tools.fuzz.models import asked, completed, draw
from tools.fuzz.tables import Case, case

CLEAR = (ValueError, TypeError, FitError, MemoryError)
METHODS = (
    "predict", "predict_proba", "predict_log_proba", "decision_function", "transform",
    "score_samples", "predict_dist", "score",
)  # fmt: skip
# Other ways to be fitted, and what a fitted model says without a table.
FITS = ("partial_fit", "fit_blocks", "fit_predict", "fit_transform")
TOLD = ("summary", "balance")
# How far NaN is looked for inside lists, tuples, dictionaries and values of ours.
DEEPEST = 3


class Trial(NamedTuple):
    """An estimator and what it will be given."""

    model: Any
    drawn: Case
    inspected: bool = False

    @property
    def story(self) -> str:
        """The trial in words."""
        return f"{self.model}: {self.drawn.story}{', inspected' if self.inspected else ''}"


def make(number: int, only: str = "") -> Trial:
    """Make the trial of a number, of one estimator if so asked.

    Examples
    --------
    >>> make(3).story == make(3).story
    True
    """
    rng = np.random.default_rng(number)
    model, task, kind = draw(rng, only)
    drawn = case(rng, task=task, kind=kind)
    return Trial(completed(rng, model, drawn.X), drawn, inspected=bool(rng.random() < 0.3))


def fault_of(trial: Trial) -> str:
    """Run a trial; what is wrong with the outcome, empty where all is well."""
    model, drawn, inspected = trial
    arguments = [drawn.X] if drawn.y is None else [drawn.X, drawn.y]
    weight = drawn.weight if has_fit_parameter(model, "sample_weight") else None
    options = {} if weight is None else {"sample_weight": weight}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            model.fit(*arguments, **options)
        except Exception as error:
            return raw(error)
        faults, answers = [], {}
        for name, act in _acts(model, drawn, arguments, inspected):
            try:
                answer, warned = _heard(act)
            except Exception as error:
                faults += [f"{fault} of {name}" for fault in [raw(error)] if fault]
                continue
            if not warned:
                answers[name] = answer
    if drawn.finite:
        faults += [fault for fault in [silent_nan(model, answers)] if fault]
    return "; ".join(faults)


def _heard(act: Callable[[], Any]) -> tuple[Any, bool]:
    """An answer, and whether the call warned in words that it holds NaN."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        answer = act()
    return answer, any(
        issubclass(one.category, UserWarning) and "NaN" in str(one.message) for one in told
    )


def _acts(
    model: Any, drawn: Case, arguments: list[Any], inspected: bool
) -> Iterator[tuple[str, Callable[[], Any]]]:
    """What is asked of a fitted model, by name."""
    for name in METHODS:
        if callable(getattr(model, name, None)):  # a search for graphs has a parameter "score"
            yield name, partial(_answer, model, name, drawn.X, drawn.y)
            if drawn.other is not None and name != "score":
                yield f"{name} of other rows", partial(_answer, model, name, drawn.other, None)
    for name in TOLD:
        if hasattr(model, name) and type(model).__module__.startswith("margin.causal"):
            yield name, getattr(model, name)
    if hasattr(model, "inverse_transform"):
        yield "inverse_transform", lambda: model.inverse_transform(model.transform(drawn.X))
    if hasattr(model, "get_params"):
        yield from ((n, partial(_refit, model, n, arguments)) for n in FITS if hasattr(model, n))
    if inspected:
        yield "inspection", lambda: asked(model, drawn.X, drawn.y)


def _answer(model: Any, method: str, X: Any, y: Any) -> Any:
    given = [X, y] if method == "score" and y is not None else [X]
    answer = getattr(model, method)(*given)
    if method != "predict_dist":
        return answer
    return {"mean": np.asarray(answer.mean), "var": np.asarray(answer.var)}


def _refit(model: Any, method: str, arguments: list[Any]) -> Any:
    """A model of the same parameters, fitted in another way."""
    other = clone(model)
    if method == "fit_blocks":
        other.fit_blocks([tuple(arguments) if len(arguments) > 1 else arguments[0]] * 2)
        return None
    if method != "partial_fit":
        return getattr(other, method)(*arguments)
    classes = is_classifier(other) and np.ndim(arguments[-1]) == 1
    first = {"classes": np.unique(arguments[-1])} if classes else {}
    other.partial_fit(*arguments, **first)
    other.partial_fit(*arguments)
    return None


def raw(error: Exception) -> str:
    """The text of an error, empty where somebody raised it on purpose and in words."""
    *_, (frame, line) = traceback.walk_tb(error.__traceback__)
    where = Path(frame.f_code.co_filename)
    ours = "margin" in where.parts and _raises(error)
    # A method that a setting hides, told in words.
    if isinstance(error, AttributeError) and ours:
        return ""
    subclass = type(error) in (UnicodeEncodeError, UnicodeDecodeError, np.linalg.LinAlgError)
    deliberate = "sklearn" in where.parts or ours
    if isinstance(error, CLEAR) and deliberate and not subclass and str(error):
        return ""
    text = f"{type(error).__name__}: {str(error)[:200]}"
    return f"raw error {text} ({'/'.join(where.parts[-3:])}:{line})"


def _raises(error: Exception) -> bool:
    """Whether the last thing that ran was a ``raise`` statement, as the code says that ran."""
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    return last is not None and (
        opname[last.tb_frame.f_code.co_code[last.tb_lasti]] == "RAISE_VARARGS"
    )


def silent_nan(model: Any, answers: dict[str, Any]) -> str:
    """Name the fitted attribute or the answer that holds NaN, also inside; empty if none does."""
    fitted = {k: v for k, v in vars(model).items() if k.endswith("_") and not k.startswith("_")}
    answers.pop("score", None)  # of one row R² is not defined
    for name, value in {**fitted, **answers}.items():
        for place, numbers in _numbers(name, value, DEEPEST):
            if np.isnan(_meant(place, numbers)).any():
                return f"silent NaN in {place}"
    return ""


def _meant(place: str, numbers: Any) -> Any:
    """The numbers without those places where NaN stands, by their docs, for nothing at all."""
    *_, outer, last = ["", *place.split()]
    if last == "threshold":  # a leaf asks nothing
        return numbers[:0]
    # Before the first step there is nothing that only a step has.
    return numbers[1:] if outer == "trace" and last != "objective" else numbers


def _numbers(name: str, value: Any, depth: int) -> Iterator[tuple[str, Any]]:
    """Arrays of floats in a value, in what it holds, in what that holds; where they are."""
    array = value.data if hasattr(value, "tocsr") else value
    if isinstance(array, np.ndarray | float):
        numbers = np.asarray(array)
        if numbers.dtype.kind == "f":
            yield name, numbers
    elif depth:
        for place, inner in _parts(value):
            yield from _numbers(f"{name} {place}", inner, depth - 1)


def _parts(value: Any) -> Iterable[tuple[Any, Any]]:
    if isinstance(value, dict):
        return value.items()
    if isinstance(value, list | tuple):
        return enumerate(value)
    if is_dataclass(value):
        return ((field.name, getattr(value, field.name, None)) for field in fields(value))
    return ()
