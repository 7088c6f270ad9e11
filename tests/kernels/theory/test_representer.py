"""The representer theorem with its certificate (kernels.35)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import minimize
from sklearn.kernel_ridge import KernelRidge

from margin.kernels import (
    RBF,
    KernelFunction,
    Polynomial,
    PolynomialFeatures,
    representer,
    representer_certificate,
)

rng = np.random.default_rng(0)
X, y = rng.normal(size=(15, 2)), rng.normal(size=15)
CENTRES = rng.normal(size=(6, 2)) * 2


def test_coefficients():
    """kernels.35: alpha = (K + s² I)^-1 y, kernel ridge regression."""
    f = representer(RBF(0.8), X, y, noise=0.3)
    model = KernelRidge(alpha=0.3, kernel="rbf", gamma=0.5 / 0.64).fit(X, y)
    assert_allclose(f.coefficients, model.dual_coef_, rtol=1e-9)
    assert_allclose(f(CENTRES), model.predict(CENTRES), rtol=1e-9, atol=1e-12)


def objective(kernel, centres, coef, noise):
    """Squared errors plus squared norm of a function with any centres, written out."""
    values = [
        sum(c * kernel([x], [z])[0, 0] for c, z in zip(coef, centres, strict=True)) for x in X
    ]
    return float(np.sum((y - values) ** 2) + noise * coef @ kernel(centres) @ coef)


def test_ridge_regression_of_explicit_features_is_the_same_function():
    """kernels.35: over the whole space, the monomials written out, nothing is better."""
    kernel = Polynomial(3, 0.4, 1.0)
    phi = PolynomialFeatures.of(kernel, 2)
    F = phi(X)
    w = np.linalg.solve(F.T @ F + 0.3 * np.eye(F.shape[1]), F.T @ y)
    f = representer(kernel, X, y, noise=0.3)
    assert_allclose(f(CENTRES), phi(CENTRES) @ w, rtol=1e-8)
    assert_allclose(f.norm() ** 2, w @ w, rtol=1e-8)
    # The weights have no part outside the span of the features of the rows.
    inside = F.T @ np.linalg.lstsq(F.T, w, rcond=None)[0]
    assert_allclose(inside, w, atol=1e-9)


def test_a_search_with_free_centres_finds_nothing_lower():
    """kernels.35: coefficients of the rows and of further centres, minimised numerically."""
    kernel, both = RBF(0.8), np.concatenate([X, CENTRES])
    f = representer(kernel, X, y, noise=0.3)
    best = objective(kernel, X, f.coefficients, 0.3)
    K = kernel(both)

    def value(coef):
        return np.sum((y - K[:15] @ coef) ** 2) + 0.3 * coef @ K @ coef

    for seed in range(3):
        start = np.random.default_rng(seed).normal(size=21)
        lowest = minimize(value, start, method="BFGS", options={"gtol": 1e-9}).fun
        assert lowest >= best * (1 - 1e-9)
        assert_allclose(lowest, best, rtol=1e-6)


def test_added_centres_do_not_help_the_minimiser():
    f = representer(RBF(0.8), X, y, noise=0.3)
    proof = representer_certificate(f, y, 0.3, CENTRES)
    assert proof.gradient < 1e-12
    assert proof.gain < 1e-12
    assert_allclose(proof.objective, 0.3 * y @ f.coefficients, rtol=1e-10)


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
    proof = representer_certificate(wrong, y, 0.3, CENTRES)
    best = representer_certificate(representer(RBF(0.8), X, y, noise=0.3), y, 0.3, CENTRES)
    assert_allclose(proof.gain, proof.objective - best.objective, rtol=1e-8)
    assert_allclose(proof.objective, objective(RBF(0.8), X, wrong.coefficients, 0.3), rtol=1e-9)


def test_the_gradient_is_the_slope_along_new_centres():
    """kernels.35: by differences of the objective along the section of every centre."""
    wrong = KernelFunction(RBF(0.8), X, representer(RBF(0.8), X, y, noise=0.3).coefficients * 0.7)
    slopes = []
    for centre in CENTRES:
        both = np.concatenate([X, centre[None]])
        up, down = (
            objective(RBF(0.8), both, np.append(wrong.coefficients, step), 0.3)
            for step in (1e-5, -1e-5)
        )
        slopes.append(abs(up - down) / 2e-5)
    proof = representer_certificate(wrong, y, 0.3, CENTRES)
    assert_allclose(proof.gradient, max(slopes), rtol=1e-6)


@pytest.mark.parametrize("noise", [0.0, -1.0, np.inf])
def test_noise_is_refused(noise):
    with pytest.raises(ValueError, match="representer: noise must be a number above 0"):
        representer(RBF(), X, y, noise)
