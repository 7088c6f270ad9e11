"""All sets of columns, what they share, and intervals over them."""

import numpy as np
import pytest

from margin.causal.discovery.invariance._invariant_sets import (
    InvariantSets,
    effect_range,
    first_of_the_lasso,
    invariant_sets,
    subsets,
)


def test_what_sets_share():
    sets = InvariantSets({(): 0.001, (0,): 0.2, (1,): 0.03, (0, 1): 0.6})
    assert sets.accepted(0.05) == ((0,), (0, 1))
    assert sets.common(0.05) == (0,)
    assert sets.common(0.01) == ()
    assert sets.common(0.9) == ()
    assert (sets.doubt(0), sets.doubt(1), sets.doubt(2)) == (0.03, 0.2, 0.6)


def test_residuals_of_another_regression():
    rng = np.random.default_rng(0)
    X, groups = rng.standard_normal((60, 2)), np.repeat([0, 1], 30)
    y = X[:, 0] + rng.standard_normal(60)
    plain = invariant_sets(X, y, groups, test="normal", columns=(0, 1), max_size=1)
    assert list(plain.p_values) == list(subsets((0, 1), 1))

    def residuals(Z, values):
        design = np.column_stack([np.ones(60), Z])
        return values - design @ np.linalg.lstsq(design, values)[0]

    other = invariant_sets(
        X, y, groups, test="normal", columns=(0, 1), max_size=1, residuals=residuals
    )
    for some, p in plain.p_values.items():
        assert other.p_values[some] == pytest.approx(p)


def test_intervals_by_textbook_and_their_union():
    rng = np.random.default_rng(1)
    X = rng.standard_normal((40, 2))
    y = 2 * X[:, 0] + rng.standard_normal(40)
    sm = pytest.importorskip("statsmodels.api")
    fit = sm.OLS(y, sm.add_constant(X)).fit()
    assert effect_range(X, y, 0, ((0, 1),), 0.9) == pytest.approx(tuple(fit.conf_int(0.1)[1]))
    low, high = effect_range(X, y, 0, ((0, 1), (1,)), 0.9)
    assert low == 0.0
    assert high == pytest.approx(fit.conf_int(0.1)[1, 1])
    assert effect_range(X, y, 0, ((1,),), 0.9) == (0.0, 0.0)


def test_the_lasso_keeps_all_of_few():
    rng = np.random.default_rng(2)
    X = rng.standard_normal((100, 12))
    y = 3 * X[:, 7] - 2 * X[:, 2] + rng.standard_normal(100)
    assert first_of_the_lasso(X, y, 12) == tuple(range(12))
    assert first_of_the_lasso(X, y, 2) == (2, 7)
