import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning, NotFittedError

from margin.core import Certificate, FitError, FitReport, Solution, Status, check


class Model(BaseEstimator):
    def __init__(self, value=None):
        self.value = value

    def fit(self, X, y):
        return self


def refusal(call, *args, error=ValueError, **kwargs):
    with pytest.raises(error) as caught:
        call(*args, **kwargs)
    return str(caught.value)


GOOD = {
    "positive": [1e-300, 1, 2.5, np.float32(3), np.int64(1)],
    "nonnegative": [0, 0.0, -0.0, 7, np.float64(1e300)],
    "fraction": [0, 1, 0.5, np.float32(0.25)],
    "count": [1, 10**12, np.int32(4)],
    "flag": [True, False, np.True_],
}
BAD = {
    "positive": ([0, -1.0, np.nan, "1", None, True, 1j, [1.0]], "a number above 0"),
    "nonnegative": ([-1e-300, np.nan, "0", None, False], "a number of at least 0"),
    "fraction": ([-0.1, 1.1, np.nan, "half", None, True], "a number between 0 and 1"),
    "count": ([0, -3, 1.0, np.nan, "5", None, True], "an integer of at least 1"),
    "flag": ([0, 1, "yes", None, 1.0], "True or False"),
}


@pytest.mark.parametrize("rule", GOOD)
def test_params_accepts_every_value_that_satisfies_the_rule(rule):
    for value in GOOD[rule]:
        check.params(Model(value), **{rule: "value"})


@pytest.mark.parametrize("rule", BAD)
def test_params_refuses_with_class_parameter_requirement_and_value(rule):
    values, requirement = BAD[rule]
    for value in values:
        message = refusal(check.params, Model(value), **{rule: "value"})
        assert message == f"Model: value must be {requirement}, got {value!r}"


@pytest.mark.parametrize("rule", ["positive", "nonnegative", "fraction"])
@pytest.mark.parametrize("value", [np.inf, -np.inf, np.float32(np.inf)])
def test_params_asks_for_finite_numbers(rule, value):
    message = refusal(check.params, Model(value), **{rule: "value"})
    assert message == f"Model: value must be finite, got {value!r}"
    message = refusal(check.params, Model(np.inf), count="value")
    assert message == "Model: value must be an integer of at least 1, got inf"


def test_params_takes_several_names_and_refuses_the_first_bad_one():
    class Two:
        alpha, tol, beta = 1.0, -1.0, -2.0

    check.params(Two(), positive="alpha")
    message = refusal(check.params, Two(), positive="alpha tol beta")
    assert message == "Two: tol must be a number above 0, got -1.0"


def test_params_one_of_compares_type_and_value():
    for value in ("lbfgs", None, 2):
        check.params(Model(value), one_of={"value": ("lbfgs", None, 2)})
    for value in ("LBFGS", 2.0, True, ["lbfgs"], np.array([1, 2])):
        message = refusal(check.params, Model(value), one_of={"value": ("lbfgs", None, 2)})
        assert message == f"Model: value must be one of 'lbfgs', None, 2, got {value!r}"


COMMON = {
    "n_jobs": (
        [None, 1, -1, np.int64(4)],
        [0, 1.0, "2", True],
        "None or a non-zero integer",
    ),
    "random_state": (
        [None, 0, np.int32(3), np.random, np.random.default_rng(0), np.random.RandomState(0)],
        ["seed", 1.5, True],
        "None, an integer, a Generator or a RandomState",
    ),
    "class_weight": (
        [None, "balanced", {0: 1.0}],
        ["even", 2.0, [1.0, 2.0], np.ones(2)],
        "None, 'balanced' or a mapping of classes to weights",
    ),
}


@pytest.mark.parametrize("name", COMMON)
def test_params_checks_common_parameters_unasked(name):
    good, bad, requirement = COMMON[name]

    class Common:
        pass

    for value in good:
        owner = Common()
        setattr(owner, name, value)
        check.params(owner)
    for value in bad:
        owner = Common()
        setattr(owner, name, value)
        assert (
            refusal(check.params, owner) == f"Common: {name} must be {requirement}, got {value!r}"
        )


def test_fail_names_an_instance_or_takes_the_name():
    assert str(check.fail(Model(), "k", "odd", 2)) == "Model: k must be odd, got 2"
    assert str(check.fail("Lasso", "k", "odd", "2")) == "Lasso: k must be odd, got '2'"


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_data_keeps_floats_and_records_the_features(dtype):
    model = Model()
    X, y, weight = check.data(model, np.ones((3, 2), dtype=dtype), [1, 2, 3])
    assert X.dtype == dtype
    assert y.dtype == np.float64
    assert weight is None
    assert model.n_features_in_ == 2


