"""Evidence of a Gaussian linear model against densities, integrals and differences."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import quad
from scipy.linalg import null_space
from scipy.stats import multivariate_normal, norm

from margin.linear.bayesian._gaussian_evidence import GaussianEvidence
from margin.linear.regression._regression_statistics import RegressionStatistics
from margin.optim import check_gradient


def sample(n=12, p=3, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) * np.geomspace(0.5, 2, p) + 1.0
    return X, X @ rng.normal(size=p) + 2.0 + 0.5 * rng.normal(size=n)


def evidence_of(X, y, centre, weight=None, root=None, precision=None, noise=None):
    stats = RegressionStatistics.of(X, y, weight, centre=centre)
    return GaussianEvidence.of(stats, root, precision, noise)


@pytest.mark.parametrize(("precision", "noise"), [(1.0, 1.0), (0.01, 4.0), (50.0, 0.3)])
@pytest.mark.parametrize("shape", [(12, 3), (3, 8), (1, 2)])
def test_without_intercept_it_is_the_marginal_density(shape, precision, noise):
    """linear.16: y ~ N(0, I / noise + X X^T / precision), tall and wide."""
    X, y = sample(*shape)
    found = evidence_of(X, y, centre=False).log_evidence(precision, noise)
    covariance = np.eye(len(y)) / noise + X @ X.T / precision
    assert_allclose(found, multivariate_normal(cov=covariance).logpdf(y), rtol=1e-10)


@pytest.mark.parametrize(("precision", "noise"), [(1.0, 1.0), (0.1, 4.0)])
def test_with_a_flat_intercept_it_is_the_density_of_the_contrasts(precision, noise):
    """linear.16: integrating b out leaves the contrasts and a factor of n^-1/2."""
    X, y = sample()
    contrasts = null_space(np.ones((1, 12))).T
    covariance = contrasts @ (np.eye(12) / noise + X @ X.T / precision) @ contrasts.T
    wanted = multivariate_normal(cov=covariance).logpdf(contrasts @ y) - 0.5 * np.log(12)
    found = evidence_of(X, y, centre=True).log_evidence(precision, noise)
    assert_allclose(found, wanted, rtol=1e-10)


def test_against_numerical_integration_over_the_coefficient():
    """linear.16: one feature, three rows, the integral done by quadrature."""
    x, y = np.array([0.0, 1.0, 2.0]), np.array([1.0, 2.0, 4.0])

    def joint(w):
        return np.prod(norm.pdf(y, w * x, 0.8)) * norm.pdf(w, scale=1 / np.sqrt(0.3))

    integral, _ = quad(joint, -20, 20, points=[1.0, 2.0], epsabs=1e-14)
    found = evidence_of(x[:, None], y, centre=False).log_evidence(0.3, 1 / 0.64)
    assert_allclose(found, np.log(integral), rtol=1e-9)


def test_against_numerical_integration_over_coefficient_and_intercept():
    """linear.16: weights count rows, so a likelihood is raised to the weight."""
    x, y, s = np.array([0.0, 1.0, 2.0]), np.array([1.0, 2.0, 4.0]), np.array([1.0, 2.0, 1.0])
    w, b = np.linspace(-8, 11, 801)[:, None, None], np.linspace(-15, 18, 801)[None, :, None]
    likelihood = np.prod(norm.pdf(y, w * x + b, 0.8) ** s, axis=2)
    joint = likelihood * norm.pdf(w[:, :, 0], scale=1 / np.sqrt(0.3))
    # Sums over a grid are exact for a Gaussian that has died out at the border.
    integral = joint.sum() * (19 / 800) * (33 / 800)
    found = evidence_of(x[:, None], y, centre=True, weight=s).log_evidence(0.3, 1 / 0.64)
    assert_allclose(found, np.log(integral), rtol=1e-9)


def test_a_prior_matrix_is_whitened():
    """linear.16: general precision Lambda against the marginal density."""
    X, y = sample()
    rng = np.random.default_rng(1)
    A = rng.normal(size=(3, 5))
    prior = A @ A.T
    found = evidence_of(X, y, centre=False, root=np.linalg.cholesky(prior)).log_evidence(1.0, 2.0)
    covariance = np.eye(12) / 2.0 + X @ np.linalg.solve(prior, X.T)
    assert_allclose(found, multivariate_normal(cov=covariance).logpdf(y), rtol=1e-10)


@pytest.mark.parametrize("centre", [False, True])
@pytest.mark.parametrize(("precision", "noise"), [(None, None), (0.7, None), (None, 2.0)])
def test_gradient_of_the_search(centre, precision, noise):
    """linear.16, optim.24: derivatives in the logarithms of the free precisions."""
    X, y = sample()
    evidence = evidence_of(X, y, centre, precision=precision, noise=noise)
    problem = evidence.problem()
    assert problem.dimension == (precision is None) + (noise is None)
    for start in (evidence.start(), evidence.start() + 1.3):
        assert check_gradient(problem, start) < 1e-8
    used = evidence.precisions(evidence.start())
    assert precision is None or used[0] == precision
    assert noise is None or used[1] == noise


def test_effective_degrees_of_freedom():
    """linear.13: the trace of the hat matrix of the ridge with alpha = precision / noise."""
    X, y = sample()
    evidence = evidence_of(X, y, centre=True)
    C = X - X.mean(axis=0)
    hat = C @ np.linalg.solve(C.T @ C + 0.4 / 2.5 * np.eye(3), C.T)
    assert_allclose(evidence.effective_dof(0.4, 2.5), np.trace(hat))
    assert evidence.effective_dof(1e-12, 1.0) == pytest.approx(3.0)
    assert evidence.effective_dof(1e12, 1.0) == pytest.approx(0.0, abs=1e-9)


def test_units_do_not_matter():
    """Rescaling data moves the search by a constant and nothing else."""
    X, y = sample()
    a = evidence_of(X, y, centre=True)
    b = evidence_of(1e3 * X, 1e-5 * y, centre=True)
    shift = np.log([1e6 * 1e10, 1e10])
    assert_allclose(b.start(), a.start() + shift)
    assert_allclose(
        b.problem().expand(b.start()).gradient, a.problem().expand(a.start()).gradient, atol=1e-12
    )


def test_singular_designs_are_no_obstacle():
    X, y = sample()
    evidence = evidence_of(np.column_stack([X, X[:, 0], np.zeros(12)]), y, centre=True)
    assert evidence.values.min() >= 0
    assert np.isfinite(evidence.log_evidence(1.0, 1.0))
