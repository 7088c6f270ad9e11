"""Everything a fitted model answers, ready to be compared."""

from typing import Any

import numpy as np

METHODS = ("predict", "predict_proba", "decision_function", "score_samples", "transform")


def answers_rows(model: Any) -> bool:
    """Whether there is a method for other rows than those of the fit.

    Examples
    --------
    >>> from margin.linear import Ridge
    >>> answers_rows(Ridge())
    True
    """
    return any(hasattr(model, method) for method in METHODS)


def outputs(model: Any, X: Any) -> dict[str, Any]:
    """Answer of every prediction method the model has, as arrays by method name.

    A predictive distribution is represented by its mean and its variance.

    Examples
    --------
    >>> from margin.linear import Ridge
    >>> sorted(outputs(Ridge().fit([[0.0], [1.0]], [0.0, 1.0]), [[2.0]]))
    ['predict']
    """
    answers = {m: np.asarray(getattr(model, m)(X)) for m in METHODS if hasattr(model, m)}
    if hasattr(model, "predict_dist"):
        distribution = model.predict_dist(X)
        answers["predict_dist.mean"] = np.asarray(distribution.mean)
        answers["predict_dist.var"] = np.asarray(distribution.var)
    if not answers and hasattr(model, "embedding_"):
        answers["embedding_"] = np.asarray(model.embedding_)  # a map of these rows only
    assert answers, f"{type(model).__name__} has none of the methods {', '.join(METHODS)}"
    return answers


def numbers(answers: dict[str, Any]) -> dict[str, Any]:
    """The answers that are numbers, labels left out."""
    return {k: v for k, v in answers.items() if v.dtype.kind == "f"}


def assert_same(one: Any, two: Any, X: Any, what: str, *, rtol: float | None = None) -> None:
    """Check that two models answer alike: to the last bit, or to a relative tolerance."""
    first, second = outputs(one, X), outputs(two, X)
    assert first.keys() == second.keys(), f"{what}: methods differ"
    for method, answer in first.items():
        message = f"{what}: {method} differs"
        if rtol is None or answer.dtype.kind != "f":
            np.testing.assert_array_equal(answer, second[method], err_msg=message)
        else:
            size = np.max(np.abs(answer), initial=0.0, where=np.isfinite(answer))
            atol = rtol * max(1e-300, float(size))
            np.testing.assert_allclose(
                answer, second[method], rtol=rtol, atol=atol, err_msg=message
            )


def assert_finite(model: Any, X: Any, what: str) -> None:
    """Check that no answer holds NaN or infinity."""
    for method, answer in numbers(outputs(model, X)).items():
        assert np.isfinite(answer).all(), f"{what}: {method} is not finite"