@pytest.mark.parametrize("dtype", [np.int32, np.uint8, bool, object])
def test_data_makes_anything_else_float64(dtype):
    X, _, _ = check.data(Model(), np.ones((3, 2), dtype=dtype), [1, 2, 3])
    assert X.dtype == np.float64


def test_data_keeps_labels_of_a_classification():
    _, y, _ = check.data(Model(), np.ones((2, 1)), ["a", "b"], target="classes")
    assert y.tolist() == ["a", "b"]


def test_data_sparse_becomes_csr_or_is_refused():
    X = sparse.coo_array(np.eye(3))
    made, _, _ = check.data(Model(), X, [1, 2, 3], sparse=True)
    assert made.format == "csr"
    assert "dense" in refusal(check.data, Model(), X, [1, 2, 3], error=TypeError)


def test_data_refuses_nan_and_infinity_unless_missing_is_allowed():
    X = np.array([[np.nan], [1.0]])
    assert "Model" in refusal(check.data, Model(), X, [1, 2])
    kept, _, _ = check.data(Model(), X, [1, 2], missing=True)
    assert np.isnan(kept[0, 0])
    assert "infinity" in refusal(check.data, Model(), np.array([[np.inf], [1]]), [1, 2])
    with_infinity = np.array([[np.inf], [1]])
    assert "infinity" in refusal(check.data, Model(), with_infinity, [1, 2], missing=True)


def test_data_order_and_multi_output():
    X, y, _ = check.data(Model(), np.ones((4, 3)), np.ones((4, 2)), order="F", multi_output=True)
    assert X.flags.f_contiguous
    assert y.shape == (4, 2)
    assert "1d" in refusal(check.data, Model(), np.ones((4, 3)), np.ones((4, 2)))


def test_data_without_reset_holds_against_the_first_fit():
    model = Model()
    check.data(model, np.ones((3, 2)), [1, 2, 3])
    message = refusal(check.data, model, np.ones((3, 4)), [1, 2, 3], reset=False)
    assert "4 features" in message
    assert "Model" in message


def test_table_wants_a_fitted_estimator_and_the_same_columns():
    model = Model()
    with pytest.raises(NotFittedError):
        check.table(model, np.ones((3, 2)))
    model.coef_ = np.ones(2)
    model.n_features_in_ = 2
    assert check.table(model, np.ones((3, 2), dtype=np.float32)).dtype == np.float32
    assert "3 features" in refusal(check.table, model, np.ones((3, 3)))
    assert check.table(model, sparse.csc_array(np.eye(2)), sparse=True).format == "csr"


def test_weights_accepts_none_scalar_and_array():
    assert check.weights("Ridge", None, 3) is None
    assert check.weights("Ridge", 2, 3).tolist() == [2.0, 2.0, 2.0]
    made = check.weights("Ridge", [0, 1, 2], 3)
    assert made.dtype == np.float64
    assert made.tolist() == [0.0, 1.0, 2.0]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            [1, 2],
            "Ridge: sample_weight must be of length 3, got 2: sample_weight.shape == (2,), "
            "expected (3,)!",
        ),
        ([1, np.nan, 1], "Ridge: sample_weight must be finite everywhere, got 'NaN or infinity'"),
        ([1, np.inf, 1], "Ridge: sample_weight must be finite everywhere, got 'NaN or infinity'"),
        (
            [1, -0.5, 1],
            "Ridge: sample_weight must be at least 0 everywhere, got -0.5: Negative values in data "
            "passed to `sample_weight`",
        ),
        (
            [0, 0, 0],
            "Ridge: sample_weight must be above 0 somewhere, got all zeros; Invalid input - all "
            "samples have zero or negative weights.",
        ),
        (
            np.ones((3, 1)),
            "Ridge: Sample weights must be 1D array or scalar, got an array of shape (3, 1)",
        ),
        (["a", "b", "c"], "Ridge: sample_weight must be numbers, got ['a', 'b', 'c']"),
    ],
)
def test_weights_refusals(given, message):
    assert refusal(check.weights, "Ridge", given, 3) == message


def test_negative_weights_leave_rows_out_where_that_is_asked_for():
    assert check.weights("SVC", [1, -0.5, 2], 3, negative=True).tolist() == [1.0, 0.0, 2.0]
    assert "above 0 somewhere" in refusal(check.weights, "SVC", [-1, 0], 2, negative=True)


