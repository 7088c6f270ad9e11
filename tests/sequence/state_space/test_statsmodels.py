"""Reading systems of statsmodels: the arrays by hand, and the library where it is installed."""

import numpy as np
import pytest

from margin.inference import kalman_log_likelihood
from margin.sequence import from_statsmodels


def test_arrays_with_time_last():
    rng = np.random.default_rng(0)
    selection = np.array([[1.0], [0.0]])[:, :, None]
    parts = {
        "design": rng.normal(size=(1, 2, 5)), "transition": 0.5 * np.eye(2)[:, :, None],
        "selection": selection, "state_cov": np.array([[[2.0]]]),
        "obs_cov": np.array([[[1.0]]]), "obs_intercept": np.zeros((1, 1)),
        "state_intercept": rng.normal(size=(2, 5)),
        "start": (np.zeros(2), np.eye(2), np.zeros((2, 2))),
    }  # fmt: skip
    system = from_statsmodels(parts)
    np.testing.assert_array_equal(system.Q, np.diag([2.0, 0.0]))
    np.testing.assert_array_equal(system.C[3], parts["design"][:, :, 3])
    # There the intercept of a row leads out of it, here into it.
    np.testing.assert_array_equal(system.b[3], parts["state_intercept"][:, 2])
    assert system.diffuse is None


# Of its own results, which are not looked at.
@pytest.mark.filterwarnings("ignore:Care should be used when applying a loglikelihood burn")
@pytest.mark.parametrize("kind", ["level", "trend", "ar"])
def test_the_same_likelihood(kind):
    api = pytest.importorskip("statsmodels.api")
    y = np.cumsum(np.random.default_rng(1).normal(size=60))
    if kind == "ar":
        model = api.tsa.SARIMAX(y, order=(2, 0, 0), trend="c")
        params = [0.1, 0.5, 0.2, 1.3]
    else:
        name = {"level": "local level", "trend": "local linear trend"}[kind]
        model = api.tsa.UnobservedComponents(y, name)
        model.ssm.initialize_diffuse()
        params = [1.0, 0.5] if kind == "level" else [1.0, 0.5, 0.1]
    result = model.smooth(params)
    found = kalman_log_likelihood(from_statsmodels(result), y)[0]
    assert found == pytest.approx(result.llf_obs.sum(), rel=1e-8)


def test_refuses_others():
    with pytest.raises(ValueError, match="model must be of statsmodels' state-space family"):
        from_statsmodels(object())
