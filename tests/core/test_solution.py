import copy
import pickle

import numpy as np
import pytest
import skops.io

from margin.core import Certificate, FitError, Solution, Status


def test_only_converged_is_ok():
    assert [s for s in Status if s.ok] == [Status.CONVERGED]
    assert {s.value for s in Status} == {"converged", "stalled", "max_iter", "failed"}


@pytest.mark.parametrize("status", list(Status))
def test_status_survives_copying_and_saving_as_the_same_object(status):
    assert pickle.loads(pickle.dumps(status)) is status
    assert copy.deepcopy(status) is status
    stored = skops.io.dumps(status)
    trusted = skops.io.get_untrusted_types(data=stored)
    assert trusted == ["margin.core._solution.Status"]
    assert skops.io.loads(stored, trusted=trusted) is status


def test_certificate_holds_up_to_and_at_its_tolerance():
    assert Certificate("gap", 1e-8, 1e-8).holds
    assert not Certificate("gap", 1.01e-8, 1e-8).holds
    assert not Certificate("gap", np.nan, 1e-8).holds


def test_certificate_reads_well():
    made = Certificate("gradient norm", 1.23456e-7, 1e-6)
    assert repr(made) == "gradient norm 1.23e-07 (tolerance 1e-06)"


def test_values_cannot_be_changed():
    with pytest.raises(AttributeError):
        Certificate("gap", 1.0, 2.0).value = 0.0
    with pytest.raises(AttributeError):
        Solution(np.zeros(1), Status.CONVERGED, 1, 0.0).x = None


def test_solution_defaults_are_not_shared():
    one, two = (Solution(np.zeros(1), Status.CONVERGED, 1, 0.0) for _ in range(2))
    assert one.trace == {}
    assert one.trace is not two.trace
    assert one.extras is not two.extras
    assert (one.certificate, one.message, one.repairs) == (None, "", ())


def test_fit_error_is_an_arithmetic_error_and_not_a_value_error():
    assert issubclass(FitError, ArithmeticError)
    assert not issubclass(FitError, ValueError)
