"""Parameters of continuous nodes (graphical.20)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.graphical import ConditionalGaussianCPD, LinearGaussianCPD


def test_arrays_are_broadcast():
    """graphical.20"""
    cpd = ConditionalGaussianCPD([1.0, 2.0], coef=[0.5], variance=3.0)
    intercept, coef, variance = cpd.arrays("x", [2], 1)
    assert_allclose(intercept, [1, 2])
    assert_allclose(coef, [[0.5], [0.5]])
    assert_allclose(variance, [3, 3])
    assert cpd.n_parameters(1, [2]) == 6


def test_linear_is_conditional_without_discrete_parents():
    cpd = LinearGaussianCPD(1.0, [2.0, 3.0], 0.5, parents=["a", "b"])
    assert cpd.parents == ("a", "b")
    assert not cpd.discrete
    assert cpd.n_parameters(2, []) == 4
    assert [a.shape for a in cpd.arrays("x", [], 2)] == [(), (2,), ()]


def test_refusals():
    with pytest.raises(ValueError, match="variance must be at least 0, got -1"):
        LinearGaussianCPD(variance=-1.0)
    with pytest.raises(ValueError, match="intercept must be finite"):
        LinearGaussianCPD(np.nan)
    with pytest.raises(ValueError, match="intercept must be a number"):
        LinearGaussianCPD([1.0, 2.0])
    with pytest.raises(ValueError, match="coef must be a vector"):
        LinearGaussianCPD(coef=[[1.0]])
    with pytest.raises(ValueError, match=r"x must have intercept and variance of shape \(3,\)"):
        ConditionalGaussianCPD([1.0, 2.0]).arrays("x", [3], 0)
