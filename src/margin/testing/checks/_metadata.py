"""What an estimator says about itself is complete and true."""

import inspect
import re
import warnings
from functools import cache
from itertools import product
from typing import Any

import numpy as np
from sklearn.base import is_classifier, is_regressor
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.discovery import all_estimators

from margin.core import Card, FitReport, Status
from margin.testing._outputs import assert_finite
from margin.testing._samples import fitted, sample_for

SECTIONS = ("Parameters", "Attributes", "Notes", "References", "Examples", "See Also", "Methods")


def check_constructor(name: str, estimator: Any) -> None:
    """Keyword-only parameters with harmless defaults, stored as given and nothing else done.

    By position go only the first parameters of scikit-learn's namesake, in its order; where there
    is none, only the very first: what the model is made of.
    """
    cls = type(estimator)
    parameters = dict(inspect.signature(cls.__init__).parameters)
    parameters.pop("self")
    given = {}
    namesake = _namesakes().get(cls.__name__)
    theirs = list(parameters)[:1] if namesake is None else _positional(namesake)
    ours = _positional(cls)
    assert ours == theirs[: len(ours)], f"{name}: {ours} must be keyword-only, except {theirs}"
    for key, parameter in parameters.items():
        assert not isinstance(parameter.default, list | dict | set | np.ndarray), (
            f"{name}: the default of {key} can be changed by accident"
        )
        given[key] = object()
    model = cls(**given)
    assert vars(model) == given, f"{name}: the constructor must store its arguments and stop"


@cache
def _namesakes() -> dict[str, Any]:
    """Estimators of scikit-learn by name."""
    return dict(all_estimators())


def _positional(cls: Any) -> list[str]:
    """Parameters of a constructor that may be given by position."""
    parameters = list(inspect.signature(cls.__init__).parameters.values())[1:]
    return [p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]


def sections(doc: str) -> dict[str, str]:
    r"""Text of each numpydoc section of a docstring, the opening under the empty name.

    Examples
    --------
    >>> sections("Title.\n\nNotes\n-----\nSlow.")["Notes"].strip()
    'Slow.'
    """
    heading = re.compile(rf"^({'|'.join(SECTIONS)})\n-+$", re.MULTILINE)
    pieces = heading.split(doc)
    return {"": pieces[0], **dict(zip(pieces[1::2], pieces[2::2], strict=True))}


def _entries(text: str) -> set[str]:
    """Names described in a numpydoc section, several per line allowed."""
    lines = [line.split(" : ")[0] for line in text.splitlines() if re.match(r"\w.* : ", line)]
    return {item.strip() for line in lines for item in line.split(",")}


def check_docstring(name: str, estimator: Any) -> None:
    """A first line, every parameter and attribute by meaning, an example, documented methods."""
    cls = type(estimator)
    doc = inspect.getdoc(cls) or ""
    described = sections(doc)
    first = doc.splitlines()[0] if doc else ""
    assert first.endswith("."), f"{name}: the docstring must open with a sentence, got {first!r}"
    assert len(first) <= 100, f"{name}: the first line of the docstring must be short"
    assert ">>> " in described.get("Examples", ""), f"{name}: no example in the docstring"
    missing = set(estimator.get_params(deep=False)) - _entries(described.get("Parameters", ""))
    assert not missing, f"{name}: parameters without description: {sorted(missing)}"
    X, y, _ = sample_for(estimator)
    learnt = {k for k in vars(fitted(estimator, X, y)) if k.endswith("_") and k[0] != "_"}
    missing = learnt - _entries(described.get("Attributes", ""))
    assert not missing, f"{name}: attributes without description: {sorted(missing)}"
    for method, function in inspect.getmembers(cls, inspect.isfunction):
        if not method.startswith("_"):
            assert inspect.getdoc(function), f"{name}.{method} has no docstring"


def check_card(name: str, estimator: Any) -> None:
    """The card agrees with the class, and every corner of its search space can be fitted."""
    card = type(estimator).card
    assert isinstance(card, Card), f"{name}: card must be a Card"
    assert card.tasks, f"{name}: the card lists no task"
    assert ("classification" in card.tasks) == is_classifier(estimator), f"{name}: {card.tasks}"
    assert ("regression" in card.tasks) == is_regressor(estimator), f"{name}: {card.tasks}"
    unknown = set(card.search_space) - set(estimator.get_params(deep=False))
    assert not unknown, f"{name}: the search space names {sorted(unknown)}"
    X, y, _ = sample_for(estimator)
    grid = card.grid(2)
    for values in product(*grid.values()):
        chosen = dict(zip(grid, values, strict=True))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            model = fitted(estimator, X, y, **chosen)
        assert_finite(model, X, f"{name} with {chosen}")


def check_fit_report(name: str, estimator: Any) -> None:
    """An ordinary fit converges, and its report says so with evidence."""
    X, y, _ = sample_for(estimator)
    model = fitted(estimator, X, y)
    report = getattr(model, "fit_report_", None)
    assert isinstance(report, FitReport), f"{name} leaves no fit_report_"
    assert report.estimator == type(estimator).__name__
    assert report.status is Status.CONVERGED, f"{name}: {report!r}"
    assert np.isfinite(report.objective)
    # Where every machine counts for itself, the report has the most or the sum.
    steps = np.asarray(getattr(model, "n_iter_", report.n_iter))
    assert steps.max() <= report.n_iter <= steps.sum()
    if report.certificate is not None:
        assert np.isfinite(report.certificate.value)
        assert report.certificate.holds, f"{name} claims convergence with {report.certificate!r}"
    objective = report.trace.get("objective")
    if objective is not None and len(objective):
        least = np.abs(objective).max()
        np.testing.assert_allclose(objective[-1], report.objective, rtol=1e-9, atol=1e-12 * least)


def check_cut_short(name: str, estimator: Any) -> None:
    """One iteration is enough, or the user is warned and the report says why it stopped."""
    X, y, _ = sample_for(estimator)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = fitted(estimator, X, y, max_iter=1)
    report = model.fit_report_
    assert_finite(model, X, f"{name} after one iteration")
    if report.status is Status.CONVERGED:
        assert not caught, f"{name} converged and warns"
        return
    texts = [str(w.message) for w in caught if issubclass(w.category, ConvergenceWarning)]
    assert texts, f"{name} stopped early in silence"
    assert texts[0].startswith(f"{type(estimator).__name__}: "), f"{name}: {texts[0]!r}"
    assert report.status is Status.MAX_ITER, f"{name}: {report.status}"
    assert report.message, f"{name}: the report does not say why the search stopped"
    assert report.certificate is None or not report.certificate.holds
