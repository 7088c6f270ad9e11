"""A sum of three Matérn processes, observed with gaps, twins and noise of its own in every row."""

import numpy as np
import pytest

from margin.inference import MaternSum, Series


def _covariance(process, x, z):
    """The dense covariance from the closed forms of the Matérn kernels."""
    r = np.abs(x[:, None] - z)
    total = np.zeros(r.shape)
    for order, variance, rate in zip(process.order, *process.scales, strict=True):
        u = rate * r
        polynomial = {1: 1.0, 2: 1.0 + u, 3: 1.0 + u + u**2 / 3.0}[int(order)]
        total += variance * polynomial * np.exp(-u)
    return total


@pytest.fixture
def covariance():
    return _covariance


@pytest.fixture
def process():
    scales = np.array([[1.3, 0.4, 0.8], [0.9, 2.0, 1.1]])
    return MaternSum(np.array([2, 1, 3], dtype=np.int32), scales, 0.07)


@pytest.fixture
def rows():
    rng = np.random.default_rng(3)
    x = rng.uniform(0, 6, size=25)
    x[4] = x[9]
    return x, rng.uniform(0.0, 0.2, size=25), rng.normal(size=(25, 4))


@pytest.fixture
def series(rows):
    return Series.of(*rows)


@pytest.fixture
def dense(process, rows, covariance):
    x, noise, _ = rows
    return covariance(process, x, x) + np.diag(noise + process.level)
