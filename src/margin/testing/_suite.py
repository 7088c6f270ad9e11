"""The table of all checks, and the decorator that runs them under pytest."""

import inspect
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from sklearn.base import is_classifier, is_regressor
from sklearn.utils import get_tags
from sklearn.utils.validation import has_fit_parameter

from margin.evaluation import all_estimators
from margin.testing._outputs import answers_rows
from margin.testing.checks import (
    _degenerate,
    _distribution,
    _failure,
    _input,
    _invariance,
    _metadata,
    _persistence,
)

Check = Callable[[str, Any], None]
Applies = Callable[[Any], bool]


def _always(estimator: Any) -> bool:
    return True


def _weighted(estimator: Any) -> bool:
    return bool(has_fit_parameter(estimator, "sample_weight"))


def _transforms(estimator: Any) -> bool:
    return hasattr(estimator, "transform")


def _many_targets(estimator: Any) -> bool:
    tags = get_tags(estimator)
    return bool(is_regressor(estimator) and tags.target_tags.multi_output)


def _separate_targets(estimator: Any) -> bool:
    # Hyper-parameters learned from all targets together are not those of one target alone; nor are
    # the questions of a tree, or directions that targets share.
    alone = all(_lacks(name)(estimator) for name in ("optimizer", "criterion", "n_components"))
    return _many_targets(estimator) and alone


def _fixed_noise(estimator: Any) -> bool:
    # Labels that repeat with their rows are evidence of less noise: a classifier that learns how
    # smooth its function is, or drops rows that their neighbours contradict, rightly changes its
    # mind.
    learns = _has("optimizer")(estimator) or _has("n_editors")(estimator)
    return not (is_classifier(estimator) and learns)


def _takes_sparse(estimator: Any) -> bool:
    return bool(get_tags(estimator).input_tags.sparse)


def _takes_missing(estimator: Any) -> bool:
    return bool(get_tags(estimator).input_tags.allow_nan)


def _has(parameter: str) -> Applies:
    return lambda estimator: parameter in estimator.get_params(deep=False)


def _lacks(parameter: str) -> Applies:
    return lambda estimator: parameter not in estimator.get_params(deep=False)


def _draws_nothing(estimator: Any) -> bool:
    return _lacks("random_state")(estimator) or not estimator.card.seeded


def _votes(estimator: Any) -> bool:
    # Of classes with equal votes of neighbours or trees the first wins, as in scikit-learn.
    return _has("leaf_size")(estimator) or _has("bootstrap")(estimator)


def _keeps_rows(estimator: Any) -> bool:
    # A row drawn twice is not a row of weight two, and a boosted learner hangs on the last digit
    # of the weights wherever two splits are equally good.
    draws = _has("bootstrap")(estimator)
    boosts = _has("estimator")(estimator) and _has("learning_rate")(estimator)
    return not draws and not boosts


def _no_folds(estimator: Any) -> bool:
    # Folds are cut by the position of the rows, as in scikit-learn.
    return _lacks("cv")(estimator)


def _repeats(estimator: Any) -> bool:
    # A bootstrap of repeated rows draws others, and so do random batches.
    draws = _has("bootstrap")(estimator) or _has("reassignment_ratio")(estimator)
    return _weighted(estimator) and _no_folds(estimator) and not draws


def _levelled(estimator: Any) -> bool:
    # A function through the origin cannot be a constant.
    return getattr(estimator, "fit_intercept", True) is not False


def _equivariant(estimator: Any) -> bool:
    # The squares of an elastic net do not scale with the target, its automatic strengths do.
    folds = _has("cv")(estimator) and _has("l1_ratio")(estimator)
    # The multipliers of a support vector machine are at most C, whatever the targets.
    bounded = _has("C")(estimator)
    free = not folds and not bounded
    return bool(is_regressor(estimator)) and free and _levelled(estimator)


def _answers(method: str) -> Applies:
    return lambda estimator: hasattr(estimator, method)


