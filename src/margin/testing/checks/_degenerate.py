"""Awkward tables get a right answer or a clear error, never a silent NaN."""

import warnings
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.exceptions import ConvergenceWarning

from margin.testing._outputs import assert_finite
from margin.testing._refusal import refusal
from margin.testing._samples import Sample, fitted, sample_for


def _score(model: Any, sample: Sample) -> float:
    """Training score, above that of the best constant prediction."""
    if is_classifier(model):
        _, counts = np.unique(sample.y, return_counts=True)
        return float(model.score(sample.X, sample.y) - counts.max() / counts.sum())
    if is_regressor(model):
        # A robust fit goes for the median, whose score against the mean is below zero.
        gap = (np.median(sample.y) - np.mean(sample.y)) ** 2 / max(np.var(sample.y), 1e-300)
        return float(model.score(sample.X, sample.y) + gap)
    return 0.0


def _assert_useful(name: str, estimator: Any, sample: Sample, what: str) -> float:
    """Fit, predict finite numbers, and be no worse than a constant, or warn."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("error")
        warnings.simplefilter("always", ConvergenceWarning)
        model = fitted(estimator, sample.X, sample.y)
    assert_finite(model, sample.X, f"{name} with {what}")
    score = _score(model, sample)
    assert caught or score >= -1e-6, f"{name} with {what} is worse than a constant, and silent"
    return score


def _with_fixed_width(estimator: Any, X: Any) -> Any:
    """The same estimator with the number that ``gamma="scale"`` stands for on this table.

    By its definition, scikit-learn's, "scale" takes the variance over all entries of the table: a
    constant column of another level makes another kernel, hence another machine. Which kernel it
    is must not change when the question is whether a column without information is ignored.
    """
    gamma = estimator.get_params(deep=False).get("gamma")
    if not (isinstance(gamma, str) and gamma == "scale"):
        return estimator
    return clone(estimator).set_params(gamma=float(1.0 / (X.shape[1] * X.var())))


def check_missing_values(name: str, estimator: Any) -> None:
    """Where NaN means unobserved, a tenth of the values missing leaves a useful model."""
    X, y, weight = sample_for(estimator)
    holes = np.random.default_rng(1).random(X.shape) < 0.1
    sample = Sample(np.where(holes, np.nan, X), y, weight)
    _assert_useful(name, estimator, sample, "a tenth of the values missing")


def check_constant_column(name: str, estimator: Any) -> None:
    """Columns without information cost nothing: a constant one, one of zeros, a repeated one."""
    sample = sample_for(estimator)
    fixed = _with_fixed_width(estimator, sample.X)
    usual = _assert_useful(name, fixed, sample, "ordinary data")
    n = len(sample.X)
    for what, column in (
        ("a constant column", np.full(n, 3.0)),
        ("a column of zeros", np.zeros(n)),
        ("a repeated column", sample.X[:, 0]),
    ):
        wider = sample._replace(X=np.column_stack([sample.X, column]))
        _assert_useful(name, estimator, wider, what)
        score = _assert_useful(name, fixed, wider, what)
        assert score >= usual - 0.05, f"{name} loses {usual - score:.3f} by {what}"


def check_duplicate_rows(name: str, estimator: Any) -> None:
    """Rows that occur twice, or a table of one row repeated, are no reason to break."""
    sample = sample_for(estimator)
    usual = _assert_useful(name, estimator, sample, "ordinary data")
    twice = sample.take(np.tile(np.arange(len(sample.X)), 2))
    again = clone(estimator)
    if "C" in again.get_params(deep=False):
        # C is the price of one row: half of it for each of two.
        again.set_params(C=again.C / 2)
    if isinstance(getattr(again, "n_neighbors", None), Integral):
        # Among rows that occur twice the same neighbours are twice as many.
        again.set_params(n_neighbors=2 * again.n_neighbors)
    if isinstance(getattr(again, "min_samples_leaf", None), Integral):
        again.set_params(min_samples_leaf=2 * again.min_samples_leaf)
    change = abs(_assert_useful(name, again, twice, "every row twice") - usual)
    assert change <= 0.05, f"{name}: the score changes by {change:.3f} with every row twice"
    same = sample._replace(X=np.tile(sample.X[:1], (len(sample.X), 1)))
    _assert_useful(name, estimator, same, "one row repeated")


def check_one_sample(name: str, estimator: Any) -> None:
    """One row gives a finite model or an error that says what is missing."""
    one = sample_for(estimator).take([0])
    text = refusal(fitted, estimator, one.X, one.y)
    if text is None:
        assert_finite(fitted(estimator, one.X, one.y), one.X, f"{name} with one sample")
    else:
        assert "sample" in text or "class" in text, f"{name}: {text!r} does not say why"


def check_fewer_rows_than_columns(name: str, estimator: Any) -> None:
    """More columns than rows is a table like any other."""
    sample = sample_for(estimator, n=12, p=40)
    if "min_samples_leaf" in estimator.get_params(deep=False):
        # Trees may be told to learn nothing from few rows.
        estimator = clone(estimator).set_params(min_samples_leaf=1)
    score = _assert_useful(name, estimator, sample, "fewer rows than columns")
    if is_regressor(estimator) or is_classifier(estimator):
        assert score > 0.1, f"{name} learns nothing from fewer rows than columns"


def check_scales(name: str, estimator: Any) -> None:
    """Huge, tiny and mixed units of the columns give finite answers, or a warning."""
    sample = sample_for(estimator)
    p = sample.X.shape[1]
    for what, factor in (
        ("tiny numbers", 1e-9),
        ("huge numbers", 1e9),
        ("mixed units", np.geomspace(1e-7, 1e7, p)),
    ):
        _assert_useful(name, estimator, sample._replace(X=sample.X * factor), what)
    shifted = sample._replace(X=sample.X + 1e6)
    _assert_useful(name, estimator, shifted, "columns far from zero")


def check_target_scales(name: str, estimator: Any) -> None:
    """Huge, tiny and constant targets are fitted as well as others.

    A fixed penalty may outweigh tiny targets and shrink all coefficients away, never huge ones.
    """
    sample = sample_for(estimator)
    usual = _assert_useful(name, estimator, sample, "ordinary data")
    _assert_useful(name, estimator, sample._replace(y=sample.y * 1e-9), "tiny targets")
    score = _assert_useful(name, estimator, sample._replace(y=sample.y * 1e9), "huge targets")
    assert score >= usual - 0.05, f"{name} loses {usual - score:.3f} by huge targets"
    constant = np.full(len(sample.X), 2.5)
    model = fitted(estimator, sample.X, constant)
    np.testing.assert_allclose(
        model.predict(sample.X), constant, rtol=1e-6, err_msg=f"{name} with a constant target"
    )


def check_rare_class(name: str, estimator: Any) -> None:
    """A class with a single row is kept, or refused by name where one row cannot be enough."""
    sample = sample_for(estimator)
    y = np.where(np.arange(len(sample.X)) == 5, "zzz", np.asarray(sample.y, dtype=object))
    y = y.astype(str)
    if len(set(y)) > 2:
        keep = np.isin(y, ["zzz", *sorted(set(y))[: len(set(sample.y)) - 1]])
        sample, y = sample.take(keep), y[keep]
    text = refusal(fitted, estimator, sample.X, y)
    if text is not None:
        start = f"{type(estimator).__name__}: "
        assert text.startswith(start), f"{name}: {text!r} should start with {start!r}"
        assert "zzz" in text, f"{name}: {text!r} does not say which class is too small"
        return
    model = fitted(estimator, sample.X, y)
    assert "zzz" in model.classes_, f"{name} forgets a rare class"
    assert_finite(model, sample.X, f"{name} with a rare class")
