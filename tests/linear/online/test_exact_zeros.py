"""Exact zeros of stochastic fits with absolute penalties."""

import numpy as np
import pytest

from margin import losses, optim, penalties
from margin.linear import SGDClassifier, SGDRegressor
from margin.linear.online._exact_zeros import exact_zeros


@pytest.mark.parametrize("intercept", [True, False])
def test_objective_never_rises(intercept):
    rng = np.random.default_rng(4)
    X, y = rng.normal(size=(80, 12)), rng.choice([-1.0, 1.0], 80)
    rows = optim.RowSum.build(X, y, None, losses.Hinge(), penalties.L1(0.05), intercept=intercept)
    x = rng.normal(size=12 + intercept) * np.geomspace(1e-6, 1.0, 12 + intercept)
    fewer = exact_zeros(rows, x)
    assert rows.value(rows.pad(fewer)) <= rows.value(rows.pad(x))
    assert (fewer == 0).sum() >= 3
    kept = fewer != 0
    assert (fewer[kept] == x[kept]).all()


@pytest.mark.parametrize("loss", ["hinge", "log_loss", "squared_hinge"])
@pytest.mark.parametrize("penalty", ["l1", "elasticnet"])
def test_most_useless_features_get_no_weight(loss, penalty):
    rng = np.random.default_rng(5)
    X = rng.normal(size=(300, 100))
    y = X[:, 0] - X[:, 1] > 0
    model = SGDClassifier(loss, penalty=penalty, alpha=0.05, l1_ratio=0.9).fit(X, y)
    assert (model.coef_ == 0).sum() >= 50
    assert model.coef_[0, :2].all()
    line = SGDRegressor(penalty=penalty, alpha=0.1, l1_ratio=0.9).fit(X, X[:, 0] - X[:, 1])
    assert (line.coef_ == 0).sum() >= 50
