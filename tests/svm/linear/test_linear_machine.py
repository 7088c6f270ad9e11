"""Parameters that the linear machines share."""

import numpy as np
import pytest

from margin.svm import LinearSVC, LinearSVR
from margin.svm.linear._linear_fit import LinearSettings
from margin.svm.linear._linear_machine import LinearMachine

BOTH = pytest.mark.parametrize("machine", [LinearSVC, LinearSVR])


@BOTH
def test_parameters_become_settings(machine):
    assert issubclass(machine, LinearMachine)
    model = machine(C=3, fit_intercept=False, max_iter=7, dual=True)
    expected = LinearSettings(3.0, True, 0.5, 0.0, True, 1e-4, 7)
    assert model._settings(squared=True, epsilon=0.5) == expected
    assert machine(intercept_scaling=2)._settings(squared=False).constant == 2.0


@BOTH
@pytest.mark.parametrize("name", ["C", "tol", "max_iter", "fit_intercept", "loss", "dual"])
def test_every_parameter_is_checked(machine, name):
    with pytest.raises(ValueError, match=f"{machine.__name__}: {name} must be"):
        machine(**{name: "no"}).fit(None, None)


@BOTH
def test_a_free_intercept_is_left_to_newton(machine):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(30, 3)), rng.integers(0, 2, size=30)
    dual = machine(intercept_scaling=np.inf, dual=True).fit(X, y)
    newton = machine(intercept_scaling=np.inf, dual=False).fit(X, y)
    assert dual.fit_report_.solver == "SemismoothNewton"
    assert np.array_equal(dual.coef_, newton.coef_)


@BOTH
def test_the_report_is_printed_on_request(machine, capsys):
    machine(verbose=1).fit([[0.0], [1.0]], [0, 1])
    assert f"{machine.__name__} fit: converged" in capsys.readouterr().out
    with pytest.raises(ValueError, match="verbose must be"):
        machine(verbose=-1).fit([[0.0], [1.0]], [0, 1])


def test_a_free_intercept_has_no_joint_problem():
    model = LinearSVC(intercept_scaling=np.inf, multi_class="crammer_singer")
    with pytest.raises(ValueError, match='finite with multi_class="crammer_singer"'):
        model.fit([[0.0], [1.0]], [0, 1])
