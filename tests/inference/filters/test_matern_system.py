"""Processes as systems: the same evidence by either engine."""

import numpy as np
import pytest

from margin.inference import MaternSum, Series, matern_log_evidence, matern_smoother
from margin.inference.filters._kalman import kalman_log_likelihood
from margin.inference.filters._matern_system import matern_system
from margin.inference.filters._smoother import kalman_smoother

PROCESS = MaternSum(
    np.array([1, 2, 3], dtype=np.int32), np.array([[0.7, 1.3, 0.4], [2.0, 0.9, 1.6]]), 0.2
)


def test_two_engines_agree():
    rng = np.random.default_rng(0)
    x, y = np.sort(rng.uniform(0, 6, 12)), rng.normal(size=12)
    series = Series.of(x, np.zeros(12), y[:, None])
    value, _ = matern_log_evidence(PROCESS, series, 1)
    system = matern_system(PROCESS, x)
    assert kalman_log_likelihood(system, y)[0] == pytest.approx(value, rel=1e-9)
    places = np.sort(np.concatenate([x, [0.3, 2.2, 7.0]]))
    holed = np.full(15, np.nan)
    holed[np.searchsorted(places, x)] = y
    found = kalman_smoother(matern_system(PROCESS, places), holed)
    true = matern_smoother(PROCESS, series, places)
    C = system.C[0]
    np.testing.assert_allclose(found.mean @ C, true.mean[:, 0], atol=1e-8)
    np.testing.assert_allclose(np.einsum("i,tij,j->t", C, found.cov, C), true.var, atol=1e-8)


def test_unsorted_points():
    with pytest.raises(ValueError, match="x must be finite and sorted"):
        matern_system(PROCESS, [1.0, 0.0])
