import numpy as np
from scipy.stats import multivariate_normal

from margin.linear.discriminant._quadratic_rule import quadratic_rule

RNG = np.random.default_rng(1)
MEANS = RNG.normal(size=(2, 3))
ROOTS = RNG.normal(size=(2, 3, 3))
COVARIANCES = ROOTS @ np.swapaxes(ROOTS, 1, 2) + 0.5 * np.eye(3)
PRIORS = np.array([0.6, 0.4])


def test_densities_of_complete_rows_and_of_rows_with_holes():
    """linear.37: log densities of the observed columns, against SciPy row by row."""
    X = RNG.normal(size=(40, 3))
    X = np.where(RNG.random(X.shape) < 0.3, np.nan, X)
    X[0] = np.nan
    density = quadratic_rule(MEANS, COVARIANCES, PRIORS, 1e-6).log_density(X)
    for x, ours in zip(X, density, strict=True):
        o = ~np.isnan(x)
        if not o.any():
            np.testing.assert_array_equal(ours, 0.0)
            continue
        for k in range(2):
            normal = multivariate_normal(MEANS[k][o], COVARIANCES[k][np.ix_(o, o)])
            np.testing.assert_allclose(ours[k], normal.logpdf(x[o]), rtol=1e-10, atol=1e-12)


def test_small_variances_are_raised():
    flat = COVARIANCES.copy()
    flat[0, :, 2] = flat[0, 2, :] = 0.0
    rule = quadratic_rule(MEANS, flat, PRIORS, 1e-3)
    assert rule.ranks.tolist() == [2, 3]
    overall = PRIORS @ (flat[:, 2, 2] + (MEANS[:, 2] - PRIORS @ MEANS[:, 2]) ** 2)
    np.testing.assert_allclose(rule.covariances[0, 2, 2], 1e-6 * overall)
    np.testing.assert_array_equal(rule.covariances[1], flat[1])
    inverse = rule.whiten[0].T @ rule.whiten[0]
    np.testing.assert_allclose(inverse @ rule.covariances[0], np.eye(3), atol=1e-8)
    assert np.isfinite(rule.log_density(np.array([[0.0, np.nan, 1.0]]))).all()
