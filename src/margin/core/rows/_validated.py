"""Scikit-learn's validation of tables, with our advice for missing values."""

from typing import Any

from sklearn.utils import get_tags
from sklearn.utils.validation import validate_data

# Each of these marginalises NaN, or sends it down a branch of its own.
TAKE_NAN = {
    "classification": (
        "margin.ensemble.GradientBoostingClassifier",
        "margin.ensemble.RandomForestClassifier",
        "margin.linear.LinearDiscriminantAnalysis",
        "margin.linear.GaussianNB",
    ),
    "regression": (
        "margin.ensemble.GradientBoostingRegressor",
        "margin.ensemble.RandomForestRegressor",
    ),
}
_THEIRS = " For supervised learning, you might want to consider sklearn."


def validated(estimator: Any, *args: Any, **kwargs: Any) -> Any:
    """``validate_data``, whose refusal of NaN names models of ours that take it.

    Examples
    --------
    >>> from margin.linear import Ridge
    >>> try:
    ...     validated(Ridge(), [[float("nan")]])
    ... except ValueError as error:
    ...     print("margin.ensemble.GradientBoostingRegressor" in str(error))
    True
    """
    try:
        return validate_data(estimator, *args, **kwargs)
    except ValueError as error:
        text = str(error)
        if _THEIRS not in text:
            raise
        raise ValueError(text[: text.index(_THEIRS)] + _advice(estimator)) from None


def _advice(estimator: Any) -> str:
    kind = get_tags(estimator).estimator_type
    task = {"classifier": "classification", "regressor": "regression"}.get(str(kind), "")
    names = TAKE_NAN.get(task) or (*TAKE_NAN["classification"], *TAKE_NAN["regression"])
    return (
        f" These do: {', '.join(names)}. Or fill the gaps, for instance by "
        "sklearn.impute.SimpleImputer in a pipeline, or drop the rows."
    )
