"""What a path answers."""

import matplotlib as mpl
import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.svm import SVC, svc_path

mpl.use("Agg")
RNG = np.random.default_rng(0)
Y = np.array(["no", "yes"])[(RNG.random(50) < 0.3).astype(int)]
X = RNG.normal(size=(50, 2)) + (Y == "yes")[:, None]
PRICES = (0.003, 0.05, 0.7, 12.0, 300.0)


def test_at_gives_a_fitted_machine():
    path = svc_path(X, Y)
    for C in PRICES:
        model, trained = path.at(C), SVC(C=C, tol=1e-10).fit(X, Y)
        assert type(model) is SVC
        assert model.C == C
        assert model.get_params()["kernel"] == "rbf"
        assert model.fit_report_.certificate.holds
        assert_allclose(model.fit_report_.objective, trained.fit_report_.objective, rtol=1e-8)
        assert_allclose(model.decision_function(X), trained.decision_function(X), atol=1e-6)
        assert sorted(model.support_) == sorted(trained.support_)
        assert_allclose(model.dual_coef_, trained.dual_coef_, atol=1e-5 * C)
        assert len(model.support_report_.unbound) == len(trained.support_report_.unbound)
        assert model.n_features_in_ == 2


def test_coefficients_are_linear_between_breakpoints():
    path = svc_path(X, Y, C_max=5.0)
    middle = 0.5 * (path.Cs[1:-1] + path.Cs[2:])
    ends = path.dual_coef(path.Cs[1:])
    assert_allclose(path.dual_coef(middle), 0.5 * (ends[:-1] + ends[1:]), atol=1e-8)
    assert path.C_max == 5.0
    assert path.restarts == 0
    assert {where for *_, where in path.events} <= {"outside", "margin", "inside"}
    assert len(path.Cs) == len(path.intercepts) == len(path.n_support) == len(path.n_unbound)
    assert "breakpoints" in repr(path)


def test_picture():
    axes = svc_path(X, Y, C_max=2.0).plot()
    assert axes.get_xscale() == "log"
    assert len(axes.lines) == 52


def test_prices_off_the_path_and_other_columns():
    path = svc_path(X, Y, C_min=0.1, C_max=1.0)
    for C in (0.05, 2.0, np.nan):
        with pytest.raises(ValueError, match=r"SVCPath: C must be above 0 and between 0\.1 and 1"):
            path.decision_function(X, C)
    with pytest.raises(ValueError, match="3 features"):
        path.decision_function(np.ones((2, 3)), 0.5)
