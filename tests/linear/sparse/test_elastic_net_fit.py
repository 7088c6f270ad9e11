"""The call that Lasso and ElasticNet share (linear.14, linear.15)."""

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from margin import losses, optim, penalties
from margin.linear import ElasticNet
from margin.linear.sparse._elastic_net_fit import _starts


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
    X, y, _ = sample()
    model = ElasticNet(alpha=0.1, warm_start=True)
    assert _starts(model, 1, 6) == [None]
    model.fit(X, y)
    (start,) = _starts(model, 1, 6)
    assert_array_equal(start, np.append(model.coef_, model.intercept_))
    assert _starts(model, 2, 6) == [None, None]
    assert _starts(model, 1, 5) == [None]
    bare = ElasticNet(alpha=0.1, warm_start=True, fit_intercept=False).fit(X, y)
    assert_array_equal(_starts(bare, 1, 6)[0], bare.coef_)
    assert _starts(ElasticNet().fit(X, y), 1, 6) == [None]
