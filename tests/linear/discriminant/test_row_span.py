"""Spectra of scatter matrices in the span of few rows."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.linear import (
    FisherDiscriminant,
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
)
from margin.linear.discriminant import _fisher, _lda, _qda
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
        (QuadraticDiscriminantAnalysis(), _qda),
        (FisherDiscriminant(), _fisher),
    ],
)
def test_discriminants_of_wide_tables(model, module, weighted, monkeypatch):
    rng = np.random.default_rng(2)
    y = np.arange(16) % 2
    wide = rng.normal(size=(16, 80)) + y[:, None] * (np.arange(80) < 3)
    weight = rng.integers(1, 3, 16).astype(float) if weighted else None
    new = rng.normal(size=(5, 80))
    short = model.fit(wide, y, sample_weight=weight)
    answers = short.decision_function(new), short.predict_proba(wide), short.fit_report_.objective
    monkeypatch.setattr(module, "centred_rows", lambda *args, **options: None)
    whole = model.fit(wide, y, sample_weight=weight)
    assert_allclose(answers[0], whole.decision_function(new), rtol=1e-8)
    assert_allclose(answers[1], whole.predict_proba(wide), atol=1e-8)
    assert_allclose(answers[2], whole.fit_report_.objective, rtol=1e-4)
