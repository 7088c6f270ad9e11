"""Rows with targets that come in blocks: the same model as from all rows at once."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array

from margin.core import Blocks
from margin.linear import (
    BernoulliNB,
    CategoricalNB,
    GaussianNB,
    LinearDiscriminantAnalysis,
    LinearRegression,
    MultinomialNB,
    QuadraticDiscriminantAnalysis,
    Ridge,
)
from margin.linear._labelled_blocks import block_labels, checked_blocks

RNG = np.random.default_rng(0)
X = RNG.normal(size=(90, 4)) + 1e3
CLASSES = np.array(["a", "b", "c"])[np.digitize(X[:, 0], [999.5, 1000.4])]
COUNTS = RNG.poisson(2.0, size=(90, 4))
WEIGHT = RNG.integers(1, 4, size=90).astype(float)
TARGET = X @ [1.0, -2.0, 0.5, 0.0] + 0.1 * RNG.normal(size=90)


def cut(*columns):
    """Blocks of unlike sizes, one of a single row."""
    return [tuple(c[rows] for c in columns) for rows in np.split(np.arange(90), [7, 8, 50])]


@pytest.mark.parametrize(
    ("model", "rows"),
    [
        (GaussianNB(), X),
        (MultinomialNB(), COUNTS),
        (MultinomialNB(), csr_array(COUNTS)),
        (BernoulliNB(binarize=1.0), COUNTS),
        (CategoricalNB(), COUNTS),
        (LinearDiscriminantAnalysis(), X),
        (LinearDiscriminantAnalysis(shrinkage=0.3, priors=[0.2, 0.3, 0.5]), X),
        (QuadraticDiscriminantAnalysis(reg_param=0.1), X),
    ],
)
@pytest.mark.parametrize("weighted", [False, True])
def test_classifiers(model, rows, weighted):
    weight = (WEIGHT,) if weighted else ()
    whole = type(model)(**model.get_params()).fit(rows, CLASSES, *weight)
    parts = model.fit_blocks(lambda: iter(cut(rows, CLASSES, *weight)))
    assert_array_equal(parts.classes_, whole.classes_)
    assert_allclose(parts.predict_proba(rows), whole.predict_proba(rows), rtol=1e-7, atol=1e-10)
    assert parts.fit_report_.objective == pytest.approx(whole.fit_report_.objective)
    assert parts.n_features_in_ == 4


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("targets", [TARGET, np.column_stack([TARGET, TARGET**2])])
@pytest.mark.parametrize("make", [LinearRegression, lambda **k: Ridge(3.0, **k)])
@pytest.mark.parametrize("weighted", [False, True])
def test_least_squares(make, targets, intercept, weighted):
    weight = (WEIGHT,) if weighted else ()
    whole = make(fit_intercept=intercept).fit(X, targets, *weight)
    parts = make(fit_intercept=intercept).fit_blocks(cut(X, targets, *weight))
    assert_allclose(parts.coef_, whole.coef_, rtol=1e-8, atol=1e-9)
    assert_allclose(parts.intercept_, whole.intercept_, rtol=1e-8, atol=1e-6)
    laws = parts.predict_dist(X[:5]), whole.predict_dist(X[:5])
    assert_allclose(laws[0].mean, laws[1].mean, rtol=1e-9)
    assert_allclose(laws[0].var, laws[1].var, rtol=1e-6)
    assert parts.coef_.shape == whole.coef_.shape


def test_fewer_rows_than_columns():
    """The answer of least norm, as from all rows."""
    rows, y = RNG.normal(size=(5, 8)), RNG.normal(size=5)
    whole, parts = LinearRegression().fit(rows, y), LinearRegression()
    parts.fit_blocks([(rows[:2], y[:2]), (rows[2:], y[2:])])
    assert_allclose(parts.coef_, whole.coef_, atol=1e-12)
    assert parts.rank_ == whole.rank_ == 4


def test_labels_are_found_or_announced():
    blocks = Blocks.of("Model", cut(X, CLASSES))
    assert_array_equal(block_labels("Model", blocks, None), ["a", "b", "c"])
    assert_array_equal(block_labels("Model", blocks, ["d", "a"]), ["a", "d"])


def test_refusals():
    with pytest.raises(ValueError, match="GaussianNB: blocks must be of tuples"):
        GaussianNB().fit_blocks([(X, CLASSES, WEIGHT, WEIGHT)])
    with pytest.raises(ValueError, match="Ridge: blocks must be at least one block"):
        Ridge().fit_blocks([])
    with pytest.raises(ValueError, match="Ridge: blocks must be a list"):
        Ridge().fit_blocks(iter(cut(X, TARGET)))
    with pytest.raises(ValueError, match="Ridge: positive must be False"):
        Ridge(positive=True).fit_blocks(cut(X, TARGET))
    with pytest.raises(ValueError, match="of 1 targets, as in the first block, got 2"):
        Ridge().fit_blocks([(X, TARGET), (X, np.ones((90, 2)))])
    with pytest.raises(ValueError, match="shrinkage must be None or a number for rows in blocks"):
        LinearDiscriminantAnalysis(shrinkage="auto").fit_blocks(cut(X, CLASSES))
    with pytest.raises(ValueError, match="X has 3 features"):
        list(checked_blocks(Ridge(), Blocks.of("Ridge", [(X, TARGET), (X[:, :3], TARGET)])))


def test_a_failed_fit_keeps_the_old_model():
    model = Ridge().fit(X, TARGET)
    coef = model.coef_.copy()
    with pytest.raises(ValueError, match="NaN"):
        model.fit_blocks([(X, TARGET), (np.full((1, 4), np.nan), TARGET[:1])])
    assert_array_equal(model.coef_, coef)
