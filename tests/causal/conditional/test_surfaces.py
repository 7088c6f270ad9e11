import numpy as np
from numpy.testing import assert_allclose
from sklearn.linear_model import LinearRegression

from margin.causal.conditional._surfaces import surface


def test_planes_have_robust_errors():
    rng = np.random.default_rng(0)
    M, y, w = rng.standard_normal((80, 2)), rng.standard_normal(80), rng.uniform(0.5, 2, 80)
    plane = surface("E", M, y, w, None, trusted=True)
    other = LinearRegression().fit(M, y, sample_weight=w)
    assert_allclose(plane.values(M), other.predict(M))
    D = np.column_stack([np.ones(80), M])
    bread = np.linalg.inv((D * w[:, None]).T @ D)
    meat = (D.T * (w * (y - D @ plane.coef)) ** 2) @ D
    assert_allclose(plane.covariance, bread @ meat @ bread)
    assert_allclose(plane.errors(M[:3]), np.sqrt(np.diag(D[:3] @ plane.covariance @ D[:3].T)))
    assert surface("E", M, y, w, None, trusted=False).errors(M) is None
    learned = surface("E", M, y, w, LinearRegression(), trusted=True)
    assert_allclose(learned.values(M), plane.values(M))
    assert learned.errors(M) is None
