"""The representer theorem with its certificate (kernels.35)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.kernel_ridge import KernelRidge

from margin.kernels import RBF, KernelFunction, representer, representer_certificate

rng = np.random.default_rng(0)
X, y = rng.normal(size=(15, 2)), rng.normal(size=15)
CENTRES = rng.normal(size=(6, 2)) * 2


def test_coefficients():
    """kernels.35: alpha = (K + s² I)^-1 y, kernel ridge regression."""
    f = representer(RBF(0.8), X, y, noise=0.3)
    model = KernelRidge(alpha=0.3, kernel="rbf", gamma=0.5 / 0.64).fit(X, y)
    assert_allclose(f.coefficients, model.dual_coef_, rtol=1e-9)
    assert_allclose(f(CENTRES), model.predict(CENTRES), rtol=1e-9, atol=1e-12)


def test_added_centres_do_not_help_the_minimiser():
    f = representer(RBF(0.8), X, y, noise=0.3)
    found = representer_certificate(f, y, 0.3, CENTRES)
    assert found.gradient < 1e-12
    assert found.gain < 1e-12
    assert_allclose(found.objective, 0.3 * y @ f.coefficients, rtol=1e-10)


def test_it_is_an_argmin():
    """000:1550 prints argmax: every perturbation raises the objective."""
    f = representer(RBF(0.8), X, y, noise=0.3)
    best = representer_certificate(f, y, 0.3, CENTRES).objective
    for _ in range(20):
        other = KernelFunction(f.kernel, X, f.coefficients + 0.1 * rng.normal(size=15))
        assert representer_certificate(other, y, 0.3, CENTRES).objective > best


def test_a_wrong_fit_is_found_out():
    """Any other function is improved by further centres, by as much as the certificate says."""
    wrong = KernelFunction(RBF(0.8), X, representer(RBF(0.8), X, y, noise=0.3).coefficients * 0.7)
    found = representer_certificate(wrong, y, 0.3, CENTRES)
    assert found.gradient > 1e-3
    assert found.gain > 1e-3
    assert found.gain <= found.objective


@pytest.mark.parametrize("noise", [0.0, -1.0, np.inf])
def test_noise_is_refused(noise):
    with pytest.raises(ValueError, match="representer: noise must be a number above 0"):
        representer(RBF(), X, y, noise)
