"""The outline that SVC and NuSVC share."""

import numpy as np
import pytest

from margin.svm import SVC, NuSVC
from margin.svm.kernel._classifier import KernelClassifier


@pytest.mark.parametrize("machine", [SVC, NuSVC])
def test_parameters_are_refused_before_the_data_are_read(machine):
    strength = {"C": 0.0} if machine is SVC else {"nu": 0.0}
    assert issubclass(machine, KernelClassifier)
    with pytest.raises(ValueError, match=f"{machine.__name__}: {next(iter(strength))} must be"):
        machine(**strength).fit(None, None)
    with pytest.raises(ValueError, match=f"{machine.__name__}: multi_class must be one of"):
        machine(multi_class="all").fit(None, None)


@pytest.mark.parametrize("machine", [SVC, NuSVC])
def test_probabilities_only_where_asked_for(machine):
    X, y = np.arange(12.0)[:, None], np.repeat([0, 1], 6)
    assert not hasattr(machine(), "predict_proba")
    model = machine(probability=True).fit(X, y)
    assert np.allclose(np.exp(model.predict_log_proba(X)), model.predict_proba(X))
    assert (model.predict(X) == y).all()
