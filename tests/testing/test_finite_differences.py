import numpy as np
import pytest

from margin.testing import finite_differences
from margin.testing._finite_differences import elementwise_differences


def test_gradient_of_a_smooth_function_has_nine_digits():
    """Serves optim.24: differences against a gradient known in closed form."""
    x = np.array([[0.3, -2.0], [5.0, 1e3]])
    found = finite_differences(lambda v: float(np.sum(np.sin(v))), x)
    assert found.value.shape == x.shape
    assert found.smooth.all()
    np.testing.assert_allclose(found.value, np.cos(x), atol=1e-5)
    np.testing.assert_allclose(found.value[0], np.cos(x[0]), atol=1e-9)


def test_kinks_and_jumps_are_marked():
    kink = finite_differences(lambda v: float(np.abs(v).sum()), [0.0, 1.0])
    assert kink.smooth.tolist() == [False, True]
    jump = finite_differences(lambda v: float((v > 0).sum()), [0.0, 1.0])
    assert jump.smooth.tolist() == [False, True]


def test_the_point_is_not_written_to():
    x = np.array([1.0, 2.0])
    finite_differences(lambda v: float(v @ v), x)
    assert x.tolist() == [1.0, 2.0]


def test_a_wider_step_is_less_exact():
    x = np.array([1.0])
    errors = [
        abs(finite_differences(lambda v: float(np.exp(v[0])), x, step=h).value[0] - np.e)
        for h in (1e-3, 1e-5)
    ]
    assert errors[1] < errors[0]


@pytest.mark.parametrize("shape", [(7,), (7, 3)])
def test_elementwise_is_the_jacobian_of_each_row(shape):
    x = np.random.default_rng(0).normal(size=shape)
    function = np.square if x.ndim == 1 else (lambda v: (v**2).sum(axis=1))
    found = elementwise_differences(function, x)
    np.testing.assert_allclose(found.value, 2 * x, atol=1e-8)
    assert found.smooth.all()
