"""Spectra of scatter matrices in the span of few rows."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.linear import (
    FisherDiscriminant,
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
)
from margin.linear.discriminant import _fisher, _lda, _qda, _quadratic_rule, _row_span
from margin.linear.discriminant._row_span import centred_rows, spectrum

RNG = np.random.default_rng(0)
X = RNG.normal(size=(6, 20)) + 5.0
CODE = np.array([0, 0, 0, 1, 1, 1])
MEANS = np.stack([X[:3].mean(axis=0), X[3:].mean(axis=0)])


def test_products_of_the_rows_are_the_scatter():
    weight = RNG.random(6) + 0.5
    means = np.stack([np.average(X[c], axis=0, weights=weight[c]) for c in ([0, 1, 2], [3, 4, 5])])
    rows = centred_rows(X, CODE, means, weight, complete=True)
    away = X - means[CODE]
    assert_allclose(rows.T @ rows, (weight * away.T) @ away, atol=1e-12)


def test_only_few_whole_rows_are_worth_it():
    assert centred_rows(X, CODE, MEANS, None, complete=False) is None
    assert centred_rows(X[:, :11], CODE, MEANS[:, :11], None, complete=True) is None
    assert centred_rows(X[:, :12], CODE, MEANS[:, :12], None, complete=True) is not None


def test_the_same_directions_as_of_the_whole_matrix():
    rows = centred_rows(X, CODE, MEANS, None, complete=True)
    scale = RNG.random(20) + 0.5
    matrix = rows.T @ rows
    values, vectors = spectrum(matrix, scale, rows)
    every, axes = spectrum(matrix, scale)
    assert vectors.shape == (20, 6)
    assert (np.diff(values) >= 0).all()
    assert_allclose(values, every[-6:], atol=1e-12)
    assert_allclose(every[:-6], 0.0, atol=1e-12)
    whole = (vectors * values) @ vectors.T
    assert_allclose(whole, (axes * every) @ axes.T, atol=1e-12)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(
    ("model", "module"),
    [
        (LinearDiscriminantAnalysis(), _lda),
        (LinearDiscriminantAnalysis(shrinkage="auto"), _lda),
        (LinearDiscriminantAnalysis(shrinkage=0.5, solver="lsqr"), _lda),
        (LinearDiscriminantAnalysis(shrinkage=0.01, solver="eigen"), _lda),
        (LinearDiscriminantAnalysis(shrinkage=1.0), _lda),
        (LinearDiscriminantAnalysis(shrinkage=1e-12), _lda),
        (QuadraticDiscriminantAnalysis(), _qda),
        (QuadraticDiscriminantAnalysis(reg_param=0.1), _qda),
        (QuadraticDiscriminantAnalysis(reg_param=1.0), _qda),
        (QuadraticDiscriminantAnalysis(reg_param=1e-12), _qda),
        (QuadraticDiscriminantAnalysis(shrinkage="auto"), _qda),
        (QuadraticDiscriminantAnalysis(shrinkage=0.3, reg_param=0.2), _qda),
        (FisherDiscriminant(), _fisher),
    ],
)
@pytest.mark.parametrize("classes", [2, 3])
def test_discriminants_of_wide_tables(model, module, weighted, classes, monkeypatch):
    if classes > 2 and module is _fisher:
        pytest.skip("two classes only")
    rng = np.random.default_rng(2)
    y = np.arange(16) % classes
    wide = rng.normal(size=(16, 80)) + y[:, None] * (np.arange(80) < 3)
    wide *= np.geomspace(0.1, 30.0, 80)
    wide[:, 7] = 4.0
    weight = rng.integers(1, 3, 16).astype(float) if weighted else None
    new = rng.normal(size=(5, 80)) * np.geomspace(0.1, 30.0, 80)
    short = model.fit(wide, y, sample_weight=weight)
    answers = short.decision_function(new), short.predict_proba(wide), short.fit_report_.objective
    more = _more(short, new)
    if not isinstance(model, FisherDiscriminant):
        holes = np.where(np.arange(80) % 9 == 0, np.nan, new)
        with_holes = short.decision_function(holes)
    monkeypatch.setattr(module, "centred_rows", lambda *args, **options: None)
    whole = model.fit(wide, y, sample_weight=weight)
    assert_allclose(answers[0], whole.decision_function(new), rtol=1e-8)
    assert_allclose(answers[1], whole.predict_proba(wide), atol=1e-8)
    assert_allclose(answers[2], whole.fit_report_.objective, rtol=1e-4)
    for ours, dense in zip(more, _more(whole, new), strict=True):
        assert_allclose(ours, dense, rtol=1e-7, atol=1e-9 * np.abs(dense).max())
    if not isinstance(model, FisherDiscriminant):
        dense = whole.decision_function(holes)
        # The matrix holds the variances of the other directions, 1e-8, to 1e-8 of them only.
        assert_allclose(with_holes, dense, rtol=1e-7, atol=1e-6 * np.abs(dense).max())


def _more(model, new):
    """What else a discriminant tells, signs of directions aside."""
    told = [getattr(model, name) for name in ("covariance_", "coef_") if hasattr(model, name)]
    if isinstance(model, LinearDiscriminantAnalysis):
        told += [np.array(model.rank_), model.explained_variance_ratio_]
    if hasattr(model, "transform") and getattr(model, "solver", "") != "lsqr":
        told.append(np.abs(model.transform(new)))
    return told


@pytest.mark.parametrize("model", [LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis])
def test_mixed_covariances_of_few_rows_need_no_large_spectrum(model, monkeypatch):
    rng = np.random.default_rng(3)
    y = np.arange(12) % 2
    wide = rng.normal(size=(12, 60)) + y[:, None]

    def refused(*args, **options):
        raise AssertionError("a spectrum of all columns")

    monkeypatch.setattr(_row_span, "eigh", refused)
    monkeypatch.setattr(_quadratic_rule, "eigh", refused)
    settings = [{"shrinkage": "auto"}, {"shrinkage": 0.5}]
    if model is QuadraticDiscriminantAnalysis:
        settings.append({"reg_param": 0.1})
    for setting in settings:
        assert (model(**setting).fit(wide, y).predict(wide) == y).all()