# When a check of this name applies; the others apply to every estimator.
_CONDITIONS: dict[str, Applies] = {
    "check_broken_sparse": _takes_sparse,
    "check_column_target": _separate_targets,
    "check_cut_short": _has("max_iter"),
    "check_duplicate_rows": lambda e: _fixed_noise(e) and _keeps_rows(e),
    "check_label_names": lambda e: is_classifier(e) and not _votes(e),
    "check_missing_values": _takes_missing,
    "check_n_jobs": _has("n_jobs"),
    "check_predict_dist": _answers("predict_dist"),
    "check_predicting_is_row_by_row": answers_rows,
    "check_probabilities": lambda e: is_classifier(e) and _answers("predict_proba")(e),
    "check_rare_class": is_classifier,
    "check_row_order": lambda e: _draws_nothing(e) and _no_folds(e),
    "check_scales": _levelled,
    "check_seed": _has("random_state"),
    "check_set_output": _transforms,
    "check_sparse": _takes_sparse,
    "check_target_scales": _equivariant,
    "check_unit_weights": _weighted,
    "check_weight_containers": _weighted,
    "check_weight_memory": _weighted,
    "check_weight_is_repetition": lambda e: _repeats(e) and _keeps_rows(e),
    "check_weights_must_not_vanish": _weighted,
}

_MODULES = (
    _metadata,
    _input,
    _invariance,
    _persistence,
    _failure,
    _degenerate,
    _distribution,
)


def all_checks() -> list[Check]:
    """Every check of margin, in reading order.

    Examples
    --------
    >>> all_checks()[0].__name__
    'check_constructor'
    """
    return [
        function
        for module in _MODULES
        for name, function in vars(module).items()
        if name.startswith("check_") and inspect.isfunction(function)
    ]


def checks_for(estimator: Any) -> Iterator[Check]:
    """Checks that apply to an estimator of tables, by what it can do.

    Examples
    --------
    >>> from margin.linear import Ridge
    >>> names = [check.__name__ for check in checks_for(Ridge())]
    >>> "check_sparse" in names, "check_label_names" in names
    (True, False)
    """
    for check in all_checks():
        if _CONDITIONS.get(check.__name__, _always)(estimator):
            yield check


def instances(input: str = "table") -> list[Any]:  # noqa: A002
    """One instance, with default parameters, of every estimator that takes this input.

    Forests get a seed and few trees, and what may be sparse is dense.

    Examples
    --------
    >>> Ridge = [e for e in instances() if type(e).__name__ == "Ridge"]
    >>> Ridge
    [Ridge()]
    """
    return [_with_seed(cls()) for _, cls in all_estimators(input=input)]


def _with_seed(model: Any) -> Any:
    # Two forests from two seeds are two forests; and a few trees show what many would.
    if _has("sparse_output")(model):
        model.set_params(sparse_output=False)  # what is compared is dense
    if _has("beta_loss")(model) or _has("dict_init")(model):
        model.set_params(max_iter=10_000)  # factors converge slowly
    if _has("dense_output")(model):
        model.set_params(dense_output=True)
    if _has("n_components")(model) and (
        is_regressor(model) or _has("compute_inverse_components")(model)
    ):
        model.set_params(n_components=1)  # no more than the target has columns, or the table
    drawing = any(_has(name)(model) for name in ("bootstrap", "sparse_output"))
    if _has("random_state")(model) and model.card.seeded:
        model.set_params(random_state=0)  # two maps from two seeds are two maps
    if drawing and _has("n_estimators")(model):
        model.set_params(random_state=0, n_estimators=10)
    return model


def parametrize_checks(estimators: Iterable[Any] | None = None) -> Any:
    """Decorator that runs a pytest function for every estimator and every check it must pass.

    Parameters
    ----------
    estimators : iterable of estimator instances, optional
        Those of :func:`instances` by default.

    Returns
    -------
    pytest decorator
        The test takes the arguments ``estimator`` and ``check``.

    Examples
    --------
    >>> from margin.linear import Ridge
    >>> @parametrize_checks([Ridge()])
    ... def test_margin(estimator, check):
    ...     check(type(estimator).__name__, estimator)
    """
    import pytest

    chosen = instances() if estimators is None else list(estimators)
    pairs = [
        pytest.param(estimator, check, id=f"{estimator!r}-{check.__name__}")
        for estimator in chosen
        for check in checks_for(estimator)
    ]
    return pytest.mark.parametrize(("estimator", "check"), pairs)
