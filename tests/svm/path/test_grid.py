"""Machines for several prices, one after the other."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import load_iris

from margin.svm import SVC, svc_grid

X, Y = load_iris(return_X_y=True)
PRICES = [10.0, 0.01, 1.0, 10.0]


@pytest.mark.parametrize("scheme", ["ovo", "ovr"])
def test_same_as_one_by_one(scheme):
    """svm.03"""
    settings = SVC(multi_class=scheme, tol=1e-8, probability="sigmoid")
    models = svc_grid(settings, X, Y, C=PRICES, sample_weight=np.arange(150) % 3)
    assert [model.C for model in models] == PRICES
    for model, price in zip(models, PRICES, strict=True):
        alone = SVC(C=price, multi_class=scheme, tol=1e-8, probability="sigmoid")
        alone.fit(X, Y, sample_weight=np.arange(150) % 3)
        assert_allclose(model.decision_function(X), alone.decision_function(X), atol=1e-5)
        assert_allclose(model.predict_proba(X), alone.predict_proba(X), atol=1e-4)
        assert model.fit_report_.certificate.holds
    assert not hasattr(settings, "support_")


def test_warm_starts_save_steps():
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(700, 3))
    y = rows[:, 0] ** 2 + 0.5 * rng.normal(size=700) > 0.7
    prices = np.geomspace(0.1, 100.0, 12)
    warm = svc_grid(SVC(), rows, y, C=prices)
    cold = [SVC(C=price).fit(rows, y) for price in prices]
    assert sum(m.n_iter_ for m in warm) < 0.9 * sum(m.n_iter_ for m in cold)
    for one, other in zip(warm, cold, strict=True):
        assert_allclose(one.fit_report_.objective, other.fit_report_.objective, rtol=1e-4)


@pytest.mark.parametrize("bad", [[], [0.0], [np.inf], 1.0, [np.nan]], ids=str)
def test_prices(bad):
    with pytest.raises(ValueError, match="svc_grid: C must be a list of numbers above 0"):
        svc_grid(SVC(), X, Y, C=bad)
