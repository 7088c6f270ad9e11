"""One estimator on one awkward table, and what to think of the outcome."""

import ast
import functools
import traceback
import warnings
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from sklearn.utils.validation import has_fit_parameter

from margin.core import FitError
from tools.fuzz.models import asked, draw
from tools.fuzz.tables import Case, case

CLEAR = (ValueError, TypeError, FitError, MemoryError)
METHODS = ("predict", "predict_proba", "decision_function", "transform", "score_samples")


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
    return Trial(model, case(rng, task=task, kind=kind), inspected=bool(rng.random() < 0.3))


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
            answers = {m: getattr(model, m)(drawn.X) for m in METHODS if hasattr(model, m)}
            answers |= asked(model, drawn.X, drawn.y) if inspected else {}
        except Exception as error:
            return raw(error)
    return silent_nan(model, answers) if drawn.finite else ""


def raw(error: Exception) -> str:
    """The text of an error, empty where somebody raised it on purpose and in words."""
    text = f"{type(error).__name__}: {str(error)[:200]}"
    frames = traceback.extract_tb(error.__traceback__)
    where = frames[-1]
    deliberate = "sklearn" in Path(where.filename).parts or _raises(where.filename, where.lineno)
    # A method that a setting hides, told in words.
    if isinstance(error, AttributeError) and _raises(where.filename, where.lineno):
        return ""
    subclass = type(error) in (UnicodeEncodeError, UnicodeDecodeError, np.linalg.LinAlgError)
    if isinstance(error, CLEAR) and deliberate and not subclass and str(error):
        return ""
    place = "/".join(Path(where.filename).parts[-3:])
    return f"raw error {text} ({place}:{where.lineno})"


def _raises(filename: str, line: int | None) -> bool:
    """Whether a line of margin belongs to a ``raise`` statement."""
    if "margin" not in Path(filename).parts:
        return False
    return any(first <= (line or 0) <= last for first, last in _raise_statements(filename))


@functools.cache
def _raise_statements(filename: str) -> list[tuple[int, int]]:
    tree = ast.parse(Path(filename).read_text(encoding="utf-8"))
    return [
        (node.lineno, node.end_lineno or node.lineno)
        for node in ast.walk(tree)
        if isinstance(node, ast.Raise)
    ]


def silent_nan(model: Any, answers: dict[str, Any]) -> str:
    """Name the fitted attribute or the answer that holds NaN; empty if none does."""
    fitted = {k: v for k, v in vars(model).items() if k.endswith("_") and not k.startswith("_")}
    for name, value in {**fitted, **answers}.items():
        array = value.data if hasattr(value, "tocsr") else value
        if not isinstance(array, np.ndarray | float):
            continue
        numbers = np.asarray(array)
        if numbers.dtype.kind == "f" and np.isnan(numbers).any():
            return f"silent NaN in {name}"
    return ""
