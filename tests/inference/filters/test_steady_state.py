"""Steady states: closed forms and long filters."""

import numpy as np
import pytest
from systems import random_system

from margin.core import FitError
from margin.inference.filters._kalman import kalman_filter
from margin.inference.filters._linear_system import LinearSystem
from margin.inference.filters._steady_state import stationary_covariance, steady_state


@pytest.mark.parametrize("ratio", [1e-4, 0.3, 1.0, 50.0])
def test_local_level(ratio):
    """sequence.37: P = q (1 + sqrt(1 + 4 r / q)) / 2, the golden ratio for q = r."""
    walk = LinearSystem([[1.0]], [[1.0]], [[ratio]], [[1.0]])
    true = ratio * (1 + np.sqrt(1 + 4 / ratio)) / 2
    found = steady_state(walk)
    assert found.predicted[0, 0] == pytest.approx(true, rel=1e-9)
    assert found.gain[0, 0] == pytest.approx(true / (true + 1), rel=1e-9)


def test_where_the_filter_settles():
    rng = np.random.default_rng(0)
    system = random_system(rng, 3, 2)
    known = kalman_filter(system, rng.normal(size=(300, 2)))
    found = steady_state(system)
    np.testing.assert_allclose(found.predicted, known.predicted_cov[-1], atol=1e-10)
    np.testing.assert_allclose(found.filtered, known.cov[-1], atol=1e-10)


def test_stationary_variance():
    """sequence.27: s^2 / (1 - a^2), 5.26… for a = 0.9; |a| < 1 is required, also below zero."""
    assert stationary_covariance([[0.9]], [[1.0]])[0, 0] == pytest.approx(5.263157894736843)
    assert stationary_covariance([[-0.9]], [[1.0]])[0, 0] == pytest.approx(5.263157894736843)
    for a in (1.0, -1.2):
        with pytest.raises(ValueError, match="eigenvalues of size below 1 for a stationary law"):
            stationary_covariance([[a]], [[1.0]])


def test_no_steady_state():
    blind = LinearSystem([[2.0]], [[0.0]], [[1.0]], [[1.0]])
    with pytest.raises(FitError, match="do not settle"):
        steady_state(blind)
