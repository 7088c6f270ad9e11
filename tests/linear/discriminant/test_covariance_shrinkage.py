import numpy as np
from sklearn.covariance import shrunk_covariance

from margin.linear.discriminant._covariance_shrinkage import shrunk


def test_fixed_amount_is_scikit_learns():
    rng = np.random.default_rng(0)
    S = np.cov(rng.standard_normal((50, 4)).T)
    np.testing.assert_allclose(shrunk(S, 0.3, None), shrunk_covariance(S, 0.3))
    assert shrunk(S, None, None) is S


def test_automatic_amount_does_not_depend_on_units():
    rng = np.random.default_rng(1)
    X = rng.standard_normal((30, 5))
    X -= X.mean(axis=0)
    units = np.array([1.0, 10.0, 1e-3, 5.0, 100.0])
    plain = shrunk(X.T @ X / 30, "auto", lambda: X)
    scaled = shrunk((X * units).T @ (X * units) / 30, "auto", lambda: X * units)
    np.testing.assert_allclose(scaled, plain * np.outer(units, units), rtol=1e-10)
