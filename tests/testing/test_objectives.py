import numpy as np
import pytest

from margin.optim import check_gradient
from margin.testing._objectives import Provides, broken, cliff, logistic, quadratic, valley


@pytest.mark.parametrize("condition", [1.0, 1e3])
def test_quadratic_has_the_promised_minimiser_and_curvature(condition):
    problem, best = quadratic(6, condition)
    here = problem.expand(best, second_order=True)
    assert here.value == 0.0
    assert np.abs(here.gradient).max() == 0.0
    values = np.linalg.eigvalsh(here.hessian())
    np.testing.assert_allclose(values[[0, -1]], [1.0, condition], rtol=1e-9)


def test_gradients_are_right():
    x = np.random.default_rng(0).normal(size=5)
    assert check_gradient(logistic(0.3), x) < 1e-8
    assert check_gradient(quadratic(5, 10.0)[0], x) < 1e-8


def test_the_hessian_of_logistic_is_the_derivative_of_its_gradient():
    problem, x, h = logistic(0.3), np.full(5, 0.2), 1e-6
    numeric = [
        (problem.expand(x + h * e).gradient - problem.expand(x - h * e).gradient) / (2 * h)
        for e in np.eye(5)
    ]
    given = problem.expand(x, second_order=True).hessian()
    np.testing.assert_allclose(given, numeric, rtol=1e-6, atol=1e-8)


def test_the_forms_for_solvers_of_linear_models_are_the_same_functions():
    x = np.random.default_rng(1).normal(size=5)
    for plain, model in (
        (quadratic(5, 100.0)[0], quadratic(5, 100.0, linear=True)[0]),
        (logistic(0.3), logistic(0.3, linear=True)),
    ):
        assert {"rows", "columns"} <= model.provides
        one, two = plain.expand(x), model.expand(x)
        np.testing.assert_allclose(one.value, two.value, rtol=1e-10)
        np.testing.assert_allclose(one.gradient, two.gradient, rtol=1e-9, atol=1e-12)


def test_the_valley_gets_steeper_on_the_way_down():
    far, near = (valley().expand(np.array([x])) for x in (3.0, 2.0))
    assert near.value < far.value
    assert abs(near.gradient[0]) > abs(far.gradient[0])
    assert check_gradient(valley(), np.array([0.7])) < 1e-8


def test_provides_what_it_is_told_and_notes_evaluations():
    problem = Provides(frozenset({"rows"}))
    assert problem.provides == {"rows"}
    problem.expand(np.array([1.0, 2.0]))
    assert [v.tolist() for v in problem.visited] == [[1.0, 2.0]]


def test_the_broken_ones_are_broken():
    assert np.isnan(broken().expand(np.ones(1)).value)
    assert cliff().expand(np.array([0.95])).value == 0.95
    assert np.isnan(cliff().expand(np.array([0.85])).value)
