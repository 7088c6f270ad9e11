import numpy as np
import pytest

from margin.inference._differentiable import differentiable


def test_one_function_or_two():
    one = differentiable("who", lambda x: (x @ x, 2 * x), None, np.ones(2))
    two = differentiable("who", lambda x: x @ x, lambda x: 2 * x, np.ones(2))
    for function in (one, two):
        value, slope = function(np.array([1.0, 2.0]))
        assert value == 5.0
        assert slope.tolist() == [2.0, 4.0]


def test_a_value_alone_is_refused():
    with pytest.raises(ValueError, match="who: log_density must be a function that returns"):
        differentiable("who", lambda x: float(x @ x), None, np.ones(2))
    with pytest.raises(ValueError, match=r"who: gradient must be of shape \(2,\), got \(3,\)"):
        differentiable("who", lambda x: 0.0, lambda x: np.ones(3), np.ones(2))
