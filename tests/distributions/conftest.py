import numpy as np
import pytest


@pytest.fixture(scope="session")
def definite():
    """Random positive-definite matrices with a condition number of a few tens."""

    def make(n, seed):
        G = np.random.default_rng(seed).normal(size=(n, n))
        return G @ G.T / max(n, 1) + 0.2 * np.eye(n)

    return make


@pytest.fixture(scope="session")
def agrees():
    """Hold a distribution of one number against SciPy's frozen one."""

    def hold(ours, theirs, x, *, rtol=1e-9, moments=True):
        x = np.asarray(x, dtype=float)
        discrete = hasattr(theirs.dist, "pmf")
        with np.errstate(divide="ignore"):
            wanted = theirs.logpmf(x) if discrete else theirs.logpdf(x)
        np.testing.assert_allclose(ours.log_prob(x), wanted, rtol=rtol, atol=1e-12)
        np.testing.assert_allclose(ours.cdf(x), theirs.cdf(x), rtol=rtol, atol=1e-14)
        levels = np.array([0.01, 0.3, 0.5, 0.9, 0.999])
        np.testing.assert_allclose(ours.quantile(levels), theirs.ppf(levels), rtol=1e-7, atol=1e-12)
        np.testing.assert_allclose(ours.entropy, theirs.entropy(), rtol=1e-7)
        if moments:
            mean, var, skewness, kurtosis = theirs.stats("mvsk")
            np.testing.assert_allclose(ours.mean, mean, rtol=rtol, atol=1e-12)
            np.testing.assert_allclose(ours.var, var, rtol=rtol)
            if hasattr(ours, "kurtosis"):
                np.testing.assert_allclose(ours.skewness, skewness, rtol=1e-7, atol=1e-12)
                np.testing.assert_allclose(ours.kurtosis, kurtosis, rtol=1e-7, atol=1e-12)

    return hold


@pytest.fixture(scope="session")
def divergence():
    """Hold ``p.kl(q)`` against a quadrature or a sum, and against itself."""

    def hold(p, q, points, *, rtol=1e-6):
        points = np.asarray(points, dtype=float)
        log_p, log_q = p.log_prob(points), q.log_prob(points)
        kept = log_p > -np.inf
        each = np.zeros(len(points))
        each[kept] = np.exp(log_p[kept]) * (log_p[kept] - log_q[kept])
        counts = np.array_equal(points, np.arange(len(points)))
        total = each.sum() if counts else np.trapezoid(each, points)
        np.testing.assert_allclose(p.kl(q), total, rtol=rtol, atol=1e-9)
        np.testing.assert_allclose(p.kl(p), 0.0, atol=1e-12)

    return hold