def test_objects_come_with_one_target_each():
    class Model:
        n_features_in_ = 3

    model = Model()
    model.n_features_in_ = 2
    items, y = check.objects(model, ("ab", "c"), [1, 2])
    assert items == ["ab", "c"]
    assert y.dtype == np.float64
    assert vars(model) == {}
    assert check.objects(model, ["ab"], None, target=None) == (["ab"], None)
    labels = check.objects(model, ["a", "b"], ["x", "y"], target="classes")[1]
    assert labels.tolist() == ["x", "y"]
    assert check.objects(model, ["a"], [[1, 2]], multi_output=True)[1].shape == (1, 2)


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        ("ab", [1, 2], "Model: X must be a list of objects, got 'one str'"),
        ([], [], "Model: X must hold at least 1 sample, got 0"),
        (["a"], None, "Model: requires y to be passed, but y is None"),
        (
            ["a"],
            [1, 2],
            "Model: y must be of length 1, one finite value per object, got 'shape (2,)'",
        ),
        (
            ["a"],
            [[1, 2]],
            "Model: y must be of length 1, one finite value per object, got 'shape (1, 2)'",
        ),
    ],
)
def test_object_refusals(X, y, message):
    assert refusal(check.objects, "Model", X, y) == message


def test_classes_are_sorted_and_coded():
    labels, codes = check.classes("Model", np.array([3, 1, 3, 2]))
    assert labels.tolist() == [1, 2, 3]
    assert codes.tolist() == [2, 0, 2, 1]


def test_classes_refusals():
    one = refusal(check.classes, "Model", np.array(["a", "a"]))
    assert one == "Model: y must hold at least 2 classes, got 1 class ('a')"
    number = refusal(check.classes, "Model", np.array([7, 7, 7]))
    assert number == "Model: y must hold at least 2 classes, got 1 class (7)"
    assert "Unknown label type" in refusal(check.classes, "Model", np.array([0.5, 1.7]))


def solution(status, message=""):
    return Solution(np.zeros(2), status, 4, 1.5, {"objective": np.arange(4.0)}, message=message)


def test_report_is_silent_when_converged():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        made = check.report(Model(), solution(Status.CONVERGED), notes=("chosen",))
    assert isinstance(made, FitReport)
    assert (made.estimator, made.n_iter, made.notes) == ("Model", 4, ("chosen",))


@pytest.mark.parametrize("status", [Status.STALLED, Status.MAX_ITER])
def test_report_warns_where_the_user_called_fit(status):
    class Fitted(Model):
        def fit(self, X=None, y=None):
            self.fit_report_ = check.report(self, solution(status, "raise max_iter"))
            return self

    with pytest.warns(ConvergenceWarning) as caught:
        made = Fitted().fit().fit_report_
    assert [str(w.message) for w in caught] == ["Fitted: raise max_iter"]
    assert caught[0].filename == __file__
    assert made.status is status


def test_report_raises_when_failed():
    broken = solution(Status.FAILED, "the Hessian is not finite")
    message = refusal(check.report, Model(), broken, error=FitError)
    assert message == "Model: the Hessian is not finite"


def test_an_answer_without_objective_is_none():
    nothing = float("nan")
    for solution in (
        Solution(np.zeros(1), Status.CONVERGED, 1, nothing),
        Solution(np.zeros(1), Status.STALLED, 1, nothing, message="stuck"),
    ):
        with pytest.raises(FitError, match=r"^Ridge: the objective came out as NaN; scale"):
            check.report("Ridge", solution)
    gap = Certificate("duality gap", nothing, 1e-6)
    with pytest.raises(FitError, match=r"^Ridge: the duality gap came out as NaN; scale"):
        check.report("Ridge", Solution(np.zeros(1), Status.CONVERGED, 1, 1.0, certificate=gap))


def test_a_method_may_have_no_objective():
    solution = Solution(np.zeros(1), Status.CONVERGED, 1, float("nan"))
    assert check.report("PC", solution, unknown_objective=True).status is Status.CONVERGED


@pytest.mark.parametrize(
    "values",
    [
        np.array([3, 1, 3, 2]),
        np.array([-5, 7, 7, -5, 0], dtype=np.int8),
        np.array([2**63, 5, 5], dtype=np.uint64),
        np.array([2**62, -(2**62), 1]),
        np.array([2**40 + 1, 2**40, 2**40 + 1]),
        np.array([True, False, True]),
        np.array([False, False]),
        np.array([4]),
        np.array([], dtype=np.int64),
    ],
)
def test_distinct_integers_are_those_of_a_sort(values):
    labels, codes = check.distinct(values)
    expected, inverse = np.unique(values, return_inverse=True)
    assert labels.dtype == expected.dtype
    assert codes.dtype == np.intp
    np.testing.assert_array_equal(labels, expected)
    np.testing.assert_array_equal(codes, inverse)
