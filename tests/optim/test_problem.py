"""What a solver may ask of an objective."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from margin import optim
from margin.optim import Expansion, Function, Problem


def test_function_gives_value_gradient_and_curvature_on_demand():
    A = np.diag([1.0, 4.0])
    asked = []

    def hessian(x):
        asked.append(x)
        return A

    problem = Function(lambda x: (0.5 * x @ A @ x, A @ x), 2, hessian)
    x = np.array([1.0, -1.0])
    plain = problem.expand(x)
    assert plain.value == 2.5
    assert_array_equal(plain.gradient, [1.0, -4.0])
    assert plain.hessian is None
    assert plain.hessian_product is None
    full = problem.expand(x, second_order=True)
    assert not asked, "the Hessian must not be computed before it is used"
    assert_array_equal(full.hessian(), A)
    assert_array_equal(full.hessian_product(np.ones(2)), [1.0, 4.0])
    assert len(asked) == 2


def test_function_provides_what_it_was_given():
    plain = Function(lambda x: (0.0, x), 1)
    assert "gradient" in plain.provides
    assert not plain.provides & {"hessian", "hessian_product"}
    full = Function(lambda x: (0.0, x), 1, lambda x: np.eye(1))
    assert full.provides >= {"gradient", "hessian", "hessian_product"}


def test_function_turns_integers_into_floats():
    found = Function(lambda x: (3, [1, 2]), 2).expand(np.zeros(2))
    assert isinstance(found.value, float)
    assert found.gradient.dtype == np.float64


def test_prox_of_a_smooth_problem_is_the_identity():
    x = np.array([1.0, 2.0])
    assert_array_equal(Function(lambda x: (0.0, x), 2).prox(x, 0.5), x)


def test_problem_is_abstract_and_expansion_is_frozen():
    with pytest.raises(TypeError, match="abstract"):
        Problem()
    with pytest.raises(AttributeError):
        Expansion(1.0, np.zeros(1)).value = 2.0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((3, 2), r"value_and_gradient must be a function x -> \(value, gradient\), got 3"),
        ((abs, abs), "dimension must be an integer, the length of x, got <built-in"),
        ((abs, "a"), "dimension must be an integer, the length of x, got 'a'"),
        ((abs, True), "dimension must be an integer"),
        ((abs, 2, "matrix"), "hessian must be a function x -> matrix, got 'matrix'"),
    ],
)
def test_parts_of_a_function(arguments, message):
    with pytest.raises(ValueError, match=f"Function: {message}"):
        optim.Function(*arguments)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda x: x @ x, r"a function x -> \(value, gradient\), got np.float64\(2.0\)"),
        (lambda x: (x @ x, None, 1), r"a function x -> \(value, gradient\), got \("),
        (lambda x: (x @ x, "up"), r"a function x -> \(value, gradient\), got \("),
        (lambda x: (x @ x, 2 * x[:1]), r"a function whose gradient has the shape \(2,\), got \(1,"),
    ],
)
def test_answers_of_a_function(answer, message):
    with pytest.raises(ValueError, match=f"Function: value_and_gradient must be {message}"):
        optim.minimise(optim.Function(answer, 2), optim.LBFGS(), np.ones(2))
