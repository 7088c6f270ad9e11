"""Least noise variances."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.decomposition.probabilistic._noise_floor import (
    check_observed,
    floor_repairs,
    noise_floor,
)


def test_floor():
    assert_allclose(noise_floor(np.array([1.0, 0.0, 3.0]), 0.1), [0.1, 0.2, 0.3])
    assert_allclose(noise_floor(np.zeros(2), 0.1), 0.1)


def test_repairs_name_the_columns():
    floor = np.full(3, 0.1)
    assert floor_repairs(np.ones(3), floor, isotropic=False) == ()
    (told,) = floor_repairs(np.array([1.0, 0.1, 1.0]), floor, isotropic=False)
    assert "column 1" in told
    assert "Heywood" in told
    assert "raised" in floor_repairs(floor, floor, isotropic=True)[0]


def test_columns_never_seen():
    with pytest.raises(ValueError, match="Model: X must be observed at least once"):
        check_observed("Model", np.array([1.0, 0.0]))
