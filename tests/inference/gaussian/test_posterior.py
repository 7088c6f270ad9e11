import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import gammaln

from margin.inference import laplace_approximation

PRECISION = np.array([[2.0, 0.5], [0.5, 1.0]])
MIDDLE = np.array([1.0, -3.0])


def normal(x):
    slope = -PRECISION @ (x - MIDDLE)
    return 0.5 * float((x - MIDDLE) @ slope), slope


@pytest.mark.parametrize("hessian", [None, lambda x: -PRECISION])
def test_exact_for_a_normal_law(hessian):
    """inference.33 and inference.34: mode, covariance and integral."""
    found = laplace_approximation(normal, np.zeros(2), hessian=hessian)
    assert_allclose(found.law.mean, MIDDLE, atol=1e-7)
    assert_allclose(found.law.covariance, np.linalg.inv(PRECISION), rtol=1e-7)
    truth = np.log(2 * np.pi) - 0.5 * np.linalg.slogdet(PRECISION)[1]
    assert found.log_evidence == pytest.approx(truth, abs=1e-8)
    assert found.solution.status.ok


@pytest.mark.parametrize("shape", [5.0, 50.0, 500.0])
def test_the_integral_of_a_gamma_law_is_stirlings(shape):
    """In logarithms of a gamma variable the error falls like 1 / (12 shape)."""

    def log_gamma(x):
        return shape * float(x[0]) - float(np.exp(x[0])), shape - np.exp(x)

    found = laplace_approximation(log_gamma, np.zeros(1))
    assert_allclose(found.law.mean, np.log(shape), rtol=1e-6)
    assert gammaln(shape) - found.log_evidence == pytest.approx(1 / (12 * shape), rel=0.05)


def test_what_is_refused():
    with pytest.raises(ValueError, match="laplace_approximation: start must be a finite vector"):
        laplace_approximation(normal, np.zeros((2, 2)))
    with pytest.raises(ValueError, match="log_density must be curved downwards in every direction"):
        laplace_approximation(lambda x: (-0.5 * x[0] ** 2, np.array([-x[0], 0.0])), np.ones(2))
    with pytest.raises(ValueError, match="start must be where log_density is finite"):
        laplace_approximation(lambda x: (-np.inf, x), np.ones(2))
