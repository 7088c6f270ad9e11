import numpy as np

from margin.decomposition import GaussianRandomProjection


def test_lengths_are_kept_on_average():
    """decomposition.17: E |Rx|^2 = |x|^2, with the variance 2 |x|^4 / m of normal entries."""
    x = np.random.default_rng(0).normal(size=(1, 50))
    sizes = [
        float((GaussianRandomProjection(8, random_state=s).fit_transform(x) ** 2).sum())
        for s in range(2000)
    ]
    true = float((x**2).sum())
    assert abs(np.mean(sizes) / true - 1) < 5 * np.sqrt(2 / 8 / 2000)
    np.testing.assert_allclose(np.var(sizes), 2 * true**2 / 8, rtol=0.2)
