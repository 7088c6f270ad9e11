"""The outline that SVR and NuSVR share."""

import numpy as np
import pytest

from margin.svm import SVR, NuSVR
from margin.svm.kernel._regressor import KernelRegressor


@pytest.mark.parametrize("machine", [SVR, NuSVR])
def test_parameters_are_refused_before_the_data_are_read(machine):
    width = {"epsilon": -1.0} if machine is SVR else {"nu": 2.0}
    assert issubclass(machine, KernelRegressor)
    with pytest.raises(ValueError, match=f"{machine.__name__}: {next(iter(width))} must be"):
        machine(**width).fit(None, None)
    with pytest.raises(ValueError, match=f"{machine.__name__}: C must be"):
        machine(C=0.0).fit(None, None)


@pytest.mark.parametrize("machine", [SVR, NuSVR])
def test_predictions_of_the_linear_kernel_are_its_weights(machine):
    """svm.15"""
    X = np.arange(10.0)[:, None]
    model = machine(kernel="linear", C=10.0).fit(X, 2 * X[:, 0] + 1)
    assert np.allclose(model.predict(X), X @ model.coef_[0] + model.intercept_)
