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
    assert trusted == ["margin.core.Status"]
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


def test_running_out_of_iterations_is_worse_than_stalling():
    ranked = sorted(Status, key=lambda status: status.severity)
    assert ranked == [Status.CONVERGED, Status.STALLED, Status.MAX_ITER, Status.FAILED]


@pytest.mark.parametrize(
    ("value", "tolerance", "ratio"),
    [(1.0, 2.0, 0.5), (0.0, 0.0, 0.0), (1.0, 0.0, np.inf)],
)
def test_ratio_of_a_certificate(value, tolerance, ratio):
    assert Certificate("gap", value, tolerance).ratio == ratio


def solution(status, n_iter=1, objective=1.0, value=0.0, **more):
    message = "" if status.ok else f"as {status.value}"
    proof = Certificate("gap", value, 1.0)
    trace = {"objective": np.arange(n_iter, 0.0, -1.0), "gap": np.ones(n_iter)}
    return Solution(
        np.full(2, objective), status, n_iter, objective, trace, proof, "engine", message, **more
    )


def test_one_solution_is_its_own_sum():
    only = solution(Status.STALLED)
    assert Solution.merge([only], parts="targets") is only


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_merging_keeps_the_worst_whatever_the_order(order):
    several = [
        solution(Status.STALLED, 2, 1.0, 5.0, repairs=("jitter",)),
        solution(Status.MAX_ITER, 3, 2.0, 2.0, repairs=("jitter", "restart"), extras={"a": 1}),
        solution(Status.CONVERGED, 1, 4.0, 0.5),
    ]
    whole = Solution.merge([several[k] for k in order], parts="targets")
    assert whole.status is Status.MAX_ITER
    assert whole.message == "2 of 3 targets: as max_iter"
    assert (whole.n_iter, whole.objective, whole.certificate.value) == (3, 7.0, 5.0)
    assert set(whole.repairs) == {"jitter", "restart"}
    assert whole.solver == "engine, 3 targets"
    assert whole.extras == {"a": 1}
    assert whole.x.shape == (6,)
    # Objectives 2 1 1, 3 2 1 and 1 1 1: a search that has ended keeps its last value.
    assert whole.trace["objective"].tolist() == [6.0, 4.0, 3.0]
    assert whole.trace["gap"].tolist() == [1.0, 1.0, 1.0]


def test_merging_adds_or_averages():
    several = [solution(Status.CONVERGED, 2, 1.0), solution(Status.CONVERGED, 3, 3.0)]
    whole = Solution.merge(several, objective="mean", n_iter="sum")
    assert (whole.n_iter, whole.objective, whole.message) == (5, 2.0, "")
    assert whole.trace["objective"].tolist() == [2.5, 1.5, 1.0]


def test_merging_leaves_out_what_not_all_have():
    several = [solution(Status.CONVERGED), Solution(np.zeros(1), Status.CONVERGED, 1, 0.0)]
    whole = Solution.merge(several)
    assert whole.trace == {}
    assert whole.certificate is several[0].certificate
    assert Solution.merge([several[1]] * 2).certificate is None


def test_an_interruption_of_one_interrupts_the_whole():
    several = [solution(Status.CONVERGED), solution(Status.MAX_ITER, interrupted=True)]
    assert Solution.merge(several).interrupted
    assert not Solution.merge(several[:1] * 2).interrupted
