import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.inference import autocorrelation, effective_size, r_hat
from margin.inference.sampling._diagnostics import bulk_size, tail_size


@pytest.fixture
def rng():
    return np.random.default_rng(3)


def autoregression(rho, shape, rng):
    """Draws of an AR(1) of variance 1 along the second axis."""
    draws = np.empty(shape)
    draws[:, 0] = rng.normal(size=shape[0])
    for t in range(1, shape[1]):
        draws[:, t] = rho * draws[:, t - 1] + np.sqrt(1 - rho**2) * rng.normal(size=shape[0])
    return draws


def test_autocorrelation_is_the_sum_of_products(rng):
    x = rng.normal(size=50)
    centred = x - x.mean()
    plain = [centred[: 50 - t] @ centred[t:] / (centred @ centred) for t in range(50)]
    assert_allclose(autocorrelation(x), plain, atol=1e-12)
    assert_allclose(autocorrelation(np.ones((2, 4))), [[1, 0, 0, 0]] * 2)


@pytest.mark.parametrize("rho", [0.0, 0.6, 0.9])
def test_effective_size_of_an_autoregression(rho, rng):
    """inference.27, known: n (1 - rho) / (1 + rho)."""
    size = effective_size(autoregression(rho, (4, 20_000), rng))
    assert size == pytest.approx(80_000 * (1 - rho) / (1 + rho), rel=0.1)


def test_draws_that_alternate_are_worth_more_than_independent_ones(rng):
    assert effective_size(autoregression(-0.5, (4, 5000), rng)) > 40_000


def test_r_hat_sees_places_widths_and_travel(rng):
    same = rng.normal(size=(4, 500))
    assert r_hat(same) < 1.01
    assert r_hat(same + np.arange(4)[:, None]) > 1.3
    assert r_hat(same * np.array([1, 1, 1, 5])[:, None]) > 1.1
    assert r_hat(same + np.linspace(0, 4, 500)) > 1.3


def test_r_hat_does_not_need_moments(rng):
    cauchy = rng.standard_cauchy(size=(4, 2000))
    assert r_hat(cauchy) < 1.01
    assert bulk_size(cauchy) == pytest.approx(8000, rel=0.15)


def test_several_quantities_at_once(rng):
    draws = rng.normal(size=(3, 200, 5))
    for measure in (r_hat, effective_size, bulk_size, tail_size):
        assert_allclose(measure(draws), [measure(draws[:, :, j]) for j in range(5)], rtol=1e-12)


def test_what_never_moves_or_is_too_short():
    assert np.isnan(r_hat(np.ones((2, 10))))
    assert np.isnan(effective_size(np.ones((2, 10))))
    assert r_hat(np.ones((2, 10)) * [[0.0], [1.0]]) == np.inf
    assert np.isnan(r_hat(np.zeros((2, 1))))
    assert np.isnan(effective_size(np.zeros((2, 3))))
