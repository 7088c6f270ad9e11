import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import expit
from worlds import COVARIATES, study

from margin.causal import AverageEffect
from margin.causal.methods._batches import FoldedRows, placebo_log_odds
from margin.causal.methods._scores import Method
from margin.linear import LogisticRegression


def fitted(method, n=8000, continuous=False, **more):
    rng = np.random.default_rng(0)
    frame = study(n, rng)
    if continuous:
        frame["t"] = frame["t"] + frame["x1"] + rng.standard_normal(n)
    return AverageEffect(None, "t", "y", COVARIATES, method, random_state=0, **more).fit(
        frame, sample_weight=rng.uniform(0.5, 2, n)
    )


@pytest.mark.parametrize("n_folds", [1, 5])
def test_lines_of_all_changes_are_those_of_fits_one_by_one(n_folds):
    """Least squares throughout: sums in place of fits change nothing."""
    model, rng = fitted("dml", 400, continuous=True, n_folds=n_folds), np.random.default_rng(1)
    orders = np.stack([rng.permutation(400) for _ in range(4)])
    columns = rng.standard_normal((400, 4))
    given = (model._data, model._nuisances, model.scores_)
    for together, one_by_one, change in (
        (model.method_.placebos, Method.placebos, orders),
        (model.method_.with_columns, Method.with_columns, columns),
    ):
        slow = one_by_one(model.method_, *given, change)
        assert_allclose(together(*given, change), slow, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("method", ["dml", "ipw", "plain_ipw", "stabilised_ipw"])
def test_steps_are_as_good_as_fits_where_rows_are_many(method):
    """What a Newton step lacks is far below the error of the estimate."""
    model, rng = fitted(method), np.random.default_rng(2)
    orders = np.stack([rng.permutation(8000) for _ in range(3)])
    columns = rng.standard_normal((8000, 3))
    given = (model._data, model._nuisances, model.scores_)
    fast = model.method_.placebos(*given, orders)
    slow = Method.placebos(model.method_, *given, orders)
    # Folds are even within the levels of the data, which shuffling changes: they are others.
    assert_allclose(fast, slow, atol=0.1 * model.std_error_)
    fast = model.method_.with_columns(*given, columns)
    slow = Method.with_columns(model.method_, *given, columns)
    assert_allclose(fast, slow, atol=0.01 * model.std_error_)
    assert np.ptp(fast) > 0


def test_models_of_the_user_are_fitted_again():
    model = fitted("ipw", 400, propensity_model=LogisticRegression())
    assert not model._nuisances.is_plain(model._data)
    given = (model._data, model._nuisances, model.scores_)
    orders = np.random.default_rng(0).permutation(400)[None]
    value = model.method_.placebos(*given, orders)
    assert_allclose(value, Method.placebos(model.method_, *given, orders))


def test_chances_of_shuffled_levels():
    rng = np.random.default_rng(3)
    D = np.column_stack([np.ones(20000), rng.standard_normal((20000, 2))])
    t, weight = (rng.random(20000) < 0.3).astype(float), rng.uniform(0.5, 2, 20000)
    model = LogisticRegression(C=1e8, tol=1e-9).fit(D[:, 1:], t, sample_weight=weight)
    exact = model.predict_proba(D[:, 1:])[:, 1]
    T = np.stack([t, 1 - t])
    assert_allclose(expit(placebo_log_odds(D, T, weight)), [exact, 1 - exact], atol=1e-3)


def test_sums_with_and_without_a_fold():
    D, folds = np.arange(6.0)[:, None], np.array([1, 0, 1, 0, 1, 0])
    rows = FoldedRows.of(D, np.ones(6), folds)
    inside, outside = rows.sums(rows.D, rows.D)
    assert_allclose(inside.ravel(), [1 + 9 + 25, 4 + 16])
    assert_allclose(outside.ravel(), [4 + 16, 1 + 9 + 25])
