"""Posteriors of continuous variables."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import norm

from margin.graphical import ContinuousResult

MIXED = ContinuousResult(
    ("x",),
    np.array([[0.25, 0.75]]),
    np.array([[[0.0], [4.0]]]),
    np.array([[[[1.0]], [[2.0]]]]),
)


def test_moments_of_a_mixture():
    assert_allclose(MIXED.mean, [3.0])
    assert_allclose(MIXED.var, [0.25 * 1 + 0.75 * 2 + 0.25 * 9 + 0.75 * 1])
    assert_allclose(MIXED.values, MIXED.mean)
    expected = np.log(0.25 * norm.pdf(1.0) + 0.75 * norm.pdf(1.0, 4.0, np.sqrt(2.0)))
    assert_allclose(MIXED.log_prob([1.0]), expected, rtol=1e-12)
    assert MIXED.to_frame().loc["x", "mean"] == pytest.approx(3.0)
    assert repr(MIXED).splitlines()[0].split() == ["variable", "mean", "sd"]


def test_single_normal():
    one = ContinuousResult(
        ("x", "y"), np.ones((2, 1)), np.zeros((2, 1, 2)), np.tile(np.eye(2), (2, 1, 1, 1)), True
    )
    assert one.distribution(1).dim == 2
    assert one.to_frame().shape == (2, 4)
    assert one.covariance.shape == (2, 2, 2)
    assert "2 queries of x, y" in repr(one)
    with pytest.raises(ValueError, match="must have one component, got 2"):
        MIXED.distribution()
