import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.causal import e_value, e_value_of_difference


def test_published_example_and_symmetry():
    """VanderWeele and Ding: 3.9 (1.8, 8.7) gives 7.26 and 3.0"""
    found = e_value(3.9, 1.8, 8.7)
    assert_allclose([found.estimate, found.limit], [7.26, 3.0], atol=0.01)
    turned = e_value(1 / 3.9, 1 / 8.7, 1 / 1.8)
    assert_allclose([turned.estimate, turned.limit], [found.estimate, found.limit])
    assert e_value(1.0).estimate == 1
    assert e_value(1.5, 0.9, 2.5).limit == 1


def test_the_bound_is_attained():
    """A cause with both risk ratios equal to the E-value produces exactly the ratio."""
    for ratio in (1.2, 2.0, 5.0):
        E = e_value(ratio).estimate
        assert_allclose(E * E / (E + E - 1), ratio)


def test_differences():
    found = e_value_of_difference(1.0, 0.2, 2.0)
    assert_allclose(found.estimate, e_value(np.exp(0.455)).estimate)
    with pytest.raises(ValueError, match="above 0"):
        e_value_of_difference(1.0, 0.2, 0.0)
    with pytest.raises(ValueError, match="risk_ratio must be a number above 0"):
        e_value(-1.0)
