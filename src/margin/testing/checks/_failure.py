"""Bad input is refused by name and leaves the estimator as it was."""

import inspect
from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.exceptions import NotFittedError
from sklearn.utils import get_tags
from sklearn.utils.validation import has_fit_parameter

from margin.testing._outputs import METHODS, assert_same
from margin.testing._refusal import assert_house_format, refusal
from margin.testing._samples import fitted, sample_for


class _Nonsense:
    """No parameter of any estimator can be this."""

    def __repr__(self) -> str:
        return "<nonsense>"


NONSENSE = _Nonsense()


def _spoilt(estimator: Any) -> Iterator[tuple[str, tuple[Any, ...], dict[str, Any]]]:
    """Arguments of ``fit`` that must be refused, with a word on what is wrong with each."""
    X, y, weight = sample_for(estimator)

    def arguments(X: Any, y: Any) -> tuple[Any, ...]:
        return (X,) if y is None else (X, y)

    def spoil(array: Any, value: float) -> Any:
        array = array.copy()
        array.flat[1] = value
        return array

    if not get_tags(estimator).input_tags.allow_nan:
        yield "NaN in X", arguments(spoil(X, np.nan), y), {}
    yield "infinity in X", arguments(spoil(X, np.inf), y), {}
    yield "a vector for X", arguments(X[:, 0], y), {}
    yield "no rows", arguments(X[:0], None if y is None else y[:0]), {}
    yield "no columns", arguments(X[:, :0], y), {}
    if y is not None:
        yield "too few targets", (X, y[:-1]), {}
    if is_regressor(estimator):
        if not getattr(estimator, "takes_missing_targets", False):
            yield "NaN in y", (X, spoil(y, np.nan)), {}
        yield "infinity in y", (X, spoil(y, np.inf)), {}
    if is_classifier(estimator):
        only = np.full(len(X), "only")
        if not _answers_one_class(estimator, X, only):
            yield "one class", (X, only), {}
        yield "real numbers for classes", (X, X[:, 0]), {}
    if has_fit_parameter(estimator, "sample_weight"):
        negative, none = ({"sample_weight": spoil(weight, value)} for value in (-1.0, 0.0))
        if not _leaves_out(estimator, arguments(X, y), negative, none):
            yield "negative weight", arguments(X, y), negative
        yield "NaN weight", arguments(X, y), {"sample_weight": spoil(weight, np.nan)}
        yield "too few weights", arguments(X, y), {"sample_weight": weight[:-1]}
        yield "words for weights", arguments(X, y), {"sample_weight": ["w"] * len(X)}


def _answers_one_class(estimator: Any, X: Any, only: Any) -> bool:
    """Whether a single class is fitted and then predicted, as scikit-learn's naive Bayes does."""
    model = clone(estimator)
    if refusal(model.fit, X, only) is not None:
        return False
    return bool((model.predict(X) == only).all())


def _leaves_out(estimator: Any, arguments: Any, negative: Any, none: Any) -> bool:
    """Whether a row of negative weight is as one of none, as in scikit-learn's kernel machines."""
    model = clone(estimator)
    if refusal(model.fit, *arguments, **negative) is not None:
        return False
    assert_same(model, clone(estimator).fit(*arguments, **none), arguments[0], "negative weight")
    return True


def check_failed_fit_keeps_the_model(name: str, estimator: Any) -> None:
    """After a fit that raises, the old model answers as before, and a fresh one is fresh."""
    X, y, _ = sample_for(estimator)
    model, fresh = fitted(estimator, X, y), clone(estimator)
    witness = fitted(estimator, X, y)
    before, untouched = dict(vars(model)), dict(vars(fresh))
    for what, arguments, options in _spoilt(estimator):
        assert refusal(model.fit, *arguments, **options), f"{name} accepts {what}"
        _assert_untouched(model, before, f"{name} after {what}")
        assert refusal(fresh.fit, *arguments, **options)
        _assert_untouched(fresh, untouched, f"unfitted {name} after {what}")
    assert_same(model, witness, X, f"{name} after failed fits")


def _assert_untouched(model: Any, before: dict[str, Any], what: str) -> None:
    now = vars(model)
    changed = [k for k in now.keys() | before.keys() if now.get(k) is not before.get(k)]
    assert not changed, f"{what}: {', '.join(sorted(changed))} changed"


def check_bad_parameters_are_named(name: str, estimator: Any) -> None:
    """Nonsense for any parameter is refused as ``Class: parameter must be ..., got value``."""
    X, y, _ = sample_for(estimator)
    model = fitted(estimator, X, y)
    for parameter in inspect.signature(type(estimator).__init__).parameters:
        if parameter == "self":
            continue
        good = getattr(model, parameter)
        model.set_params(**{parameter: NONSENSE})
        before = dict(vars(model))
        text = refusal(model.fit, X) if y is None else refusal(model.fit, X, y)
        assert_house_format(text, type(estimator).__name__, parameter, NONSENSE)
        _assert_untouched(model, before, f"{name} after a bad {parameter}")
        model.set_params(**{parameter: good})


def check_weights_must_not_vanish(name: str, estimator: Any) -> None:
    """Weights that are all zero leave no data, which is said."""
    X, y, _ = sample_for(estimator)
    text = refusal(fitted, estimator, X, y, np.zeros(len(X))) or ""
    assert "sample_weight" in text, f"{name}: all weights zero gives {text!r}"
    assert type(estimator).__name__ in text


def check_predicting_before_fitting(name: str, estimator: Any) -> None:
    """An unfitted estimator refuses to predict with the exception made for it.

    One whose tags say that it needs no fit, such as a process with its prior, may answer.
    """
    X, _, _ = sample_for(estimator)
    if not get_tags(estimator).requires_fit:
        return
    for method in (m for m in METHODS if hasattr(estimator, m)):
        text = _not_fitted(clone(estimator), method, X)
        assert text is not None, f"{name}: {method} works before fit"
        assert type(estimator).__name__ in text, f"{name}: {text!r} does not name the class"


def _not_fitted(model: Any, method: str, X: Any) -> str | None:
    try:
        getattr(model, method)(X)
    except NotFittedError as error:
        return str(error)
    return None
