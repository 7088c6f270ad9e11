import numpy as np
import pytest
from sklearn.base import BaseEstimator

from margin.core import check


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


def test_counts_of_functions():
    assert check.count("f", "n", np.int32(3)) == 3
    assert check.count("f", "n", 0, least=0) == 0
    for bad in (0, -1, 2.0, "many", None, True, np.nan):
        assert refusal(check.count, "f", "n", bad) == (
            f"f: n must be an integer of at least 1, got {bad!r}"
        )
