"""Change of variables (distributions.14)."""

import numpy as np
from numpy.testing import assert_allclose
from scipy import stats

from margin.distributions import Exponential, MultivariateNormal, Normal, Transformed, Uniform


def test_known_pairs():
    """distributions.14: log-normal, and a uniform turned into an exponential."""
    y = np.array([0.2, 1.0, 5.0])
    log_normal = Transformed(Normal(0.5, 2.0), np.exp, np.log, lambda v: -np.log(v))
    theirs = stats.lognorm(2.0, scale=np.exp(0.5))
    assert_allclose(log_normal.log_prob(y), theirs.logpdf(y))
    assert_allclose(log_normal.cdf(y), theirs.cdf(y))
    assert_allclose(log_normal.quantile([0.1, 0.9]), theirs.ppf([0.1, 0.9]))
    numeric = Transformed(Normal(0.5, 2.0), np.exp, np.log)
    assert_allclose(numeric.log_prob(y), theirs.logpdf(y), rtol=1e-7)
    waiting = Transformed(Uniform(), lambda u: -np.log(u), lambda v: np.exp(-v))
    assert_allclose(waiting.log_prob(y), Exponential(1.0).log_prob(y), atol=1e-7)
    assert_allclose(waiting.cdf(y), Exponential(1.0).cdf(y))
    assert_allclose(waiting.quantile(0.3), Exponential(1.0).quantile(0.3))
    assert waiting.log_prob(np.nan) == 0.0


def test_vectors_by_the_jacobian(definite):
    """distributions.14: a linear map of a normal vector, and polar coordinates that integrate."""
    A, b = definite(2, 0), np.array([1.0, -1.0])
    base = MultivariateNormal([0.5, 1.0], definite(2, 1))
    ours = Transformed(base, lambda x: x @ A.T + b, lambda y: (y - b) @ np.linalg.inv(A).T)
    y = ours.sample(5, 0)
    assert_allclose(ours.log_prob(y), base.affine(A, b).log_prob(y), rtol=1e-6)
    plane = MultivariateNormal([0.0, 0.0], np.eye(2))

    def to_plane(p):
        return np.stack([p[..., 0] * np.cos(p[..., 1]), p[..., 0] * np.sin(p[..., 1])], axis=-1)

    polar = Transformed(plane, lambda x: x, to_plane)
    r = np.linspace(1e-3, 10, 4001)
    density = np.exp(polar.log_prob(np.column_stack([r, np.full_like(r, 0.7)])))
    assert_allclose(2 * np.pi * np.trapezoid(density, r), 1.0, rtol=1e-5)
