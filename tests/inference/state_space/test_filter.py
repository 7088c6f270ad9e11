"""The filter against the dense covariance (gp.05)."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from margin.inference import MaternDirection, Series, matern_log_evidence, matern_whiten


def test_whitened_data_have_the_products_of_the_inverse(process, rows, series, dense):
    data = rows[2]
    whitened = matern_whiten(process, series)
    wanted = data.T @ np.linalg.solve(dense, data)
    np.testing.assert_allclose(whitened.white.T @ whitened.white, wanted, rtol=1e-9)
    assert whitened.log_det == pytest.approx(np.linalg.slogdet(dense)[1], rel=1e-10)
    assert whitened.jitter == 0.0
    assert not whitened.slope.any()


def test_log_evidence_is_the_normal_density(process, rows, series, dense):
    value, slopes = matern_log_evidence(process, series, 4)
    wanted = sum(multivariate_normal(cov=dense).logpdf(column) for column in rows[2].T)
    assert value == pytest.approx(wanted, rel=1e-10)
    assert slopes.size == 0


def test_a_mean_is_integrated_out(process, rows, dense):
    """The restricted likelihood: the density of the contrasts that are free of the mean."""
    x, noise, data = rows
    H = np.linalg.qr(np.column_stack([np.ones(25), x]))[0]
    value, _ = matern_log_evidence(process, Series.of(x, noise, np.hstack([data[:, :2], H])), 2)
    contrasts = np.linalg.qr(H, mode="complete")[0][:, 2:]
    law = multivariate_normal(cov=contrasts.T @ dense @ contrasts)
    wanted = sum(law.logpdf(contrasts.T @ column) for column in data[:, :2].T)
    assert value == pytest.approx(wanted, rel=1e-9)


@pytest.mark.parametrize("rank", [0, 2])
def test_slopes_against_differences(process, series, rank):
    rng = np.random.default_rng(0)
    directions = [
        MaternDirection(rng.normal(size=(2, 3)), rng.normal()),
        MaternDirection(np.zeros((2, 3)), 1.0),
    ]
    h, k = 1e-6, 4 - rank
    _, slopes = matern_log_evidence(process, series, k, directions)

    def value(direction, step):
        scales, level = process.scales + step * direction.scales, process.level
        moved = replace(process, scales=scales, level=level + step * direction.level)
        return matern_log_evidence(moved, series, k)[0]

    numeric = [(value(d, h) - value(d, -h)) / (2 * h) for d in directions]
    np.testing.assert_allclose(slopes, numeric, rtol=1e-6)


def test_twins_without_noise_need_jitter(process):
    twins = Series.of(np.zeros(2), np.zeros(2), np.ones((2, 1)))
    whitened = matern_whiten(replace(process, level=0.0), twins)
    assert 0 < whitened.jitter < 1e-12
    assert np.isfinite(whitened.white).all()
