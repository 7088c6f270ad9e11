"""What a solver may ask of an objective."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

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
