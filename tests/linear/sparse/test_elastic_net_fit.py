"""The call that Lasso and ElasticNet share (linear.14, linear.15)."""

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from margin import losses, optim, penalties
from margin.linear import ElasticNet
from margin.linear.sparse._elastic_net_fit import warm_starts


def sample(seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(40, 6))
    return X, X[:, 0] + rng.normal(size=40) + 1.0, rng.random(40)


def test_the_objective_reported_is_the_one_documented():
    X, y, weight = sample()
    model = ElasticNet(alpha=0.1, l1_ratio=0.4).fit(X, y, weight)
    r = y - model.predict(X)
    wanted = np.average(r**2, weights=weight) / 2
    wanted += 0.1 * (0.4 * np.abs(model.coef_).sum() + 0.3 * model.coef_ @ model.coef_)
    assert_allclose(model.fit_report_.objective, wanted, rtol=1e-12)
    problem = optim.LinearProblem(
        X, y, weight / weight.sum(), losses.Squared(), penalties.ElasticNet(0.1, 0.4)
    )
    x = np.append(model.coef_, model.intercept_)
    assert_allclose(problem.expand(x).value, wanted, rtol=1e-12)
    assert_allclose(model.dual_gap_, optim.duality_gap(problem, x), rtol=1e-6, atol=1e-14)


def test_starts_only_where_shapes_match():
    coef, both = np.arange(6.0), {"with_intercept": True}
    assert warm_starts(None, 0.0, 1, 6, **both) == [None]
    (start,) = warm_starts(coef, 2.5, 1, 6, **both)
    assert_array_equal(start, np.append(coef, 2.5))
    assert warm_starts(coef, 2.5, 2, 6, **both) == [None, None]
    assert warm_starts(coef, 2.5, 1, 5, **both) == [None]
    assert_array_equal(warm_starts(coef, 0.0, 1, 6, with_intercept=False)[0], coef)
    table, levels = np.arange(12.0).reshape(2, 6), np.array([7.0, 8.0])
    for row, (w, b) in zip(
        warm_starts(table, levels, 2, 6, **both), zip(table, levels, strict=True), strict=True
    ):
        assert_array_equal(row, np.append(w, b))


def test_a_warm_start_is_used_only_where_asked_for():
    """linear.15: a fit started at its own answer has nothing left to do."""
    X, y, _ = sample()
    model = ElasticNet(alpha=0.01, warm_start=True, tol=1e-10).fit(X, y)
    first = model.coef_.copy()
    again = model.fit(X, y)
    assert_allclose(again.coef_, first, atol=1e-6)
    assert again.n_iter_ == 0
    bare = ElasticNet(alpha=0.01, warm_start=True, fit_intercept=False).fit(X, y)
    assert_allclose(bare.fit(X, y).coef_, bare.coef_)
